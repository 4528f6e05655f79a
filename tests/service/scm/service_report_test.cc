#include "service/scm/service_control.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ServiceFacts running() {
  return {.state = ServiceState::kRunning,
          .process_id = 4711,
          .start = StartKind::kDelayed,
          .account = R"(NT SERVICE\w)",
          .command_line = R"("C:\w.exe" run)"};
}

TEST(ServiceReportTest, Json_HasAllKeys) {
  const ServiceFacts facts = running();
  EXPECT_EQ(service_to_json("w", &facts),
            R"({"schema":1,"name":"w","state":"running","process_id":4711,"start":"delayed",)"
            R"("account":"NT SERVICE\\w","command_line":"\"C:\\w.exe\" run",)"
            R"("exit_code":0,"service_exit_code":0})"
            "\n");
}

TEST(ServiceReportTest, WithoutAProcess_JsonHasNull) {
  ServiceFacts facts = running();
  facts.state = ServiceState::kStopped;
  facts.process_id = 0;
  EXPECT_TRUE(nlohmann::json::parse(service_to_json("w", &facts))["process_id"].is_null());
}

TEST(ServiceReportTest, NotInstalled_IsSaid) {
  EXPECT_EQ(service_to_text("w", nullptr), "w: not installed\n");
  EXPECT_EQ(service_to_json("w", nullptr), R"({"schema":1,"name":"w","state":"not_installed"})"
                                           "\n");
}

TEST(ServiceReportTest, Text_ShowsTheExitCodeOfAFailureAlone) {
  ServiceFacts facts = running();
  EXPECT_THAT(service_to_text("w", &facts), HasSubstr("process       4711\n"));
  EXPECT_THAT(service_to_text("w", &facts), Not(HasSubstr("exit code")));
  facts.state = ServiceState::kStopped;
  facts.exit_code = 1066;
  facts.own_exit_code = 2;
  EXPECT_THAT(service_to_text("w", &facts),
              HasSubstr("exit code     1066 of Windows, 2 of the service\n"));
}

}  // namespace
}  // namespace winperf
