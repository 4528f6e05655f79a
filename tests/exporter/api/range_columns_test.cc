// A range as columns has what it has as rows, whatever was recorded.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "exporter/api/history_answers.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/collectors/sampling/random_samples.h"

namespace winperf::api {
namespace {

using Json = nlohmann::json;

constexpr int kSamples = 500;
constexpr std::int64_t kApart = 5;  // seconds

// Long enough that its beginning is thinned out. The clock is set back now and then.
std::shared_ptr<const recorder::History> random_history(unsigned seed) {
  testing::RandomSamples random(seed);
  testing::Chained chain;
  recorder::Recorder recorder(testing::kLargeBudget);
  std::int64_t set_back = 0;
  for (int i = 0; i < kSamples; ++i) {
    if (random.one_in(100)) set_back += 60;
    Instant at = testing::instant_at(10'000 + kApart * i);
    at.wall.ticks += i - set_back * kTicks100nsPerSecond;  // no time twice
    testing::record(recorder, {testing::state_of(chain.append(random.next()), at)});
  }
  return recorder.history();
}

Json answer_to(const recorder::History& history, const RangeQuery& query) {
  const auto answer = range_answer(history, query);
  EXPECT_TRUE(answer.has_value()) << answer.error().detail;
  return Json::parse(answer.value_or("{}"));
}

// The cell of an array, or that of `cooked` if there is no such array because they are the same.
const Json& cell_of(const Json& instance, const char* array, std::size_t i) {
  return instance.contains(array) ? instance[array][i] : instance["cooked"][i];
}

void expect_window(const Json& window, const Json& instance, std::size_t i) {
  EXPECT_EQ(window["cooked"], instance["cooked"][i]);
  EXPECT_EQ(window["reason"], instance.contains("reasons") ? instance["reasons"][i] : Json());
  EXPECT_EQ(window["min"], cell_of(instance, "min", i));
  EXPECT_EQ(window["max"], cell_of(instance, "max", i));
  if (instance.contains("mean") || !window["mean"].is_null()) {
    EXPECT_EQ(window["mean"], cell_of(instance, "mean", i));
  }
}

// Each window is in its column, and nothing else is. `seen`: which times have a window.
void expect_instance(Json rows, Json columns, const Json& times, std::vector<bool>& seen) {
  const Json windows = rows["windows"];
  std::size_t next = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (next < windows.size() && windows[next]["to"] == times[i]) {
      expect_window(windows[next++], columns, i);
      seen[i] = true;
      continue;
    }
    for (const char* const array : {"cooked", "reasons", "min", "mean", "max"})
      if (columns.contains(array)) {
        EXPECT_TRUE(columns[array][i].is_null());
      }
  }
  EXPECT_EQ(next, windows.size());
  for (const char* const array : {"cooked", "reasons", "min", "mean", "max"}) {
    if (columns.contains(array)) {
      EXPECT_EQ(columns[array].size(), times.size());
    }
    columns.erase(array);
  }
  rows.erase("windows");
  EXPECT_EQ(rows, columns);
}

void expect_counter(const Json& rows, const Json& columns) {
  EXPECT_EQ(rows["counterset"], columns["counterset"]);
  EXPECT_EQ(rows["counter"], columns["counter"]);
  EXPECT_EQ(rows["type"], columns["type"]);
  ASSERT_EQ(rows["instances"].size(), columns["instances"].size());
  std::vector<bool> seen(columns["times"].size());
  for (std::size_t i = 0; i < rows["instances"].size(); ++i)
    expect_instance(rows["instances"][i], columns["instances"][i], columns["times"], seen);
  EXPECT_EQ(std::ranges::count(seen, false), 0) << "a time without any window";
}

// How many windows they have.
std::size_t expect_same(const recorder::History& history, RangeQuery query) {
  const Json rows = answer_to(history, query);
  query.as_columns = true;
  const Json columns = answer_to(history, query);
  for (const char* const key : {"since", "until", "step_seconds"})
    EXPECT_EQ(rows[key], columns[key]);
  EXPECT_EQ(rows["counters"].size(), columns["counters"].size());
  std::size_t windows = 0;
  for (std::size_t i = 0; i < rows["counters"].size(); ++i) {
    SCOPED_TRACE("counter " + std::to_string(i));
    expect_counter(rows["counters"][i], columns["counters"][i]);
    for (const Json& one : rows["counters"][i]["instances"]) windows += one["windows"].size();
  }
  return windows;
}

RangeQuery random_query(std::mt19937& random) {
  const auto second = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  RangeQuery query{.paths = {"\\Thing(*)\\c*"}};
  query.until = testing::wall_at(10'000 + second(kApart * kSamples));
  if (second(3) == 0) return query;
  query.since = Ticks100ns{query.until.ticks - (1 + second(900)) * kTicks100nsPerSecond};
  if (second(4) != 0) query.step = std::chrono::seconds(1 + second(120));
  return query;
}

TEST(RangeColumns, HaveTheCellsOfTheRows) {
  std::size_t windows = 0;
  for (unsigned seed = 0; seed < 4; ++seed) {
    const auto history = random_history(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 6; ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", query " + std::to_string(i));
      windows += expect_same(*history, random_query(random));
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(windows, 2'000u);
}

const testing::Column kRate{.index = 2, .type = testing::kLargeRate, .size = 8, .name = "Rate"};

class OfOneCounter : public ::testing::Test {
 protected:
  void add(const std::vector<std::string>& names, std::vector<std::uint64_t> values,
           std::int64_t second) {
    testing::record(
        recorder_,
        chain_.append(testing::sample_of_column(kRate, names, std::move(values), second)), second);
  }
  Json ask(const RangeQuery& query) {
    return answer_to(*recorder_.history(), query)["counters"][0];
  }
  Json at(std::int64_t second) {
    return ask(
        {.paths = {"\\Thing(*)\\Rate"}, .until = testing::wall_at(second), .as_columns = true});
  }

  recorder::Recorder recorder_{testing::kLargeBudget};
  testing::Chained chain_;
};

TEST_F(OfOneCounter, WhatIsTheSameIsLeftOut) {
  add({"a", "b"}, {0, 0}, 1'000);
  add({"a", "b"}, {50, 10}, 1'010);
  add({"a"}, {150}, 1'020);
  add({"a", "c"}, {300, 7}, 1'030);
  const Json all = ask({.paths = {"\\Thing(*)\\Rate"},
                        .since = testing::wall_at(1'000),
                        .until = testing::wall_at(1'030),
                        .step = std::chrono::seconds(10),
                        .as_columns = true});
  EXPECT_EQ(all["times"], Json::parse(R"(["1601-01-01T00:16:50.0000000Z",
      "1601-01-01T00:17:00.0000000Z", "1601-01-01T00:17:10.0000000Z"])"));
  EXPECT_EQ(all["instances"], Json::parse(R"([
      {"instance": "a", "cooked": [5.0, 10.0, 15.0]},
      {"instance": "b", "cooked": [1.0, null, null]},
      {"instance": "c", "cooked": [null, null, null], "reasons": [null, null, "first_sample"]}])"));
  const Json one = ask({.paths = {"\\Thing(a)\\Rate"},
                        .since = testing::wall_at(1'000),
                        .until = testing::wall_at(1'030),
                        .as_columns = true});
  EXPECT_EQ(one["instances"], Json::parse(R"([
      {"instance": "a", "cooked": [10.0], "min": [5.0], "max": [15.0]}])"));
}

TEST_F(OfOneCounter, AtAMomentThereIsWhatLivedThen) {
  add({"a", "b"}, {0, 0}, 1'000);
  EXPECT_EQ(at(1'000)["instances"].dump(),
            R"([{"cooked":[null],"instance":"a","reasons":["first_sample"]},)"
            R"({"cooked":[null],"instance":"b","reasons":["first_sample"]}])")
      << "of a single sample";
  add({"a", "b"}, {50, 10}, 1'010);
  add({"a", "c"}, {150, 7}, 1'020);
  for (const std::int64_t second : {1'010, 1'015, 1'019}) {
    EXPECT_EQ(at(second)["times"], Json::parse(R"(["1601-01-01T00:16:50.0000000Z"])"));
    EXPECT_EQ(at(second)["instances"], Json::parse(R"([
        {"instance": "a", "cooked": [5.0]}, {"instance": "b", "cooked": [1.0]}])"));
  }
  EXPECT_EQ(at(1'100)["instances"], Json::parse(R"([{"instance": "a", "cooked": [10.0]},
      {"instance": "c", "cooked": [null], "reasons": ["first_sample"]}])"));
}

TEST_F(OfOneCounter, OfAMomentWithoutSamplesNothingIsKnown) {
  add({"a"}, {0}, 1'000);
  add({"a"}, {50}, 1'010);
  add({"a"}, {90}, 30'000);
  for (const std::int64_t second : {999, 1'611, 29'999}) {
    EXPECT_TRUE(at(second)["instances"].empty()) << second;
    EXPECT_TRUE(at(second)["times"].empty()) << second;
  }
  EXPECT_EQ(at(1'610)["instances"].size(), 1u);
  EXPECT_EQ(at(30'000)["instances"][0]["reasons"], Json::parse(R"(["gap"])"));
}

TEST_F(OfOneCounter, AnAnswerThatIsTooLongSaysHowManyValuesItMayHave) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i <= kMostWindows; ++i) names.push_back(std::to_string(i));
  add(names, std::vector<std::uint64_t>(names.size(), 0), 1'000);
  const auto answer = range_answer(
      *recorder_.history(), {.paths = {"\\Thing(*)\\Rate"}, .until = testing::wall_at(1'000)});
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().parameter, "path");
  EXPECT_EQ(Json::parse(problem_document(answer.error()))["most_values"], kMostWindows);
}

}  // namespace
}  // namespace winperf::api
