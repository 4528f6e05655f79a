#include "exporter/json/sample_columns.h"

#include <gmock/gmock.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "exporter/json/sample_document.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf::json {
namespace {

using namespace winperf::testing;  // NOLINT: builders of this room's tests
using nlohmann::ordered_json;

ordered_json columns_of(const CountersetSample& sample) {
  std::string out = "{";
  append_columns(out, &sample);
  return ordered_json::parse(out + '}');
}

CounterSchema narrow_counter(std::string name, std::uint32_t type) {
  CounterSchema schema = counter(std::move(name), type);
  schema.size = 4;
  schema.base_size = schema.has_base ? 4 : 0;
  return schema;
}

TEST(SampleColumns, HaveTheAgreedShape) {
  CountersetSample processor =
      values(object("Processor", {counter("% Processor Time", k100nsTimerInverse, 6)}, true),
             {instance("0", 0), instance("_Total", 1)});
  processor.raw = {18446744073709551615U, 5};
  processor.reason = {NoValue::kFirstSample, NoValue::kNone};
  processor.cooked = {0, 82.1};
  std::ranges::copy(processor.raw, totals(processor).begin());
  EXPECT_EQ(
      columns_of(processor).dump(),
      R"({"clocks":{"perf_time":"0","perf_frequency":"1000","time_100ns":"128315796986148066",)"
      R"("object_time":"0","object_frequency":"0"},)"
      R"("instances":[{"name":"0"},{"name":"_Total"}],)"
      R"("counters":[{"name":"% Processor Time","counter_index":6,"type":"0x21510500",)"
      R"("type_name":"PERF_100NSEC_TIMER_INV","kind":"text","raw":["18446744073709551615","5"],)"
      R"("cooked":[null,82.1],"reasons":["first_sample",null]}]})");
}

TEST(SampleColumns, AreNumbersOrTextsAsAWholeByTheWidth) {
  CountersetSample sample =
      values(object("A",
                    {narrow_counter("narrow", kRawCount), counter("wide", kLargeRawCount),
                     counter("double", kDoubleRaw)},
                    true),
             {instance("a", 0), instance("b", 1)});
  sample.raw = by_rows<std::uint64_t>(
      sample, {1, 2, std::bit_cast<std::uint64_t>(1.5), 3, static_cast<std::uint64_t>(-4),
               std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())});
  sample.cooked =
      by_rows<double>(sample, {1, 2, 1.5, 3, -4, std::numeric_limits<double>::infinity()});
  const auto counters = columns_of(sample)["counters"];
  EXPECT_EQ(counters[0]["kind"], "number");
  EXPECT_EQ(counters[0]["raw"], ordered_json::parse("[1,3]"));
  EXPECT_FALSE(counters[0].contains("reasons"));
  EXPECT_EQ(counters[1]["kind"], "text");
  EXPECT_EQ(counters[1]["raw"], ordered_json::parse(R"(["2","-4"])"));
  EXPECT_EQ(counters[2]["kind"], "number");
  EXPECT_EQ(counters[2]["raw"], ordered_json::parse("[1.5,null]"));
  EXPECT_EQ(counters[2]["cooked"], ordered_json::parse("[1.5,null]"));
  EXPECT_EQ(counters[2]["reasons"], ordered_json::parse(R"([null,"not_finite"])"));
}

TEST(SampleColumns, HaveBasesTotalsAndClocksOnlyWhereTheyAreNeeded) {
  CountersetSample sample =
      values(object("A", {narrow_counter("rate", kCounterCounter), counter("part", kRawFraction)}));
  sample.raw = {7, 1};
  std::ranges::copy(sample.raw, totals(sample).begin());
  EXPECT_FALSE(columns_of(sample)["counters"][0].contains("total"));
  EXPECT_EQ(columns_of(sample)["counters"][1]["base"], ordered_json::parse(R"(["0"])"));
  EXPECT_FALSE(columns_of(sample)["counters"][0].contains("clocks"));
  totals(sample)[0] = 4294967303;
  sample.own_clocks = {sample.clocks, sample.clocks};
  sample.own_clocks[1].perf_time.ticks = 5;
  sample.reason[1] = NoValue::kNoBase;
  const auto counters = columns_of(sample)["counters"];
  EXPECT_EQ(counters[0]["total"], ordered_json::parse(R"(["4294967303"])"));
  EXPECT_FALSE(counters[0].contains("clocks"));
  EXPECT_EQ(counters[1]["base"], ordered_json::parse("[null]"));
  EXPECT_EQ(counters[1]["clocks"][0]["perf_time"], "5");
  EXPECT_EQ(counters[1]["reasons"][0], "no_base");
}

TEST(SampleColumns, WithoutARawValueHaveNull) {
  CountersetSample sample = values(object("A", {counter("text", kText)}));
  sample.reason = {NoValue::kNotNumeric};
  const auto counter = columns_of(sample)["counters"][0];
  EXPECT_EQ(counter["raw"], ordered_json::parse("[null]"));
  EXPECT_EQ(counter["cooked"], ordered_json::parse("[null]"));
  EXPECT_EQ(counter["reasons"], ordered_json::parse(R"(["not_numeric"])"));
}

TEST(SampleColumns, HaveEachInstanceOnce) {
  InstanceSchema second = instance("svchost", 1, 1);
  second.parent = "p";
  second.unique_id = 7;
  second.process_id = 812;
  second.thread_id = 9;
  second.labels = {{"site", "a"}};
  const auto document = columns_of(
      values(object("A", {counter("x", kRawCount)}, true), {instance("svchost", 0), second}));
  EXPECT_EQ(document["instances"].dump(),
            R"([{"name":"svchost"},{"name":"svchost","parent":"p","duplicate":1,"id":7,)"
            R"("process_id":812,"thread_id":9,"labels":{"site":"a"}}])");
}

TEST(SampleColumns, AreADocumentWithTheStatesOfTheRows) {
  auto published = typical_sample(7);
  published->countersets.emplace_back().name = "Missing";
  SampleDocument document(published, SampleForm::kColumns);
  const std::string text = document.text({}, kTaken).str();
  EXPECT_EQ(gunzipped(document.gzipped({}, kTaken).str()), text);
  auto columns = ordered_json::parse(text);
  auto rows = ordered_json::parse(SampleDocument(published).text({}, kTaken).str());
  EXPECT_EQ(columns["countersets"][2]["clocks"], nullptr);
  EXPECT_EQ(columns["countersets"][0]["counters"].size(), 2U);
  for (auto& counterset : columns["countersets"])
    for (const char* key : {"clocks", "instances", "counters"}) counterset.erase(key);
  for (auto& counterset : rows["countersets"]) counterset.erase("values");
  EXPECT_EQ(columns, rows);
}

}  // namespace
}  // namespace winperf::json
