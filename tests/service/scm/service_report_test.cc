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
            R"("exit_code":0,"service_exit_code":0,"own_counters":null,)"
            R"("own_counters_library":null,"own_counters_first_index":null,)"
            R"("own_counters_last_index":null})"
            "\n");
}

TEST(ServiceReportTest, WithoutAProcess_JsonHasNull) {
  ServiceFacts facts = running();
  facts.state = ServiceState::kStopped;
  facts.process_id = 0;
  EXPECT_TRUE(nlohmann::json::parse(service_to_json("w", &facts))["process_id"].is_null());
}

TEST(ServiceReportTest, Counters_AreThoseOfTheRegistration) {
  const ServiceFacts facts = running();
  CounterFacts counters{.key = CounterKey{}, .message_file = {}, .v2_countersets = 0};
  counters.key->library = R"(C:\w\winperf_exporter_perf.dll)";
  counters.key->first_counter = 5000;
  counters.key->last_counter = 5092;
  const auto document = nlohmann::json::parse(service_to_json("w", &facts, &counters));
  EXPECT_EQ(document["own_counters"], "v1");
  EXPECT_EQ(document["own_counters_library"], R"(C:\w\winperf_exporter_perf.dll)");
  EXPECT_EQ(document["own_counters_first_index"], 5000);
  EXPECT_EQ(document["own_counters_last_index"], 5092);
  EXPECT_THAT(
      service_to_text("w", &facts, &counters),
      HasSubstr(R"(own counters  v1: C:\w\winperf_exporter_perf.dll, indices 5000 to 5092)"));
  counters = {.key = {}, .message_file = {}, .v2_countersets = 2};
  EXPECT_EQ(nlohmann::json::parse(service_to_json("w", &facts, &counters))["own_counters"], "v2");
  counters.v2_countersets.reset();
  EXPECT_THAT(service_to_text("w", &facts, &counters),
              HasSubstr("none; whether v2 is registered is unknown"));
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
