#include "exporter/mapping/object_mapping.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;

std::vector<std::string> names_of(const ObjectMapping& mapping) {
  std::vector<std::string> names;
  for (const FamilyMapping& family : mapping.families) names.push_back(family.stem + family.suffix);
  return names;
}

std::vector<std::string> names_for(std::uint32_t type, const MappingOptions& options = {}) {
  return names_of(map_object(object("Object", {counter("Thing", type)}), options));
}

TEST(ObjectMapping_OfACounterWithBase, HasAFamilyForEach) {
  EXPECT_THAT(names_for(kAverageTimer), ElementsAre("winperf_object_thing_seconds_total",
                                                    "winperf_object_thing_seconds_base_total"));
  EXPECT_THAT(names_for(kAverageBulk),
              ElementsAre("winperf_object_thing_total", "winperf_object_thing_base_total"));
  EXPECT_THAT(names_for(kSampleFraction),
              ElementsAre("winperf_object_thing_total", "winperf_object_thing_base_total"));
  EXPECT_THAT(names_for(kPrecision100ns), ElementsAre("winperf_object_thing_seconds_total",
                                                      "winperf_object_thing_seconds_base_total"));
  EXPECT_THAT(names_for(k100nsMultiTimer), ElementsAre("winperf_object_thing_seconds_total",
                                                       "winperf_object_thing_seconds_base"));
  EXPECT_THAT(names_for(kRawFraction), ElementsAre("winperf_object_thing_ratio"));
}

TEST(ObjectMapping_OfACounter, ShowsTheValueThatItsTypeMeans) {
  const auto source = [](std::uint32_t type) {
    return map_object(object("Object", {counter("Thing", type)}), {}).families[0].value.source;
  };
  EXPECT_EQ(source(kRawCount), ValueSource::kRaw);
  EXPECT_EQ(source(kBulkCount), ValueSource::kTotal);
  EXPECT_EQ(source(kRawFraction), ValueSource::kRatio);
  EXPECT_EQ(source(kElapsedTime), ValueSource::kStartTime);
  EXPECT_EQ(source(kDoubleRaw), ValueSource::kRawDouble);
}

TEST(ObjectMapping_OfACounterThatLacksItsBase, HasTheCounterAlone) {
  CounterSchema average = counter("Thing", kAverageTimer);
  average.has_base = false;
  EXPECT_THAT(names_of(map_object(object("Object", {average}), {})),
              ElementsAre("winperf_object_thing_seconds_total"));
}

TEST(ObjectMapping_WithDisplayedNumbers, AddsThemToWhatIsNotShownAsItIs) {
  const MappingOptions options{false, true};
  EXPECT_THAT(names_for(kRawCount, options), ElementsAre("winperf_object_thing"));
  EXPECT_THAT(
      names_for(k100nsTimer, options),
      ElementsAre("winperf_object_thing_seconds_total", "winperf_object_thing_displayed_percent"));
  EXPECT_THAT(
      names_for(kBulkCount, options),
      ElementsAre("winperf_object_thing_total", "winperf_object_thing_displayed_per_second"));
}

TEST(ObjectMapping_OfIds, LeavesThemToTheLabels) {
  const std::vector<CounterSchema> counters{counter("ID Process", kRawCount),
                                            counter("ID Thread", kRawCount)};
  EXPECT_TRUE(map_object(object("Process", counters, true), {}).families.empty());
  EXPECT_EQ(map_object(object("Process", counters, false), {}).families.size(), 2U);
}

TEST(ObjectMapping_OfText, IsCountedAndHasNoFamily) {
  const ObjectMapping mapping = map_object(object("Object", {counter("Thing", kText)}), {});
  EXPECT_TRUE(mapping.families.empty());
  EXPECT_EQ(mapping.not_numeric, 1U);
}

TEST(ObjectMapping_Help, HasTheSystemsTextAndTheOrigin) {
  CounterSchema time = counter("% User Time", k100nsTimer, 142);
  time.help = "  Time in\r\n\tuser  mode. ";
  const ObjectMapping mapping = map_object(object("Processor", {time}), {});
  EXPECT_EQ(mapping.families[0].help,
            "Time in user mode. [Processor\\% User Time, PERF_100NSEC_TIMER, 238/142]");
}

TEST(ObjectMapping_Help, IsCutBetweenCharacters) {
  CounterSchema time = counter("Thing", kRawCount);
  time.help = "x";
  for (int i = 0; i < 10000; ++i) time.help += "\xE2\x82\xAC";
  const ObjectMapping mapping = map_object(object("Object", {time}), {});
  EXPECT_LT(mapping.families[0].help.size(), 600U);
  EXPECT_NE(mapping.families[0].help.find("\xE2\x82\xAC... ["), std::string::npos);
}

// 400 bytes are shown, and what completes the character in which they end.
TEST(ObjectMapping_Help, OfTheGreatestLengthIsWhole) {
  const std::string origin = " [Object\\Thing, PERF_COUNTER_RAWCOUNT, 238/6]";
  struct Row {
    std::string text;
    std::string shown;
  };
  const Row rows[] = {{std::string(399, 'x'), std::string(399, 'x')},
                      {std::string(400, 'x'), std::string(400, 'x')},
                      {std::string(401, 'x'), std::string(400, 'x') + "..."},
                      {std::string(399, 'x') + "\xC3\xA9", std::string(399, 'x') + "\xC3\xA9"},
                      {std::string(399, 'x') + "\xC3\xA9y", std::string(399, 'x') + "\xC3\xA9..."}};
  for (const Row& row : rows) {
    CounterSchema thing = counter("Thing", kRawCount);
    thing.help = row.text;
    EXPECT_EQ(map_object(object("Object", {thing}), {}).families[0].help, row.shown + origin);
  }
}

TEST(ObjectMapping_OfEqualNames, HasKeysThatDoNotDependOnOrder) {
  const CounterSchema raw = counter("Thing", kRawCount, 10);
  const CounterSchema rate = counter("Thing", kBulkCount, 12);
  const CounterSchema again = counter("Thing", kBulkCount, 14);
  const ObjectMapping mapping = map_object(object("Object", {raw, rate, again}), {});
  EXPECT_EQ(mapping.families[0].key, "Object\\Thing\\PERF_COUNTER_RAWCOUNT");
  EXPECT_EQ(mapping.families[1].key, "Object\\Thing\\PERF_COUNTER_BULK_COUNT\\12");
  EXPECT_EQ(mapping.families[2].key, "Object\\Thing\\PERF_COUNTER_BULK_COUNT\\14");
}

}  // namespace
}  // namespace winperf
