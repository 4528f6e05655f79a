// Reads gzip files back.
#pragma once

#include <string>
#include <string_view>

namespace winperf::testing {

// The contents of a gzip file of exactly one member; empty where it is anything else.
std::string gunzipped(std::string_view file);

}  // namespace winperf::testing
