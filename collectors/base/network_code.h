// The Win32 error codes of calls to other machines that this program tells apart; os_code.h has the
// others. win/os_code.cc checks them against the SDK.
#pragma once

#include <cstdint>

namespace winperf {

enum class NetworkCode : std::uint32_t {
  kFileNotFound = 2,  // there is no such pipe: nobody serves the registry
  kAccessDenied = 5,
  kBadPath = 53,  // no such machine, or it doesn't answer
  kNameDeleted = 64,
  kNetworkAccessDenied = 65,
  kBadName = 67,
  kInvalidPassword = 86,
  kTimedOut = 121,
  kConnectionRefused = 1225,
  kNetworkUnreachable = 1231,
  kHostUnreachable = 1232,
  kNoLogonServers = 1311,
  kLogonFailure = 1326,
  kAccountRestriction = 1327,
  kPasswordExpired = 1330,
  kAccountDisabled = 1331,
  kLogonTypeNotGranted = 1385,
  kWrongTargetName = 1396,  // whom Kerberos found there is somebody else
  kTimeSkew = 1398,
  kUnknownInterface = 1717,
  kServerUnavailable = 1722,
  kEndpointNotRegistered = 1753,
  kTrustFailure = 1789,
  kPasswordMustChange = 1907,
  kAccountLockedOut = 1909,
};

constexpr std::uint32_t value_of(NetworkCode code) { return static_cast<std::uint32_t>(code); }

}  // namespace winperf
