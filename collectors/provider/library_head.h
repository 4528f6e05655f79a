// What is known of a provider's library without loading it: where its file is, and for which
// machine it was built.
// Only a regular file is opened, and its first 64 KiB are read. Validated: as pe_file.h says.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/provider/pe_file.h"

namespace winperf {

// PerfHost, the Performance Counter DLL Host: the service through which Windows reads 32-bit
// providers for 64-bit programs. It is started by hand or by whoever needs it, unless it is
// disabled.
// Thread rule: any thread. win/ and posix/ implement read_perf_host().
enum class PerfHost : std::uint8_t { kRunning, kStopped, kDisabled, kAbsent };

// "running", "stopped", "disabled", "absent".
[[nodiscard]] std::string_view name_of(PerfHost state);

// What the system's service manager says. Nothing if it doesn't say anything.
[[nodiscard]] std::optional<PerfHost> read_perf_host();

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
