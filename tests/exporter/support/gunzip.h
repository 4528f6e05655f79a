// Reads gzip files and deflate's blocks back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winperf::testing {

// The contents of a gzip file of exactly one member; empty where it is anything else.
std::string gunzipped(std::string_view file);

// The text of deflate's blocks, of which none is the last one, and which end at a byte boundary.
std::optional<std::string> inflated(std::string_view blocks);

}  // namespace winperf::testing
