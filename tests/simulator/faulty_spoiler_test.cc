// Every word spoils the reply of PerfLib, the clocks or the name table, and nothing does without.
#include "tests/simulator/faulty_spoiler.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/collectors/sources/temp_dir.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/kernel_provider.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf::simulator {
namespace {

namespace fs = std::filesystem;

class FaultySpoilerTest : public ::testing::Test {
 protected:
  void tell(const std::string& word) { std::ofstream(file_) << word << '\n'; }

  // What PerfLib would answer about the waves; nothing if it answers a code.
  std::optional<Bytes> reply(const Guid& guid) {
    const CountersetDefinition waves = geometric_waves();
    std::vector<InstanceValues> rows{{u"one", 1, {1, 2}}, {u"two", 2, {3, 4}}};
    spoiler_->instances(guid, rows);
    Bytes result = rows.empty()
                       ? error_result(kInstanceNotFound)
                       : table_result({.counterset = waves, .columns = {0, 1}, .rows = rows});
    spoiler_->perflib_result(guid, result);
    Bytes all = data_reply({}, {&result, 1});
    if (spoiler_->perflib_reply(all)) return std::nullopt;
    return all;
  }
  const winperf::testing::TempDir folder_;
  const fs::path file_ = folder_.path() / "faulty.txt";
  const std::unique_ptr<Spoiler> spoiler_ = faulty_spoiler(file_);
};

TEST_F(FaultySpoilerTest, EveryWordOfV2SpoilsTheReply) {
  const Guid waves = geometric_waves().guid;
  const auto honest = reply(waves);
  std::set<std::string_view> seen;
  for (const std::string_view word : words_of_v2()) {
    SCOPED_TRACE(word);
    EXPECT_TRUE(seen.insert(word).second) << "it occurs twice";
    tell(std::string(word) + "_v2");
    EXPECT_NE(reply(waves), honest);
    tell(std::string(word) + "_data");
    EXPECT_EQ(reply(waves), honest);
  }
}

TEST_F(FaultySpoilerTest, InstancesAndResultsOfOthersStay) {
  const Guid other{};
  const auto honest = reply(other);
  tell("inst_len_zero_v2");
  EXPECT_EQ(reply(other), honest);
  tell("none_v2");
  EXPECT_EQ(reply(other), honest);
}

TEST_F(FaultySpoilerTest, ClocksJumpAndStand) {
  const Now honest;
  Now later;
  later.time_100ns += 10;
  tell("wall_forward_clock");
  EXPECT_EQ(spoilt_clocks(honest, file_).time_100ns - honest.time_100ns, 36'000'000'000);
  EXPECT_EQ(spoilt_clocks(honest, file_).perf_time, honest.perf_time);
  tell("clock_back_clock");
  EXPECT_EQ(spoilt_clocks(honest, file_).time_100ns - honest.time_100ns, -36'000'000'000);
  EXPECT_EQ(spoilt_clocks(honest, file_).perf_time - honest.perf_time, -36'000'000'000);
  tell("still_clock");
  EXPECT_EQ(spoilt_clocks(honest, file_).time_100ns, honest.time_100ns);
  EXPECT_EQ(spoilt_clocks(later, file_).time_100ns, honest.time_100ns);
  tell("none_clock");
  EXPECT_EQ(spoilt_clocks(later, file_).time_100ns, later.time_100ns);
}

TEST_F(FaultySpoilerTest, TheNameTableAndItsGenerationChange) {
  Bytes table(501, std::byte{'n'});
  const Bytes honest = table;
  const std::uint32_t generation = spoiler_->generation();
  std::set<std::uint32_t> generations{generation};
  spoiler_->name_table(table);
  EXPECT_EQ(table, honest);
  for (const char* const word : {"torn_names", "garbage_names"}) {
    tell(word);
    table = honest;
    spoiler_->name_table(table);
    EXPECT_NE(table, honest) << word;
  }
  for (const char* const word :
       {"torn_names", "garbage_names", "gone_names", "other_names", "moved_names"}) {
    tell(word);
    EXPECT_TRUE(generations.insert(spoiler_->generation()).second) << word;
  }
}

}  // namespace
}  // namespace winperf::simulator
