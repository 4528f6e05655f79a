// Programs of others that this machine may have, and that checks use: browsers and PowerShell.
// On Windows those that an administrator has installed (App Paths of HKLM, the system's folder and
// the program folders); elsewhere those in PATH. Not validated: what they are. Thread rule: any
// thread. Implemented in win/ and posix/, chosen by CMake.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace winperf::selftest {

// Each exists; the best first.
std::vector<std::filesystem::path> found_browsers();
std::vector<std::filesystem::path> found_powershells();

// What a browser needs besides, on this system.
std::vector<std::string> browser_words();

}  // namespace winperf::selftest
