// The Win32 error codes that this program distinguishes, for code that Windows' headers don't
// reach. win/os_code.cc checks them against the SDK.
#pragma once

#include <cstdint>

namespace winperf {

enum class OsCode : std::uint32_t {
  kSuccess = 0,
  kInvalidFunction = 1,
  kFileNotFound = 2,
  kPathNotFound = 3,  // PerfLib, in an identifier's Status: no such instance right now
  kAccessDenied = 5,
  kInvalidHandle = 6,
  kNotEnoughMemory = 8,  // PerfLib: the buffer is too small
  kInvalidData = 13,
  kNotReady = 21,
  kNotSupported = 50,
  kInvalidParameter = 87,
  kCallNotImplemented = 120,
  kInsufficientBuffer = 122,
  kInvalidLevel = 124,
  kModuleNotFound = 126,
  kProcedureNotFound = 127,
  kLockFailed = 167,
  kBusy = 170,
  kAlreadyExists = 183,  // PerfLib, in an identifier's Status: the query has it already
  kBadExeFormat = 193,
  kNoData = 232,  // PerfLib, as a result: no active instance, or a reference to nothing
  kMoreData = 234,
  kWaitTimeout = 258,
  kMessageNotFound = 317,
  kBadDatabase = 1009,
  kBadKey = 1010,
  kDependentServicesRunning = 1051,
  kServiceRequestTimeout = 1053,
  kServiceAlreadyRunning = 1056,
  kInvalidServiceAccount = 1057,
  kServiceDisabled = 1058,
  kServiceDoesNotExist = 1060,
  kServiceCannotAcceptControl = 1061,
  kServiceNotActive = 1062,
  kServiceSpecificError = 1066,
  kServiceLogonFailed = 1069,
  kServiceMarkedForDelete = 1072,
  kDuplicateServiceName = 1078,
  kNotFound = 1168,
  kPrivilegeNotHeld = 1314,
  kInvalidMember = 1388,
  kNoSystemResources = 1450,
  kRpcServerUnavailable = 1722,
  kRpcCallFailed = 1726,
  kResourceDataNotFound = 1812,  // the first of four: data, type, name, language
  kResourceLanguageNotFound = 1815,
  kGuidNotFound = 4200,           // PerfLib: no provider has registered the counterset
  kInstanceNotFound = 4201,       // PerfLib: no instance is active; the provider may not be running
  kItemNotFound = 4202,           // PerfLib: the set has no such counter
  kInvalidRegistration = 4211,    // PerfLib: the provider's answer contradicts its registration
  kEventMessageNotFound = 15027,  // the first of seven about a manifest's message table
  kEventMessageLocaleNotFound = 15033,
  kMuiFileNotFound = 15100,  // the first of nine about resources in the user's languages
  kMuiInvalidLocaleName = 15108,
};

constexpr std::uint32_t value_of(OsCode code) { return static_cast<std::uint32_t>(code); }

// Codes of calls to remote machines.
enum class NetworkCode : std::uint32_t {
  kFileNotFound = 2,  // no such pipe: the registry isn't served
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
  kWrongTargetName = 1396,  // Kerberos found another identity there
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
