#include "collectors/facts/win/failure.h"

#include <cstdint>

#include "collectors/facts/refusals.h"

namespace winperf {
namespace {

ErrorCode code_of(DWORD code) {
  switch (code) {
    case ERROR_ACCESS_DENIED:
    case ERROR_PRIVILEGE_NOT_HELD:
      return ErrorCode::kAccessDenied;
    case ERROR_NOT_SUPPORTED:
    case ERROR_CALL_NOT_IMPLEMENTED:
    case ERROR_PROC_NOT_FOUND:
      return ErrorCode::kUnsupported;
    case ERROR_SERVICE_DISABLED:
    case ERROR_SERVICE_NOT_ACTIVE:
    case RPC_S_SERVER_UNAVAILABLE:
      return ErrorCode::kNotRunning;
    default:
      return ErrorCode::kOsError;
  }
}

}  // namespace

std::unexpected<Error> os_failure(DWORD code, const char* where) {
  return std::unexpected(Error{.code = code_of(code), .where = where, .os_code = code});
}

std::string problem_text(std::string_view what, DWORD code) {
  return refusal_text(std::string(what) + " can't be read", code);
}

}  // namespace winperf
