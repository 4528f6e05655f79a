// What undoing does on a machine, and to what it does nothing.
#include "service/selftest/change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "collectors/base/path_text.h"

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kName[] = "winperf_exporter_selftest_1a";
constexpr char kCode[] = "{5B0B6A3C-1C0E-4F0B-9C66-00000000000A}";

// Remembers what was run, and ends as it was told.
class FakeMachine final : public UndoMachine {
 public:
  std::expected<ProgramEnd, std::string> run(const ProgramCall& call,
                                             const StopToken& stop) const override {
    EXPECT_FALSE(stop.stop_requested()) << "it would be ended in the middle";
    std::string line = path_text(call.program.filename());
    for (const std::string& word : call.words) line += ' ' + word;
    runs.push_back(line);
    if (ends.empty()) return ProgramEnd{.exit_code = 0};
    const ProgramEnd end = ends.front();
    ends.erase(ends.begin());
    return end;
  }
  std::filesystem::path system_program(const std::string& name) const override {
    return has_programs ? std::filesystem::path("system") / name : std::filesystem::path();
  }
  std::expected<std::optional<InstalledProduct>, std::string> product(
      const std::string& code) const override {
    asked.push_back(code);
    return installed;
  }
  std::vector<std::string> traces() const override { return left; }
  void pause(std::chrono::milliseconds, const StopToken&) const override { ++pauses; }

  mutable std::vector<std::string> runs;
  mutable std::vector<std::string> asked;
  mutable std::vector<ProgramEnd> ends;  // of the next runs; then 0
  mutable int pauses = 0;
  bool has_programs = true;
  std::optional<InstalledProduct> installed{};
  std::vector<std::string> left;
};

class Undo : public ::testing::Test {
 protected:
  std::expected<void, std::string> undo_of(ChangeKind kind, const std::string& name) {
    return undo({.kind = kind, .name = name}, tools_);
  }
  // A path below the folder of selftests, as the system writes it.
  std::string below(const std::string& name) const { return path_text(tools_.root / name); }

  FakeMachine machine_;
  UndoTools tools_{.program = "program/winperf_exporter",
                   .root = std::filesystem::path("root"),
                   .scratch = std::filesystem::path("root"),
                   .machine = &machine_};
};

TEST_F(Undo, OfAServiceIsTheProgramsOwnCommand) {
  EXPECT_TRUE(undo_of(ChangeKind::kService, kName));
  EXPECT_THAT(machine_.runs,
              ElementsAre("winperf_exporter service uninstall --name winperf_exporter_selftest_1a "
                          "--with-logs"));
}

TEST_F(Undo, SaysWhyItFailed) {
  machine_.ends = {{.exit_code = 1, .errors = "it runs another program"}};
  EXPECT_THAT(undo_of(ChangeKind::kService, kName).error(), HasSubstr("it runs another program"));
}

TEST_F(Undo, DoesNothingForNamesThatNoSelftestGives) {
  for (const ChangeKind kind : {ChangeKind::kFolder, ChangeKind::kService,
                                ChangeKind::kFirewallRule, ChangeKind::kOwnService})
    for (const std::string name :
         {"", "Spooler", "winperf_exporter", "winperf_exporter_selftest_",
          "winperf_exporter_selftest_1 all", "winperf_exporter_selftest_1\"",
          "winperf_exporter_selftest_../x", "winperf_exporter_selftest_a,b",
          "WINPERF_EXPORTER_SELFTEST_1", kCode})
      EXPECT_FALSE(undo_of(kind, name)) << name;
  const std::string too_long(80, 'a');
  EXPECT_FALSE(undo_of(ChangeKind::kService, std::string(kPrefix) + too_long));
  for (const std::string& name :
       {std::string(kName), std::string("{5B0B6A3C-1C0E-4F0B-9C66-00000000000A} /qn"),
        std::string("5B0B6A3C-1C0E-4F0B-9C66-00000000000A"), std::string(kCode).substr(1),
        std::string("{5B0B6A3C-1C0E-4F0B-9C66-0000000000GA}")})
    EXPECT_FALSE(undo_of(ChangeKind::kProduct, name)) << name;
  EXPECT_THAT(machine_.runs, IsEmpty());
  EXPECT_THAT(machine_.asked, IsEmpty());
}

TEST_F(Undo, OfARuleAsksWhetherItIsGone) {
  EXPECT_TRUE(undo_of(ChangeKind::kFirewallRule, kName));
  EXPECT_THAT(machine_.runs, ElementsAre("netsh.exe advfirewall firewall delete rule "
                                         "name=winperf_exporter_selftest_1a"));
  // No such rule: both end with 1.
  machine_.ends = {{.exit_code = 1}, {.exit_code = 1, .output = "No rules match"}};
  EXPECT_TRUE(undo_of(ChangeKind::kFirewallRule, kName));
  EXPECT_EQ(machine_.runs.back(),
            "netsh.exe advfirewall firewall show rule name=winperf_exporter_selftest_1a");
  machine_.ends = {{.exit_code = 1, .errors = "no rights"},
                   {.exit_code = 0, .output = "Rule Name: winperf_exporter_selftest_1a"}};
  EXPECT_THAT(undo_of(ChangeKind::kFirewallRule, kName).error(), HasSubstr("no rights"));
  machine_.has_programs = false;
  EXPECT_THAT(undo_of(ChangeKind::kFirewallRule, kName).error(), HasSubstr("no such rules"));
}

TEST_F(Undo, OfAProductTakesOnlyWhatASelftestHasInstalled) {
  machine_.installed = {.is_exporter = true,
                        .config_file = below("winperf_exporter_selftest_1") + "/msi/w.yaml"};
  EXPECT_TRUE(undo_of(ChangeKind::kProduct, kCode));
  EXPECT_THAT(machine_.asked, ElementsAre(kCode));
  EXPECT_THAT(machine_.runs,
              ElementsAre("msiexec.exe /x " + std::string(kCode) + " /qn /norestart"));
  machine_.runs.clear();
  for (const InstalledProduct& other : std::vector<InstalledProduct>{
           {.is_exporter = false, .config_file = machine_.installed->config_file},
           {.is_exporter = true, .config_file = ""},
           {.is_exporter = true, .config_file = "C:\\ProgramData\\winperf_exporter\\w.yaml"},
           {.is_exporter = true, .config_file = below("another") + "/w.yaml"},
           {.is_exporter = true, .config_file = "x" + machine_.installed->config_file}}) {
    machine_.installed = other;
    EXPECT_TRUE(undo_of(ChangeKind::kProduct, kCode)) << "there is nothing of a selftest";
  }
  EXPECT_THAT(machine_.runs, IsEmpty());
}

TEST_F(Undo, OfAProductWaitsForAnInstallationThatGoesOn) {
  machine_.ends = {{.exit_code = 1618}, {.exit_code = 1618}, {.exit_code = 3010}};
  EXPECT_TRUE(undo_of(ChangeKind::kProduct, kCode));
  EXPECT_EQ(machine_.pauses, 2);
  EXPECT_EQ(machine_.runs.size(), 3U);
  EXPECT_EQ(machine_.asked.size(), 3U) << "it may have come meanwhile";
  machine_.ends = {{.exit_code = 1605}};  // there is no such product
  EXPECT_TRUE(undo_of(ChangeKind::kProduct, kCode));
  machine_.ends = {{.exit_code = 1603, .errors = "fatal"}};
  EXPECT_THAT(undo_of(ChangeKind::kProduct, kCode).error(), HasSubstr("1603"));
  machine_.ends = {{.exit_code = std::nullopt}};  // its deadline
  EXPECT_FALSE(undo_of(ChangeKind::kProduct, kCode));
  machine_.ends = std::vector<ProgramEnd>(1'000, ProgramEnd{.exit_code = 1618});
  EXPECT_THAT(undo_of(ChangeKind::kProduct, kCode).error(), HasSubstr("1618"));
  EXPECT_LT(machine_.ends.size(), 1'000U);
  EXPECT_GT(machine_.ends.size(), 500U) << "there is an end to waiting";
}

std::string status_of(const std::string& command_line) {
  std::string escaped;
  for (const char c : command_line)
    escaped += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
  return "{\"name\":\"winperf_exporter\",\"command_line\":\"" + escaped + "\"}";
}

TEST_F(Undo, OfTheServiceItselfTakesOnlyTheOneOfThisSelftest) {
  const std::string separator = below("a").substr(below("").size() - 1, 1);
  const std::string ours =
      '"' + below(kName) + separator + "own_counters" + separator + "winperf_exporter.exe\" run";
  machine_.ends = {{.exit_code = 0, .output = status_of(ours)}};
  EXPECT_TRUE(undo_of(ChangeKind::kOwnService, kName));
  EXPECT_THAT(
      machine_.runs,
      ElementsAre("winperf_exporter service status --name winperf_exporter --format json",
                  "winperf_exporter service uninstall --name winperf_exporter --with-logs"));
  machine_.runs.clear();
  for (const std::string& other :
       {std::string("\"C:\\Program Files\\winperf_exporter\\winperf_exporter.exe\" run"),
        '"' + below(std::string(kName) + "b") + separator + "winperf_exporter.exe\" run",
        "\"other.exe\" run --config " + below(kName) + separator + "x"}) {
    machine_.ends = {{.exit_code = 3, .output = status_of(other)}};
    EXPECT_TRUE(undo_of(ChangeKind::kOwnService, kName)) << other;
  }
  EXPECT_EQ(machine_.runs.size(), 3U) << "each was only asked for";
  for (const char* const nonsense : {"", "[]", "{\"command_line\":7}", "not JSON"}) {
    machine_.ends = {{.exit_code = 0, .output = nonsense}};
    EXPECT_FALSE(undo_of(ChangeKind::kOwnService, kName)) << nonsense;
  }
  EXPECT_EQ(machine_.runs.back(),
            "winperf_exporter service status --name winperf_exporter --format json");
}

constexpr char kUninstalls[] =
    "winperf_exporter service uninstall --name winperf_exporter --with-logs";

TEST_F(Undo, OfTheServiceItselfUnregistersCountersThatAreThereWithoutIt) {
  const ProgramEnd not_installed{.exit_code = 4, .output = "{\"state\":\"not_installed\"}"};
  machine_.left = {"the V2 provider {1}", "the data folder C:\\ProgramData\\winperf_exporter",
                   "the program folder C:\\Program Files\\winperf_exporter-selftest"};
  machine_.ends = {not_installed};
  EXPECT_TRUE(undo_of(ChangeKind::kOwnService, kName));
  ASSERT_EQ(machine_.runs.size(), 2U);
  EXPECT_EQ(machine_.runs.back(), kUninstalls);
  machine_.ends = {not_installed, {.exit_code = 1, .errors = "lodctr is busy"}};
  EXPECT_THAT(undo_of(ChangeKind::kOwnService, kName).error(), HasSubstr("lodctr is busy"));
  for (const char* const installed : {"the installed program winperf_exporter",
                                      "the program folder C:\\Program Files\\winperf_exporter",
                                      "the key of the installer winperf_exporter"}) {
    machine_.runs.clear();
    machine_.left = {installed};
    machine_.ends = {not_installed};
    EXPECT_TRUE(undo_of(ChangeKind::kOwnService, kName));
    EXPECT_THAT(machine_.runs, ElementsAre(Not(HasSubstr("uninstall")))) << installed;
  }
}

TEST_F(Undo, EndsNoProgramInTheMiddle) {
  StopSource stop;
  tools_.stop = stop.token();
  stop.request_stop();
  EXPECT_TRUE(undo_of(ChangeKind::kService, kName));
  EXPECT_TRUE(undo_of(ChangeKind::kFirewallRule, kName));
  EXPECT_EQ(machine_.runs.size(), 2U);
  machine_.ends = {{.exit_code = 1618}, {.exit_code = 1618}};
  EXPECT_FALSE(undo_of(ChangeKind::kProduct, kCode));
  EXPECT_EQ(machine_.runs.size(), 3U) << "the installer isn't asked again";
}

TEST(Changes, OfAProductAreOverWhereThereIsNone) {
  for (const std::int64_t code : {0, 3010})
    EXPECT_TRUE(has_installed(code) && is_product_gone(code));
  EXPECT_TRUE(is_product_gone(1605)) << "an installation that failed has taken itself back";
  EXPECT_FALSE(has_installed(1605));
  for (const std::int64_t code : {1, 1603, 1618, 1641})
    EXPECT_FALSE(has_installed(code) || is_product_gone(code)) << code;
}

TEST(Changes, HaveAWordForEachKind) {
  for (const auto& [kind, word] :
       std::map<ChangeKind, std::string>{{ChangeKind::kFolder, "folder"},
                                         {ChangeKind::kService, "service"},
                                         {ChangeKind::kFirewallRule, "firewall_rule"},
                                         {ChangeKind::kProduct, "product"},
                                         {ChangeKind::kOwnService, "own_service"}}) {
    EXPECT_EQ(name_of(kind), word);
    EXPECT_EQ(change_kind(word), kind);
    EXPECT_THAT(describe({.kind = kind, .name = kName}), HasSubstr(kName));
  }
  EXPECT_EQ(change_kind("registry"), std::nullopt);
  EXPECT_EQ(change_kind(""), std::nullopt);
}

}  // namespace
}  // namespace winperf::selftest
