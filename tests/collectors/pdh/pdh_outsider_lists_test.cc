// Lies that PDH could tell about its lists, definitions and instances, written without knowledge
// of the comparison; pdh_outsider_test.cc has those about values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/pdh/changed_pdh.h"

namespace winperf::testing {
namespace {

// PDH_STATUS values (pdhmsg.h).
constexpr std::uint32_t kNoSuchCounter = 0xC0000BB9;
constexpr std::uint32_t kPdhInvalidData = 0xC0000BBA;

// What must be found: `finds` of this counter, instance and type, where it has them.
struct ListLie {
  const char* wrong;
  const char* finds;
  const char* object;
  ChangedPdh::Hooks hooks;
  const char* counter;
  const char* instance;
  const char* type;
};

ChangedPdh::Hooks defined(const char* counter, void (*lie)(PdhDefinition&)) {
  return {.definitions = [counter, lie](std::vector<PdhDefinition>& said) {
    for (PdhDefinition& one : said)
      if (one.name == counter) lie(one);
  }};
}
ChangedPdh::Hooks listed(void (*lie)(PdhItems&)) { return {.items = lie}; }
ChangedPdh::Hooks valued(const char* counter, void (*lie)(PdhValues&)) {
  return {.values = [counter, lie](PdhCollection& said, const PdhCollection&) {
    for (PdhValues& one : said.counters)
      if (one.name == counter) lie(one);
  }};
}
ChangedPdh::Hooks collected(void (*lie)(PdhCollection&)) {
  return {.values = [lie](PdhCollection& said, const PdhCollection&) { lie(said); }};
}

const std::vector<ListLie> kFalseDefinitions{
    {"an instantaneous value", "type", "Every Type",
     defined("COUNTER_BULK_COUNT", [](PdhDefinition& one) { one.type = CounterType{0x00010100}; }),
     "COUNTER_BULK_COUNT", "", "PERF_COUNTER_BULK_COUNT"},
    {"another size", "type", "Every Type Single",
     defined("COUNTER_COUNTER", [](PdhDefinition& one) { one.type = CounterType{0x10410500}; }),
     "COUNTER_COUNTER", "", "PERF_COUNTER_COUNTER"},
    {"a base", "type", "Every Type",
     defined("RAW_FRACTION", [](PdhDefinition& one) { one.type = CounterType{0x40030403}; }),
     "RAW_FRACTION", "", "PERF_RAW_FRACTION"},
    {"an unknown type", "type", "Thing",
     defined("Thing Size", [](PdhDefinition& one) { one.type = CounterType{0xFFFF'FFFF}; }),
     "Thing Size", "", "PERF_COUNTER_LARGE_RAWCOUNT"},
    {"another scale", "default scale", "Every Type",
     defined("COUNTER_TIMER", [](PdhDefinition& one) { one.default_scale = 2; }), "COUNTER_TIMER",
     "", "PERF_COUNTER_TIMER"},
    {"the processor's frequency", "time base", "Every Type",
     defined("OBJ_TIME_TIMER", [](PdhDefinition& one) { one.time_base = 10'000'000; }),
     "OBJ_TIME_TIMER", "", "PERF_OBJ_TIME_TIMER"},
    {"no frequency", "time base", "Every Type",
     defined("SAMPLE_COUNTER", [](PdhDefinition& one) { one.time_base = 0; }), "SAMPLE_COUNTER", "",
     "PERF_SAMPLE_COUNTER"},
    {"a frequency in MHz", "time base", "Edge",
     defined("Many/sec", [](PdhDefinition& one) { one.time_base = 10; }), "Many/sec", "",
     "PERF_COUNTER_BULK_COUNT"},
    {"it doesn't know the frequency", "time base's status", "Every Type",
     defined("AVERAGE_TIMER",
             [](PdhDefinition& one) { one.time_base_status = kPdhInvalidData, one.time_base = 0; }),
     "AVERAGE_TIMER", "", "PERF_AVERAGE_TIMER"},
    {"a frequency, and the number by it",
     "number of the same seconds",
     "Edge",
     {.definitions =
          [](std::vector<PdhDefinition>& said) {
            for (PdhDefinition& one : said) one.time_base *= 10;
          },
      .values =
          [](PdhCollection& said, const PdhCollection&) {
            for (PdhNumberItem& item : said.counters.at(3).numbers) item.number.value *= 10;
          }},
     "Many/sec",
     "other",
     "PERF_COUNTER_BULK_COUNT"},
    {"it refuses the English name",
     "counter only here",
     "Processor Information",
     {.definitions =
          [](std::vector<PdhDefinition>& said) { said.at(3).add_status = kNoSuchCounter; },
      .values = [](PdhCollection& said,
                   const PdhCollection&) { said.counters.erase(said.counters.begin() + 3); }},
     "Interrupts/sec",
     "",
     "PERF_COUNTER_COUNTER"},
    {"it knows nothing of it", "definition's status", "Every Type",
     defined("COUNTER_DELTA", [](PdhDefinition& one) { one.info_status = kNoSuchCounter; }),
     "COUNTER_DELTA", "", "PERF_COUNTER_DELTA"},
    {"a definition is missing",
     "counter only here",
     "System",
     {.definitions = [](std::vector<PdhDefinition>& said) { said.pop_back(); }},
     "Processor Queue Length",
     "",
     "PERF_COUNTER_RAWCOUNT"},
    {"a definition of another counter", "counter only here", "System",
     defined("System Calls/sec", [](PdhDefinition& one) { one.name = "Threads"; }),
     "System Calls/sec", "", "PERF_COUNTER_COUNTER"},
    {"a definition too many",
     "counter twice",
     "System",
     {.definitions = [](std::vector<PdhDefinition>& said) { said.push_back(said[0]); }},
     "System Calls/sec",
     "",
     "PERF_COUNTER_COUNTER"},
};

void without_second(PdhValues& said) {
  said.raw.erase(said.raw.begin() + 1);
  said.numbers.erase(said.numbers.begin() + 1);
}

void with_first_two_exchanged(PdhValues& said) {
  std::swap(said.raw[0].raw, said.raw[1].raw);
  std::swap(said.numbers[0].number, said.numbers[1].number);
}

const std::vector<ListLie> kFalseInstances{
    {"one is missing", "instance only here", "Every Type",
     valued("COUNTER_TIMER_INV", without_second), "COUNTER_TIMER_INV", "two",
     "PERF_COUNTER_TIMER_INV"},
    {"one too many", "instance only in PDH", "Every Type",
     valued("COUNTER_DELTA",
            [](PdhValues& said) {
              said.raw.push_back({"three", said.raw[1].raw});
              said.numbers.push_back({"three", said.numbers[1].number});
            }),
     "COUNTER_DELTA", "three", "PERF_COUNTER_DELTA"},
    {"two exchanged", "raw value", "Every Type", valued("100NSEC_TIMER", with_first_two_exchanged),
     "100NSEC_TIMER", "one", "PERF_100NSEC_TIMER"},
    {"renamed", "instance only in PDH", "Every Type",
     valued("SAMPLE_FRACTION",
            [](PdhValues& said) { said.raw[2].instance = said.numbers[2].instance = "a e (x) y"; }),
     "SAMPLE_FRACTION", "a e (x) y", "PERF_SAMPLE_FRACTION"},
    {"a duplicate's number is wrong", "number of PDH's raw values", "Edge",
     valued("Wraps/sec", [](PdhValues& said) { said.numbers[1].number.value *= 1.5; }), "Wraps/sec",
     "twin#1", "PERF_COUNTER_COUNTER"},
    {"duplicates exchanged", "raw value", "Edge", valued("Many/sec", with_first_two_exchanged),
     "Many/sec", "twin", "PERF_COUNTER_BULK_COUNT"},
    {"a duplicate is missing", "instance only here", "Edge", valued("Huge Size", without_second),
     "Huge Size", "twin#1", "PERF_COUNTER_LARGE_RAWCOUNT"},
    {"a third duplicate", "instance only in PDH", "Edge",
     valued("Wide Size",
            [](PdhValues& said) {
              said.raw.push_back({"twin", said.raw[0].raw});
              said.numbers.push_back({"twin", said.numbers[0].number});
            }),
     "Wide Size", "twin#2", "PERF_COUNTER_RAWCOUNT"},
    {"no number for one", "number missing", "Every Type",
     valued("COUNTER_MULTI_TIMER",
            [](PdhValues& said) { said.numbers.erase(said.numbers.begin() + 1); }),
     "COUNTER_MULTI_TIMER", "two", "PERF_COUNTER_MULTI_TIMER"},
    {"numbers in another order", "number of PDH's raw values", "Every Type",
     valued("AVERAGE_BULK",
            [](PdhValues& said) { std::swap(said.numbers[0].number, said.numbers[1].number); }),
     "AVERAGE_BULK", "two", "PERF_AVERAGE_BULK"},
    {"each is there twice", "instance only in PDH", "Every Type",
     valued("COUNTER_RAWCOUNT",
            [](PdhValues& said) {
              const PdhValues once = said;
              said.raw.insert(said.raw.end(), once.raw.begin(), once.raw.end());
              said.numbers.insert(said.numbers.end(), once.numbers.begin(), once.numbers.end());
            }),
     "COUNTER_RAWCOUNT", "two#1", "PERF_COUNTER_RAWCOUNT"},
    {"none at all", "instance only here", "Every Type",
     valued("DOUBLE_RAW", [](PdhValues& said) { said.raw.clear(), said.numbers.clear(); }),
     "DOUBLE_RAW", "two", "PERF_DOUBLE_RAW"},
    {"instances of a single one", "instances", "System",
     valued("Processor Queue Length",
            [](PdhValues& said) {
              said.raw.push_back(said.raw[0]), said.numbers.push_back(said.numbers[0]);
              said.raw[1].instance = said.numbers[1].instance = "1";
            }),
     "Processor Queue Length", "", "PERF_COUNTER_RAWCOUNT"},
    {"a huge name", "instance only here", "Thing",
     valued("Thing Size",
            [](PdhValues& said) {
              said.raw[1].instance = said.numbers[1].instance = std::string(1U << 20U, 'x');
            }),
     "Thing Size", "second", "PERF_COUNTER_LARGE_RAWCOUNT"},
    {"no text", "instance only here", "Thing",
     valued("Thing Size",
            [](PdhValues& said) {
              said.raw[1].instance = said.numbers[1].instance = "\xFF\xC0sec\nond\x1B[2J";
            }),
     "Thing Size", "second", "PERF_COUNTER_LARGE_RAWCOUNT"},
    {"ten thousand", "instance only in PDH", "Thing",
     valued("Thing Size",
            [](PdhValues& said) {
              said.raw.resize(10'000, said.raw[0]), said.numbers.resize(10'000, said.numbers[0]);
            }),
     "Thing Size", "first#9998", "PERF_COUNTER_LARGE_RAWCOUNT"},
};

const std::vector<ListLie> kFalseLists{
    {"a counter isn't listed", "counter not listed by PDH", "Every Type",
     listed([](PdhItems& said) { std::erase(said.counters, "PRECISION_SYSTEM_TIMER"); }),
     "PRECISION_SYSTEM_TIMER", "", "PERF_PRECISION_SYSTEM_TIMER"},
    {"a counter that isn't ours", "counter only in PDH", "Every Type",
     listed([](PdhItems& said) { said.counters.push_back("Working Set"); }), "Working Set", "", ""},
    {"a counter twice", "counter twice", "System",
     listed([](PdhItems& said) { said.counters.push_back(said.counters[0]); }), "System Calls/sec",
     "", "PERF_COUNTER_COUNTER"},
    {"instances of an object without any", "instances listed", "System",
     listed([](PdhItems& said) { said.instances = {"0", "_Total"}; }), "", "", ""},
    {"the items of another object", "counter not listed by PDH", "System",
     listed([](PdhItems& said) { said = {"Memory", {"Pages/sec"}, {}}; }), "System Calls/sec", "",
     "PERF_COUNTER_COUNTER"},
    {"a counter isn't collected", "counter only here", "Every Type",
     collected([](PdhCollection& said) { said.counters.erase(said.counters.begin() + 3); }),
     "COUNTER_RAWCOUNT", "", "PERF_COUNTER_RAWCOUNT"},
    {"nothing is collected", "counter only here", "System",
     collected([](PdhCollection& said) { said.counters.clear(); }), "System Calls/sec", "",
     "PERF_COUNTER_COUNTER"},
    {"an answer to no question", "counter only in PDH", "System",
     collected([](PdhCollection& said) {
       said.counters.push_back(said.counters[0]);
       said.counters.back().name = "Threads";
     }),
     "Threads", "", ""},
    {"another counter's answer", "raw value", "Processor Information",
     collected(
         [](PdhCollection& said) { std::swap(said.counters[1].name, said.counters[2].name); }),
     "% User Time", "_Total", "PERF_100NSEC_TIMER"},
    {"an answer twice", "counter twice", "System",
     collected([](PdhCollection& said) { said.counters.push_back(said.counters[0]); }),
     "System Calls/sec", "", "PERF_COUNTER_COUNTER"},
    {"the raw values aren't read", "status", "Every Type",
     valued("OBJ_TIME_TIMER",
            [](PdhValues& said) { said.raw_status = kPdhNoData, said.raw.clear(); }),
     "OBJ_TIME_TIMER", "", "PERF_OBJ_TIME_TIMER"},
    {"the numbers aren't read", "number's status", "Every Type",
     valued("COUNTER_TIMER",
            [](PdhValues& said) { said.number_status = kPdhNoData, said.numbers.clear(); }),
     "COUNTER_TIMER", "two", "PERF_COUNTER_TIMER"},
    {"one sample behind",
     "raw value",
     "Edge",
     {.values = [](PdhCollection& said, const PdhCollection& before) { said = before; }},
     "Many/sec",
     "twin#1",
     "PERF_COUNTER_BULK_COUNT"},
    {"a time of no calendar", "time stamp", "System", collected([](PdhCollection& said) {
       for (PdhValues& one : said.counters)
         one.raw[0].raw.local_time = std::numeric_limits<std::int64_t>::min();
     }),
     "System Calls/sec", "", "PERF_COUNTER_COUNTER"},
};

bool finds(const VerifiedByPdh& result, const ListLie& row) {
  return std::ranges::any_of(result.comparison.differences, [&](const PdhDifference& found) {
    return found.what == row.finds && found.counter == row.counter && found.type == row.type &&
           found.instance == row.instance;
  });
}

class PdhOutsiderLists : public PdhOutsider {
 protected:
  void expect_found(const std::vector<ListLie>& rows) {
    for (const ListLie& row : rows) {
      const VerifiedByPdh result = verify(row.object, row.hooks);
      EXPECT_TRUE(finds(result, row))
          << row.object << ", " << row.counter << ": " << row.wrong << '\n'
          << text_of(result).substr(0, 3'000);
    }
  }
};

TEST_F(PdhOutsiderLists, DefinitionsThatAreWrongAreFound) { expect_found(kFalseDefinitions); }
TEST_F(PdhOutsiderLists, InstancesThatAreWrongAreFound) { expect_found(kFalseInstances); }
TEST_F(PdhOutsiderLists, ListsThatAreWrongAreFound) { expect_found(kFalseLists); }

TEST_F(PdhOutsiderLists, TheOrderOfAnswers_AndACacheOfInstances_AreNoDifference) {
  const std::vector<ChangedPdh::Hooks> allowed{
      {.definitions = [](std::vector<PdhDefinition>& said) { std::ranges::reverse(said); }},
      collected([](PdhCollection& said) { std::ranges::reverse(said.counters); }),
      listed([](PdhItems& said) { std::ranges::reverse(said.counters); }),
      listed([](PdhItems& said) { said.instances.push_back("of a minute ago"); }),
      listed([](PdhItems& said) { said.instances.clear(); }),
      valued("COUNTER_TIMER", [](PdhValues& said) { std::ranges::reverse(said.numbers); }),
  };
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    const VerifiedByPdh result = verify("Every Type", allowed[i]);
    EXPECT_TRUE(result.delivered() && result.agrees()) << i << '\n' << text_of(result);
  }
}

TEST_F(PdhOutsiderLists, AnObjectThatIsntListedIsNamed_AndNoOther) {
  EXPECT_TRUE(verify("System", {}).agrees());
  EXPECT_TRUE(unlisted_.empty());
  EXPECT_TRUE(
      verify("System", {.objects = [](auto& said) { std::erase(said, "Thing"); }}).agrees());
  EXPECT_TRUE(unlisted_.empty());
  EXPECT_TRUE(
      verify("System", {.objects = [](auto& said) { std::erase(said, "System"); }}).agrees());
  EXPECT_EQ(unlisted_, std::vector<std::string>{"System"});
}

TEST_F(PdhOutsiderLists, ACollectionThatFailsOnceIsRepeated) {
  int asked = 0;
  const VerifiedByPdh result = verify("System", {.fails = [&] { return asked++ == 0; }});
  EXPECT_TRUE(result.delivered() && result.agrees()) << text_of(result);
  const VerifiedByPdh never = verify("System", {.fails = [] { return true; }});
  ASSERT_TRUE(never.pdh_error);
  EXPECT_EQ(never.pdh_error->os_code, kPdhNoData);
  EXPECT_FALSE(never.agrees());
}

TEST_F(PdhOutsiderLists, ALieIsFoundThoughACollectionFails_WhicheverItIs) {
  for (int failing = 0; failing < 6; ++failing) {
    ChangedPdh::Hooks hooks = valued("System Calls/sec", [](PdhValues& said) {
      for (PdhRawItem& item : said.raw) item.raw.first += 1;
    });
    int asked = 0;
    hooks.fails = [&] { return asked++ == failing; };
    const VerifiedByPdh result = verify("System", std::move(hooks), {0, 1}, 3);
    ASSERT_TRUE(result.delivered()) << failing << '\n' << text_of(result);
    ASSERT_FALSE(result.comparison.differences.empty()) << failing;
    EXPECT_EQ(result.comparison.differences[0].what, "raw value") << failing;
    EXPECT_EQ(result.comparison.differences[0].type, "PERF_COUNTER_COUNTER") << failing;
  }
}

}  // namespace
}  // namespace winperf::testing
