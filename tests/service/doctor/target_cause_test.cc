#include "service/doctor/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/sources/platform.h"

namespace winperf::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Error connecting(std::uint32_t os_code) {
  return {.code = ErrorCode::kOsError, .where = kConnecting, .os_code = os_code};
}

TEST(TargetCause, IsWhatWindowsCodesSay) {
  const std::pair<std::uint32_t, TargetCause> rows[] = {
      {2, TargetCause::kNotServed},      {5, TargetCause::kAccessDenied},
      {53, TargetCause::kUnreachable},   {1722, TargetCause::kUnreachable},
      {1717, TargetCause::kNotServed},   {1326, TargetCause::kLogonFailed},
      {1398, TargetCause::kLogonFailed}, {1909, TargetCause::kLogonFailed},
      {1231, TargetCause::kUnreachable}, {0, TargetCause::kOther},
      {1450, TargetCause::kOther},       {4'000'000'000U, TargetCause::kOther},
  };
  for (const auto& [os_code, cause] : rows)
    EXPECT_EQ(cause_of(connecting(os_code)), cause) << os_code;
}

TEST(TargetCause, OfAnotherCallIsNotReadFromItsCode) {
  Error error = connecting(2);
  error.where = "registry.query";
  EXPECT_EQ(cause_of(error), TargetCause::kOther) << "there is no such value";
  error.code = ErrorCode::kAccessDenied;
  EXPECT_EQ(cause_of(error), TargetCause::kAccessDenied);
  for (const ErrorCode code : {ErrorCode::kTimedOut, ErrorCode::kWorkerExited}) {
    error.code = code;
    EXPECT_EQ(cause_of(error), TargetCause::kHung);
  }
}

TEST(UnreachableMessage, HasTheMachineItsErrorAndWhatToDo) {
  TargetFacts target{.host = "SQL01", .connection = connecting(53)};
  const std::string message = unreachable_message(target);
  EXPECT_THAT(message, HasSubstr("SQL01 cannot be read: "));
  EXPECT_THAT(message, HasSubstr("firewall"));
  EXPECT_THAT(message, HasSubstr("(Windows error 53)"));
  EXPECT_THAT(message, HasSubstr("\"winperf_exporter doctor --target SQL01\""));
  target.connection = Error{.code = ErrorCode::kTimedOut, .where = "worker", .actual = 60'000};
  EXPECT_THAT(unreachable_message(target), HasSubstr("does not respond in time (worker timed out"));
}

TEST(UnreachableMessage, WithoutWindowsThereIsNothingToRepair) {
  const std::string message = unreachable_message(
      {.host = "SQL01",
       .connection = Error{.code = ErrorCode::kUnsupported, .where = kConnecting, .os_code = 50}});
  EXPECT_EQ(message, "reading counters of remote machines needs Windows");
}

}  // namespace
}  // namespace winperf::testing
