#include "service/commands/installed_exporter.h"

#include <gmock/gmock.h>

#include "tests/service/scm/fake_service_manager.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ServiceFacts facts_of(const std::string& command_line, const std::string& wrapped = "") {
  ServiceFacts facts;
  facts.state = ServiceState::kRunning;
  facts.command_line = command_line;
  facts.wrapped = wrapped;
  return facts;
}

TEST(FindExporter, ReadsItsCommandLine) {
  testing::FakeServiceManager manager;
  manager.services["windows_exporter"].facts =
      facts_of(R"("C:\Program Files\we\windows_exporter.exe" --config.file="C:\we\config.yaml")");
  const auto found = find_exporter(manager);
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->service, "windows_exporter");
  EXPECT_EQ(found->state, ServiceState::kRunning);
  EXPECT_THAT(found->words, ElementsAre(R"(C:\Program Files\we\windows_exporter.exe)",
                                        R"(--config.file=C:\we\config.yaml)"));
  EXPECT_EQ(found->folder, R"(C:\Program Files\we)");
}

TEST(FindExporter, OfOldVersions_HasAnotherName) {
  testing::FakeServiceManager manager;
  manager.services["wmi_exporter"].facts = facts_of(R"(C:\w\wmi_exporter.exe --a)");
  EXPECT_EQ(find_exporter(manager)->service, "wmi_exporter");
}

TEST(FindExporter, OfNssm_IsTheProgramThatItRuns) {
  testing::FakeServiceManager manager;
  manager.services["windows_exporter"].facts =
      facts_of(R"(C:\nssm\nssm.exe)", R"("C:\w\windows_exporter-0.25.1-amd64.exe" --a b)");
  EXPECT_THAT(find_exporter(manager)->words,
              ElementsAre(R"(C:\w\windows_exporter-0.25.1-amd64.exe)", "--a", "b"));
}

TEST(FindExporter, WhatIsMissing_IsSaid) {
  testing::FakeServiceManager manager;
  EXPECT_THAT(find_exporter(manager).error(), HasSubstr("no service windows_exporter"));
  manager.services["windows_exporter"].facts = facts_of("C:\\x\\other.exe");
  EXPECT_THAT(find_exporter(manager).error(), HasSubstr("runs another program: C:\\x\\other.exe"));
  manager.failing["facts"] = {5, ""};
  EXPECT_THAT(find_exporter(manager).error(), HasSubstr("access denied"));
}

TEST(OwnConfigFile, IsThatOfOurService) {
  testing::FakeServiceManager manager;
  EXPECT_EQ(own_config_file(manager), "C:\\ProgramData\\winperf_exporter\\winperf_exporter.yaml");
  manager.services["winperf_exporter"].facts =
      facts_of(R"("C:\p q\winperf_exporter.exe" run --config "D:\my files\a.yaml")");
  EXPECT_EQ(own_config_file(manager), "D:\\my files\\a.yaml");
  manager.services["winperf_exporter"].facts = facts_of(R"("C:\p q\winperf_exporter.exe" run)");
  EXPECT_EQ(own_config_file(manager), "C:\\ProgramData\\winperf_exporter\\winperf_exporter.yaml");
}

TEST(SwitchingCommands, AreTwoAndOne) {
  EXPECT_EQ(switching_commands("C:\\w\\x.exe", "C:\\a b.yaml", "windows_exporter"),
            "To switch over, as administrator:\n"
            "  C:\\w\\x.exe service install --config \"C:\\a b.yaml\"\n"
            "  C:\\w\\x.exe service start --replacing windows_exporter\n"
            "To switch back:\n"
            "  C:\\w\\x.exe service stop --restoring windows_exporter\n");
  EXPECT_EQ(switching_commands("C:\\w x\\x.exe", "C:\\a.yaml", "wmi_exporter"),
            "To switch over, as administrator; in PowerShell, with \"& \" before each:\n"
            "  \"C:\\w x\\x.exe\" service install --config \"C:\\a.yaml\"\n"
            "  \"C:\\w x\\x.exe\" service start --replacing wmi_exporter\n"
            "To switch back:\n"
            "  \"C:\\w x\\x.exe\" service stop --restoring wmi_exporter\n");
}

}  // namespace
}  // namespace winperf
