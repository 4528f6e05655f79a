#include <cstdint>
#include <expected>
#include <system_error>
#include <utility>

#include "collectors/diagnosis/fact_reader.h"
#include "collectors/provider/library_head.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxBytes = 64U << 20;

Access access_of(ErrorCode code) {
  if (code == ErrorCode::kNoSuchFile) return Access::kAbsent;
  return code == ErrorCode::kAccessDenied ? Access::kDenied : Access::kFailed;
}

std::expected<PeExports, Error> exports_of(const std::filesystem::path& path,
                                           OpenedLibrary library) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error)
    return std::unexpected(Error{.code = ErrorCode::kOsError,
                                 .where = "library",
                                 .os_code = static_cast<std::uint32_t>(error.value())});
  if (size > kMaxBytes)
    return std::unexpected(Error{
        .code = ErrorCode::kLimitExceeded, .where = "library", .actual = size, .limit = kMaxBytes});
  library.read_up_to(static_cast<std::size_t>(size));
  return pe_exports(library.head);
}

}  // namespace

LibraryFile inspect_library(const std::filesystem::path& path) {
  LibraryFile file;
  auto opened = open_library(path);
  if (!opened) {
    file.access = access_of(opened.error().code);
    file.error = opened.error();
    return file;
  }
  file.access = Access::kReadable;
  const auto machine = pe_machine(opened->head);
  if (!machine) {
    file.error = machine.error();
    return file;
  }
  file.machine = *machine;
  auto exports = exports_of(path, *std::move(opened));
  if (exports) file.exports = *std::move(exports);
  if (!exports) file.exports_error = exports.error();
  return file;
}

}  // namespace winperf
