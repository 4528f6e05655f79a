#include "service/scm/service_definition.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "collectors/base/plain_value.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kExecutable = R"(C:\Program Files\winperf_exporter\winperf_exporter.exe)";

ServiceDefinition defined(const ServiceRequest& request) {
  auto definition = define_service(request, kExecutable);
  EXPECT_TRUE(definition) << definition.error();
  return definition.value_or(ServiceDefinition{});
}

TEST(ServiceDefinitionTest, Defaults_AreDelayedRestartedAndWithTheLeastRights) {
  using std::chrono::seconds;
  const ServiceDefinition definition = defined({.name = "winperf_exporter"});
  EXPECT_EQ(definition.command_line, "\"" + kExecutable + "\" run");
  EXPECT_EQ(definition.account, R"(NT SERVICE\winperf_exporter)");
  EXPECT_EQ(definition.start, StartKind::kDelayed);
  EXPECT_THAT(definition.restart_after, ElementsAre(seconds(5), seconds(30), seconds(60)));
  EXPECT_EQ(definition.failures_forgotten_after, std::chrono::hours(24));
  EXPECT_EQ(definition.shutdown_timeout, seconds(10));
  EXPECT_THAT(definition.privileges,
              ElementsAre("SeChangeNotifyPrivilege", "SeCreateGlobalPrivilege"));
  EXPECT_TRUE(is_virtual_account(definition));
}

TEST(ServiceDefinitionTest, ConfigurationFile_BecomesAbsoluteAndQuoted) {
  const ServiceDefinition definition = defined({.name = "w", .config_file = "my config.yaml"});
  auto file = std::filesystem::current_path() / "my config.yaml";
  EXPECT_EQ(definition.command_line, "\"" + kExecutable + "\" run --config " +
                                         quoted_argument(file.make_preferred().string()));
}

TEST(ServiceDefinitionTest, Name_MustBeOneForAFolderAndAKey) {
  for (const std::string bad :
       {"", "a b", R"(a\b)", "a/b", "..", "a\"b", "caf\xC3\xA9", "a.b", "x\n"}) {
    const auto definition = define_service({.name = bad}, kExecutable);
    ASSERT_FALSE(definition) << bad;
    EXPECT_THAT(definition.error(), HasSubstr("letters, digits, _ and -"));
  }
  for (const char neighbour : std::string("@[`{/:"))
    EXPECT_FALSE(define_service({.name = std::string(1, neighbour)}, kExecutable)) << neighbour;
  EXPECT_FALSE(define_service({.name = std::string(81, 'a')}, kExecutable));
  for (const std::string good : {"Winperf-2_x", "AZaz09_-"})
    EXPECT_EQ(defined({.name = good}).name, good);
  EXPECT_EQ(defined({.name = std::string(80, 'a')}).name.size(), 80u);
}

TEST(ServiceDefinitionTest, Accounts_HaveWindowsNames) {
  const std::pair<std::string, std::string> rows[] = {
      {"localservice", R"(NT AUTHORITY\LocalService)"},
      {"NetworkService", R"(NT AUTHORITY\NetworkService)"},
      {"LOCALSYSTEM", "LocalSystem"},
      {R"(CORP\gmsa$)", R"(CORP\gmsa$)"},
  };
  for (const auto& [given, expected] : rows) {
    const ServiceDefinition definition = defined({.name = "w", .account = given});
    EXPECT_EQ(definition.account, expected);
    EXPECT_FALSE(is_virtual_account(definition)) << given;
  }
  EXPECT_TRUE(is_virtual_account(defined({.name = "W", .account = R"(nt service\w)"})));
  EXPECT_FALSE(is_virtual_account(defined({.name = "w", .account = R"(NT SERVICE\other)"})));
}

TEST(ServiceDefinitionTest, ValuesThatWouldBecomeOtherWords_AreRefusedWithThePlace) {
  const auto refused = [](const ServiceRequest& request) {
    const auto definition = define_service(request, kExecutable);
    return definition ? std::string() : definition.error();
  };
  EXPECT_THAT(
      refused({.name = "w", .config_file = R"(c.yaml" --listen "0.0.0.0:1)"}),
      HasSubstr(
          R"(the configuration file c.yaml" --listen "0.0.0.0:1 has a quotation mark at character 7)"));
  EXPECT_THAT(refused({.name = "w", .account = "a\nb"}),
              HasSubstr("the account a\\u000ab has the control character \\u000a at character 2"));
}

TEST(ServiceDefinitionTest, Parts_FitTheStartAndTheAccount) {
  ServiceDefinition definition = defined({.name = "w"});
  EXPECT_THAT(parts_of(definition, false), Contains(ServicePart::kDelayedStart));
  EXPECT_THAT(parts_of(definition, false), Contains(ServicePart::kCounterAccess));
  definition.start = StartKind::kAutomatic;
  EXPECT_THAT(parts_of(definition, false), Not(Contains(ServicePart::kDelayedStart)));
  EXPECT_THAT(parts_of(definition, true), Contains(ServicePart::kDelayedStart))
      << "it may have been delayed before";
  definition.start = StartKind::kManual;
  EXPECT_THAT(parts_of(definition, true), Not(Contains(ServicePart::kDelayedStart)));
  definition.account = "LocalSystem";
  EXPECT_THAT(parts_of(definition, false), Not(Contains(ServicePart::kCounterAccess)));
}

TEST(ServiceDefinitionTest, FolderRights_AreProtectedAndNameTheServiceOnce) {
  const std::string sid = "S-1-5-80-1-2-3-4-5";
  EXPECT_EQ(folder_rights(sid),
            "O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;S-1-5-80-1-2-3-4-5)");
  EXPECT_EQ(log_folder_rights(sid),
            "O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;S-1-5-80-1-2-3-4-5)");
}

TEST(ServiceDefinitionTest, EveryPartAndStart_HasAName) {
  for (int part = 0; part <= static_cast<int>(ServicePart::kCounterAccess); ++part)
    EXPECT_NE(name_of(static_cast<ServicePart>(part)), "");
  EXPECT_EQ(name_of(StartKind::kDelayed), "delayed");
  EXPECT_EQ(name_of(StartKind::kDisabled), "disabled");
}

TEST(ServiceDefinitionTest, CommandLine_TellsWhoseServiceItIs) {
  const auto own = define_service({.name = "w", .config_file = "c.yaml"}, R"(C:\a b\w.exe)");
  ASSERT_TRUE(own);
  for (const std::string& line : {own->command_line, std::string(R"("C:\w.exe" run)"),
                                  std::string(R"(C:\w\w.exe  run --listen :1)"),
                                  std::string(R"(C:\Program Files\w\w.exe run)")})
    EXPECT_TRUE(is_own_command_line(line)) << line;
  for (const char* line :
       {"", R"(C:\Windows\System32\spoolsv.exe)", R"("C:\x run.exe" --service)", R"("C:\x.exe")",
        R"("C:\x.exe)", R"("C:\x.exe" runner)", R"(C:\x\run\svchost.exe -k run)"})
    EXPECT_FALSE(is_own_command_line(line)) << line;
}

}  // namespace
}  // namespace winperf
