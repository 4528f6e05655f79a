// The exporter as a V2 provider: what it asks of PerfLib, and which values a collection finds.
#include "exporter/counters/v2_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "collectors/base/os_code.h"
#include "tests/exporter/counters/perflib_double.h"

namespace winperf::own {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::PerfLibDouble;

constexpr auto kStart = ControlRequest::kCollectStart;
constexpr auto kEnd = ControlRequest::kCollectEnd;
constexpr std::uint32_t kFine = 0;
constexpr std::uint32_t kNothing = value_of(OsCode::kNoData);

class OwnProviderTest : public ::testing::Test {
 protected:
  // All values follow from the number, so that a mixture of two states shows.
  OwnState state_of(std::uint64_t number, const std::vector<std::u16string>& names) const {
    OwnState state{.number = number, .written_at = wall_.ticks};
    for (std::size_t i = 1; i < kExporterValues; ++i) state.exporter[i] = number * 1000 + i;
    for (const std::u16string& name : names) {
      CountersetRow row{.name = name};
      for (std::size_t i = 0; i < kCountersetValues; ++i) row.values[i] = number * 1000 + i;
      state.countersets.push_back(row);
    }
    return state;
  }
  PerfLibDouble::Made exporter() const {
    return perflib_.instances(kExporterObject).at(u"winperf_exporter");
  }
  std::map<std::u16string, PerfLibDouble::Made> countersets() const {
    return perflib_.instances(kCountersetObject);
  }
  // The number of the state that all values of all instances have; 0 if they differ.
  std::uint64_t number_of_all() const {
    const std::uint64_t number = exporter().values.at(0);
    for (const auto& [id, value] : exporter().values)
      if (id != 0 && id < kTimeId && value != number * 1000 + id) return 0;
    const auto rows = countersets();
    for (const auto& [name, made] : rows)
      for (const auto& [id, value] : made.values)
        if (id < kTimeId && value != number * 1000 + id) return 0;
    return number;
  }
  std::uint64_t collect() {
    EXPECT_EQ(provider_.on_control(kStart), kFine);
    const std::uint64_t number = number_of_all();
    EXPECT_EQ(provider_.on_control(kEnd), kFine);
    return number;
  }
  void pass(std::chrono::seconds time) { steady_ += time; }

  PerfLibDouble perflib_;
  SteadyTime steady_{std::chrono::hours(1)};
  Ticks100ns wall_{.ticks = 133'000'000'000'000'000};
  OwnProvider provider_{
      perflib_.functions(),
      {.steady_now = [this] { return steady_; }, .wall_now = [this] { return wall_; }}};
};

TEST_F(OwnProviderTest, DescribesBothCountersetsAndCreatesTheOnlyInstance) {
  ASSERT_TRUE(provider_.start());
  EXPECT_THAT(perflib_.take_calls(),
              ElementsAre("start", "describe EXPORTER", "describe COUNTERSET",
                          "create winperf_exporter 0"));
  EXPECT_THAT(exporter().values, IsEmpty());
  ASSERT_TRUE(provider_.start()) << "it runs already";
  EXPECT_THAT(perflib_.take_calls(), IsEmpty());
}

TEST_F(OwnProviderTest, SetsAllValuesWhenACollectionBegins) {
  ASSERT_TRUE(provider_.start());
  OwnState state = state_of(7, {u"Disk"});
  state[ExporterValue::kRecorderReach] = std::nullopt;
  state[ExporterValue::kFailures] = 0x1'0000'0002;  // of a counter with 4 bytes
  EXPECT_THAT(provider_.show(state), IsEmpty());
  EXPECT_THAT(exporter().values, IsEmpty()) << "before a collection";
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  const PerfLibDouble::Made made = exporter();
  for (std::size_t i = 0; i < kExporterValues; ++i) {
    const auto id = static_cast<std::uint32_t>(i);
    if (i == index_of(ExporterValue::kRecorderReach)) {
      EXPECT_FALSE(made.values.contains(id));
      continue;
    }
    const std::uint64_t value = i == index_of(ExporterValue::kStateNumber) ? 7
                                : i == index_of(ExporterValue::kFailures)  ? 2
                                                                           : 7000 + i;
    EXPECT_EQ(made.values.at(id), value) << kExporterRows[i].symbol;
    EXPECT_EQ(made.bytes.at(id), kExporterRows[i].bytes) << kExporterRows[i].symbol;
  }
  const PerfLibDouble::Made disk = countersets().at(u"Disk");
  for (std::size_t i = 0; i < kCountersetValues; ++i) {
    const auto id = static_cast<std::uint32_t>(i);
    EXPECT_EQ(disk.values.at(id), 7000 + i) << kCountersetRows[i].symbol;
    EXPECT_EQ(disk.bytes.at(id), kCountersetRows[i].bytes) << kCountersetRows[i].symbol;
  }
  for (const auto& instance : {made, disk}) {
    EXPECT_EQ(instance.values.at(kTimeId), 133'000'000'000'000'000U);
    EXPECT_EQ(instance.values.at(kFrequencyId), 10'000'000U);
    EXPECT_EQ(instance.bytes.at(kTimeId), 8U);
    EXPECT_EQ(instance.bytes.at(kFrequencyId), 8U);
  }
}

TEST_F(OwnProviderTest, AValueThatIsNoLongerKnownIsTakenBack) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {}));
  EXPECT_EQ(collect(), 1U);
  OwnState state = state_of(2, {});
  state[ExporterValue::kPrivateBytes] = std::nullopt;
  provider_.show(state);
  EXPECT_EQ(collect(), 2U);
  EXPECT_FALSE(exporter().values.contains(
      static_cast<std::uint32_t>(index_of(ExporterValue::kPrivateBytes))));
}

TEST_F(OwnProviderTest, KeepsTheStateUntilAllCollectionsHaveEnded) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A", u"B"}));
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  provider_.show(state_of(2, {u"B", u"A"}));
  EXPECT_EQ(number_of_all(), 1U);
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  EXPECT_EQ(number_of_all(), 1U) << "another collector";
  provider_.on_control(kEnd);
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  EXPECT_EQ(number_of_all(), 1U) << "the first one still collects";
  provider_.on_control(kEnd);
  provider_.on_control(kEnd);
  EXPECT_EQ(number_of_all(), 1U);
  EXPECT_EQ(collect(), 2U);
  provider_.on_control(kEnd);  // one too many
  provider_.show(state_of(3, {u"A", u"B"}));
  EXPECT_EQ(collect(), 3U);
}

TEST_F(OwnProviderTest, ACollectionThatNeverEndsDoesNotCountForLong) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A"}));
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  // Others that end don't keep it young.
  for (std::uint64_t second = 1; second < 5; ++second) {
    pass(std::chrono::seconds(1));
    provider_.show(state_of(1 + second, {u"A"}));
    EXPECT_EQ(collect(), 1U) << "after " << second << " s";
  }
  pass(std::chrono::seconds(1));
  EXPECT_EQ(collect(), 5U);
}

TEST_F(OwnProviderTest, CollectionsThatAlwaysOverlapGetNewValuesInTheEnd) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {}));
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  for (int second = 1; second < 60; ++second) {
    pass(std::chrono::seconds(1));
    provider_.show(state_of(2, {}));
    ASSERT_EQ(provider_.on_control(kStart), kFine);
    EXPECT_EQ(number_of_all(), 1U) << "after " << second << " s";
  }
  pass(std::chrono::seconds(1));
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  EXPECT_EQ(number_of_all(), 2U);
}

TEST_F(OwnProviderTest, InstancesComeAndGoWithTheNames) {
  ASSERT_TRUE(provider_.start());
  perflib_.take_calls();
  provider_.show(state_of(1, {u"B", u"A"}));
  EXPECT_THAT(perflib_.take_calls(), ElementsAre("create A 1", "create B 2"));
  EXPECT_EQ(countersets().at(u"A").values.at(3), 1003U) << "not zero until a collection";
  provider_.show(state_of(2, {u"A", u"B"}));
  EXPECT_THAT(perflib_.take_calls(), IsEmpty());
  EXPECT_EQ(countersets().at(u"A").values.at(3), 1003U);
  provider_.show(state_of(3, {u"C", u"B"}));
  EXPECT_THAT(perflib_.take_calls(), ElementsAre("remove A", "create C 3"));
  EXPECT_EQ(collect(), 3U);
  provider_.show(state_of(4, {u"A", u"B", u"C"}));
  EXPECT_THAT(perflib_.take_calls(), ElementsAre("create A 1")) << "its id again";
  EXPECT_EQ(collect(), 4U);
  provider_.show(state_of(5, {}));
  EXPECT_THAT(perflib_.take_calls(), ElementsAre("remove A", "remove B", "remove C"));
  EXPECT_EQ(collect(), 5U);
}

TEST_F(OwnProviderTest, InstancesStayWhileACollectionRuns) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A", u"B"}));
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  perflib_.take_calls();
  provider_.show(state_of(2, {u"A", u"C"}));
  EXPECT_THAT(perflib_.take_calls(), IsEmpty());
  provider_.on_control(kEnd);
  EXPECT_EQ(collect(), 1U) << "the state of the names that there are";
  EXPECT_THAT(perflib_.take_calls(), IsEmpty()) << "in PerfLib's callback";
  provider_.show(state_of(3, {u"A", u"C"}));
  EXPECT_THAT(perflib_.take_calls(), ElementsAre("remove B", "create C 3"));
  EXPECT_EQ(collect(), 3U);
}

TEST_F(OwnProviderTest, NoInstanceIsWithoutItsRowDuringACollection) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A", u"B"}));
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  provider_.show(state_of(2, {u"B"}));
  provider_.on_control(kEnd);
  EXPECT_EQ(collect(), 1U);
}

TEST_F(OwnProviderTest, ACollectionWaitsForNewInstancesButNotForLong) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A"}));
  bool waited = false;
  perflib_.before_each([&](const std::string& call) {
    if (!call.starts_with("create")) return;
    // PerfLib calls back while it creates the instance, so that waiting is in vain.
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(collect(), 1U);
    waited = std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(500);
  });
  provider_.show(state_of(2, {u"A", u"B"}));
  EXPECT_TRUE(waited);
  perflib_.before_each({});
  EXPECT_EQ(collect(), 2U);
}

TEST_F(OwnProviderTest, NoCollectionWaitsForAnInstanceThatThereWasNoMemoryFor) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A"}));
  perflib_.before_each([](const std::string& call) {
    if (call.starts_with("create")) throw std::bad_alloc();
  });
  EXPECT_THROW(provider_.show(state_of(2, {u"A", u"B"})), std::bad_alloc);
  perflib_.before_each({});
  // On a busy machine one may take longer, but not each.
  auto shortest = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 5; ++i) {
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(collect(), 1U);
    shortest = std::min(shortest, std::chrono::steady_clock::now() - before);
  }
  EXPECT_LT(shortest, std::chrono::milliseconds(500));
  EXPECT_THAT(provider_.show(state_of(3, {u"A", u"B"})), IsEmpty());
  EXPECT_EQ(collect(), 3U);
}

TEST_F(OwnProviderTest, CollectionsWithoutEndTakeNoMemory) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {}));
  for (int i = 0; i < 300; ++i) ASSERT_EQ(provider_.on_control(kStart), kFine);
  provider_.show(state_of(2, {}));
  for (int i = 0; i < 256; ++i) provider_.on_control(kEnd);
  EXPECT_EQ(collect(), 2U);
}

TEST_F(OwnProviderTest, IdsStayBelowThoseOfPerfLib) {
  ASSERT_TRUE(provider_.start());
  std::vector<std::u16string> names;
  for (std::size_t i = 0; i < kMaxRows + 5; ++i)
    names.push_back(u"N" + std::u16string(1, static_cast<char16_t>(0x100 + i)));
  provider_.show(state_of(1, names));
  const auto made = countersets();
  EXPECT_EQ(made.size(), kMaxRows);
  std::vector<bool> used(kMaxRows + 1);
  for (const auto& [name, instance] : made) {
    ASSERT_LE(instance.id, kMaxRows);
    EXPECT_FALSE(used[instance.id]) << instance.id;
    used[instance.id] = true;
  }
  EXPECT_EQ(collect(), 1U);
}

TEST_F(OwnProviderTest, AnInstanceThatCannotBeCreatedCostsItselfAlone) {
  ASSERT_TRUE(provider_.start());
  perflib_.fail("create B", 1450);
  const auto problems = provider_.show(state_of(1, {u"A", u"B", u"C"}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_THAT(problems[0], HasSubstr("PerfCreateInstance failed for the instance \"B\" of "
                                     "winperf_exporter counterset: "));
  EXPECT_EQ(provider_.failures(), 1U);
  EXPECT_EQ(countersets().size(), 2U);
  EXPECT_EQ(collect(), 1U);
  // During a collection it is nothing new.
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  EXPECT_THAT(provider_.show(state_of(2, {u"A", u"B", u"C"})), IsEmpty());
  provider_.on_control(kEnd);
  EXPECT_EQ(collect(), 2U);
  EXPECT_THAT(provider_.show(state_of(3, {u"A", u"B", u"C"})), IsEmpty()) << "said already";
  EXPECT_EQ(provider_.failures(), 2U) << "but tried again";
  perflib_.fail("create B", 0);
  EXPECT_THAT(provider_.show(state_of(4, {u"A", u"B", u"C"})), IsEmpty());
  EXPECT_EQ(countersets().size(), 3U);
  EXPECT_EQ(collect(), 4U);
}

TEST_F(OwnProviderTest, FailuresAreSaidOnceForEachCause) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A", u"B"}));
  perflib_.fail("set 3", 87);  // of both objects: an id that begins so
  perflib_.fail("set 0", 87);
  ASSERT_EQ(provider_.on_control(kStart), kFine) << "the other values are good";
  EXPECT_EQ(exporter().values.at(4), 1004U);
  provider_.on_control(kEnd);
  perflib_.fail("remove", 6);
  const auto problems = provider_.show(state_of(2, {}));
  EXPECT_GT(provider_.failures(), problems.size());
  EXPECT_THAT(problems,
              ::testing::UnorderedElementsAre(
                  HasSubstr("PerfSetCounterRefValue failed for State Number of winperf_exporter: "),
                  HasSubstr("PerfSetULongCounterValue failed for State of winperf_exporter "
                            "counterset: "),
                  HasSubstr("PerfDeleteInstance failed for an instance of winperf_exporter "
                            "counterset: ")));
  EXPECT_EQ(provider_.on_control(kStart), kFine);
  EXPECT_THAT(provider_.show(state_of(3, {})), IsEmpty());
  provider_.stop();
  ASSERT_TRUE(provider_.start());
  EXPECT_EQ(provider_.failures(), 0U);
  provider_.show(state_of(4, {}));
  EXPECT_EQ(provider_.on_control(kStart), kFine);
  EXPECT_EQ(provider_.show(state_of(5, {})).size(), 1U);
}

TEST_F(OwnProviderTest, LeavesNothingBehindWhenItCannotStart) {
  const struct {
    const char* call;
    const char* text;
    std::size_t calls;  // before it gives up
  } cases[] = {
      {"start", "PerfStartProviderEx failed for winperf_exporter: ", 1},
      {"describe EXPORTER", "PerfSetCounterSetInfo failed for winperf_exporter: ", 2},
      {"describe COUNTERSET", "PerfSetCounterSetInfo failed for winperf_exporter counterset: ", 3},
      {"create", "PerfCreateInstance failed for winperf_exporter: ", 4}};
  for (const auto& row : cases) {
    perflib_.fail(row.call, 5);
    const auto started = provider_.start();
    ASSERT_FALSE(started) << row.call;
    EXPECT_THAT(started.error(), HasSubstr(row.text));
    const auto calls = perflib_.take_calls();
    ASSERT_EQ(calls.size(), row.calls + (row.calls == 1 ? 0 : 1)) << row.call;
    if (row.calls > 1) {
      EXPECT_EQ(calls.back(), "stop");
    }
    EXPECT_THAT(provider_.show(state_of(1, {u"A"})), IsEmpty());
    EXPECT_EQ(provider_.on_control(kStart), kNothing);
    EXPECT_THAT(perflib_.take_calls(), IsEmpty());
    perflib_.fail(row.call, 0);
  }
  EXPECT_TRUE(provider_.start());
}

TEST_F(OwnProviderTest, StopsWithoutInstances) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A", u"B"}));
  perflib_.take_calls();
  ASSERT_EQ(provider_.on_control(kStart), kFine);
  provider_.stop();
  EXPECT_THAT(perflib_.take_calls(),
              ElementsAre("remove A", "remove B", "remove winperf_exporter", "stop"));
  EXPECT_EQ(provider_.on_control(kStart), kNothing);
  EXPECT_THAT(provider_.show(state_of(1, {u"A"})), IsEmpty());
  EXPECT_THAT(perflib_.take_calls(), IsEmpty());
  provider_.stop();
  EXPECT_THAT(perflib_.take_calls(), IsEmpty());
  ASSERT_TRUE(provider_.start());
  EXPECT_EQ(provider_.on_control(kStart), kNothing) << "the state of before is gone";
  provider_.show(state_of(2, {u"B"}));
  EXPECT_EQ(countersets().at(u"B").id, 2U);
  EXPECT_EQ(collect(), 2U);
}

TEST_F(OwnProviderTest, GivesNoStateThatIsNotKeptUpToDate) {
  ASSERT_TRUE(provider_.start());
  EXPECT_EQ(provider_.on_control(kStart), kNothing) << "none so far";
  provider_.show(state_of(1, {}));
  const Ticks100ns shown = wall_;
  for (const std::int64_t age : {kOldestState, -kOldestState}) {
    wall_.ticks = shown.ticks + age;
    EXPECT_EQ(collect(), 1U);
    wall_.ticks += age > 0 ? 1 : -1;
    EXPECT_EQ(provider_.on_control(kStart), kNothing);
  }
  EXPECT_EQ(provider_.on_control(ControlRequest::kAddCounter), kFine);
  EXPECT_EQ(provider_.on_control(ControlRequest::kRemoveCounter), kFine);
  EXPECT_EQ(provider_.on_control(ControlRequest::kEnumerateInstances), kFine);
  EXPECT_EQ(provider_.on_control(static_cast<ControlRequest>(9)), kFine);
}

TEST_F(OwnProviderTest, ACollectorSeesOneStateWhileOthersAreShown) {
  ASSERT_TRUE(provider_.start());
  provider_.show(state_of(1, {u"A"}));
  // A collection that begins just before an instance is created waits for it.
  std::vector<std::thread> early;
  perflib_.before_each([&](const std::string& call) {
    if (call.starts_with("create") && early.size() < 8)
      early.emplace_back([&] { EXPECT_NE(collect(), 0U); });
  });
  provider_.show(state_of(2, {u"A", u"B"}));
  ASSERT_EQ(early.size(), 1U);
  std::atomic<bool> done{false};
  std::thread collector([&] {
    while (!done) EXPECT_NE(collect(), 0U);
  });
  for (std::uint64_t number = 3; number < 300; ++number)
    EXPECT_THAT(
        provider_.show(state_of(number, number % 2 == 0 ? std::vector<std::u16string>{u"A"}
                                                        : std::vector<std::u16string>{u"A", u"B"})),
        IsEmpty());
  done = true;
  collector.join();
  for (std::thread& thread : early) thread.join();
  perflib_.before_each({});
  provider_.show(state_of(300, {u"A", u"B"}));
  EXPECT_EQ(collect(), 300U);
}

TEST(V2Layout, SaysOfEachCounterWhatPerfLibNeeds) {
  for (const ObjectRow* const object : kObjects) {
    const std::vector<V2Counter> counters = v2_counters(*object);
    ASSERT_EQ(counters.size(), object->counters.size() + 2);
    for (std::size_t i = 0; i < object->counters.size(); ++i) {
      const CounterRow& row = object->counters[i];
      const V2Counter& counter = counters[i];
      EXPECT_EQ(counter.id, i) << row.symbol;
      EXPECT_EQ(counter.type, row.type) << row.symbol;
      EXPECT_EQ((counter.attributes & kNoDisplay) != 0, is_base(row.type)) << row.symbol;
      // The size that the type says, or by reference.
      const bool is_large = (static_cast<std::uint32_t>(row.type) & 0x300) == 0x100;
      if ((counter.attributes & kByReference) != 0) {
        EXPECT_EQ(counter.bytes, 8U) << row.symbol;
      } else {
        EXPECT_EQ(counter.bytes, is_large ? 8U : 4U) << row.symbol;
        EXPECT_EQ(counter.bytes, row.bytes) << row.symbol;
        EXPECT_TRUE(object->has_instances) << row.symbol;
      }
      EXPECT_GE(row.scale, -10) << row.symbol;
      EXPECT_LE(row.scale, 10) << row.symbol;
      EXPECT_LT(name_string(*object, i),
                name_string(kExporterObject) + 1000U * (object->has_instances ? 2U : 1U));
    }
    for (const V2Counter& counter : {counters[counters.size() - 2], counters.back()}) {
      EXPECT_EQ(counter.type, OwnType::kLargeRawCount);
      EXPECT_EQ(counter.attributes, kNoDisplay);
      EXPECT_EQ(counter.bytes, 8U);
    }
    EXPECT_EQ(counters[counters.size() - 2].id, kTimeId);
    EXPECT_EQ(counters.back().id, kFrequencyId);
  }
}

}  // namespace
}  // namespace winperf::own
