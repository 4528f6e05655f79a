// Programs that checks run: here they are scripts. And the end of a server, here one in memory.
#include "service/selftest/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "service/selftest/running_server.h"
#include "tests/service/run/temp_folder.h"

namespace winperf::selftest {
namespace {

TEST(Program, RunsInTheFolderOfTheCall) {
  const testing::TempFolder folder;
  const std::filesystem::path program = folder.path() / "program";
  std::ofstream(program) << "#!/bin/sh\npwd -P\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::filesystem::path own = folder.path() / "own";
  std::filesystem::create_directory(own);
  const auto end = run_program({.program = program, .folder = own}, {});
  ASSERT_TRUE(end) << end.error();
  EXPECT_EQ(end->output, std::filesystem::canonical(own).string() + '\n');
}

// Remembers what it was asked for.
struct Asked {
  bool can_be_asked = true;
  std::optional<std::int64_t> code{};  // with which it ends
  bool was_killed = false;
  std::chrono::steady_clock::time_point waited_until{};
};

class MemoryProgram final : public Program {
 public:
  explicit MemoryProgram(Asked& asked) : asked_(asked) {}
  std::uint32_t id() const override { return 1; }
  std::optional<std::int64_t> wait_until(std::chrono::steady_clock::time_point time,
                                         const StopToken&) override {
    asked_.waited_until = time;
    return asked_.code;
  }
  bool interrupt() override { return asked_.can_be_asked; }
  void kill() override { asked_.was_killed = true; }
  ProgramUse use() const override { return {}; }
  std::string output() const override { return {}; }
  std::string errors() const override { return {}; }

 private:
  Asked& asked_;
};

constexpr std::chrono::hours kPatience{24};

std::optional<std::int64_t> end_of(Asked& asked) {
  const auto server = RunningServer::of(std::make_unique<MemoryProgram>(asked), "http://x:1", 1);
  return server.end(kPatience);
}

TEST(RunningServer, ThatCanNotBeAskedToEndIsKilledAtOnce) {
  Asked asked{.can_be_asked = false};
  EXPECT_EQ(end_of(asked), std::nullopt);
  EXPECT_TRUE(asked.was_killed);
  EXPECT_LT(asked.waited_until, std::chrono::steady_clock::now() + kPatience / 2);
}

TEST(RunningServer, ThatHasEndedIsNotKilled) {
  Asked asked{.can_be_asked = false, .code = 3};
  EXPECT_EQ(end_of(asked), 3);
  EXPECT_FALSE(asked.was_killed);
}

TEST(RunningServer, ThatWasAskedHasItsTime) {
  Asked asked{.code = 0};
  EXPECT_EQ(end_of(asked), 0);
  EXPECT_FALSE(asked.was_killed);
  EXPECT_GT(asked.waited_until, std::chrono::steady_clock::now() + kPatience / 2);
}

}  // namespace
}  // namespace winperf::selftest
