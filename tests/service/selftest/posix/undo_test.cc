// Undoing as "selftest --undo" does it, with a script as the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "service/selftest/selftest.h"
#include "tests/service/run/temp_folder.h"

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kStateVariable[] = "XDG_STATE_HOME";

class Undoing : public ::testing::Test {
 protected:
  Undoing() {
    if (const char* const before = std::getenv(kStateVariable)) state_before_ = before;
    setenv(kStateVariable, folder_.path().c_str(), 1);
    std::filesystem::create_directories(root_);
    std::ofstream(root_ / "journal.jsonl")
        << "{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_1\"}\n";
  }
  ~Undoing() override {
    if (state_before_)
      setenv(kStateVariable, state_before_->c_str(), 1);
    else
      unsetenv(kStateVariable);
  }
  Undone undo(const std::string& script) {
    const std::filesystem::path program = folder_.path() / "program";
    std::ofstream(program) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return undo_selftest(program, {}).value();
  }

  testing::TempFolder folder_;
  const std::filesystem::path root_ = folder_.path() / "winperf_exporter" / "selftest";
  std::optional<std::string> state_before_;
};

TEST_F(Undoing, LeavesNothingOfWhatItsProgramsWrote) {
  const Undone undone = undo("echo done\n");
  EXPECT_THAT(undone.done, ElementsAre(HasSubstr("winperf_exporter_selftest_1")));
  EXPECT_THAT(undone.failed, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(root_.parent_path()));
}

// What the programs wrote is still there then.
TEST_F(Undoing, ThatWasKilledIsNotInTheWayOfTheNextOne) {
  const std::string kept = (folder_.path() / "kept").string();
  EXPECT_THAT(undo("cp -r '" + root_.string() + "' '" + kept + "'\nexit 1\n").failed,
              ElementsAre(HasSubstr("exit code 1")));
  std::filesystem::remove_all(root_);
  std::filesystem::rename(kept, root_);
  EXPECT_THAT(undo("echo done\n").failed, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(root_.parent_path()));
}

}  // namespace
}  // namespace winperf::selftest
