#include "service/scm/service_control.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "service/console/exit_code.h"
#include "tests/service/scm/fake_service_manager.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FakeService;
using testing::FakeServiceManager;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int kForEver = 1'000'000'000;

class ServiceControlTest : public ::testing::Test {
 protected:
  FakeService& installed(ServiceState state = ServiceState::kStopped) {
    FakeService& service = manager_.services["w"];
    service.facts.state = state;
    service.facts.process_id = state == ServiceState::kStopped ? 0 : 4711;
    service.facts.account = R"(NT SERVICE\w)";
    service.facts.command_line = definition().command_line;
    return service;
  }

  static ServiceDefinition definition() { return *define_service({.name = "w"}, "w.exe"); }

  int install() { return install_service(manager_, definition(), console_); }
  int uninstall(bool with_logs = false) {
    return uninstall_service(manager_, "w", with_logs, console_);
  }
  int start() {
    const auto diagnose = [this](std::string_view) { return found_; };
    return start_service(manager_, "w", diagnose, console_);
  }
  int stop() { return stop_service(manager_, "w", console_); }

  FakeServiceManager manager_;
  std::string found_;  // what diagnosing a start that failed finds
  std::ostringstream out_;
  std::ostringstream err_;
  ServiceConsole console_{out_, err_};
};

TEST_F(ServiceControlTest, Install_MakesTheServiceWithAllItsParts) {
  EXPECT_EQ(install(), kExitOk);
  EXPECT_EQ(manager_.services.at("w").parts, parts_of(definition(), false));
  EXPECT_THAT(out_.str(), HasSubstr("w: installed\n"));
  EXPECT_THAT(out_.str(), HasSubstr("  data folder: C:\\ProgramData\\w\n"));
  EXPECT_THAT(err_.str(), IsEmpty());
}

TEST_F(ServiceControlTest, FolderOfAStranger_EndsTheInstallationBeforeThereIsAService) {
  manager_.failing["make_data_folder"] = {1307, R"(C:\ProgramData\w belongs to PC\guest: check)"};
  EXPECT_EQ(install(), kExitFailure);
  EXPECT_TRUE(manager_.services.empty());
  EXPECT_EQ(err_.str(), "w: not installed: C:\\ProgramData\\w belongs to PC\\guest: check\n");
  err_.str("");
  EXPECT_EQ(prepare_service(manager_, "w", console_), kExitFailure);
  EXPECT_EQ(err_.str(),
            "w: its folder cannot be used: C:\\ProgramData\\w belongs to PC\\guest: check\n");
}

TEST_F(ServiceControlTest, Prepare_MakesTheFolderAndNoService) {
  EXPECT_EQ(prepare_service(manager_, "w", console_), kExitOk);
  EXPECT_THAT(manager_.made_folders, ElementsAre("w"));
  EXPECT_TRUE(manager_.services.empty());
  EXPECT_EQ(out_.str(), "w: data folder C:\\ProgramData\\w\n");
}

TEST_F(ServiceControlTest, AccountOfTheSystem_IsNotTakenSilently) {
  for (const std::string account : {"LocalSystem", R"(NT AUTHORITY\System)", R"(.\LocalSystem)"}) {
    err_.str("");
    EXPECT_EQ(install_service(manager_, *define_service({.name = "w", .account = account}, "w.exe"),
                              console_),
              kExitOk);
    EXPECT_THAT(err_.str(), HasSubstr("LocalSystem, which has full access to this machine"));
    EXPECT_EQ(manager_.services.at("w").definition.account, "LocalSystem") << account;
  }
}

TEST_F(ServiceControlTest, Uninstall_OfAServiceThatIsGoneStillRemovesItsLogs) {
  EXPECT_EQ(uninstall(true), kExitOk);
  EXPECT_THAT(manager_.removed_logs, ElementsAre("w"));
  EXPECT_EQ(uninstall(false), kExitOk);
  EXPECT_EQ(manager_.removed_logs.size(), 1U);
}

TEST_F(ServiceControlTest, InstallAgain_UpdatesAndSaysThatARestartIsNeeded) {
  installed(ServiceState::kRunning);
  EXPECT_EQ(install(), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("w: updated\n"));
  EXPECT_THAT(out_.str(), HasSubstr("restart it"));
  EXPECT_EQ(manager_.services.at("w").facts.state, ServiceState::kRunning);
}

TEST_F(ServiceControlTest, InstallAgain_OfAServiceThatHasStoppedNeedsNoRestart) {
  installed(ServiceState::kStopped);
  EXPECT_EQ(install(), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("w: updated\n"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("restart it")));
}

TEST_F(ServiceControlTest, ServiceOfAnotherProgram_IsNeitherChangedNorRemoved) {
  FakeService& service = installed(ServiceState::kRunning);
  service.facts.command_line = R"(C:\Windows\system32\svchost.exe -k LocalService -p)";
  EXPECT_EQ(install(), kExitFailure);
  EXPECT_EQ(uninstall(true), kExitFailure);
  EXPECT_THAT(err_.str(),
              HasSubstr("w: not installed: the service of this name runs another program: "
                        R"(C:\Windows\system32\svchost.exe -k LocalService -p)"));
  EXPECT_THAT(err_.str(), HasSubstr("w: not uninstalled: "));
  ASSERT_TRUE(manager_.services.contains("w"));
  EXPECT_THAT(service.parts, IsEmpty());
  EXPECT_EQ(service.facts.state, ServiceState::kRunning);
  EXPECT_THAT(manager_.cleared, IsEmpty());
  EXPECT_THAT(manager_.removed_logs, IsEmpty());
}

TEST_F(ServiceControlTest, InstallWithoutRights_SaysWhoHasThem) {
  manager_.failing["put"] = {5, "Access is denied"};
  EXPECT_EQ(install(), kExitAccessDenied);
  EXPECT_EQ(err_.str(),
            "w: not installed: access denied; run this as administrator (Windows error 5)\n");
}

TEST_F(ServiceControlTest, PartThatWindowsDoesNotKnow_IsNamedAndLeftOut) {
  for (const std::uint32_t code : {1u, 50u, 120u, 124u}) {
    manager_.failing_parts[ServicePart::kPrivileges] = {code, "?"};
    EXPECT_EQ(install(), kExitOk);
    EXPECT_THAT(err_.str(),
                HasSubstr("w: skipped the setting \"reduced privileges\", which this Windows "
                          "does not support (Windows error " +
                          std::to_string(code) + ")"));
    EXPECT_THAT(manager_.services.at("w").parts, Contains(ServicePart::kCounterAccess))
        << "the parts after it are set";
  }
}

TEST_F(ServiceControlTest, PartThatFails_IsNamedAndTheRestIsDone) {
  manager_.failing_parts[ServicePart::kCounterAccess] = {1376,
                                                         "No such group (Windows error 1376)"};
  EXPECT_EQ(install(), kExitFailure);
  EXPECT_EQ(err_.str(),
            "w: could not set \"access to counters\": No such group (Windows error 1376)\n");
  EXPECT_EQ(manager_.services.at("w").parts.size() + 1, parts_of(definition(), false).size());
}

TEST_F(ServiceControlTest, Start_WaitsUntilItRuns) {
  installed();
  EXPECT_EQ(start(), kExitOk);
  EXPECT_EQ(out_.str(), "w: running (process 4711)\n");
}

TEST_F(ServiceControlTest, StartOfARunningOne_IsNoError) {
  installed(ServiceState::kRunning);
  EXPECT_EQ(start(), kExitOk);
  EXPECT_EQ(out_.str(), "w: is already running\n");
}

TEST_F(ServiceControlTest, StartThatEndsAtOnce_SaysWhyAndWhereMoreIs) {
  const std::tuple<std::uint32_t, std::uint32_t, const char*> rows[] = {
      {1066, 2, "its configuration or command line is wrong"},
      {1066, 1, "its exit code is 1"},
      {193, 0, "Windows' error code is 193"},
  };
  for (const auto& [code, own_code, words] : rows) {
    FakeService& service = installed();
    service.ends_at_start = true;
    service.facts.exit_code = code;
    service.facts.own_exit_code = own_code;
    EXPECT_EQ(start(), kExitFailure);
    EXPECT_THAT(err_.str(), HasSubstr(words));
    EXPECT_THAT(err_.str(), HasSubstr("event log"));
  }
}

TEST_F(ServiceControlTest, StartThatEndsAtOnce_SaysWhatWasFoundToBeWrong) {
  FakeService& service = installed();
  service.ends_at_start = true;
  service.facts.exit_code = 1066;
  service.facts.own_exit_code = 1;
  found_ = "cannot listen on 127.0.0.1:80: it is taken";
  EXPECT_EQ(start(), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("w: ended immediately: cannot listen on 127.0.0.1:80: it is "
                                    "taken; for more, see source w in the event log\n"));
}

TEST_F(ServiceControlTest, StartThatNeverEnds_IsGivenUp) {
  installed().pauses_to_change = kForEver;
  EXPECT_EQ(start(), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("w: is still starting after 30 s\n"));
  EXPECT_EQ(manager_.pauses, 300);
}

TEST_F(ServiceControlTest, StartOfNothing_HasItsOwnExitCode) {
  EXPECT_EQ(start(), kExitNotInstalled);
  EXPECT_EQ(err_.str(), "w: not started: the service does not exist (Windows error 1060)\n");
}

// The system refuses a call, or says nothing of the service behind it.
TEST_F(ServiceControlTest, StartOrStopWithoutRights_SaysWhoHasThem) {
  const std::string reason = "access denied; run this as administrator (Windows error 5)\n";
  installed();
  manager_.failing["start"] = {5, "Access is denied"};
  EXPECT_EQ(start(), kExitAccessDenied);
  EXPECT_EQ(std::exchange(manager_.pauses, 0), 0) << "there is nothing to wait for";
  EXPECT_EQ(err_.str(), "w: not started: " + reason);

  manager_.failing = {{"facts", {5, "Access is denied"}}};
  EXPECT_EQ(start(), kExitAccessDenied);
  EXPECT_EQ(stop(), kExitAccessDenied);
  EXPECT_EQ(err_.str(), "w: not started: " + reason + "w: not started: " + reason +
                            "w: not stopped: " + reason);
  EXPECT_EQ(manager_.pauses, 0);
}

TEST_F(ServiceControlTest, Stop_WaitsUntilItHasStopped) {
  installed(ServiceState::kRunning);
  EXPECT_EQ(stop(), kExitOk);
  EXPECT_EQ(out_.str(), "w: stopped\n");
}

TEST_F(ServiceControlTest, StopOfAStoppedOne_IsNoError) {
  installed();
  EXPECT_EQ(stop(), kExitOk);
  EXPECT_EQ(out_.str(), "w: is not running\n");
}

TEST_F(ServiceControlTest, StopWhileItStarts_WaitsUntilItTakesControls) {
  installed(ServiceState::kStarting);
  manager_.busy_stops = 3;
  EXPECT_EQ(stop(), kExitOk);
  EXPECT_EQ(manager_.busy_stops, 0);
}

TEST_F(ServiceControlTest, StopOfOneThatEndsMeanwhile_IsNoError) {
  installed(ServiceState::kRunning);
  manager_.failing["request_stop"] = {1062, "not active"};
  manager_.services.at("w").facts.state = ServiceState::kStopping;
  EXPECT_EQ(stop(), kExitOk);
}

TEST_F(ServiceControlTest, StopThatNeverEnds_IsGivenUp) {
  installed(ServiceState::kRunning).pauses_to_change = kForEver;
  EXPECT_EQ(stop(), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("has not stopped within 30 s (process 4711)"));
}

TEST_F(ServiceControlTest, Reload_IsAskedFor) {
  const FakeService& service = installed(ServiceState::kRunning);
  EXPECT_EQ(reload_service(manager_, "w", {out_, err_}), kExitOk);
  EXPECT_EQ(service.reloads, 1);
}

TEST_F(ServiceControlTest, ReloadOfOneThatDoesNotRun_SaysSo) {
  installed();
  EXPECT_EQ(reload_service(manager_, "w", {out_, err_}), kExitNotRunning);
  EXPECT_EQ(err_.str(), "w: is not running, so nothing was reloaded\n");
  EXPECT_EQ(reload_service(manager_, "x", {out_, err_}), kExitNotInstalled);
}

TEST_F(ServiceControlTest, Uninstall_StopsFirstAndTakesBackWhatIsElsewhere) {
  installed(ServiceState::kRunning);
  EXPECT_EQ(uninstall(), kExitOk);
  EXPECT_THAT(manager_.services, IsEmpty());
  EXPECT_THAT(manager_.cleared,
              ElementsAre(ServicePart::kEventSource, ServicePart::kCounterAccess));
  EXPECT_EQ(out_.str(), "w: stopped\nw: uninstalled; its configuration was kept\n");
}

TEST_F(ServiceControlTest, UninstallWithLogs_RemovesThemAndSaysWhatItCannot) {
  installed();
  EXPECT_EQ(uninstall(), kExitOk);
  EXPECT_THAT(manager_.removed_logs, IsEmpty());
  installed();
  EXPECT_EQ(uninstall(true), kExitOk);
  EXPECT_THAT(manager_.removed_logs, ElementsAre("w"));
  installed();
  manager_.failing["remove_logs"] = {145, "The directory is not empty (Windows error 145)"};
  EXPECT_EQ(uninstall(true), kExitFailure);
  EXPECT_THAT(
      err_.str(),
      HasSubstr("w: could not remove its logs: The directory is not empty (Windows error 145)"));
  EXPECT_FALSE(manager_.services.contains("w"));
}

TEST_F(ServiceControlTest, UninstallOfNothing_IsNoError) {
  EXPECT_EQ(uninstall(), kExitOk);
  EXPECT_EQ(out_.str(), "w: is not installed\n");
  EXPECT_THAT(err_.str(), IsEmpty());
  EXPECT_THAT(manager_.cleared, Not(Contains(ServicePart::kEventSource)));
}

// An uninstallation that was ended between its steps.
TEST_F(ServiceControlTest, UninstallOfAServiceThatIsGone_RemovesWhatItHasLeft) {
  for (const char* const file :
       {R"(C:\Program Files\w\Winperf_Exporter.exe)", "winperf_exporter.exe"}) {
    manager_.cleared.clear();
    manager_.message_files["w"] = file;
    EXPECT_EQ(uninstall(), kExitOk);
    EXPECT_THAT(manager_.cleared,
                ElementsAre(ServicePart::kEventSource, ServicePart::kCounterAccess));
  }
  manager_.failing_parts[ServicePart::kCounterAccess] = {5, "Access is denied"};
  EXPECT_EQ(uninstall(true), kExitAccessDenied);
  EXPECT_THAT(err_.str(), HasSubstr("w: could not remove \""));
  EXPECT_THAT(manager_.removed_logs, ElementsAre("w"));
}

TEST_F(ServiceControlTest, UninstallOfNothing_LeavesTheEventSourceOfAnotherProgram) {
  for (const char* const file :
       {R"(%SystemRoot%\System32\wer.dll)", R"(C:\winperf_exporter.exe\w.dll)",
        "another_winperf_exporter.exe", ""}) {
    manager_.message_files["w"] = file;
    EXPECT_EQ(uninstall(), kExitOk);
  }
  EXPECT_THAT(manager_.cleared, Not(Contains(ServicePart::kEventSource)));
}

TEST_F(ServiceControlTest, UninstallOfOneThatDoesNotStop_LeavesIt) {
  installed(ServiceState::kRunning).pauses_to_change = kForEver;
  EXPECT_EQ(uninstall(), kExitFailure);
  EXPECT_TRUE(manager_.services.contains("w"));
}

TEST_F(ServiceControlTest, UninstallWhileAnotherProgramShowsIt_SaysSo) {
  installed().pauses_to_go = kForEver;
  EXPECT_EQ(uninstall(), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("close the Services window"));
}

TEST_F(ServiceControlTest, UninstallOfOneThatIsShownForAMoment_WaitsUntilItIsGone) {
  installed().pauses_to_go = 3;
  EXPECT_EQ(uninstall(), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("uninstalled; its configuration was kept"));
  EXPECT_EQ(manager_.pauses, 3);
}

TEST_F(ServiceControlTest, UninstallOfOneThatIsBeingDeleted_IsNoError) {
  installed();
  manager_.failing["remove"] = {1072, "marked"};
  EXPECT_EQ(uninstall(), kExitOk);
}

TEST_F(ServiceControlTest, UninstallWithoutRights_SaysWhoHasThem) {
  installed();
  manager_.failing["remove"] = {5, "Access is denied"};
  EXPECT_EQ(uninstall(), kExitAccessDenied);
  EXPECT_THAT(err_.str(), HasSubstr("run this as administrator"));
  EXPECT_THAT(manager_.cleared, IsEmpty());
}

TEST_F(ServiceControlTest, Status_HasAnExitCodeForEachState) {
  const auto code = [&] { return show_service(manager_, "w", nullptr, false, console_); };
  EXPECT_EQ(code(), kExitNotInstalled);
  installed();
  EXPECT_EQ(code(), kExitNotRunning);
  installed(ServiceState::kStarting);
  EXPECT_EQ(code(), kExitOk);
  installed(ServiceState::kRunning);
  EXPECT_EQ(code(), kExitOk);
  installed(ServiceState::kStopping);
  EXPECT_EQ(code(), kExitNotRunning);
  manager_.failing["facts"] = {5, "Access is denied"};
  EXPECT_EQ(code(), kExitAccessDenied);
}

TEST_F(ServiceControlTest, ErrorWithoutWordsOfOurOwn_HasThoseOfWindows) {
  EXPECT_EQ(explain({8, "Not enough memory (Windows error 8)"}),
            "Not enough memory (Windows error 8)");
  EXPECT_EQ(exit_code_of({8, ""}), kExitFailure);
  EXPECT_THAT(explain({1069, "?"}), Not(HasSubstr("?")));
  EXPECT_THAT(explain({1388, "?"}), HasSubstr("domain controller"));
}

}  // namespace
}  // namespace winperf
