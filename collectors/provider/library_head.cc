#include "collectors/provider/library_head.h"

#include <algorithm>
#include <cstdint>
#include <system_error>

#include "collectors/base/path_text.h"

namespace winperf {

std::string_view name_of(PerfHost state) {
  switch (state) {
    case PerfHost::kRunning:
      return "running";
    case PerfHost::kStopped:
      return "stopped";
    case PerfHost::kDisabled:
      return "disabled";
    case PerfHost::kAbsent:
      return "absent";
  }
  return "";  // unreachable: all cases return
}

namespace {

// Linkers put the header with the machine into the first few hundred bytes.
constexpr std::size_t kHeadBytes = 64U << 10;

std::unexpected<Error> failure(ErrorCode code, const std::error_code& error = {}) {
  return std::unexpected(Error{
      .code = code, .where = "library", .os_code = static_cast<std::uint32_t>(error.value())});
}

}  // namespace

void OpenedLibrary::read_up_to(std::size_t size) {
  const std::size_t before = head.size();
  head.resize(std::max(before, size));
  stream.read(reinterpret_cast<char*>(head.data() + before),
              static_cast<std::streamsize>(head.size() - before));
  head.resize(before + static_cast<std::size_t>(stream.gcount()));
}

std::expected<OpenedLibrary, Error> open_library(const std::filesystem::path& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::not_found) return failure(ErrorCode::kNoSuchFile);
  if (error == std::errc::permission_denied) return failure(ErrorCode::kAccessDenied, error);
  if (error) return failure(ErrorCode::kOsError, error);
  if (type != std::filesystem::file_type::regular) return failure(ErrorCode::kUnsupported);
  OpenedLibrary library{.stream = std::ifstream(path, std::ios::binary)};
  // The stream doesn't say why a regular file can't be opened; the usual reason is its ACL.
  if (!library.stream) return failure(ErrorCode::kAccessDenied);
  library.read_up_to(kHeadBytes);
  return library;
}

LibraryHead read_library_head(const std::filesystem::path& path) {
  LibraryHead library{.path = path_text(path)};
  const auto opened = open_library(path);
  if (!opened) {
    library.is_missing = opened.error().code == ErrorCode::kNoSuchFile;
  } else if (const auto machine = pe_machine(opened->head)) {
    library.machine = *machine;
  }
  return library;
}

bool needs_perf_host(const LibraryHead& library) {
  return library.machine && is_32_bit(*library.machine);
}

}  // namespace winperf
