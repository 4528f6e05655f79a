#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/service/selftest/recorded_report.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

constexpr std::uint32_t kRate = 0x1041'0400;      // PERF_COUNTER_COUNTER
constexpr std::uint32_t kFraction = 0x2002'0400;  // PERF_RAW_FRACTION
constexpr std::uint32_t kMulti = 0x2241'0500;     // PERF_COUNTER_MULTI_TIMER

// A counter with two moments of one instance, or more.
struct Counter {
  std::uint32_t type = kRate;
  Json widths = Json::array({4, 0});
  Json older = Json::array({Json::array({"a", 0, 100, 1'000, 0, 5})});
  Json newer = Json::array({Json::array({"a", 0, 150, 2'000, 0, 6})});
  Json numbers = Json::array({Json::array({"a", 0, 500.0})});
};

std::string file_of(const Counter& counter) {
  const auto values = [](const Json& raw, const Json& numbers) {
    return Json::array({{{"name", "Reads"}, {"raw", raw}, {"numbers", numbers}}});
  };
  const Json record{{"counterset", "Disk"},
                    {"widths", Json::array({counter.widths})},
                    {"definitions", Json::array({{{"name", "Reads"},
                                                  {"add_status", 0},
                                                  {"info_status", 0},
                                                  {"type", counter.type},
                                                  {"time_base", 10'000}}})},
                    {"moments", Json::array({values(counter.older, Json::array()),
                                             values(counter.newer, counter.numbers)})}};
  return R"({"format":"winperf_exporter pdh record","version":1})" + ("\n" + record.dump()) + "\n";
}

std::vector<std::string> problems(const Counter& counter) {
  return testing::recompute_pdh(file_of(counter)).problems;
}

TEST(RecordedPdh, AgreesWithWhatItsRawValuesGive) {
  const auto result = testing::recompute_pdh(file_of({}));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.compared, 1U);
  EXPECT_EQ(result.numbers, 1U);
  EXPECT_EQ(result.known, 0U);
}

TEST(RecordedPdh, NamesAWrongNumberByCountersetCounterAndType) {
  Counter counter;
  counter.numbers[0][2] = 500.001;
  EXPECT_THAT(
      problems(counter),
      ElementsAre("Disk, Reads (PERF_COUNTER_COUNTER) of \"a\": PDH has 500.001000, its raw "
                  "values give 500.000000"));
}

TEST(RecordedPdh, NoticesEachRawValue) {
  const std::vector<std::tuple<bool, std::size_t, std::int64_t>> spoilt{
      {false, 2, 101}, {true, 2, 151}, {false, 3, 1'001}, {true, 3, 2'001}};
  for (const auto& [is_newer, place, value] : spoilt) {
    Counter counter;
    (is_newer ? counter.newer : counter.older)[0][place] = value;
    EXPECT_EQ(problems(counter).size(), 1U) << is_newer << ' ' << place;
  }
}

TEST(RecordedPdh, TakesTheBaseFromTheSecondValue) {
  Counter counter{.type = kFraction, .widths = Json::array({4, 4})};
  counter.numbers[0][2] = 7.5;  // 150 of 2000
  EXPECT_THAT(problems(counter), IsEmpty());
  counter.numbers[0][2] = 7.6;
  EXPECT_THAT(problems(counter), ElementsAre(HasSubstr("PERF_RAW_FRACTION")));
}

TEST(RecordedPdh, TakesTheBaseOfSeveralComponentsFromTheMultiCount) {
  Counter counter{.type = kMulti, .widths = Json::array({8, 4})};
  counter.newer[0][4] = 4;
  counter.older[0][4] = 4;
  counter.numbers[0][2] = 100.0 * 50 / 1'000 / 4;
  const auto result = testing::recompute_pdh(file_of(counter));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.known, 0U);
  // By seconds instead of ticks, as one description has it.
  counter.numbers[0][2] = 100.0 * 50 / 1'000 / 4 * 10'000;
  EXPECT_EQ(testing::recompute_pdh(file_of(counter)).known, 1U);
}

TEST(RecordedPdh, KnowsInstancesOfOneNameByTheirOrder) {
  Counter counter;
  counter.older.push_back(Json::array({"a", 0, 0, 1'000, 0, 5}));
  counter.newer.push_back(Json::array({"a", 0, 1, 2'000, 0, 6}));
  counter.numbers.push_back(Json::array({"a", 0, 10.0}));
  EXPECT_THAT(problems(counter), IsEmpty());
  std::swap(counter.numbers[0], counter.numbers[1]);
  EXPECT_EQ(problems(counter).size(), 2U);
}

TEST(RecordedPdh, HasANumberWhereOursIsAndNowhereElse) {
  Counter missing;
  missing.numbers[0][1] = 0xC000'0BBAU;  // PDH_INVALID_DATA
  EXPECT_THAT(problems(missing), ElementsAre(HasSubstr("PDH has no number")));
  Counter first;
  first.older = Json::array();
  EXPECT_THAT(problems(first), ElementsAre(HasSubstr("give none")));
  first.numbers[0][1] = 0xC000'0BBAU;
  EXPECT_THAT(problems(first), IsEmpty());
  Counter nowhere;
  nowhere.newer = Json::array();
  EXPECT_THAT(problems(nowhere), ElementsAre(HasSubstr("a number without raw values")));
  Counter infinite;
  infinite.numbers[0][2] = "inf";
  EXPECT_EQ(problems(infinite).size(), 1U);
  infinite.numbers[0][2] = "nan";
  EXPECT_EQ(problems(infinite).size(), 1U);
}

TEST(RecordedPdh, OfAnotherFormatIsNamedByItsLine) {
  const std::string good = file_of({});
  EXPECT_THAT(testing::recompute_pdh(good + "no\n").problems,
              ElementsAre("line 3 of PDH's values has another format"));
  EXPECT_THAT(testing::recompute_pdh("{}\n").problems,
              ElementsAre("line 1 of PDH's values has another format"));
  for (const char* const word : {"\"moments\"", "\"definitions\"", "\"widths\"", "\"type\""}) {
    std::string other = good;
    other.replace(other.find(word), 3, "\"x_");
    EXPECT_EQ(testing::recompute_pdh(other).problems.size(), 1U) << word;
  }
  // Cut anywhere, it throws nothing.
  for (std::size_t size = 0; size < good.size(); size += 7)
    static_cast<void>(testing::recompute_pdh(good.substr(0, size)));
}

}  // namespace
}  // namespace winperf
