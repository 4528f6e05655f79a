// The exporter's own metrics as lines of a page. Thread rule: any thread.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/text/own_families.h"
#include "exporter/text/page_format.h"

namespace winperf {

// Writes what is selected, as it is read; OpenMetrics has a place for the time since when counters
// count.
void append_own(std::string& out, PageFormat format, const OwnMetrics& metrics,
                const PageSelection& selection = {});

// Most numbers change with each scrape, but seldom which series there are. So what stands around
// the numbers is kept, and metrics are collected again only for a series that isn't known.
class OwnText {
 public:
  explicit OwnText(PageFormat format) : format_(format) {}

  // `metrics`: the same parts each time. What isn't selected isn't written.
  void append(std::string& out, std::span<const OwnMetrics> metrics,
              const PageSelection& selection);

 private:
  struct Line {
    std::vector<std::string> labels;  // their values
    std::string before;               // the number
    std::string after;
  };
  struct Family {
    std::string_view name;
    std::string header{};
    std::vector<Line> lines{};
  };
  class Writer;

  bool append_known(std::string& out, std::span<const OwnMetrics> metrics,
                    const PageSelection& selection) const;
  void collect(std::span<const OwnMetrics> metrics);

  const PageFormat format_;
  std::mutex mutex_;
  std::vector<Family> families_;  // in the order in which they are visited, as their lines are
};

}  // namespace winperf
