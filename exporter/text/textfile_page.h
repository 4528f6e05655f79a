// What text files have on the page, in one format, in pieces that all who ask for it share: text,
// and compressed once somebody wants it. A metric with much text is a piece by itself, so that a
// part of the page that has it needs no copy of it either. Thread rule: any thread; nothing of it
// changes but for what is compressed once.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/text/gzip.h"
#include "exporter/text/page_format.h"
#include "exporter/text/shared_text.h"
#include "exporter/text/textfile_lines.h"
#include "exporter/textfile/textfile_merge.h"

namespace winperf {

class TextfilePiece {
 public:
  explicit TextfilePiece(std::string text)
      : text_(std::make_shared<const std::string>(std::move(text))) {}

  const SharedText::Piece& text() const { return text_; }
  const DeflatedPart& compressed() const;

 private:
  const SharedText::Piece text_;
  mutable std::once_flag compress_once_;
  mutable DeflatedPart compressed_;
};

using TextfilePieces = std::vector<std::shared_ptr<const TextfilePiece>>;

class TextfilePage {
 public:
  using AskName = std::function<bool(std::string_view)>;

  // `is_taken`: as for write_textfile_families().
  TextfilePage(std::shared_ptr<const TextfileResult> files, PageFormat format,
               const AskName& is_taken);

  // Whether it would be the same with these files and these names.
  bool is_of(const TextfileResult* files, const AskName& is_taken) const;

  struct Part {
    TextfilePieces pieces{};
    std::size_t left_out = 0;  // series, because of their names
  };
  const Part& whole() const { return whole_; }
  // Of which one of the names of its lines, or its own, is wanted.
  Part cut(const AskName& is_wanted) const;

 private:
  struct Metric {
    std::string_view name;  // in files_
    TextfileType type{};
    std::size_t piece = 0;
    std::size_t begin = 0;
    std::size_t size = 0;
    std::size_t left_out = 0;
  };
  void add(TextfileText metric);
  void end_piece();

  std::shared_ptr<const TextfileResult> files_;
  std::map<std::string, bool, std::less<>> asked_;  // names, and whether they were taken
  std::vector<Metric> metrics_;
  std::string begun_;  // the last piece, while it is made
  Part whole_;
};

}  // namespace winperf
