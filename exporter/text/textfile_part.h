// Text files as a part of the facts: what is known of them once they are parsed. They are parsed
// once each time they were read, however many clients ask. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "collectors/facts/fact_state.h"
#include "exporter/text/page_format.h"
#include "exporter/text/page_names.h"
#include "exporter/text/page_selection.h"
#include "exporter/textfile/textfile_merge.h"

namespace winperf {

// The facts, and the metrics of text files. In the facts the topic textfile has a row for each file
// whose metrics are here, without its content, and a problem for each other one.
struct ParsedFacts {
  FactSnapshot facts;
  std::shared_ptr<const TextfileResult> textfiles{};  // null: none were read
};

class TextfilePart {
 public:
  ParsedFacts parse(const FactSnapshot& facts);

 private:
  struct Parsed {
    std::shared_ptr<const FactTable> from;
    std::shared_ptr<const FactTable> to;
    std::shared_ptr<const TextfileResult> result;
  };

  std::mutex mutex_;  // held while parsing: other threads wait for the result
  Parsed parsed_;
};

// "winperf_textfile_error" and the metrics, but for those whose names the page has: returns how
// many series these are. Nothing if no text files are read, or what was read has got too old.
std::size_t append_textfiles(std::string& out, PageFormat format, const ParsedFacts& parsed,
                             SteadyTime now, const PageSelection& selection,
                             const PageNames& names);

}  // namespace winperf
