#include "collectors/recorder/windows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collectors/recorder/leaders.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/collectors/sampling/random_samples.h"

namespace winperf::recorder {
namespace {

const testing::Column kRateColumn{
    .index = 2, .type = testing::kLargeRate, .size = 8, .name = "Rate"};
const testing::Column kGaugeColumn{
    .index = 2, .type = CounterType{0x00010100}, .size = 8, .name = "Rate"};

class Scene {
 public:
  void add(const testing::Column& column, const std::vector<std::string>& names,
           std::vector<std::uint64_t> values, std::int64_t second) {
    add_at(column, names, std::move(values), second, testing::instant_at(second));
  }
  void add_at(const testing::Column& column, const std::vector<std::string>& names,
              std::vector<std::uint64_t> values, std::int64_t second, Instant at) {
    testing::record(recorder_, {testing::state_of(chain_.append(testing::sample_of_column(
                                                      column, names, std::move(values), second)),
                                                  at)});
  }
  std::vector<InstanceWindows> windows(std::int64_t since, std::int64_t until, std::int64_t step) {
    history_ = recorder_.history();
    auto found = recorder::windows(*history_->track(testing::kCounterset),
                                   {.counter = "Rate",
                                    .since = testing::wall_at(since),
                                    .until = testing::wall_at(until),
                                    .step_100ns = step * kTicks100nsPerSecond});
    EXPECT_TRUE(found.has_value());
    return *std::move(found);
  }
  const Track& track() {
    history_ = recorder_.history();
    return *history_->track(testing::kCounterset);
  }
  Recorder& recorder() { return recorder_; }

 private:
  Recorder recorder_{testing::kLargeBudget};
  testing::Chained chain_;
  std::shared_ptr<const History> history_;
};

std::int64_t second_of(const Instant& instant) { return instant.wall.ticks / kTicks100nsPerSecond; }

TEST(Windows, ReachFromOneKeptSampleToAnother) {
  Scene scene;
  std::uint64_t value = 0;
  for (std::int64_t now = 1'000; now <= 1'300; now += 5) {
    scene.add(kRateColumn, {"a"}, {value}, now);
    value += now % 60 == 0 ? 500 : 50;
  }
  const auto found = scene.windows(1'013, 1'200, 60);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].windows.size(), 4u);
  const Window& window = found[0].windows[0];
  EXPECT_EQ(second_of(window.from), 1'010);
  EXPECT_EQ(second_of(window.to), 1'070);
  EXPECT_DOUBLE_EQ(window.value.value_or(-1), (11 * 50 + 500) / 60.0);
  EXPECT_DOUBLE_EQ(window.lowest.value_or(-1), 10);
  EXPECT_DOUBLE_EQ(window.highest.value_or(-1), 100);
  EXPECT_EQ(window.shortest, std::chrono::seconds(5));
  EXPECT_FALSE(window.mean.has_value());
  EXPECT_EQ(second_of(found[0].windows[1].from), 1'070);
  EXPECT_EQ(second_of(found[0].windows[3].to), 1'200);
}

TEST(Windows, OfAGaugeHaveItsLastValueAndItsRange) {
  Scene scene;
  for (std::int64_t now = 1'000; now <= 1'100; now += 10)
    scene.add(kGaugeColumn, {"a"}, {static_cast<std::uint64_t>(now * (now % 20 == 0 ? 1 : 3))},
              now);
  const auto found = scene.windows(1'000, 1'100, 0);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].windows.size(), 1u);
  const Window& window = found[0].windows[0];
  EXPECT_DOUBLE_EQ(window.value.value_or(-1), 1'100);
  EXPECT_DOUBLE_EQ(window.lowest.value_or(-1), 1'020);
  EXPECT_DOUBLE_EQ(window.highest.value_or(-1), 3 * 1'090);
  EXPECT_DOUBLE_EQ(window.mean.value_or(-1), (5 * 1'060 + 3 * 5 * 1'050) / 10.0);
}

TEST(Windows, OverABirthOrADeathHaveAReason) {
  Scene scene;
  for (std::int64_t now = 1'000; now <= 1'200; now += 10) {
    std::vector<std::string> names{"a"};
    if (now >= 1'050 && now < 1'150) names.emplace_back("b");
    const std::vector<std::uint64_t> values(names.size(), static_cast<std::uint64_t>(now));
    scene.add(kRateColumn, names, values, now);
  }
  const auto found = scene.windows(1'000, 1'200, 40);
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(found[1].instance.name, "b");
  ASSERT_EQ(found[0].windows.size(), 5u);
  ASSERT_EQ(found[1].windows.size(), 3u);
  const auto& of_b = found[1].windows;
  EXPECT_EQ(testing::reason_in(of_b[0].value), "first_sample");
  EXPECT_DOUBLE_EQ(of_b[0].highest.value_or(-1), 1);
  EXPECT_DOUBLE_EQ(of_b[1].value.value_or(-1), 1);
  EXPECT_EQ(testing::reason_in(of_b[2].value), "not_delivered");
}

// Both clocks advance by eight hours; or only the wall clock, as on Linux; or it is set back.
TEST(Windows, OverASuspendOrAClockStepHaveAReason) {
  struct Row {
    std::int64_t steady = 0;
    std::int64_t wall = 0;
    const char* reason;
  };
  constexpr std::int64_t kEightHours = 28'800;
  for (const Row& row : {Row{kEightHours, kEightHours, "gap"}, Row{0, kEightHours, "gap"},
                         Row{0, -30, "clock_backwards"}, Row{0, 60, "gap"}, Row{0, 0, ""}}) {
    SCOPED_TRACE(row.reason);
    Scene scene;
    for (std::int64_t i = 0; i < 20; ++i) {
      const bool is_after = i >= 10;
      const std::int64_t steady = 1'000 + 5 * i + (is_after ? row.steady : 0);
      const std::int64_t wall = 100'000 + 5 * i + (is_after ? row.wall : 0);
      const Instant at{.steady = testing::instant_at(steady).steady,
                       .wall = testing::instant_at(wall).wall};
      scene.add_at(kRateColumn, {"a"}, {static_cast<std::uint64_t>(steady)}, steady, at);
    }
    const auto lives = Lives::open(scene.track(), "Rate", {0}, testing::wall_at(10'000'000));
    ASSERT_TRUE(lives.has_value());
    const Life& life = lives->lives().at(0);
    const auto over = lives->cooked(life, 3, 15);
    EXPECT_EQ(testing::reason_in(over), row.reason);
    EXPECT_DOUBLE_EQ(lives->cooked(life, 3, 9).value_or(-1), 1);
    EXPECT_DOUBLE_EQ(lives->cooked(life, 10, 15).value_or(-1), 1);
  }
}

TEST(Windows, OfACounterThatIsNotThereAreNone) {
  Scene scene;
  scene.add(kGaugeColumn, {"a"}, {1}, 1'000);
  scene.add(kGaugeColumn, {"a"}, {1}, 1'005);
  const auto found = windows(
      scene.track(),
      {.counter = "Other", .since = testing::wall_at(1'000), .until = testing::wall_at(1'010)});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->empty());
}

// Between each two samples that follow each other, all that the sampler has cooked.
TEST(WindowsOfRandomSamples, AreWhatWasCookedWhenTheyWereTaken) {
  std::size_t compared = 0;
  for (unsigned seed = 200; seed < 215; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomSamples random(seed);
    testing::Chained chain;
    Recorder recorder(testing::kLargeBudget);
    std::vector<std::shared_ptr<const CountersetSample>> samples;
    for (int i = 0; i < 60; ++i) {
      samples.push_back(chain.append(random.next()));
      testing::record(recorder, samples.back(), 5 * i);
    }
    const auto history = recorder.history();
    for (std::size_t column = 0; column < 12; ++column) {
      const std::string name = "c" + std::to_string(column);
      const auto lives =
          Lives::open(*history->track(testing::kCounterset), name, {0}, testing::wall_at(10'000));
      ASSERT_TRUE(lives.has_value());
      ASSERT_EQ(lives->moments(), samples.size());
      for (const Life& life : lives->lives()) {
        for (std::size_t i = 1; i < life.points.size(); ++i) {
          const Point& point = life.points[i];
          const CountersetSample& sample = *samples[point.moment];
          const CountersetSample& before = *samples[point.moment - 1];
          // Columns of another schema are continued by their index, not by their name.
          if (before.schema != sample.schema) continue;
          const auto value = lives->cooked(life, i - 1, i);
          const std::size_t cell = sample.cell(point.row, column);
          ASSERT_EQ(testing::reason_in(value), name_of(sample.reason[cell]))
              << to_string(sample.schema->counters[column].type);
          if (value) {
            ASSERT_EQ(*value, sample.cooked[cell]);
          }
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 20'000u);
}

// Over several samples: what a recording of the two at its ends gives.
TEST(Windows, AreWhatTheTwoSamplesAtTheirEndsGive) {
  const std::vector<testing::Column> columns{
      {.index = 2, .type = testing::kLargeRate, .size = 8, .name = "Rate"},
      {.index = 4, .type = testing::kAverage, .size = 8, .base_size = 4, .name = "Average"},
      {.index = 6, .type = testing::kFraction, .size = 4, .base_size = 4, .name = "Fraction"},
      {.index = 8, .type = testing::kElapsed, .size = 8, .name = "Elapsed"},
      {.index = 10, .type = CounterType{0x20510500}, .size = 8, .name = "Timer"}};
  Recorder recorder(testing::kLargeBudget);
  testing::Chained chain;
  std::uint64_t value = 1'000;
  for (std::int64_t now = 1'000; now < 1'000 + 4 * 3'600; now += 5) {
    value += static_cast<std::uint64_t>(now % 97) * 1'003;
    auto raw = testing::single(columns, {value, value * 3, value % 1'000, 9'000, value * 11}, now,
                               {0, value % 0xFFFF'FFFFU, 1'000, 0, 0});
    testing::record(recorder, chain.append(std::move(raw)), now);
  }
  const auto history = recorder.history();
  const Track& track = *history->track(testing::kCounterset);
  const auto kept = recorded_samples(track, {0}, testing::wall_at(100'000));
  ASSERT_TRUE(kept.has_value());
  std::size_t compared = 0;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto lives = Lives::open(track, columns[column].name, {0}, testing::wall_at(100'000));
    ASSERT_TRUE(lives.has_value());
    const Life& life = lives->lives().at(0);
    ASSERT_EQ(life.points.size(), kept->size());
    for (std::size_t from = 0; from < kept->size(); from += 5) {
      const std::size_t to = std::min(from + 1 + from % 7, kept->size() - 1);
      if (to == from) continue;
      testing::Chained two;
      for (const std::size_t i : {from, to}) {
        auto raw = std::make_shared<CountersetSample>(*(*kept)[i].sample);
        raw->cooked.resize(raw->raw.size());
        std::ranges::fill(raw->reason, NoValue::kNone);
        const auto expected = two.append(std::move(raw));
        if (i != to) continue;
        ASSERT_EQ(expected->reason[column], NoValue::kNone);
        const auto cooked = lives->cooked(life, from, to);
        ASSERT_TRUE(cooked.has_value()) << columns[column].name << name_of(cooked.error());
        ASSERT_NEAR(*cooked, expected->cooked[column], 1e-12 * std::abs(*cooked));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 200u);
}

TEST(Leaders, IncludeAProcessThatHasEnded) {
  Recorder recorder(testing::kLargeBudget);
  testing::Chained chain;
  const auto schema = testing::schema_of({kRateColumn}, true);
  for (std::int64_t now = 10'000; now <= 10'000 + 3'600; now += 5) {
    auto set = std::make_shared<InstanceSet>();
    std::vector<std::uint64_t> values;
    const auto process = [&](const char* name, std::uint64_t id, std::int64_t rate) {
      InstanceSchema& instance = set->instances.emplace_back();
      instance.name = name;
      instance.process_id = id;
      instance.labels = {{"user", std::string("of ") + name}};
      values.push_back(static_cast<std::uint64_t>(now * rate));
    };
    process("steady", 4, 100);
    if (now >= 10'700 && now < 11'200) process("burst", 44, 9'000);
    process("idle", 8, 1);
    process("Idle", 0, 20'000);
    process("_Total", 0, 30'000);
    if (now >= 12'000) process("young", 12, 150);
    auto raw = testing::make_raw_sample(schema, std::move(set), testing::at_second(now));
    raw->raw = std::move(values);
    testing::record(recorder, chain.append(std::move(raw)), now);
  }
  const auto history = recorder.history();
  const auto found =
      leaders(*history->track(testing::kCounterset), {.counter = "Rate",
                                                      .since = testing::wall_at(10'000),
                                                      .until = testing::wall_at(13'600),
                                                      .count = 3});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 3u);
  const Leader& first = (*found)[0];
  EXPECT_EQ(first.instance.name, "burst");
  EXPECT_EQ(first.instance.process_id, 44u);
  ASSERT_EQ(first.instance.labels.size(), 1u);
  EXPECT_EQ(first.instance.labels[0].value, "of burst");
  EXPECT_TRUE(first.was_born);
  EXPECT_TRUE(first.has_ended);
  EXPECT_DOUBLE_EQ(first.value, 9'000);
  // Its samples are a minute apart by now.
  EXPECT_NEAR(static_cast<double>(second_of(first.from)), 10'730, 30);
  EXPECT_NEAR(static_cast<double>(second_of(first.to)), 11'170, 30);
  EXPECT_EQ((*found)[1].instance.name, "steady");
  EXPECT_FALSE((*found)[1].has_ended);
  EXPECT_EQ((*found)[2].instance.name, "young");
  EXPECT_TRUE((*found)[2].was_born);
  const auto named = leaders(*history->track(testing::kCounterset),
                             {.counter = "Rate",
                              .since = testing::wall_at(10'000),
                              .until = testing::wall_at(13'600),
                              .instances = [](const auto& one) { return one.name == "Idle"; },
                              .has_rivals = false});
  ASSERT_TRUE(named.has_value());
  ASSERT_EQ(named->size(), 1u);
  EXPECT_DOUBLE_EQ(named->front().value, 20'000);
}

// The chunks that a moment needs: a damaged one that is opened would be an error.
TEST(Windows, OfAMomentOpenNoOtherChunks) {
  Scene scene;
  for (std::int64_t now = 1'000; now <= 20'000; now += 5)
    scene.add(kRateColumn, {"a"}, {static_cast<std::uint64_t>(now) * 3}, now);
  const Track& track = scene.track();
  ASSERT_GT(track.chunks.size(), 8u);
  for (const auto& needed : track.chunks) {
    if (needed->frames < 3 || needed->continues) continue;
    Track others = track;
    for (auto& chunk : others.chunks) {
      if (chunk == needed) continue;
      auto damaged = std::make_shared<Chunk>(*chunk);
      damaged->bytes.clear();
      chunk = std::move(damaged);
    }
    const auto reels = open_moment(others, Ticks100ns{needed->last.wall.ticks + 1});
    ASSERT_TRUE(reels.has_value());
    ASSERT_NE(*reels, nullptr);
    const auto found = windows(*reels, {.counter = "Rate", .last_sample = true});
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->size(), 1u);
    EXPECT_DOUBLE_EQ(found->front().windows.at(0).value.value_or(-1), 3);
    EXPECT_EQ(found->front().windows[0].to.wall, needed->last.wall);
  }
}

TEST(Leaders, OfAGaugeAreThoseWithTheHighestValue) {
  Scene scene;
  for (std::int64_t now = 1'000; now <= 3'000; now += 5)
    scene.add(kGaugeColumn, {"low", "peak"},
              {100, now == 1'430 ? std::uint64_t{5'000} : std::uint64_t{1}}, now);
  const auto found = leaders(
      scene.track(),
      {.counter = "Rate", .since = testing::wall_at(1'000), .until = testing::wall_at(3'000)});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].instance.name, "peak");
  EXPECT_DOUBLE_EQ((*found)[0].value, 5'000);
}

}  // namespace
}  // namespace winperf::recorder
