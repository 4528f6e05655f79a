// The sample's part of a page in one format, kept in pieces that pages of some of its countersets
// share: such a page costs neither a copy of its text nor another compression.
//
// As long as clients only want all of it compressed, as Prometheus does, the text stays as it was
// written, and is compressed as a whole. The first request for anything else cuts it into pieces. A
// piece of text has lines of one counterset, unless several are so small that they share one. Each
// run of lines of one counterset is compressed once, when the first client wants it compressed
// without all others; each family of a counterset once more, when metrics are asked for by name.
// All of that takes less memory than the text, and goes with it. Thread rule: any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/text/gzip.h"
#include "exporter/text/page_selection.h"
#include "exporter/text/shared_text.h"

namespace winperf {

// The series of one family and one counterset, as a place in the text.
struct PagePart {
  std::size_t counterset = 0;  // its place in the sample
  std::size_t header = 0;      // of the family's comments, which are in front of its first part
  std::size_t header_size = 0;
  std::size_t begin = 0;      // of the lines, each of which begins with the name
  std::size_t end = 0;        // after the last one
  std::size_t name_size = 0;  // "winperf_memory_page_faults_total"

  bool is_first() const { return header + header_size == begin; }  // of its family
  std::size_t start() const { return is_first() ? header : begin; }
};

class KeptPage {
 public:
  // The parts are the whole text, in its order, and their families are sorted by name. `end`: what
  // is at the end of the page, whatever is selected.
  KeptPage(std::string text, std::vector<PagePart> parts, std::string_view end = {});

  const SharedText& text() const { return pieces().text; }
  const DeflatedPart& compressed();
  // The comments and lines that are selected.
  SharedText text(const PageSelection& selection) const;
  // The same, compressed, at the end of a file.
  void append_to(GzipFile& file, const PageSelection& selection);

  // The parts compressed so far, and their size in memory.
  struct Compression {
    std::size_t text_bytes = 0;
    std::size_t kept_bytes = 0;
  };
  Compression compression() const { return {compressed_text_bytes_, kept_bytes_}; }

  // Calls use(comments, name): for each family, its comments and the name of its series.
  template <class Use>
  void for_each_family(const Use& use) const {
    const Pieces& cut = pieces();
    for (const Family& family : cut.families) {
      const PagePart& first = parts_[family.first];
      use(cut.view({first.header, first.begin}), family.name);
    }
  }

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct Family {
    std::string_view name;
    std::size_t first = 0;  // of its parts
  };
  // Parts of one counterset that follow one another in one piece of text.
  struct Run {
    std::size_t first = 0;
    std::size_t end = 0;  // after the last one
  };
  struct Compressed {
    std::once_flag once;
    DeflatedPart part;
  };
  // The text once it has been cut.
  struct Pieces {
    void add(std::string_view piece, std::size_t start);
    std::size_t piece_of(std::size_t place) const;
    // Within one piece.
    std::string_view view(Range range) const;

    SharedText text;
    std::vector<std::size_t> starts;  // of its pieces
    std::vector<Run> runs;
    std::vector<Family> families;
    std::vector<Compressed> compressed_runs;
  };
  // The kinds of ranges that a selection takes from the text.
  enum class Kind { kComments, kRun, kPart };

  std::shared_ptr<const std::string> whole() const;
  // Cuts the text if it is still whole.
  Pieces& pieces() const;
  std::unique_ptr<Pieces> pieces_of(std::string_view text) const;
  std::size_t end_of_run(std::size_t first) const;
  Range range_of(const Run& run) const {
    return {parts_[run.first].start(), parts_[run.end - 1].end};
  }
  std::vector<std::size_t> families_called(const PageSelection& selection) const;
  template <class Use>
  void for_each_selected(const PageSelection& selection, const Use& use) const;
  void append_kept(GzipFile& file, Compressed& kept, std::string_view text);
  DeflatedPart counted(DeflatedPart part);

  std::vector<PagePart> parts_;
  std::string_view end_;
  mutable std::mutex mutex_;                          // of the next one
  mutable std::shared_ptr<const std::string> whole_;  // null once it has been cut
  mutable std::once_flag cut_once_;
  mutable std::unique_ptr<Pieces> pieces_;

  std::once_flag compress_once_;
  DeflatedPart compressed_;
  std::once_flag part_once_;  // most pages are never asked for metrics by name
  std::vector<Compressed> compressed_parts_;
  std::atomic<std::size_t> compressed_text_bytes_ = 0;
  std::atomic<std::size_t> kept_bytes_ = 0;
};

}  // namespace winperf
