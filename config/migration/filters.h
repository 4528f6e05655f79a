// The options that select what a collector reads, as filters of our own. Thread rule: one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/collectors.h"
#include "config/migration/progress.h"

namespace winperf::migration {

// The setting that limits a collector to some of its parts: those, in lower case. Nothing: to none.
std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress);

struct Filters {
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
};

// `include`, `exclude`: the options' names; "" if there is none. `prefix`: a pattern of what
// precedes what they match. A filter that can't be taken over is lost.
Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress);

}  // namespace winperf::migration
