#include "collectors/diagnosis/library_file.h"

#include <fstream>
#include <system_error>
#include <vector>

namespace winperf {
namespace {

// Linkers put the PE header into the first few hundred bytes.
constexpr std::size_t kHeadBytes = 64U << 10;

bool is_denied(const std::error_code& error) { return error == std::errc::permission_denied; }

LibraryFile failed(Access access, ErrorCode code, int os_code) {
  LibraryFile file;
  file.access = access;
  file.error =
      Error{.code = code, .where = "library", .os_code = static_cast<std::uint32_t>(os_code)};
  return file;
}

}  // namespace

LibraryFile look_at_library(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return failed(Access::kAbsent, ErrorCode::kNoSuchFile, 0);
  if (is_denied(error)) return failed(Access::kDenied, ErrorCode::kAccessDenied, error.value());
  if (error) return failed(Access::kFailed, ErrorCode::kOsError, error.value());
  if (status.type() != std::filesystem::file_type::regular)
    return failed(Access::kFailed, ErrorCode::kUnsupported, 0);

  std::ifstream stream(path, std::ios::binary);
  // A regular file that can't be opened: the stream does not say why, the usual reason is its ACL.
  if (!stream) return failed(Access::kDenied, ErrorCode::kAccessDenied, 0);
  std::vector<std::byte> head(kHeadBytes);
  stream.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));

  LibraryFile file;
  file.access = Access::kReadable;
  const auto machine = pe_machine(head);
  if (machine) file.machine = *machine;
  if (!machine) file.error = machine.error();
  return file;
}

}  // namespace winperf
