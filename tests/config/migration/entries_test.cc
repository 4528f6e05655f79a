#include "config/migration/entries.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Entry entry(std::vector<std::string> names) { return {.names = std::move(names), .comment = "c"}; }

TEST(MigratedEntry, IsWrittenWithWhatItHas) {
  Entry one = entry({"A"});
  EXPECT_EQ(text_of(one), R"({name: "A"},  # c)");
  one.instances.include = {"i", "j"};
  EXPECT_EQ(text_of(one), R"({name: "A", instances: {include: ["i", "j"]}},  # c)");
  one.instances.exclude = {"e"};
  EXPECT_EQ(text_of(one), R"({name: "A", instances: {include: ["i", "j"], exclude: ["e"]}},  # c)");
  one.instances.include.clear();
  EXPECT_EQ(text_of(one), R"({name: "A", instances: {exclude: ["e"]}},  # c)");
  one.counters = {"x"};
  EXPECT_EQ(text_of(one),
            R"({name: "A", instances: {exclude: ["e"]}, counters: {include: ["x"]}},  # c)");
  EXPECT_EQ(text_of(entry({"A", "B"})), R"({name: ["A", "B"]},  # c)");
}

TEST(MigratedEntry, HasItsMetrics) {
  Entry one = entry({"A"});
  one.instance_label = "core";
  one.metrics = {{.counter = "% x", .name = "m", .labels = {"\"a\": \"b\"", "\"c\": \"d\""}},
                 {.counter = "y", .name = "n", .type = "gauge", .is_cooked = true}};
  EXPECT_EQ(text_of(one), R"({name: "A", instance_label: "core", metrics: [  # c
      {counter: "% x", name: "m", labels: {"a": "b", "c": "d"}},
      {counter: "y", name: "n", type: "gauge", value: "cooked"},
    ]},)");
}

TEST(MigratedEntry, OfANameThatIsTaken_IsLostIfItSelectsMore) {
  const Settings none;
  Progress progress(none);
  std::vector<Entry> entries;
  Entry first = entry({"A", "B"});
  first.instances.include = {"x"};
  add_entry(entries, first, progress);
  add_entry(entries, entry({"C"}), progress);
  EXPECT_THAT(entries, SizeIs(2));
  EXPECT_THAT(progress.messages(), IsEmpty());
  add_entry(entries, entry({"D", "b"}), progress);
  EXPECT_THAT(entries, SizeIs(2));
  EXPECT_THAT(progress.messages(),
              ElementsAre(Message{"c: \"D\" is already sampled for c, so this entry was left out; "
                                  "add what it selects to the other one",
                                  true}));
}

TEST(MigratedEntry, OfANameThatIsTaken_AddsItsMetrics) {
  const Settings none;
  Progress progress(none);
  std::vector<Entry> entries;
  add_entry(entries, entry({"A"}), progress);
  Entry more = entry({"a"});
  more.comment = "d";
  more.instances.include = {"x"};
  more.counters = {"y"};
  more.instance_label = "core";
  more.metrics = {{.counter = "y", .name = "m"}};
  add_entry(entries, more, progress);
  add_entry(entries, more, progress);
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_THAT(entries[0].instances.include, IsEmpty());
  EXPECT_THAT(entries[0].metrics, SizeIs(2));
  EXPECT_EQ(entries[0].instance_label, "core");
  EXPECT_EQ(entries[0].comment, "c, d");
  more.instance_label = "other";
  add_entry(entries, more, progress);
  EXPECT_EQ(progress.lost(), 1U) << "one entry has one label";
}

TEST(MigratedFact, IsWrittenWithWhatItHas) {
  EXPECT_EQ(text_of(FactEntry{.topic = FactTopic::kOs, .comment = "os"}), R"("os",  # os)");
  EXPECT_EQ(text_of(FactEntry{.topic = FactTopic::kServices,
                              .rows = {.include = {"a"}, .exclude = {"b"}},
                              .comment = "service"}),
            R"({name: "services", include: ["a"], exclude: ["b"]},  # service)");
  EXPECT_EQ(text_of(FactEntry{
                .topic = FactTopic::kTextfile, .folders = {"C:\\a", "b"}, .comment = "textfile"}),
            R"({name: "textfile", folders: ["C:\\a", "b"]},  # textfile)");
}

TEST(MigratedFact, OfATopic_IsThereOnce) {
  std::vector<FactEntry> facts;
  add_fact(facts, {.topic = FactTopic::kOs, .comment = "os"});
  add_fact(facts, {.topic = FactTopic::kMemory, .comment = "os"});
  add_fact(facts, {.topic = FactTopic::kOs, .comment = "system"});
  ASSERT_THAT(facts, SizeIs(2));
  EXPECT_EQ(facts[0].comment, "os, system");
}

}  // namespace
}  // namespace winperf::migration
