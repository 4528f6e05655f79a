#include <algorithm>
#include <expected>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "collectors/diagnosis/fact_reader.h"

namespace winperf {
namespace {

// Linkers put the PE header into the first few hundred bytes.
constexpr std::size_t kHeadBytes = 64U << 10;
constexpr std::size_t kMaxBytes = 64U << 20;

bool is_denied(const std::error_code& error) { return error == std::errc::permission_denied; }

LibraryFile failed(Access access, ErrorCode code, int os_code) {
  LibraryFile file;
  file.access = access;
  file.error =
      Error{.code = code, .where = "library", .os_code = static_cast<std::uint32_t>(os_code)};
  return file;
}

// Appends to `bytes` until it has `size` bytes or the file ends.
void read_on(std::ifstream& stream, std::vector<std::byte>& bytes, std::size_t size) {
  const std::size_t before = bytes.size();
  bytes.resize(std::max(before, size));
  stream.read(reinterpret_cast<char*>(bytes.data() + before),
              static_cast<std::streamsize>(bytes.size() - before));
  bytes.resize(before + static_cast<std::size_t>(stream.gcount()));
}

std::expected<PeExports, Error> exports_of(const std::filesystem::path& path, std::ifstream& stream,
                                           std::vector<std::byte> head) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error)
    return std::unexpected(Error{.code = ErrorCode::kOsError,
                                 .where = "library",
                                 .os_code = static_cast<std::uint32_t>(error.value())});
  if (size > kMaxBytes)
    return std::unexpected(Error{
        .code = ErrorCode::kLimitExceeded, .where = "library", .actual = size, .limit = kMaxBytes});
  read_on(stream, head, static_cast<std::size_t>(size));
  return pe_exports(head);
}

}  // namespace

LibraryFile inspect_library(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return failed(Access::kAbsent, ErrorCode::kNoSuchFile, 0);
  if (is_denied(error)) return failed(Access::kDenied, ErrorCode::kAccessDenied, error.value());
  if (error) return failed(Access::kFailed, ErrorCode::kOsError, error.value());
  if (status.type() != std::filesystem::file_type::regular)
    return failed(Access::kFailed, ErrorCode::kUnsupported, 0);

  std::ifstream stream(path, std::ios::binary);
  // The stream doesn't say why a regular file can't be opened; the usual reason is its ACL.
  if (!stream) return failed(Access::kDenied, ErrorCode::kAccessDenied, 0);
  std::vector<std::byte> head;
  read_on(stream, head, kHeadBytes);

  LibraryFile file;
  file.access = Access::kReadable;
  const auto machine = pe_machine(head);
  if (!machine) {
    file.error = machine.error();
    return file;
  }
  file.machine = *machine;
  auto exports = exports_of(path, stream, std::move(head));
  if (exports) file.exports = *std::move(exports);
  if (!exports) file.exports_error = exports.error();
  return file;
}

}  // namespace winperf
