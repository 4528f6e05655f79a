// What is known of a provider's library without loading it: where its file is, and for which
// machine it was built.
// Only a regular file is opened, and its first 64 KiB are read. Validated: as pe_file.h says.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "collectors/provider/pe_file.h"

namespace winperf {

// A library's file, with its first bytes; the stream is behind them.
struct OpenedLibrary {
  std::ifstream stream;
  std::vector<std::byte> head{};

  // Reads on until `head` has `size` bytes or the file ends.
  void read_up_to(std::size_t size);
};

// Errors: kNoSuchFile, kAccessDenied, kOsError (os_code), kUnsupported (it is no regular file).
[[nodiscard]] std::expected<OpenedLibrary, Error> open_library(const std::filesystem::path& path);

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
