// Reads all of a log by everything that collectors/blg has, and checks what holds whatever the
// bytes: tests of damage and the fuzz target share it.
#pragma once

#include <functional>
#include <string>

namespace winperf::testing {

// `require` gets a property, and whether it holds.
void read_all_of_log(const std::string& log, const std::function<void(bool, const char*)>& require);

}  // namespace winperf::testing
