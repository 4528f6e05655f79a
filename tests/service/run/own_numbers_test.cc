// The numbers of the exporter's own counters, from the states of sampling.
#include "service/run/own_numbers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

namespace winperf {
namespace {

using own::CountersetValue;
using own::ExporterValue;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::Optional;

constexpr Ticks100ns kStarted{133'000'000'000'000'000};
constexpr std::int64_t kFrequency = 1000;
constexpr SteadyTime kNow{std::chrono::hours(1)};

class OwnNumbersTest : public ::testing::Test {
 protected:
  // That was sampled with `cells` values, of which some are missing.
  static CountersetState good(const std::string& name, std::size_t cells = 3,
                              std::size_t missing = 1) {
    auto sample = std::make_shared<CountersetSample>();
    sample->reason.assign(cells, NoValue::kNone);
    for (std::size_t i = 0; i < missing; ++i) sample->reason.at(i) = NoValue::kFirstSample;
    CountersetState state;
    state.name = name;
    state.sample = sample;
    state.success = true;
    state.duration_seconds = 0.25;
    state.bytes = 512;
    state.sampled_at = {kNow, Ticks100ns{kStarted.ticks + 77}};
    state.attempts = 1;
    return state;
  }

  void note(std::vector<CountersetState> states, std::vector<ProblemCount> problems = {}) {
    Sample sample;
    sample.sequence = ++sequence_;
    sample.countersets = std::move(states);
    sample.problems = std::move(problems);
    numbers_.note(sample);
  }
  own::OwnState state(SteadyTime now = kNow) {
    return numbers_.state({.now = {now, Ticks100ns{kStarted.ticks + 100}}});
  }
  std::optional<std::uint64_t> number(ExporterValue value) { return state()[value]; }

  OwnNumbers numbers_{kStarted, kFrequency};
  std::uint64_t sequence_ = 0;
};

TEST_F(OwnNumbersTest, BeforeASample_WhatItWouldSayIsUnknown) {
  const own::OwnState state = this->state();
  EXPECT_EQ(state.written_at, kStarted.ticks + 100);
  EXPECT_THAT(state[ExporterValue::kStarted], Optional(kStarted.ticks));
  EXPECT_THAT(state[ExporterValue::kAttempts], Optional(0U));
  for (const ExporterValue unknown :
       {ExporterValue::kStateNumber, ExporterValue::kCountersets, ExporterValue::kFailing,
        ExporterValue::kUnlisted, ExporterValue::kValues, ExporterValue::kLongestLateness,
        ExporterValue::kPrivateBytes, ExporterValue::kProcessorTime})
    EXPECT_FALSE(state[unknown]) << own::kExporterRows[index_of(unknown)].symbol;
  // Nothing was served or recorded, which is known.
  for (const ExporterValue none : {ExporterValue::kSeries, ExporterValue::kRecorderBytes,
                                   ExporterValue::kRecorderReach, ExporterValue::kRecorderShare})
    EXPECT_THAT(state[none], Optional(0U)) << own::kExporterRows[index_of(none)].symbol;
  EXPECT_TRUE(state.countersets.empty());
}

TEST_F(OwnNumbersTest, ACounterset_HasWhatItsStateSays) {
  CountersetState memory = good("Memory", 5, 2);
  memory.late_seconds = 0.5;
  Error last;
  note({memory},
       {{"Memory", ErrorCode::kTruncated, 4, last}, {"Other", ErrorCode::kBusy, 1, last}});
  const own::OwnState state = this->state();
  ASSERT_EQ(state.countersets.size(), 1U);
  const own::CountersetRow& row = state.countersets.front();
  EXPECT_EQ(row.name, u"Memory");
  EXPECT_EQ(row[CountersetValue::kState], 1U);
  EXPECT_EQ(row[CountersetValue::kSampledAt], static_cast<std::uint64_t>(kStarted.ticks + 77));
  EXPECT_EQ(row[CountersetValue::kAttempts], 1U);
  EXPECT_EQ(row[CountersetValue::kFailures], 0U);
  EXPECT_EQ(row[CountersetValue::kFailuresBase], 1U);
  EXPECT_EQ(row[CountersetValue::kDuration], 250U) << "in ticks of the performance counter";
  EXPECT_EQ(row[CountersetValue::kDurationBase], 1U);
  EXPECT_EQ(row[CountersetValue::kBusy], 2'500'000U) << "in 100 ns";
  EXPECT_EQ(row[CountersetValue::kReplyBytes], 512U);
  EXPECT_EQ(row[CountersetValue::kValues], 3U);
  EXPECT_EQ(row[CountersetValue::kMissing], 2U);
  EXPECT_EQ(row[CountersetValue::kProblems], 4U);
  EXPECT_THAT(state[ExporterValue::kValues], Optional(3U));
  EXPECT_THAT(state[ExporterValue::kLateness], Optional(500U));
  EXPECT_THAT(state[ExporterValue::kLatenessBase], Optional(1U));
  EXPECT_THAT(state[ExporterValue::kLongestLateness], Optional(500U));
  EXPECT_THAT(state[ExporterValue::kCorruptProblems], Optional(4U));
  EXPECT_THAT(state[ExporterValue::kPendingProblems], Optional(1U));
  EXPECT_THAT(state[ExporterValue::kAbsentProblems], Optional(0U));
}

TEST_F(OwnNumbersTest, DurationsAndLatenessAreAddedUpFromSampleToSample) {
  CountersetState memory = good("Memory");
  memory.late_seconds = 0.5;
  note({memory});
  note({memory});  // another counterset's sample
  memory.attempts = 2;
  memory.duration_seconds = 0.5;
  memory.late_seconds = 1.5;
  memory.sampled_at.steady += seconds(5);
  note({memory});
  memory.attempts = 3;  // it fails, so that its sample stays
  memory.failures = 1;
  memory.success = false;
  memory.duration_seconds = 10;
  note({memory});
  const own::OwnState state = this->state();
  const own::CountersetRow& row = state.countersets.front();
  EXPECT_EQ(row[CountersetValue::kDuration], 10'750U);
  EXPECT_EQ(row[CountersetValue::kDurationBase], 3U);
  EXPECT_EQ(row[CountersetValue::kFailures], 1U);
  EXPECT_EQ(row[CountersetValue::kState], 2U);
  EXPECT_THAT(state[ExporterValue::kLateness], Optional(2'000U));
  EXPECT_THAT(state[ExporterValue::kLatenessBase], Optional(2U));
  EXPECT_THAT(state[ExporterValue::kAttempts], Optional(3U));
  EXPECT_THAT(state[ExporterValue::kFailures], Optional(1U));
  EXPECT_THAT(state[ExporterValue::kFailing], Optional(1U));
}

TEST_F(OwnNumbersTest, ASampleThatIsNotedAgain_OrTooLate_ChangesNothing) {
  Sample one;
  one.sequence = 7;
  one.countersets = {good("Memory")};
  numbers_.note(one);
  one.countersets.front().attempts = 9;
  numbers_.note(one);
  one.sequence = 6;
  numbers_.note(one);
  EXPECT_THAT(number(ExporterValue::kAttempts), Optional(1U));
}

TEST_F(OwnNumbersTest, SumsNeverFall) {
  CountersetState memory = good("Memory");
  memory.attempts = 10;
  Error last;
  note({memory, good("System")}, {{"Memory", ErrorCode::kTruncated, 4, last}});
  EXPECT_THAT(number(ExporterValue::kAttempts), Optional(11U));
  note({good("System")});  // the configuration has changed
  EXPECT_THAT(number(ExporterValue::kAttempts), Optional(11U));
  EXPECT_THAT(number(ExporterValue::kCorruptProblems), Optional(4U));
  memory.attempts = 2;  // and again: it begins anew
  note({memory, good("System")}, {{"Memory", ErrorCode::kTruncated, 1, last}});
  EXPECT_THAT(number(ExporterValue::kAttempts), Optional(13U));
  EXPECT_THAT(number(ExporterValue::kCorruptProblems), Optional(5U));
  EXPECT_EQ(state().countersets.front()[CountersetValue::kAttempts], 12U);
  EXPECT_EQ(state().countersets.front()[CountersetValue::kProblems], 5U);
}

TEST_F(OwnNumbersTest, AFailureIsCountedOnceAlthoughTheCountersetIsAbsentInBetween) {
  CountersetState memory = good("Memory");
  memory.sample = nullptr;
  memory.success = false;
  memory.failures = 1;
  note({memory});
  memory.attempts = 2;
  memory.is_absent = true;
  note({memory});
  EXPECT_EQ(state().countersets.front()[CountersetValue::kFailures], 1U);
  memory.attempts = 3;
  memory.failures = 2;
  memory.is_absent = false;
  note({memory});
  EXPECT_EQ(state().countersets.front()[CountersetValue::kFailures], 2U);
  EXPECT_THAT(number(ExporterValue::kFailures), Optional(2U));
}

TEST_F(OwnNumbersTest, ProblemsAreCountedOnceAlthoughTheirCountersetIsForgotten) {
  const std::vector<ProblemCount> problems{{"", ErrorCode::kTruncated, 3, {}},
                                           {"0", ErrorCode::kTruncated, 4, {}}};
  std::vector<CountersetState> many;
  for (std::size_t i = 0; i < 5'000; ++i) many.push_back(good(std::to_string(i)));
  note(many, problems);
  for (int sample = 0; sample < 3; ++sample) note({good("System")}, problems);
  EXPECT_THAT(number(ExporterValue::kCorruptProblems), Optional(7U));
}

TEST_F(OwnNumbersTest, StatesAreNumberedAsTheRowSays) {
  CountersetState untried = good("untried");
  untried.attempts = 0;
  untried.sample = nullptr;
  untried.success = false;
  CountersetState failed = good("failed");
  failed.success = false;
  CountersetState never = failed;
  never.name = "never";
  never.sample = nullptr;
  CountersetState absent = never;
  absent.name = "absent";
  absent.is_absent = true;
  absent.failures = 1;
  CountersetState stale = good("stale");
  stale.sampled_at.steady -= stale.stale_after + milliseconds(1);
  CountersetState both = stale;
  both.name = "both";
  both.success = false;
  note({untried, good("good"), failed, never, absent, stale, both});
  const own::OwnState state = this->state();
  std::vector<std::uint64_t> states;
  for (const own::CountersetRow& row : state.countersets)
    states.push_back(row[CountersetValue::kState]);
  EXPECT_THAT(states, ElementsAre(0, 1, 2, 2, 3, 4, 4));
  EXPECT_THAT(state[ExporterValue::kCountersets], Optional(6U));
  EXPECT_THAT(state[ExporterValue::kFailing], Optional(3U));
  EXPECT_THAT(state[ExporterValue::kFailures], Optional(0U)) << "as in /metrics";
  EXPECT_EQ(state.countersets[0][CountersetValue::kSampledAt],
            static_cast<std::uint64_t>(kStarted.ticks));
  EXPECT_EQ(this->state(kNow + seconds(60)).countersets[1][CountersetValue::kState], 4U);
}

TEST_F(OwnNumbersTest, TheExporter_HasWhatItsFactsSay) {
  const own::OwnState state =
      numbers_.state({.now = {kNow, kStarted},
                      .exporter = {.connections = 3,
                                   .sent = {.bytes = 1000,
                                            .scrapes = 4,
                                            .scrape_bytes = 900,
                                            .scrape_time = milliseconds(2500)},
                                   .series = 55},
                      .process = {.cpu_seconds = 1.5, .committed_bytes = 4096},
                      .worker_restarts = 2,
                      .recorded = ExporterRegistry::Recorded{.bytes = 100, .reach = seconds(90)},
                      .recorder_budget = 400});
  const std::pair<ExporterValue, std::uint64_t> expected[] = {
      {ExporterValue::kScrapes, 4},
      {ExporterValue::kScrapeTime, 2'500},
      {ExporterValue::kScrapeTimeBase, 4},
      {ExporterValue::kScrapesInProgress, 25'000'000},
      {ExporterValue::kSentBytes, 1'000},
      {ExporterValue::kScrapeBytes, 900},
      {ExporterValue::kScrapeBytesBase, 4},
      {ExporterValue::kConnections, 3},
      {ExporterValue::kSeries, 55},
      {ExporterValue::kWorkerRestarts, 2},
      {ExporterValue::kRecorderBytes, 100},
      {ExporterValue::kRecorderShare, 100},
      {ExporterValue::kRecorderShareBase, 400},
      {ExporterValue::kRecorderReach, 90},
      {ExporterValue::kPrivateBytes, 4'096},
      {ExporterValue::kProcessorTime, 15'000'000},
  };
  for (const auto& [value, number] : expected)
    EXPECT_THAT(state[value], Optional(number)) << own::kExporterRows[index_of(value)].symbol;
}

TEST_F(OwnNumbersTest, TheShareOfARecorderWithoutMemory_HasTheBaseZero) {
  const own::OwnState state =
      numbers_.state({.recorded = ExporterRegistry::Recorded{.bytes = 100}, .recorder_budget = 0});
  EXPECT_THAT(state[ExporterValue::kRecorderBytes], Optional(100U));
  EXPECT_THAT(state[ExporterValue::kRecorderShareBase], Optional(0U));
}

TEST_F(OwnNumbersTest, WhatIsNoNumber_IsNone) {
  CountersetState odd = good("odd");
  odd.duration_seconds = -5;
  odd.late_seconds = std::nan("");
  note({odd});
  EXPECT_EQ(state().countersets.front()[CountersetValue::kDuration], 0U);
  EXPECT_THAT(number(ExporterValue::kLateness), Optional(0U));
}

TEST_F(OwnNumbersTest, NamesAreUniqueWhateverTheirCase) {
  CountersetState remote = good("Memory");
  remote.machine = "SRV";
  note({good("Memory"), good("memory"), good("MEMORY"), good("memory 2"), remote});
  std::vector<std::u16string> names;
  for (const own::CountersetRow& row : state().countersets) names.push_back(row.name);
  EXPECT_THAT(names,
              ElementsAre(u"Memory", u"memory 2", u"MEMORY 3", u"memory 2 2", u"Memory on SRV"));
}

TEST_F(OwnNumbersTest, MoreThanHaveRoom_AreCounted) {
  std::vector<CountersetState> many;
  for (std::size_t i = 0; i < own::kMaxRows + 5; ++i) many.push_back(good(std::to_string(i)));
  note(many);
  const own::OwnState state = this->state();
  EXPECT_EQ(state.countersets.size(), own::kMaxRows);
  EXPECT_THAT(state[ExporterValue::kUnlisted], Optional(5U));
  EXPECT_THAT(state[ExporterValue::kCountersets], Optional(own::kMaxRows + 5));
}

TEST(InstanceName, IsOneThatPathsCanHave) {
  EXPECT_EQ(instance_name("Processor Information"), u"Processor Information");
  EXPECT_EQ(instance_name("a(b)#/\\*\n\x7F"), u"a[b]______");
  EXPECT_EQ(instance_name("Gr\xC3\xBC\xC3\x9F"
                          "e \xF0\x9F\x98\x80"),
            u"Grüße \U0001F600");
  EXPECT_EQ(instance_name("\xFFx"), u"\xFFFDx");
  EXPECT_EQ(instance_name(""), u"_");
  EXPECT_EQ(instance_name(std::string(500, 'x')), std::u16string(own::kLongestName, u'x'));
  std::string long_name(own::kLongestName - 1, 'x');
  EXPECT_EQ(instance_name(long_name + "\xF0\x9F\x98\x80").size(), own::kLongestName - 1)
      << "no half of a character";
}

TEST_F(OwnNumbersTest, LongNamesStayUnique) {
  const std::string name(200, 'y');
  note({good(name + "1"), good(name + "2")});
  const own::OwnState state = this->state();
  EXPECT_EQ(state.countersets[0].name, std::u16string(own::kLongestName, u'y'));
  EXPECT_EQ(state.countersets[1].name, std::u16string(own::kLongestName - 2, u'y') + u" 2");
}

}  // namespace
}  // namespace winperf
