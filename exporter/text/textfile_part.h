// Text files on the page. Each format is written once for all clients, as long as neither the files
// nor the names that the rest of the page has are others. Thread rule: any thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "collectors/facts/fact_state.h"
#include "exporter/text/page_format.h"
#include "exporter/text/page_names.h"
#include "exporter/text/page_selection.h"
#include "exporter/text/textfile_page.h"

namespace winperf {

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

  // How often a format was written.
  std::size_t writings() const;

 private:
  std::shared_ptr<const TextfilePage> page(const std::shared_ptr<const TextfileResult>& files,
                                           PageFormat format, const PageNames& names);

  mutable std::mutex mutex_;  // held while writing: other threads wait for the result
  std::array<std::shared_ptr<const TextfilePage>, kPageFormatCount> pages_;
  std::size_t writings_ = 0;
};

}  // namespace winperf
