// Text files on the page. Each format is written once for all clients, as long as neither the files
// nor the names that the rest of the page has are others. Thread rule: any thread.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "exporter/text/gzip.h"
#include "exporter/text/page_format.h"
#include "exporter/text/page_selection.h"
#include "exporter/text/shared_text.h"
#include "exporter/textfile/textfile_family.h"
#include "exporter/textfile/textfile_parser.h"

namespace winperf {

// The names that a page already has, so that metrics from text files can't repeat them: those of
// its series, and those of its families in either format. OpenMetrics calls a counter x_total the
// family x, and keeps x_created for it. Thread rule: values.
class PageNames {
 public:
  // Lines of a page in any format; comments without series count, too.
  void add(std::string_view lines);
  // Also each name that begins as those of the exporter's own metrics do.
  bool has(std::string_view name) const;

 private:
  void add_family(std::string_view name, std::string_view type);

  std::set<std::string, std::less<>> names_;
};

// Metrics of text files on the page, in both of its formats.
//
// In OpenMetrics a metric whose numbers or name the format forbids for its type is of the type
// unknown: a counter without "_total" or with a negative value, a histogram without a sum.
// "x_created", which client libraries write into text files as a separate metric, is a part of x
// there. Thread rule: any thread.

// A metric as it is written.
struct TextfileText {
  std::string_view name;
  TextfileType type{};
  std::string text{};        // empty if it is left out, or is a part of another one
  std::size_t left_out = 0;  // series
};

// One after the other. `is_taken`: whether the page has a metric or a series of this name already.
// Metrics with such names are left out, the same ones in both formats. What is written follows from
// the families and from what is_taken() says when it is asked, and from nothing else.
void write_textfile_families(PageFormat format, const TextfileFamilies& families,
                             const std::function<bool(std::string_view)>& is_taken,
                             const std::function<void(TextfileText)>& use);

// The text files' part of the page in one format, in pieces that all requests share: text,
// compressed on first use. A metric with much text is a piece by itself, so that a part of the page
// that has it needs no copy of it either. Thread rule: any thread; nothing of it changes but for
// what is compressed once.
class TextfilePage {
 public:
  using AskName = std::function<bool(std::string_view)>;

  // `is_taken`: as for write_textfile_families().
  TextfilePage(std::shared_ptr<const TextfileResult> files, PageFormat format,
               const AskName& is_taken);

  // Whether it would be the same with these files and these names.
  bool is_of(const TextfileResult* files, const AskName& is_taken) const;

  struct Part {
    KeptPieces pieces{};
    std::size_t left_out = 0;  // series, because of their names
  };
  const Part& whole() const { return whole_; }
  // The metrics of which any name, of the family or of its lines, is wanted.
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

// The topic's state; null if no text files are read, or what was read has got too old.
const FactState* fresh_textfiles(const FactSnapshot& facts, SteadyTime now);

// "winperf_textfile_error".
void append_textfile_error(std::string& out, PageFormat format, const FactTable& table,
                           const PageSelection& selection);

class TextfilePart {
 public:
  // The metrics, but for those whose names the page has.
  TextfilePage::Part metrics(const std::shared_ptr<const TextfileResult>& files, PageFormat format,
                             const PageSelection& selection, const PageNames& names);

 private:
  std::shared_ptr<const TextfilePage> page(const std::shared_ptr<const TextfileResult>& files,
                                           PageFormat format, const PageNames& names);

  std::mutex mutex_;  // held while writing: other threads wait for the result
  std::array<std::shared_ptr<const TextfilePage>, kPageFormatCount> pages_;
};

}  // namespace winperf
