// Which setting of windows_exporter was probably meant by one that it doesn't have: at the wrong
// place, or misspelt. Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

namespace winperf::migration {

// "collector.process.include" for "process.include", "collectors.process.include" and
// "collector.proces.include"; empty if nothing is near.
std::string meant_key(std::string_view key);

// Whether a name stands for the default collectors: "[defaults]", or what people write instead.
bool means_defaults(std::string_view name);

}  // namespace winperf::migration
