#include "collectors/base/os_code.h"

#include <gtest/gtest.h>

#include <utility>

namespace winperf {
namespace {

// As winerror.h has them; under Windows, win/os_code.cc compares them with that file.
TEST(OsCode, HasTheNumbersOfWindows) {
  constexpr std::pair<OsCode, std::uint32_t> kNumbers[] = {
      {OsCode::kSuccess, 0},
      {OsCode::kInvalidFunction, 1},
      {OsCode::kFileNotFound, 2},
      {OsCode::kPathNotFound, 3},
      {OsCode::kAccessDenied, 5},
      {OsCode::kInvalidHandle, 6},
      {OsCode::kNotEnoughMemory, 8},
      {OsCode::kInvalidData, 13},
      {OsCode::kNotReady, 21},
      {OsCode::kNotSupported, 50},
      {OsCode::kInvalidParameter, 87},
      {OsCode::kCallNotImplemented, 120},
      {OsCode::kInsufficientBuffer, 122},
      {OsCode::kInvalidLevel, 124},
      {OsCode::kModuleNotFound, 126},
      {OsCode::kProcedureNotFound, 127},
      {OsCode::kLockFailed, 167},
      {OsCode::kBusy, 170},
      {OsCode::kAlreadyExists, 183},
      {OsCode::kBadExeFormat, 193},
      {OsCode::kNoData, 232},
      {OsCode::kMoreData, 234},
      {OsCode::kWaitTimeout, 258},
      {OsCode::kMessageNotFound, 317},
      {OsCode::kDependentServicesRunning, 1051},
      {OsCode::kServiceRequestTimeout, 1053},
      {OsCode::kServiceAlreadyRunning, 1056},
      {OsCode::kInvalidServiceAccount, 1057},
      {OsCode::kServiceDisabled, 1058},
      {OsCode::kServiceDoesNotExist, 1060},
      {OsCode::kServiceCannotAcceptControl, 1061},
      {OsCode::kServiceNotActive, 1062},
      {OsCode::kServiceSpecificError, 1066},
      {OsCode::kServiceLogonFailed, 1069},
      {OsCode::kServiceMarkedForDelete, 1072},
      {OsCode::kDuplicateServiceName, 1078},
      {OsCode::kNotFound, 1168},
      {OsCode::kPrivilegeNotHeld, 1314},
      {OsCode::kInvalidMember, 1388},
      {OsCode::kNoSystemResources, 1450},
      {OsCode::kRpcServerUnavailable, 1722},
      {OsCode::kRpcCallFailed, 1726},
      {OsCode::kResourceDataNotFound, 1812},
      {OsCode::kResourceLanguageNotFound, 1815},
      {OsCode::kGuidNotFound, 4200},
      {OsCode::kInstanceNotFound, 4201},
      {OsCode::kItemNotFound, 4202},
      {OsCode::kInvalidRegistration, 4211},
      {OsCode::kEventMessageNotFound, 15027},
      {OsCode::kEventMessageLocaleNotFound, 15033},
      {OsCode::kMuiFileNotFound, 15100},
      {OsCode::kMuiInvalidLocaleName, 15108},
  };
  for (const auto& [code, number] : kNumbers) EXPECT_EQ(value_of(code), number);
}

}  // namespace
}  // namespace winperf
