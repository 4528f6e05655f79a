#include "collectors/formula/cook.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/collectors/formula/worked_examples.h"

namespace winperf {
namespace {

using testing::cook_example;
using testing::worked_examples;
using testing::WorkedExample;

class WorkedExampleTest : public ::testing::TestWithParam<WorkedExample> {};

TEST_P(WorkedExampleTest, HasItsAnswer) {
  const WorkedExample& example = GetParam();
  const auto cooked = cook_example(example);
  ASSERT_EQ(cooked.has_value(), example.cooked.has_value())
      << (cooked ? "a value" : name_of(cooked.error()));
  if (!cooked) {
    EXPECT_EQ(cooked.error(), example.cooked.error());
    return;
  }
  EXPECT_NEAR(*cooked, *example.cooked, 1e-12 * std::max(1.0, std::abs(*example.cooked)));
}

std::string case_name(const ::testing::TestParamInfo<WorkedExample>& info) {
  std::string name(info.param.name);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(, WorkedExampleTest,
                         ::testing::ValuesIn(worked_examples().begin(), worked_examples().end()),
                         case_name);

TEST(CounterTypes, EachOneThatCanBeCookedHasAnExampleAndAnExposition) {
  for (const CounterTypeInfo& type : known_counter_types()) {
    if (type.formula == Formula::kNone) continue;
    EXPECT_NE(type.exposition, Exposition::kNone) << type.name;
    EXPECT_TRUE(std::ranges::any_of(worked_examples(),
                                    [&](const WorkedExample& example) {
                                      return example.type == value_of(type.type) &&
                                             example.cooked.has_value();
                                    }))
        << type.name << " has no worked example";
  }
}

TEST(Growth, IsRightForEveryPairAroundTheWrap) {
  constexpr std::uint64_t kWrap = 0x1'0000'0000;
  for (std::uint64_t from = kWrap - 40; from < kWrap + 40; ++from) {
    for (std::uint64_t to = from; to < kWrap + 80; ++to) {
      const auto step = growth(from % kWrap, to % kWrap, 4, NoValue::kCounterReset);
      ASSERT_TRUE(step) << from << " to " << to;
      ASSERT_EQ(*step, to - from);
    }
  }
}

TEST(Growth, TellsAWrapFromAResetByHalfTheRange) {
  EXPECT_EQ(growth(0x8000'0001, 0, 4, NoValue::kCounterReset), 0x7FFF'FFFFu);
  EXPECT_EQ(growth(0x8000'0000, 0, 4, NoValue::kCounterReset).error(), NoValue::kCounterReset);
  EXPECT_EQ(growth(0, 0xFFFF'FFFF, 4, NoValue::kCounterReset), 0xFFFF'FFFFu)
      << "a counter that did not go backwards was not reset";
  EXPECT_EQ(growth(2, 1, 8, NoValue::kBaseReset).error(), NoValue::kBaseReset);
}

struct Moment {
  Observation counter;
  Clocks clocks;
};

Moment moment(std::uint64_t value, std::int64_t time) {
  return {{value, 0, 8, 0},
          {.perf_time = {time}, .perf_frequency = {1'000'000}, .time_100ns = {time}}};
}

double rate_between(const Moment& from, const Moment& to) {
  const auto type = describe(CounterType{0x10410500});
  return cook(type, &from.counter, &from.clocks, to.counter, to.clocks).value();
}

TEST(Rate, ScalesWithTheCounterAndJoinsOverIntervals) {
  std::mt19937_64 random(20);
  for (int round = 0; round < 1'000; ++round) {
    const auto draw = [&](std::uint64_t limit) { return 1 + random() % limit; };
    const std::uint64_t first = draw(1u << 20), second = draw(1u << 20), factor = draw(1'000);
    const auto t1 = static_cast<std::int64_t>(draw(1u << 30));
    const auto t2 = static_cast<std::int64_t>(draw(1u << 30));
    const Moment a = moment(7, 5), b = moment(7 + first, 5 + t1),
                 c = moment(7 + first + second, 5 + t1 + t2);
    const Moment scaled_a = moment(7 * factor, 5), scaled_b = moment((7 + first) * factor, 5 + t1);
    const double ab = rate_between(a, b), bc = rate_between(b, c), ac = rate_between(a, c);
    const double d1 = static_cast<double>(t1), d2 = static_cast<double>(t2);
    EXPECT_NEAR(rate_between(scaled_a, scaled_b), ab * static_cast<double>(factor),
                1e-9 * ab * static_cast<double>(factor));
    EXPECT_NEAR((ab * d1 + bc * d2) / (d1 + d2), ac, 1e-9 * ac);
  }
}

TEST(Cook, HostileNumbersGiveAFiniteValueOrAReason) {
  std::mt19937_64 random(7);
  const auto extreme = [&]() -> std::uint64_t {
    constexpr std::uint64_t kEdges[] = {0,           1,          0x7FFF'FFFF, 0x8000'0000,
                                        0xFFFF'FFFF, 1ull << 63, ~0ull,       ~0ull >> 1};
    return random() % 2 == 0 ? kEdges[random() % std::size(kEdges)] : random();
  };
  const auto clock = [&] { return static_cast<std::int64_t>(extreme()); };
  const auto known = known_counter_types();
  for (int round = 0; round < 200'000; ++round) {
    const auto bits = static_cast<std::uint32_t>(random());
    const CounterTypeInfo type =
        round % 2 == 0 ? known[random() % known.size()] : describe(CounterType{bits});
    const auto observe = [&] {
      return Observation{extreme(), extreme(), static_cast<std::uint8_t>(random() % 2 ? 4 : 8),
                         static_cast<std::uint8_t>(random() % 3 * 4)};
    };
    const auto clocks = [&] {
      return Clocks{{clock()}, {clock()}, {clock()}, {clock()}, {clock()}};
    };
    const Observation before = observe(), now = observe();
    const Clocks clocks_before = clocks(), clocks_now = clocks();
    const auto cooked = cook(type, &before, &clocks_before, now, clocks_now);
    const bool sound = cooked ? std::isfinite(*cooked) : cooked.error() != NoValue::kNone;
    ASSERT_TRUE(sound) << to_string(type.type);
  }
}

}  // namespace
}  // namespace winperf
