#include "service/commands/plan_report.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Config config_of(const std::string& countersets, const std::string& facts = "[]") {
  auto config = parse_config("countersets: " + countersets + "\nfacts: " + facts, "test");
  EXPECT_TRUE(config) << describe(config.error().front());
  return config.value_or(Config{});
}

// A counterset with the counters "Free" and "Used", of which the first is selected, and one
// instance.
ResolvedPlan plan_of(const Config& config, bool has_instance = true) {
  ResolvedPlan plan;
  for (const CountersetConfig& wanted : config.countersets) {
    ResolvedCounterset& found = plan.countersets.emplace_back();
    found.label = wanted.label;
    found.state = testing::state(
        wanted.label, testing::values(testing::object(
                          wanted.label, {testing::counter("Free", testing::kRawCount)}, true)));
    found.all_counters = {"Free", "Used"};
    if (has_instance) found.instances.hidden = {"_Total"};
  }
  return plan;
}

std::vector<std::string> lacks(const std::string& countersets, bool has_instance = true) {
  const Config config = config_of(countersets);
  return missing_names(plan_of(config, has_instance), config, true);
}

TEST(WhatIsLacking, NothingOfWhatIsThere) {
  EXPECT_THAT(lacks("[Memory, {name: Disk, counters: {include: ['F.*', Used]}}]"), IsEmpty());
  EXPECT_THAT(lacks("[{name: Disk, instances: {include: ['C:'], max: 5, by: used}}]"), IsEmpty());
  EXPECT_THAT(
      lacks("[{name: Disk, counters: {exclude: [Nope]}, instances: {exclude: [a]}}]", false),
      IsEmpty())
      << "what is left out needn't be there";
}

TEST(WhatIsLacking, NamesWhatACountersetHasNot) {
  EXPECT_THAT(lacks("[{name: Disk, counters: {include: [Free, Fre]}}]"),
              ElementsAre("\"Disk\" has no counter matching \"Fre\""));
  EXPECT_THAT(lacks("[{name: Disk, instances: {max: 5, by: Nope}}]"),
              ElementsAre("\"Disk\" has no counter \"Nope\""));
  EXPECT_THAT(lacks("[{name: Disk, metrics: [{counter: Nope, name: disk_nope}]}]"),
              ElementsAre("\"Disk\" has no counter \"Nope\""));
  EXPECT_THAT(lacks("[{name: Disk, instances: {include: ['C:']}}]", false),
              ElementsAre("\"Disk\" has no matching instance"));
}

TEST(WhatIsLacking, NamesCountersetsThatAreAbsent) {
  const Config config = config_of("[Memory, Memry]");
  ResolvedPlan plan = plan_of(config);
  plan.countersets[1].state->success = false;
  plan.countersets[1].state->error = Error{.code = ErrorCode::kNoSuchName};
  plan.unmatched = {"SQL*"};
  plan.empty_sets = {"iis"};
  EXPECT_THAT(
      missing_names(plan, config, true),
      ElementsAre("no counterset matches \"SQL*\"", "no counterset of the collector set \"iis\"",
                  HasSubstr("\"Memry\" cannot be read: ")));
}

TEST(WhatIsLacking, NamesFoldersThatAreAbsent) {
  const Config config =
      config_of("[]", "[{name: textfile, folders: [/no/such/folder, " WINPERF_SOURCE_DIR "]}]");
  EXPECT_THAT(missing_names({}, config, true),
              ElementsAre("text file folder \"/no/such/folder\" does not exist"));
  EXPECT_THAT(missing_names({}, config, false), IsEmpty());
}

}  // namespace
}  // namespace winperf
