// The file names of a capture directory: "sample-NNNN.perf" and "sample-NNNN-MM.perf", NNNN the
// sample counted from 0 (4 to 9 digits), MM the query within it (2 to 9 digits).
// Source: docs/registry-path.md, "Capture directories".
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace winperf {

struct SampleFileName {
  std::uint32_t sample = 0;
  std::optional<std::uint32_t> part;  // absent sorts before every part
  auto operator<=>(const SampleFileName&) const = default;
};

// Nothing for every other name.
std::optional<SampleFileName> parse_sample_file_name(std::string_view name);

}  // namespace winperf
