// What `query` and `top` ask for, and how they print it. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "collectors/match/filter.h"
#include "collectors/model/counter_path.h"
#include "service/commands/command.h"
#include "service/plan/setup.h"

namespace winperf {

struct QueryOptions {
  SetupOptions setup{};
  std::vector<std::string> names{};   // empty: the configured countersets
  std::optional<Filter> counters{};   // instead of all counters of those that are named
  std::optional<CounterPath> path{};  // nothing: as configured
  std::chrono::milliseconds interval{1000};
  OutputFormat format = OutputFormat::kTable;
  // Samples to print; 0: until it is stopped. Nothing: 1, or with `watches` 0.
  std::optional<std::size_t> count{};
  bool watches = false;         // until it is stopped, in place on a terminal
  bool ranks = false;           // a line for each instance, on whatever it is printed
  std::string sort{};           // the counter that orders the lines; empty: the first
  std::size_t most = 0;         // of those lines; 0: as many as there are, or as fit
  bool wide = false;            // tables aren't cut
  std::optional<bool> human{};  // nothing: on a terminal
};

// Returns the exit code.
int query_counters(const QueryOptions& options);

}  // namespace winperf
