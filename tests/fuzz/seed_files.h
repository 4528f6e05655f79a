// The seeds of a fuzz target as files, for a corpus folder of libFuzzer's.
#pragma once

#include <string_view>

namespace winperf::fuzz {

// Where `argument` is --write-seeds=FOLDER: makes the folder, writes them there and says so.
// False where it is something else.
bool wrote_seeds(std::string_view argument);

}  // namespace winperf::fuzz
