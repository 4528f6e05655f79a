// Looks at the file that a provider's Library value names, without loading it.
// Only a regular file is opened, and no more than its first 64 KiB are read.
// Thread rule: any thread.
#pragma once

#include <filesystem>

#include "collectors/diagnosis/facts.h"

namespace winperf {

LibraryFile look_at_library(const std::filesystem::path& path);

}  // namespace winperf
