#include "service/doctor/target_cause.h"

#include "collectors/base/os_code.h"
#include "collectors/sources/platform.h"

namespace winperf {
namespace {

TargetCause cause_of(NetworkCode code) {
  switch (code) {
    case NetworkCode::kFileNotFound:
    case NetworkCode::kUnknownInterface:
    case NetworkCode::kEndpointNotRegistered:
      return TargetCause::kNotServed;
    case NetworkCode::kAccessDenied:
    case NetworkCode::kNetworkAccessDenied:
      return TargetCause::kAccessDenied;
    case NetworkCode::kBadPath:
    case NetworkCode::kNameDeleted:
    case NetworkCode::kBadName:
    case NetworkCode::kTimedOut:
    case NetworkCode::kConnectionRefused:
    case NetworkCode::kNetworkUnreachable:
    case NetworkCode::kHostUnreachable:
    case NetworkCode::kServerUnavailable:
      return TargetCause::kUnreachable;
    case NetworkCode::kInvalidPassword:
    case NetworkCode::kNoLogonServers:
    case NetworkCode::kLogonFailure:
    case NetworkCode::kAccountRestriction:
    case NetworkCode::kPasswordExpired:
    case NetworkCode::kAccountDisabled:
    case NetworkCode::kLogonTypeNotGranted:
    case NetworkCode::kWrongTargetName:
    case NetworkCode::kTimeSkew:
    case NetworkCode::kTrustFailure:
    case NetworkCode::kPasswordMustChange:
    case NetworkCode::kAccountLockedOut:
      return TargetCause::kLogonFailed;
  }
  return TargetCause::kOther;
}

std::string_view meaning_of(TargetCause cause) {
  switch (cause) {
    case TargetCause::kHung:
      return "it doesn't answer in time";
    case TargetCause::kUnreachable:
      return "it isn't found or doesn't answer: its name may be wrong, it may be off, a firewall "
             "may be between, or its service RemoteRegistry may be stopped";
    case TargetCause::kNotServed:
      return "it answers, but doesn't serve its registry: its service RemoteRegistry may be "
             "stopped or disabled";
    case TargetCause::kLogonFailed:
      return "it doesn't let this account log on";
    case TargetCause::kAccessDenied:
      return "this account may not read its registry or its counters";
    case TargetCause::kUnsupported:
    case TargetCause::kOther:
      break;
  }
  return "connecting failed";
}

}  // namespace

TargetCause cause_of(const Error& error) {
  if (error.code == ErrorCode::kUnsupported) return TargetCause::kUnsupported;
  if (error.code == ErrorCode::kAccessDenied) return TargetCause::kAccessDenied;
  if (is_lost(error.code)) return TargetCause::kHung;
  if (error.where != std::string_view(kConnecting)) return TargetCause::kOther;
  return cause_of(NetworkCode{error.os_code});
}

std::string error_text(const Error& error) {
  const bool is_of_windows = error.os_code != 0 && !is_lost(error.code);
  return is_of_windows ? "Windows error " + std::to_string(error.os_code) : describe(error);
}

std::string unreachable_message(const TargetFacts& target) {
  const TargetCause cause = cause_of(*target.connection);
  if (cause == TargetCause::kUnsupported)
    return "reading the counters of other machines needs Windows";
  return target.host + " can't be read: " + std::string(meaning_of(cause)) + " (" +
         error_text(*target.connection) + "); \"winperf_exporter doctor --target " + target.host +
         "\" says what to do";
}

}  // namespace winperf
