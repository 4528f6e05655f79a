// From the facts about processes to what the recorder remembers.
#include "service/run/process_owners.h"

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <string>

#include "tests/collectors/recorder/recorded.h"

namespace winperf {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ProcessOwners, AreTheRowsThatHaveAnOwnerOrACommandLine) {
  FactTable table;
  table.add().text("process_id", "7").text("owner", "alice").text("command_line", "a.exe -x");
  table.add().text("process_id", "8").text("command_line", "b.exe");
  table.add().text("process_id", "9");
  table.add().text("process_id", "x").text("owner", "eve");
  table.add().text("process_id", "-1").text("owner", "eve");
  table.add().text("process_id", "99999999999").text("owner", "eve");
  table.add().text("owner", "eve");
  EXPECT_THAT(process_owners(table), ElementsAre(recorder::ProcessOwner{7, "alice", "a.exe -x"},
                                                 recorder::ProcessOwner{8, "", "b.exe"}));
}

class OwnerNotesTest : public ::testing::Test {
 protected:
  void read(const std::string& owner, std::int64_t second) {
    auto table = std::make_shared<FactTable>();
    if (!owner.empty()) table->add().text("process_id", "7").text("owner", owner);
    FactSnapshot snapshot;
    snapshot.topics.push_back(
        {.topic = FactTopic::kProcesses, .table = table, .read_at = SteadyTime(seconds(second))});
    facts_.publish(std::make_shared<const FactSnapshot>(std::move(snapshot)));
  }
  // What a sample after the note has of the process at that time.
  std::string noted(std::int64_t second, bool are_kept = true) {
    notes_.note(are_kept, SteadyTime(seconds(second)));
    testing::record(recorder_,
                    chain_.append(testing::make_raw_sample(testing::schema_of({{.index = 2}}, true),
                                                           testing::instances_named({"a"}),
                                                           testing::at_second(second))),
                    second);
    const auto* const found = recorder_.history()->owners.find(7, SteadyTime(seconds(second)),
                                                               SteadyTime(seconds(second)));
    return found == nullptr ? "" : found->owner;
  }

  FactSlot facts_;
  recorder::Recorder recorder_{recorder::kMebibyte};
  testing::Chained chain_;
  OwnerNotes notes_{facts_, recorder_};
};

TEST_F(OwnerNotesTest, EachReadingIsNotedOnce) {
  EXPECT_EQ(noted(1), "");
  read("alice", 2);
  EXPECT_EQ(noted(2), "alice");
  EXPECT_EQ(noted(3), "") << "the next reading isn't there yet";
  read("bob", 4);
  EXPECT_EQ(noted(4), "bob");
}

TEST_F(OwnerNotesTest, AConfigurationThatLeavesThemOut_ForgetsThem) {
  read("alice", 2);
  EXPECT_EQ(noted(2), "alice");
  EXPECT_EQ(noted(3, false), "");
  EXPECT_EQ(recorder_.history()->owners.processes, nullptr);
  read("alice", 4);
  EXPECT_EQ(noted(4, false), "");
  EXPECT_EQ(noted(5), "");
  EXPECT_EQ(recorder_.history()->owners.processes->size(), 1U) << "they are kept again";
}

TEST_F(OwnerNotesTest, ATopicThatIsNoLongerRead_LeavesThePast) {
  read("alice", 2);
  EXPECT_EQ(noted(2), "alice");
  facts_.publish(std::make_shared<const FactSnapshot>());
  noted(63);
  ASSERT_EQ(recorder_.history()->owners.processes->size(), 1U);
  EXPECT_FALSE(recorder_.history()->owners.processes->front().is_there);
}

}  // namespace
}  // namespace winperf
