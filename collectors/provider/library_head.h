// What is known of a provider's library without loading it: where its file is, and for which
// machine it was built.
// Only a regular file is opened, of which no more than its first 64 KiB are read. Validated: as
// pe_file.h says.
// Thread rule: any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "collectors/provider/pe_file.h"

namespace winperf {

struct LibraryHead {
  std::string path{};  // of the file, as far as one was found
  bool is_missing = false;
  std::optional<PeMachine> machine{};  // nothing: it can't be read, or is no Windows library
};

[[nodiscard]] LibraryHead read_library_head(const std::filesystem::path& path);

// Whether no process of this program, which has 64 bits, can load it, but Windows reads its
// provider through another one (perf_host.h).
[[nodiscard]] bool needs_perf_host(const LibraryHead& library);

}  // namespace winperf
