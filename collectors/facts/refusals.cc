#include "collectors/facts/refusals.h"

#include <system_error>

#include "collectors/base/os_code.h"
#include "collectors/base/system_text.h"

namespace winperf {
namespace {

ErrorCode code_of(OsCode code) {
  switch (code) {
    case OsCode::kAccessDenied:
    case OsCode::kPrivilegeNotHeld:
      return ErrorCode::kAccessDenied;
    case OsCode::kNotSupported:
    case OsCode::kCallNotImplemented:
    case OsCode::kProcedureNotFound:
      return ErrorCode::kUnsupported;
    case OsCode::kServiceDisabled:
    case OsCode::kServiceNotActive:
    case OsCode::kRpcServerUnavailable:
      return ErrorCode::kNotRunning;
    default:
      return ErrorCode::kOsError;
  }
}

std::string text_of(std::uint32_t os_code) {
  return system_text({static_cast<int>(os_code), std::system_category()});
}

}  // namespace

std::unexpected<Error> os_failure(std::uint32_t os_code, const char* where) {
  return std::unexpected(
      Error{.code = code_of(OsCode{os_code}), .where = where, .os_code = os_code});
}

std::string refusal_text(std::string_view what, std::uint32_t os_code) {
  return std::string(what) + ": " + text_of(os_code);
}

std::string problem_text(std::string_view what, std::uint32_t os_code) {
  return refusal_text(std::string(what) + " cannot be read", os_code);
}

void Refusals::add(std::uint32_t os_code) {
  if (count_ == 0) first_ = os_code;
  ++count_;
}

void Refusals::report(FactTable& table) const {
  if (count_ == 0) return;
  table.problems.push_back(std::to_string(count_) + ' ' + std::string(what_) +
                           " cannot be read, the first because of: " + text_of(first_));
}

}  // namespace winperf
