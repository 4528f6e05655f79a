// What people paste: the command line that starts windows_exporter, or the one that has installed
// it, with msiexec, Chocolatey, sc, NSSM or PowerShell in front. Thread rule: any thread.
// Source: the documentation of windows_exporter's installer and of its Chocolatey package.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace winperf::migration {

// windows_exporter's flags, and the properties of its installer, without what starts or installs
// it. `words`: as a shell hands them over. What isn't known stays, so that it can be named.
std::vector<std::string> words_of_exporter(std::span<const std::string> words);

}  // namespace winperf::migration
