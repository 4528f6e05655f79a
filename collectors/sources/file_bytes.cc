#include "collectors/sources/file_bytes.h"

#include <fstream>
#include <system_error>

namespace winperf {
namespace {

Error file_error(ErrorCode code, const char* where, const std::error_code& cause = {}) {
  Error error{.code = code, .where = where};
  error.os_code = static_cast<std::uint32_t>(cause.value());
  return error;
}

}  // namespace

std::expected<Bytes, Error> read_file(const std::filesystem::path& path, const char* where,
                                      std::uint64_t max_bytes) {
  std::error_code cause;
  const std::filesystem::file_status status = std::filesystem::status(path, cause);
  if (status.type() == std::filesystem::file_type::not_found)
    return std::unexpected(file_error(ErrorCode::kNoSuchFile, where));
  if (cause) return std::unexpected(file_error(ErrorCode::kOsError, where, cause));
  if (!std::filesystem::is_regular_file(status))
    return std::unexpected(file_error(ErrorCode::kUnsupported, where));

  const std::uintmax_t size = std::filesystem::file_size(path, cause);
  if (cause) return std::unexpected(file_error(ErrorCode::kOsError, where, cause));
  if (size > max_bytes) {
    Error error = file_error(ErrorCode::kLimitExceeded, where);
    error.actual = size;
    error.limit = max_bytes;
    return std::unexpected(error);
  }

  std::ifstream file(path, std::ios::binary);
  if (!file) return std::unexpected(file_error(ErrorCode::kOsError, where));
  Bytes bytes(static_cast<std::size_t>(size));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (file.bad()) return std::unexpected(file_error(ErrorCode::kOsError, where));
  // The file may have become shorter since it was measured.
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace winperf
