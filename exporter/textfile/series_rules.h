// What a histogram's lines say together. Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "exporter/textfile/textfile_family.h"

namespace winperf {

// A series as people write it: name{labels}; cut if it is long.
std::string shown_series(std::string_view name, std::string_view labels);

// Completes a histogram: the bucket of +Inf and the count are the same number, and one of them
// may be absent. Errors: a sentence about what contradicts itself.
[[nodiscard]] std::expected<void, std::string> complete_histogram(std::string_view name,
                                                                  std::string_view labels,
                                                                  TextfileSeries& series);

}  // namespace winperf
