// Looks at the file that a provider's Library value names, without loading it.
// Only a regular file is opened. Of one that is larger than 64 MiB no more than the first 64 KiB
// are read, and which functions it exports is not known (kLimitExceeded). Thread rule: any thread.
#pragma once

#include <filesystem>

#include "collectors/diagnosis/facts.h"

namespace winperf {

LibraryFile inspect_library(const std::filesystem::path& path);

}  // namespace winperf
