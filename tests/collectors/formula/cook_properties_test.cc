// What holds for every formula whatever the numbers: seeded, so that a failure can be repeated.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/cook_cell.h"

namespace winperf {
namespace {

using testing::cook;
using testing::Measurement;
using testing::Observation;

constexpr std::uint64_t kComponents = 4;

// All three clocks, the counter and its base at one moment.
struct Moment {
  std::uint64_t value = 0;
  std::uint64_t base = 0;
  std::int64_t time = 0;
};

struct Cooker {
  const CounterTypeInfo& type;

  Observation observe(const Moment& at) const {
    const bool multi = type.base == BaseKind::kMulti;
    return {at.value, multi ? kComponents : at.base, 8,
            type.base == BaseKind::kNone ? std::uint8_t{0} : std::uint8_t{8}};
  }
  double operator()(const Moment& from, const Moment& to) const {
    const Observation before = observe(from);
    const Observation now = observe(to);
    const auto clocks = [](const Moment& at) {
      return Clocks{{at.time}, {1'000}, {at.time}, {at.time}, {1'000}};
    };
    return cook(type, Measurement{before, clocks(from)}, {now, clocks(to)}).value();
  }
  // What an average over an interval is weighted with.
  double weight(const Moment& from, const Moment& to) const {
    const bool by_base = type.base != BaseKind::kNone && type.base != BaseKind::kMulti;
    return by_base ? static_cast<double>(to.base - from.base)
                   : static_cast<double>(to.time - from.time);
  }
};

class CookProperty : public ::testing::TestWithParam<CounterTypeInfo> {
 protected:
  std::uint64_t draw(std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random_);
  }
  Moment start() { return {draw(0, 1ull << 50), draw(0, 1u << 30), start_time()}; }
  // No more growth than time, so that no inverse timer has to be stopped at 0.
  Moment later(const Moment& from) {
    const std::uint64_t ticks = draw(1'000, 1u << 30);
    return {from.value + draw(1, ticks), from.base + draw(1, 1u << 20),
            from.time + static_cast<std::int64_t>(ticks)};
  }

 private:
  std::int64_t start_time() { return static_cast<std::int64_t>(draw(0, 1ull << 60)); }
  std::mt19937_64 random_{1601};
};

// Of types that are not inverse: scaling idle time does not scale busy time.
class ScalingProperty : public CookProperty {};

TEST_P(ScalingProperty, ScalingTheCounterScalesTheValue) {
  const Cooker cooker{GetParam()};
  for (int i = 0; i < 1'000; ++i) {
    const Moment from = start();
    const Moment to = later(from);
    const std::uint64_t factor = draw(1, 8'000);
    const double once = cooker(from, to);
    const double scaled =
        cooker({from.value * factor, from.base, from.time}, {to.value * factor, to.base, to.time});
    const double expected = once * static_cast<double>(factor);
    ASSERT_NEAR(scaled, expected, 1e-12 * expected) << "times " << factor;
  }
}

TEST_P(CookProperty, TwoIntervalsJoinedGiveTheSameAverage) {
  const Cooker cooker{GetParam()};
  for (int i = 0; i < 1'000; ++i) {
    const Moment a = start();
    const Moment b = later(a);
    const Moment c = later(b);
    const double first = cooker.weight(a, b);
    const double second = cooker.weight(b, c);
    const double joined = GetParam().formula == Formula::kDelta
                              ? cooker(a, b) + cooker(b, c)
                              : (cooker(a, b) * first + cooker(b, c) * second) / (first + second);
    ASSERT_NEAR(joined, cooker(a, c), 1e-12 * std::max(100.0, joined));
  }
}

TEST_P(CookProperty, WhereTheCounterStartedDoesNotMatter) {
  const Cooker cooker{GetParam()};
  for (int i = 0; i < 1'000; ++i) {
    const Moment from = start();
    const Moment to = later(from);
    const std::uint64_t shift = draw(0, 1ull << 62);
    ASSERT_EQ(cooker(from, to), cooker({from.value + shift, from.base, from.time},
                                       {to.value + shift, to.base, to.time}));
  }
}

std::vector<CounterTypeInfo> compared_types(bool with_inverse) {
  std::vector<CounterTypeInfo> types;
  for (const CounterTypeInfo& type : known_counter_types())
    if (type.needs_previous && (with_inverse || !type.inverse)) types.push_back(type);
  return types;
}

std::string case_name(const ::testing::TestParamInfo<CounterTypeInfo>& type) {
  return std::string(type.param.name);
}

INSTANTIATE_TEST_SUITE_P(EachType, CookProperty, ::testing::ValuesIn(compared_types(true)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(EachType, ScalingProperty, ::testing::ValuesIn(compared_types(false)),
                         case_name);

}  // namespace
}  // namespace winperf
