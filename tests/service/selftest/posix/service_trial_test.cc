// A service of a check: here the program is a script, which writes down its commands and ends as a
// case says.
#include "service/selftest/service_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "service/selftest/journal.h"
#include "tests/service/run/temp_folder.h"

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The commands and the journal's lines, in their order, in one file.
class SharedLog final : public JournalFile {
 public:
  explicit SharedLog(std::filesystem::path file) : file_(std::move(file)) {}
  std::expected<std::string, std::string> text() override { return std::string(); }
  std::expected<void, std::string> append(std::string_view line) override {
    if (is_full) return std::unexpected("the disk is full");
    std::ofstream(file_, std::ios::app) << line;
    return {};
  }
  std::expected<void, std::string> clear() override { return {}; }
  bool is_full = false;

 private:
  const std::filesystem::path file_;
};

class ServiceTrialTest : public ::testing::Test {
 protected:
  ServiceTrialTest()
      : program_(folder_.path() / "program"),
        own_(folder_.path() / "winperf_exporter_selftest_7" / "service"),
        log_(folder_.path() / "log"),
        journal_(Journal::of(make_file())),
        run_{.settings = settings_,
             .program = program_,
             .folder = own_,
             .is_administrator = true,
             .journal = journal_,
             .stop = stop_.token(),
             .tell = [](const std::string&) {}} {
    std::filesystem::create_directories(own_);
    script("");
  }
  std::unique_ptr<JournalFile> make_file() {
    auto file = std::make_unique<SharedLog>(log_);
    file_ = file.get();
    return file;
  }
  // `cases`: of the command's second word, such as "install) exit 1;;".
  void script(const std::string& cases) {
    std::ofstream(program_) << "#!/bin/sh\necho \"$2 $4\" >> '" << log_.string()
                            << "'\ncase $2 in\n"
                            << cases << "\nprepare) echo \"x: data folder " << own_.string()
                            << "\";;\nstatus) echo '{\"state\":\"stopped\"}'; exit 3;;\nesac\n";
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
  }
  std::vector<std::string> lines() const {
    std::ifstream file(log_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  testing::TempFolder folder_;
  const std::filesystem::path program_;
  const std::filesystem::path own_;
  const std::filesystem::path log_;
  const SelftestSettings settings_{};
  StopSource stop_;
  SharedLog* file_ = nullptr;
  Journal journal_;
  CheckRun run_;
  CheckReport report_;
};

constexpr char kServiceName7[] = "winperf_exporter_selftest_7_service";

TEST_F(ServiceTrialTest, IsInTheJournalFromBeforeItIsMadeUntilItIsGone) {
  ServiceTrial trial(run_, report_);
  EXPECT_EQ(trial.name(), kServiceName7);
  EXPECT_TRUE(trial.install());
  EXPECT_THAT(journal_.left(),
              ElementsAre(Change{.kind = ChangeKind::kService, .name = kServiceName7}));
  EXPECT_TRUE(trial.remove());
  EXPECT_THAT(journal_.left(), IsEmpty());
  EXPECT_THAT(report_.findings, IsEmpty());
  const std::string name = kServiceName7;
  EXPECT_THAT(lines(),
              ElementsAre("{\"change\":\"service\",\"name\":\"" + name + "\"}", "prepare " + name,
                          "install " + name, "uninstall " + name, "{\"undone\":0}"));
  EXPECT_EQ(trial.executable().parent_path(), own_) << "a copy, which services may read";
}

TEST_F(ServiceTrialTest, ChangesNothingWithoutAJournal) {
  file_->is_full = true;
  ServiceTrial trial(run_, report_);
  EXPECT_FALSE(trial.install());
  EXPECT_TRUE(trial.remove());
  EXPECT_THAT(lines(), IsEmpty());
  ASSERT_EQ(report_.findings.size(), 1U);
  EXPECT_EQ(report_.findings[0].sentence, "nothing was changed");
}

TEST_F(ServiceTrialTest, IsRemovedAlsoAfterAFailure) {
  script("prepare) echo refused >&2; exit 1;;");
  ServiceTrial trial(run_, report_);
  EXPECT_FALSE(trial.install());
  EXPECT_TRUE(trial.remove());
  EXPECT_THAT(journal_.left(), IsEmpty());
  ASSERT_EQ(report_.findings.size(), 1U);
  EXPECT_THAT(report_.findings[0].sentence, HasSubstr("\"service prepare\" did not end with 0"));
  EXPECT_THAT(report_.findings[0].details.front().second, HasSubstr("refused"));
}

TEST_F(ServiceTrialTest, StaysInTheJournalIfItCannotBeRemoved) {
  script("uninstall) exit 1;;");
  ServiceTrial trial(run_, report_);
  EXPECT_TRUE(trial.install());
  EXPECT_FALSE(trial.remove());
  EXPECT_EQ(journal_.left().size(), 1U);
  ASSERT_EQ(report_.findings.size(), 1U);
  EXPECT_EQ(report_.findings[0].sentence, "\"service uninstall\" failed");
}

TEST_F(ServiceTrialTest, IsRemovedAfterAStop) {
  ServiceTrial trial(run_, report_);
  EXPECT_TRUE(trial.install());
  stop_.request_stop();
  EXPECT_FALSE(trial.start());
  EXPECT_FALSE(trial.stop());
  EXPECT_TRUE(trial.remove());
  EXPECT_THAT(journal_.left(), IsEmpty());
  EXPECT_THAT(report_.findings, IsEmpty()) << "what a stop has ended is no finding";
}

TEST_F(ServiceTrialTest, OfTheServiceItselfHasTheRunsNameInTheJournal) {
  ServiceTrial trial(run_, report_, ChangeKind::kOwnService);
  EXPECT_EQ(trial.name(), "winperf_exporter");
  EXPECT_TRUE(trial.install());
  EXPECT_THAT(journal_.left(), ElementsAre(Change{.kind = ChangeKind::kOwnService,
                                                  .name = "winperf_exporter_selftest_7"}));
  EXPECT_THAT(lines().back(), StartsWith("install winperf_exporter"));
}

TEST_F(ServiceTrialTest, SaysWhereItListens) {
  script("start) mkdir -p '" + (own_ / "logs").string() +
         "'; echo '{\"event\":\"started\",\"message\":\"listens on http://127.0.0.1:4711\"}' > '" +
         (own_ / "logs/selftest.jsonl").string() + "';;");
  ServiceTrial trial(run_, report_);
  EXPECT_TRUE(trial.install());
  EXPECT_TRUE(trial.start());
  EXPECT_EQ(trial.origin(), "http://127.0.0.1:4711");
  EXPECT_EQ(trial.logged("started"), 1U);
  EXPECT_EQ(trial.logged("stopped"), 0U);
}

TEST_F(ServiceTrialTest, ListensOnLoopbackAlone) {
  ServiceTrial trial(run_, report_);
  trial.config["listen"] = {{"address", "0.0.0.0"}};
  EXPECT_TRUE(trial.install());
  std::ifstream file(own_ / "winperf_exporter.yaml");
  std::stringstream text;
  text << file.rdbuf();
  const auto config = nlohmann::json::parse(text.str());
  EXPECT_EQ(config["listen"], nlohmann::json({{"address", "127.0.0.1"}, {"port", 0}}));
}

}  // namespace
}  // namespace winperf::selftest
