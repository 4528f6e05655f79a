#include "collectors/sampling/perflib/v2_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/raw_sample.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using testing::kElapsed;
using testing::kFraction;
using testing::kGauge;

constexpr CounterType kFractionBase{0x40030403};  // PERF_RAW_BASE
constexpr CounterType kObjectTimer{0x20610500};   // PERF_OBJ_TIME_TIMER
constexpr CounterType kLargeGauge{0x00010100};    // PERF_COUNTER_LARGE_RAWCOUNT

struct Spec {
  std::uint32_t id = 0;
  CounterType type{};
  std::optional<std::uint32_t> base_id{};
  std::optional<std::uint32_t> time_id{};
  std::optional<std::uint32_t> frequency_id{};
  std::uint64_t attributes = 0;
};

V2Counterset counterset(const std::vector<Spec>& specs) {
  V2Counterset set;
  set.name = "Widgets";
  set.registration.instance_type = v2::InstanceType::kMultiple;
  for (const Spec& spec : specs) {
    v2::CounterRegistration& counter = set.registration.counters.emplace_back();
    counter.id = spec.id;
    counter.type = spec.type;
    counter.attributes = spec.attributes;
    counter.base_id = spec.base_id;
    counter.perf_time_id = spec.time_id;
    counter.perf_freq_id = spec.frequency_id;
    set.counter_names[spec.id] = "counter " + std::to_string(spec.id);
  }
  return set;
}

std::vector<std::uint32_t> ids_of(const V2Layout& layout) {
  std::vector<std::uint32_t> ids;
  for (const V2Column& column : layout.columns) ids.push_back(column.id);
  return ids;
}

TEST(V2Layout, ABaseIsFoundByItsIdAndHasNoColumn) {
  const auto set =
      counterset({{.id = 9, .type = kFractionBase}, {.id = 4, .type = kFraction, .base_id = 9}});
  const V2Layout layout = build_v2_layout(set, {}, {});
  EXPECT_THAT(ids_of(layout), ElementsAre(4));
  EXPECT_EQ(layout.columns[0].base_id, 9U);
  const CounterSchema& counter = layout.schema->counters.at(0);
  EXPECT_EQ(counter.name, "counter 4");
  EXPECT_TRUE(counter.has_base);
  EXPECT_EQ(counter.base_type, kFractionBase);
  EXPECT_EQ(counter.base_size, 4U);
}

TEST(V2Layout, NamesSayHowNumbersAreRead) {
  auto set = counterset({{.id = 1, .type = kLargeGauge}, {.id = 2, .type = kLargeGauge}});
  set.name = "Network Adapter";
  set.counter_names[1] = "Current Bandwidth";
  const auto counters = build_v2_layout(set, {}, {}).schema->counters;
  EXPECT_THAT(counters.at(0).reading.unknown,
              ElementsAre(0x7FFF'FFFF'FFFF'FFFF, 0xFFFF'FFFF'FFFF'FFFF));
  EXPECT_EQ(counters.at(1).reading, RawReading{});
}

TEST(V2Layout, WhatHasNoNameIsHiddenWhateverItsType) {
  auto set = counterset({{.id = 1, .type = kFraction, .base_id = 2},
                         {.id = 2, .type = kFractionBase},
                         {.id = 3, .type = kFractionBase},
                         {.id = 4, .type = kGauge},
                         {.id = 5, .type = kObjectTimer},
                         {.id = 6, .type = kLargeGauge}});
  for (const std::uint32_t id : {2U, 3U, 4U, 5U}) set.counter_names.erase(id);
  const V2Layout layout = build_v2_layout(set, {}, {});
  EXPECT_THAT(ids_of(layout), ElementsAre(1, 6));
  EXPECT_EQ(layout.columns[0].base_id, 2U);
  set.counter_names[4] = "";
  EXPECT_THAT(ids_of(build_v2_layout(set, {}, {})), ElementsAre(1, 6));
  set.local_counter_names[4] = "Stand";
  EXPECT_THAT(ids_of(build_v2_layout(set, {}, {})), ElementsAre(1, 4, 6));
}

// Their binary is missing, say.
TEST(V2Layout, WithoutAnyNameTheCountersAreShownByTheirIds) {
  auto set = counterset({{.id = 1, .type = kGauge}, {.id = 2, .type = kLargeGauge}});
  set.counter_names.clear();
  EXPECT_THAT(ids_of(build_v2_layout(set, {}, {})), ElementsAre(1, 2));
}

TEST(V2Layout, ABaseThatDoesNotExistIsNone) {
  const auto set = counterset({{.id = 4, .type = kFraction, .base_id = 5}});
  const V2Layout layout = build_v2_layout(set, {}, {});
  EXPECT_THAT(ids_of(layout), ElementsAre(4));
  EXPECT_EQ(layout.columns[0].base_id, std::nullopt);
  EXPECT_FALSE(layout.schema->counters.at(0).has_base);
}

TEST(V2Layout, APrecisionTimerOnTheObjectsClockIsDividedByItUnlessABaseIsNamed) {
  constexpr CounterType kPrecision{0x20670500}, kPrecision100ns{0x20570500};
  auto set = counterset({{.id = 1, .type = kPrecision, .time_id = 2},
                         {.id = 2, .type = kLargeGauge},
                         {.id = 9, .type = kFractionBase}});
  EXPECT_EQ(build_v2_layout(set, {}, {}).columns[0].base_id, 2U);
  set.registration.counters[0].base_id = 9;
  EXPECT_EQ(build_v2_layout(set, {}, {}).columns[0].base_id, 9U);
  set.registration.counters[0].base_id.reset();
  set.registration.counters[0].type = kPrecision100ns;
  EXPECT_EQ(build_v2_layout(set, {}, {}).columns[0].base_id, std::nullopt);
}

TEST(V2Layout, TheComponentsOfAMultiTimerAreFoundByTheirOwnId) {
  constexpr CounterType kMultiTimer{0x22410500}, kMultiBase{0x42030500};
  auto set = counterset({{.id = 1, .type = kMultiTimer, .base_id = 8},
                         {.id = 8, .type = kFractionBase},
                         {.id = 9, .type = kMultiBase}});
  EXPECT_EQ(build_v2_layout(set, {}, {}).columns[0].base_id, std::nullopt);
  set.registration.counters[0].multi_id = 9;
  const V2Layout layout = build_v2_layout(set, {}, {});
  EXPECT_EQ(layout.columns[0].base_id, 9U);
  EXPECT_THAT(ids_of(layout), ElementsAre(1, 8));
}

TEST(V2Layout, AnIdThatNamesNoCounterIsNone) {
  const auto set = counterset({{.id = 1, .type = kFraction, .base_id = 77},
                               {.id = 2, .type = kObjectTimer, .time_id = 78, .frequency_id = 79}});
  const V2Layout layout = build_v2_layout(set, {}, {});
  EXPECT_EQ(layout.columns[0].base_id, std::nullopt);
  EXPECT_FALSE(layout.schema->counters[0].has_base);
  EXPECT_EQ(layout.columns[1].time_id, std::nullopt);
  EXPECT_EQ(layout.columns[1].frequency_id, std::nullopt);
  EXPECT_FALSE(layout.has_own_clocks);
}

TEST(V2Layout, ACounterThatNeedsNoBaseOrClockHasNone) {
  const auto set =
      counterset({{.id = 1, .type = kGauge, .base_id = 3, .time_id = 3, .frequency_id = 3},
                  {.id = 3, .type = kFractionBase}});
  const V2Layout layout = build_v2_layout(set, {}, {});
  EXPECT_THAT(ids_of(layout), ElementsAre(1, 3));
  EXPECT_EQ(layout.columns[0].base_id, std::nullopt);
  EXPECT_EQ(layout.columns[0].time_id, std::nullopt);
  EXPECT_FALSE(layout.has_own_clocks);
}

TEST(V2Layout, AnUnusedBaseKeepsItsColumn) {
  const V2Layout layout = build_v2_layout(counterset({{.id = 9, .type = kFractionBase}}), {}, {});
  EXPECT_THAT(ids_of(layout), ElementsAre(9));
}

TEST(V2Layout, AClockIsHiddenOnlyIfItIsNotMeantToBeShown) {
  for (const bool hidden : {false, true}) {
    const auto set = counterset(
        {{.id = 1, .type = kObjectTimer, .time_id = 2, .frequency_id = 3},
         {.id = 2, .type = kLargeGauge, .attributes = hidden ? v2::kAttribNotDisplayed : 0U},
         {.id = 3, .type = kLargeGauge}});
    const V2Layout layout = build_v2_layout(set, {}, {});
    EXPECT_TRUE(layout.has_own_clocks);
    EXPECT_EQ(layout.columns[0].time_id, 2U);
    EXPECT_EQ(layout.columns[0].frequency_id, 3U);
    if (hidden) {
      EXPECT_THAT(ids_of(layout), ElementsAre(1, 3));
    } else {
      EXPECT_THAT(ids_of(layout), ElementsAre(1, 2, 3));
    }
  }
}

TEST(V2Layout, SizesAreTheTypesUntilDataWasSeen) {
  const auto set = counterset({{.id = 1, .type = kGauge}, {.id = 2, .type = kGauge}});
  const V2Layout layout = build_v2_layout(set, {}, {{2, std::uint8_t{8}}});
  EXPECT_EQ(layout.schema->counters[0].size, 4U);
  EXPECT_EQ(layout.schema->counters[1].size, 8U);
}

TEST(V2Layout, CountersThatIdentifyInstancesAreKnownWithoutBeingSelected) {
  auto set = counterset({{.id = 1, .type = kGauge},
                         {.id = 2, .type = kGauge},
                         {.id = 3, .type = kElapsed},
                         {.id = 4, .type = kGauge}});
  set.counter_names[1] = "ID Process";
  set.counter_names[2] = "ID Thread";
  const V2Layout layout = build_v2_layout(
      set, {.counters = [](const CounterSchema& c) { return c.name == "counter 4"; }}, {});
  EXPECT_THAT(ids_of(layout), ElementsAre(4));
  EXPECT_EQ(layout.identity.process_id, 1U);
  set.counter_names[1] = "Process ID";
  EXPECT_EQ(build_v2_layout(set, {}, {}).identity.process_id, std::nullopt) << "an ordinary number";
  set.name = "Process V2";
  EXPECT_EQ(build_v2_layout(set, {}, {}).identity.process_id, 1U);
  EXPECT_EQ(layout.identity.thread_id, 2U);
  EXPECT_EQ(layout.identity.started, 3U);
}

}  // namespace
}  // namespace winperf
