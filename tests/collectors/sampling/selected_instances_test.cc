#include "collectors/sampling/selected_instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<InstanceSchema> all_named(const std::vector<std::string>& names) {
  std::vector<InstanceSchema> instances;
  for (const std::string& name : names) instances.emplace_back().name = name;
  return instances;
}

std::vector<std::string> shown(const SelectedInstances& selected) {
  std::vector<std::string> names;
  for (const auto set = selected.set(); const InstanceSchema& instance : set->instances)
    names.push_back(display_name(instance));
  return names;
}

Selection only(std::string name) {
  return {.instances = [name = std::move(name)](std::string_view other) { return other == name; }};
}

CountersetSchema schema_from(CounterPath path) {
  CountersetSchema schema;
  schema.path = path;
  return schema;
}

const CountersetSchema kSchema = schema_from(CounterPath::kRegistry);

TEST(SelectedInstances, NumbersDuplicatesBeforeItLeavesAnyOut) {
  std::vector<InstanceSchema> all = all_named({"a", "b", "a"});
  all[0].unique_id = 1;
  all[2].unique_id = 2;
  SelectedInstances selected;
  selected.select(all, kSchema, {.instance_id = 2});
  EXPECT_THAT(shown(selected), ElementsAre("a#1"));
  EXPECT_THAT(selected.positions(), ElementsAre(2));
}

TEST(SelectedInstances, NumbersDuplicatesOfInstancesThatHaveMoved) {
  SelectedInstances selected;
  selected.select(all_named({"a", "b", "a"}), kSchema, {});
  const std::vector<std::uint32_t> places{1, 2, kNewInstance, kNewInstance};
  selected.select(all_named({"b", "a", "A", "c"}), kSchema, {}, places);
  EXPECT_THAT(shown(selected), ElementsAre("b", "a", "A#1", "c"));
  const std::vector<std::uint32_t> next{2, 3, 0, kNewInstance};
  selected.select(all_named({"A", "c", "b", "B"}), kSchema, {}, next);
  EXPECT_THAT(shown(selected), ElementsAre("A", "c", "b", "B#1"));
}

TEST(SelectedInstances, SharesTheSetForAsLongAsItIsTheSame) {
  SelectedInstances selected;
  selected.select(all_named({"a", "b"}), kSchema, only("b"));
  const auto before = selected.set();
  selected.select(all_named({"c", "a", "b"}), kSchema, only("b"));
  EXPECT_EQ(selected.set(), before);
  EXPECT_THAT(selected.positions(), ElementsAre(2));
  selected.select(all_named({"a"}), kSchema, only("b"));
  EXPECT_NE(selected.set(), before);
  EXPECT_THAT(shown(selected), IsEmpty());
}

TEST(SelectedInstances, HaveTheLabelsOfTheirNames) {
  const Selection labelled{.labels = [](std::string_view name) {
    return std::vector<InstanceLabel>{{"half", std::string(name.substr(0, 1))}};
  }};
  const auto labels = [&](const CountersetSchema& schema, const std::string& name) {
    SelectedInstances selected;
    selected.select(all_named({"other", name}), schema, labelled);
    return selected.set()->instances.at(1).labels;
  };
  EXPECT_THAT(labels(kSchema, "xy"), ElementsAre(InstanceLabel{"half", "x"}));
  EXPECT_THAT(labels(schema_from(CounterPath::kLog), "y#1"),
              ElementsAre(InstanceLabel{"half", "y"}));
}

TEST(SelectedInstances, ClearLeavesNone) {
  SelectedInstances selected;
  selected.select(all_named({"a"}), kSchema, {});
  selected.clear();
  EXPECT_THAT(shown(selected), IsEmpty());
  EXPECT_THAT(selected.positions(), IsEmpty());
  const auto empty = selected.set();
  selected.clear();
  EXPECT_EQ(selected.set(), empty);
}

TEST(SelectedInstances, ByTheNameThatPerfmonShowsThereIsOneOfEach) {
  std::vector<InstanceSchema> all = all_named({"a", "b", "A"});
  all.push_back(all.front());
  all.back().parent = "p";
  const auto selected = [&](const std::string& name) {
    Selection selection = only(name);
    selection.by_display_name = true;
    SelectedInstances instances;
    instances.select(all, kSchema, selection);
    return instances.positions();
  };
  EXPECT_THAT(selected("a"), ElementsAre(0));
  EXPECT_THAT(selected("A#1"), ElementsAre(2));
  EXPECT_THAT(selected("p/a"), ElementsAre(3));
  EXPECT_THAT(selected("a#2"), IsEmpty());
  const CountersetSchema log = schema_from(CounterPath::kLog);
  Selection numbered = only("a#1");
  numbered.by_display_name = true;
  EXPECT_TRUE(accepts(numbered, log, all_named({"a#1"}).front()));
  EXPECT_FALSE(accepts(numbered, log, all_named({"a"}).front()));
}

TEST(SelectedInstances, InALogTheNumberIsPartOfTheNameAndFiltersIgnoreIt) {
  const CountersetSchema log = schema_from(CounterPath::kLog);
  SelectedInstances selected;
  selected.select(all_named({"a", "a#1", "a#x", "#1"}), log, only("a"));
  EXPECT_THAT(shown(selected), ElementsAre("a", "a#1"));
  selected.select(all_named({"a", "a#1"}), kSchema, only("a"));
  EXPECT_THAT(shown(selected), ElementsAre("a"));
}

TEST(SelectedInstances, InALogTheNumberIsWhatFollowsTheLastHash) {
  const CountersetSchema log = schema_from(CounterPath::kLog);
  for (const auto& [name, selected] :
       std::vector<std::pair<std::string, std::string>>{{"a", "a"},
                                                        {"a#1", "a"},
                                                        {"a#0123456789", "a"},
                                                        {"a#", "a#"},
                                                        {"a#1x", "a#1x"},
                                                        {"#1", "#1"},
                                                        {"a#1#2", "a#1"},
                                                        {"", ""},
                                                        {"#", "#"},
                                                        {"a#-1", "a#-1"},
                                                        {"a##1", "a#"},
                                                        {"a#1 ", "a#1 "}}) {
    InstanceSchema instance;
    instance.name = name;
    EXPECT_TRUE(accepts(only(selected), log, instance)) << name;
    EXPECT_TRUE(accepts(only(name), kSchema, instance)) << "elsewhere names are whole";
  }
}

TEST(SelectedInstances, OfALogAreNotNumberedAgain) {
  SelectedInstances selected;
  selected.select(all_named({"a", "a"}), schema_from(CounterPath::kLog), {});
  EXPECT_THAT(shown(selected), ElementsAre("a", "a"));
}

TEST(SelectedInstances, AnInstanceNeedsBothTheIdAndTheNameThatAreWanted) {
  std::vector<InstanceSchema> all = all_named({"a", "b", "a", "a"});
  all[0].unique_id = 1;
  all[1].unique_id = 2;
  all[2].unique_id = 2;
  Selection selection = only("a");
  selection.instance_id = 2;
  SelectedInstances selected;
  selected.select(all, kSchema, selection);
  EXPECT_THAT(selected.positions(), ElementsAre(2)) << "nor is an instance without an id meant";
}

TEST(SetIdentity, TakesAStartTimeOnlyWithAProcessId) {
  for (const std::optional<std::uint64_t> id :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(0),
        std::optional<std::uint64_t>(4)}) {
    InstanceSchema instance;
    set_identity(instance, {.process_id = id, .thread_id = 5, .started = 6});
    EXPECT_EQ(instance.process_id, id);
    EXPECT_EQ(instance.thread_id, 5U);
    EXPECT_EQ(instance.started.has_value(), id == 4U);
  }
}

TEST(SelectedInstances, RememberWhoseTheyAreWhileNothingIsSaid) {
  SelectedInstances selected;
  const auto owner_after = [&](std::optional<std::uint64_t> told) {
    std::vector<InstanceSchema> all = all_named({"w3wp"});
    set_identity(all[0], {.owner = told});
    selected.select(std::move(all), kSchema, {});
    return selected.set()->instances[0].owner;
  };
  EXPECT_EQ(owner_after(0), std::nullopt);
  EXPECT_EQ(owner_after(10), 10U);
  EXPECT_EQ(owner_after(0), 10U);
  EXPECT_EQ(owner_after(std::nullopt), 10U);
  EXPECT_EQ(owner_after(11), 11U);
}

}  // namespace
}  // namespace winperf
