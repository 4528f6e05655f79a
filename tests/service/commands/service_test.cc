// The options of `service` act on the services of a machine that is simulated in memory.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "service/commands/command_line.h"
#include "tests/service/commands/service_machine.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ServiceCommandTest;
using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStdout;

TEST_F(ServiceCommandTest, Install_WithoutOptionsIsTheDefault) {
  ASSERT_EQ(service({"install"}), 0);
  ASSERT_EQ(manager_.services.size(), 1U);
  const ServiceDefinition& made = definition("winperf_exporter");
  EXPECT_EQ(made.start, StartKind::kDelayed);
  EXPECT_EQ(made.account, "NT SERVICE\\winperf_exporter");
  EXPECT_THAT(made.command_line, EndsWith(" run"));
}

TEST_F(ServiceCommandTest, Install_HasTheNameTheAccountAndTheStartThatAreGiven) {
  ASSERT_EQ(
      service({"install", "--name", "other", "--account", "LocalSystem", "--start", "manual"}), 0);
  const ServiceDefinition& made = definition("other");
  EXPECT_EQ(made.account, "LocalSystem");
  EXPECT_EQ(made.start, StartKind::kManual);
  ASSERT_EQ(service({"install", "--name", "other", "--start", "auto"}), 0);
  EXPECT_EQ(definition("other").start, StartKind::kAutomatic);
  ASSERT_EQ(service({"install", "--name", "other", "--start", "delayed"}), 0);
  EXPECT_EQ(definition("other").start, StartKind::kDelayed);
  EXPECT_EQ(manager_.services.size(), 1U);
}

TEST_F(ServiceCommandTest, Install_ChecksTheConfigurationAndRunsWithIt) {
  const auto file = std::filesystem::temp_directory_path() / "winperf-service-test.yaml";
  std::ofstream(file) << "interval: 7s";
  EXPECT_EQ(service({"install", "--config", file.string()}), 0);
  EXPECT_THAT(definition("winperf_exporter").command_line, HasSubstr("--config"));
  EXPECT_THAT(definition("winperf_exporter").command_line, HasSubstr("winperf-service-test.yaml"));
  manager_.services.clear();
  std::ofstream(file) << "interval: 7x";
  EXPECT_EQ(service({"install", "--config", file.string()}), 2);
  EXPECT_TRUE(manager_.services.empty());
  std::filesystem::remove(file);
}

TEST_F(ServiceCommandTest, Others_ActOnTheServiceThatIsNamed) {
  ASSERT_EQ(service({"install"}), 0);
  ASSERT_EQ(service({"install", "--name", "other"}), 0);
  const auto state = [&](const char* name) { return manager_.services.at(name).facts.state; };
  EXPECT_EQ(service({"start", "--name", "other"}), 0);
  EXPECT_EQ(state("other"), ServiceState::kRunning);
  EXPECT_EQ(state("winperf_exporter"), ServiceState::kStopped);
  EXPECT_EQ(service({"status", "--name", "other"}), 0);
  EXPECT_THAT(output_, HasSubstr("other"));
  EXPECT_EQ(service({"status"}), 3);
  EXPECT_EQ(service({"reload", "--name", "other"}), 0);
  EXPECT_EQ(manager_.services.at("other").reloads, 1);
  EXPECT_EQ(manager_.services.at("winperf_exporter").reloads, 0);
  EXPECT_EQ(service({"repair", "--name", "other"}), 0);
  EXPECT_EQ(service({"stop", "--name", "other"}), 0);
  EXPECT_EQ(state("other"), ServiceState::kStopped);
  EXPECT_EQ(service({"uninstall", "--name", "other"}), 0);
  EXPECT_EQ(service({"status", "--name", "other"}), 4);
  EXPECT_EQ(service({"status"}), 3);
}

TEST_F(ServiceCommandTest, Start_SaysWhereThePageIs) {
  const auto file = std::filesystem::temp_directory_path() / "winperf-page-test.yaml";
  std::ofstream(file) << "listen: {port: 9182}";
  ASSERT_EQ(service({"install", "--config", file.string()}), 0);
  EXPECT_EQ(service({"start"}), 0);
  EXPECT_THAT(output_,
              HasSubstr("winperf_exporter: see http://localhost:9182/ in a browser of this"));
  EXPECT_EQ(service({"stop"}), 0);
  std::ofstream(file) << "listen: {serve: [metrics]}";
  EXPECT_EQ(service({"start"}), 0);
  EXPECT_THAT(output_, Not(HasSubstr("browser")));
  std::filesystem::remove(file);
}

TEST_F(ServiceCommandTest, StartAndStop_PutItInThePlaceOfAnotherOne) {
  ASSERT_EQ(service({"install"}), 0);
  manager_.services["windows_exporter"].facts = {.state = ServiceState::kRunning,
                                                 .start = StartKind::kAutomatic};
  const auto& theirs = manager_.services["windows_exporter"].facts;
  EXPECT_EQ(service({"start", "--replacing", "windows_exporter"}), 0);
  EXPECT_EQ(theirs.state, ServiceState::kStopped);
  EXPECT_EQ(theirs.start, StartKind::kManual);
  for (auto& [name, each] : manager_.services) each.pauses_to_change = 2;
  EXPECT_EQ(service({"stop", "--restoring", "windows_exporter"}), 0);
  EXPECT_EQ(theirs.state, ServiceState::kRunning);
  EXPECT_EQ(theirs.start, StartKind::kAutomatic);
}

class ServiceRepairTest : public ServiceCommandTest {
 protected:
  void SetUp() override {
    ServiceCommandTest::SetUp();
    std::filesystem::remove(config_);
  }
  void TearDown() override {
    std::filesystem::remove(config_);
    ServiceCommandTest::TearDown();
  }

  const std::filesystem::path config_ =
      std::filesystem::temp_directory_path() / "winperf-repair-test.yaml";
};

TEST_F(ServiceRepairTest, AServiceThatIsThere_KeepsItsConfigurationItsAccountAndItsStart) {
  std::ofstream(config_) << "interval: 7s";
  ASSERT_EQ(service({"install", "--config", config_.string(), "--account", "LocalService",
                     "--start", "manual"}),
            0);
  const std::string before = definition("winperf_exporter").command_line;
  manager_.services["winperf_exporter"].parts.clear();
  manager_.installer = RememberedService{.config_file = "other.yaml", .account = "LocalSystem"};
  EXPECT_EQ(service({"repair"}), 0);
  const ServiceDefinition& made = definition("winperf_exporter");
  EXPECT_EQ(made.command_line, before);
  EXPECT_EQ(made.account, "NT AUTHORITY\\LocalService");
  EXPECT_EQ(made.start, StartKind::kManual);
  EXPECT_FALSE(manager_.services["winperf_exporter"].parts.empty()) << "its settings are set again";
  std::stringstream text;
  text << std::ifstream(config_).rdbuf();
  EXPECT_EQ(text.str(), "interval: 7s");
}

TEST_F(ServiceRepairTest, AServiceThatIsGone_IsMadeAsTheInstallerRemembersIt) {
  manager_.installer =
      RememberedService{.config_file = config_.string(), .account = "LocalService"};
  EXPECT_EQ(service({"repair"}), 0);
  EXPECT_EQ(definition("winperf_exporter").account, "NT AUTHORITY\\LocalService");
  EXPECT_THAT(definition("winperf_exporter").command_line, HasSubstr(config_.string()));
  EXPECT_TRUE(std::filesystem::exists(config_)) << "the example";
  EXPECT_EQ(manager_.made_folders.front(), "winperf_exporter");
}

TEST_F(ServiceRepairTest, AServiceThatNothingRemembers_IsNotMade) {
  EXPECT_EQ(service({"repair"}), 1);
  EXPECT_TRUE(manager_.services.empty());
  manager_.services["winperf_exporter"].facts.command_line = "C:\\other.exe --run";
  EXPECT_EQ(service({"repair"}), 1);
  EXPECT_TRUE(manager_.services["winperf_exporter"].parts.empty());
}

TEST_F(ServiceRepairTest, AFolderOfAStranger_IsNotWrittenTo) {
  manager_.installer = RememberedService{.config_file = config_.string()};
  manager_.failing["make_data_folder"] = {1307, "belongs to a stranger"};
  EXPECT_EQ(service({"repair"}), 1);
  EXPECT_EQ(service({"prepare"}), 1);
  EXPECT_FALSE(std::filesystem::exists(config_));
}

TEST_F(ServiceCommandTest, Install_NamesFilesThatOthersMayChange) {
  manager_.open_to_others["winperf_exporter.exe"] = "C:\\T can be changed by everyone (S-1-1-0)";
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(service({"install"}), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("winperf_exporter.exe controls the service, but C:\\T can be changed by "
                        "everyone (S-1-1-0); allow only administrators to write there"));
}

TEST_F(ServiceCommandTest, Prepare_MakesTheFolderOfTheServiceThatIsNamed) {
  EXPECT_EQ(service({"prepare", "--name", "other"}), 0);
  EXPECT_THAT(manager_.made_folders, ElementsAre("other"));
}

// What the installer calls when it fails: neither a service nor a file is its own by then.
TEST_F(ServiceCommandTest, Prepare_IsUndoneByRemovingEmptyFoldersAlone) {
  EXPECT_EQ(service({"install"}), 0);
  EXPECT_EQ(service({"prepare", "--undo"}), 0);
  EXPECT_THAT(manager_.removed_empty_folders, ElementsAre("winperf_exporter"));
  EXPECT_TRUE(manager_.removed_logs.empty());
  EXPECT_TRUE(manager_.services.contains("winperf_exporter"));
}

// config migrate, without a file.
TEST_F(ServiceCommandTest, Migrate_TakesTheInstalledExporter) {
  const auto folder = std::filesystem::temp_directory_path();
  const auto theirs = folder / "winperf-migrate-theirs.yaml";
  const auto ours = folder / "winperf-migrate-ours.yaml";
  std::filesystem::remove(ours);
  std::ofstream(theirs) << "collectors: {enabled: 'memory,textfile'}\nlog: {level: debug}\n";
  const auto migrate = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"config", "migrate", "--out", ours.string()});
    CaptureStdout();
    const int exit_code = run_command_line(words);
    output_ = GetCapturedStdout();
    return exit_code;
  };
  EXPECT_EQ(migrate({}), 1) << "there is none";
  manager_.services["windows_exporter"].facts.command_line =
      "\"C:\\we\\windows_exporter.exe\" --config.file=" + theirs.string() + " --log.level=warn";
  EXPECT_EQ(migrate({}), 0);
  EXPECT_THAT(output_, HasSubstr("found the service windows_exporter, which is not running"));
  EXPECT_THAT(output_, HasSubstr("service start --replacing windows_exporter"));
  std::stringstream text;
  text << std::ifstream(ours).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("log: {level: \"warn\"}"));
  EXPECT_THAT(text.str(), HasSubstr(R"(folders: ["C:\\we\\textfile_inputs"])"));
  EXPECT_EQ(migrate({}), 1) << "the file is there";
  EXPECT_EQ(migrate({"--force"}), 0);
  manager_.services["windows_exporter"].facts.command_line =
      "C:\\we\\windows_exporter.exe --config.file=https://x/y";
  EXPECT_EQ(migrate({"--force"}), 1);
  manager_.services["windows_exporter"].facts.command_line =
      "C:\\we\\windows_exporter.exe --collectors.enabled container";
  EXPECT_EQ(migrate({"--force"}), 3);
  std::filesystem::remove(theirs);
  std::filesystem::remove(ours);
}

// The keys that docs/command-json.md lists for a command, in their order.
std::vector<std::string> documented_keys(const std::string& command) {
  std::ifstream page(WINPERF_SOURCE_DIR "/docs/command-json.md");
  std::vector<std::string> keys;
  bool is_here = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_here = line.starts_with("## " + command);
    if (is_here && line.starts_with("| `")) keys.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return keys;
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& document) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  return keys;
}

TEST_F(ServiceCommandTest, Status_IsATableOrJson) {
  ASSERT_EQ(service({"install"}), 0);
  service({"status", "--format", "json"});
  EXPECT_THAT(documented_keys("service status"),
              ElementsAreArray(keys_of(nlohmann::ordered_json::parse(output_))));
  service({"status", "--format", "table"});
  EXPECT_NE(output_.front(), '{');
}

TEST_F(ServiceCommandTest, Uninstall_RemovesTheLogsIfThatIsAsked) {
  ASSERT_EQ(service({"install"}), 0);
  EXPECT_EQ(service({"uninstall"}), 0);
  EXPECT_TRUE(manager_.removed_logs.empty());
  ASSERT_EQ(service({"install"}), 0);
  EXPECT_EQ(service({"uninstall", "--with-logs"}), 0);
  EXPECT_THAT(manager_.removed_logs, ElementsAre("winperf_exporter"));
}

}  // namespace
}  // namespace winperf
