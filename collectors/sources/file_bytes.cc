#include "collectors/sources/file_bytes.h"

#include "collectors/base/whole_file.h"

namespace winperf {
namespace {

ErrorCode code_of(FileProblem problem) {
  switch (problem) {
    case FileProblem::kAbsent:
      return ErrorCode::kNoSuchFile;
    case FileProblem::kNotAFile:
      return ErrorCode::kNotAFile;
    case FileProblem::kTooLarge:
      return ErrorCode::kLimitExceeded;
    case FileProblem::kSystem:
      break;
  }
  return ErrorCode::kOsError;
}

}  // namespace

std::expected<Bytes, Error> read_file(const std::filesystem::path& path, const char* where,
                                      std::uint64_t max_bytes) {
  auto bytes = read_whole_file(path, max_bytes);
  if (bytes) return *std::move(bytes);
  const FileFailure& failure = bytes.error();
  Error error{.code = code_of(failure.problem), .where = where};
  if (failure.problem == FileProblem::kTooLarge) {
    error.actual = failure.bytes;
    error.limit = max_bytes;
  }
  error.os_code = static_cast<std::uint32_t>(failure.cause.value());
  return std::unexpected(error);
}

}  // namespace winperf
