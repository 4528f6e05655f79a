// Which volumes this machine has, and what they are called. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <expected>
#include <string>
#include <vector>

#include "collectors/model/error.h"

namespace winperf {

// Each as \\?\Volume{...}\, which other functions take. Neither network drives nor substitutes.
[[nodiscard]] std::expected<std::vector<std::wstring>, Error> list_volumes();

// As the instances of its counters are called: by the letter ("C:"), by the folder it is mounted at
// ("C:\mount"), by the device ("HarddiskVolume3"). Empty if Windows tells none.
std::wstring volume_name(const std::wstring& volume);

std::wstring without_last_backslash(std::wstring path);

}  // namespace winperf
