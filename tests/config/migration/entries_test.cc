#include "config/migration/entries.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Entry entry(std::vector<std::string> names) {
  return {.names = std::move(names), .include = {}, .exclude = {}, .counters = {}, .comment = "c"};
}

TEST(MigratedEntry, IsWrittenWithWhatItHas) {
  Entry one = entry({"A"});
  EXPECT_EQ(text_of(one), R"({name: "A"},  // c)");
  one.include = {"i", "j"};
  EXPECT_EQ(text_of(one), R"({name: "A", instances: {include: ["i", "j"]}},  // c)");
  one.exclude = {"e"};
  EXPECT_EQ(text_of(one),
            R"({name: "A", instances: {include: ["i", "j"], exclude: ["e"]}},  // c)");
  one.include.clear();
  EXPECT_EQ(text_of(one), R"({name: "A", instances: {exclude: ["e"]}},  // c)");
  one.counters = {"x"};
  EXPECT_EQ(text_of(one),
            R"({name: "A", instances: {exclude: ["e"]}, counters: {include: ["x"]}},  // c)");
  EXPECT_EQ(text_of(entry({"A", "B"})), R"({name: ["A", "B"]},  // c)");
}

TEST(MigratedEntry, OfANameThatIsTaken_IsANote) {
  const Settings none;
  Progress progress(none);
  std::vector<Entry> entries;
  add_entry(entries, entry({"A", "B"}), progress);
  add_entry(entries, entry({"C"}), progress);
  EXPECT_THAT(entries, SizeIs(2));
  EXPECT_THAT(progress.notes(), IsEmpty());
  add_entry(entries, entry({"D", "b"}), progress);
  EXPECT_THAT(entries, SizeIs(2));
  EXPECT_THAT(progress.notes(),
              ElementsAre("c: \"D\" is already sampled, so this entry was left out; what it "
                          "selects in addition has to be added to the other one"));
  EXPECT_EQ(progress.lost(), 0U);
}

}  // namespace
}  // namespace winperf::migration
