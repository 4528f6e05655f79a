#include "exporter/json/sample_document.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/exporter/support/sample_builder.h"

namespace winperf::json {
namespace {

using namespace winperf::testing;  // NOLINT: builders of this room's tests
using nlohmann::ordered_json;

ordered_json query_line(const CountersetSample& sample) {
  std::string out;
  const std::vector all{std::make_shared<const CountersetSample>(sample)};
  append_query_line(out, 0, kSampledAt, all);
  EXPECT_EQ(out.back(), '\n');
  EXPECT_EQ(out.find('\n'), out.size() - 1);
  return ordered_json::parse(out);
}

TEST(SampleDocument_QueryLine, HasTheAgreedShape) {
  CountersetSample processor =
      values(object("Processor", {counter("% Processor Time", k100nsTimerInverse, 6)}, true),
             {instance("0", 0), instance("_Total", 1)});
  processor.raw = {18446744073709551615U, 5};
  processor.reason = {NoValue::kFirstSample, NoValue::kNone};
  processor.cooked = {0, 82.1};
  EXPECT_EQ(
      query_line(processor).dump(),
      R"({"sample":0,"time":"2007-08-14T15:41:38.6148066Z","values":[)"
      R"({"object":"Processor","path":"registry","object_index":238,"counter":"% Processor Time",)"
      R"("counter_index":6,"type":"0x21510500","instance":"0","instance_ordinal":0,)"
      R"("raw":18446744073709551615,"cooked":null,"reason":"first_sample"},)"
      R"({"object":"Processor","path":"registry","object_index":238,"counter":"% Processor Time",)"
      R"("counter_index":6,"type":"0x21510500","instance":"_Total","instance_ordinal":1,)"
      R"("raw":5,"cooked":82.1,"reason":null}]})");
}

TEST(SampleDocument_QueryLine, OfALogOfSeveralMachinesNamesTheMachineAndNoIndex) {
  CountersetSample memory = values(object("Memory", {counter("A", kRawCount, 7)}));
  auto schema = std::make_shared<CountersetSchema>(*memory.schema);
  schema->path = CounterPath::kLog;
  schema->machine = "ONE";
  memory.schema = std::move(schema);
  EXPECT_EQ(query_line(memory)["values"].dump(),
            R"([{"object":"Memory","path":"log","object_index":null,"machine":"ONE","counter":"A",)"
            R"("counter_index":7,"type":"0x00010000","instance":"","instance_ordinal":null,)"
            R"("raw":0,"cooked":0,"reason":null}])");
}

TEST(SampleDocument_QueryLine, MayHaveNoTime) {
  std::string out;
  append_query_line(out, 3, std::nullopt, {});
  EXPECT_EQ(out, "{\"sample\":3,\"time\":null,\"values\":[]}\n");
}

TEST(SampleDocument_Values, HaveABaseAndAParentOnlyWhereThereIsOne) {
  InstanceSchema thread = instance("0", 4, 1);
  thread.parent = "Idle";
  CountersetSample sample = values(object("Thread", {counter("A", kAverageTimer)}, true), {thread});
  sample.base = {456};
  const auto value = query_line(sample)["values"][0];
  EXPECT_EQ(value["base"], 456);
  EXPECT_EQ(value["parent"], "Idle");
  EXPECT_EQ(value["instance"], "0");
  EXPECT_EQ(value["instance_ordinal"], 4);
}

TEST(SampleDocument_Values, WithoutInstancesHaveAnEmptyName) {
  const auto value = query_line(values(object("Memory", {counter("A", kRawCount)})))["values"][0];
  EXPECT_EQ(value["instance"], "");
  EXPECT_TRUE(value["instance_ordinal"].is_null());
  EXPECT_FALSE(value.contains("base"));
  EXPECT_FALSE(value.contains("parent"));
}

TEST(SampleDocument_Values, ThatAreMissingAreNull) {
  CountersetSample sample = values(object("M", {counter("A", kRawFraction)}));
  sample.reason = {NoValue::kOutOfBlock};
  const auto value = query_line(sample)["values"][0];
  EXPECT_TRUE(value["raw"].is_null());
  EXPECT_TRUE(value["base"].is_null());
  EXPECT_TRUE(value["cooked"].is_null());
  EXPECT_EQ(value["reason"], "out_of_block");
}

TEST(SampleDocument_Values, OfDoublesAreNumbers) {
  CountersetSample sample =
      values(object("M", {counter("A", kDoubleRaw), counter("B", kDoubleRaw)}));
  sample.raw = {std::bit_cast<std::uint64_t>(1.5),
                std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())};
  sample.cooked = {1.5, std::numeric_limits<double>::infinity()};
  const auto parsed = query_line(sample)["values"];
  EXPECT_EQ(parsed[0]["raw"], 1.5);
  EXPECT_TRUE(parsed[1]["raw"].is_null());
  EXPECT_EQ(parsed[1]["reason"], "not_finite");
}

TEST(SampleDocument_OfTheApi, HasStateValuesAndProblems) {
  auto published = typical_sample(7);
  CountersetState failed;
  failed.name = "Missing";
  failed.error = Error{ErrorCode::kNoSuchObject, "catalog", 0, 0, 0, 0};
  published->countersets.push_back(failed);
  const Ticks100ns now{kSampledAt.ticks + 25'000'000};
  const auto document = ordered_json::parse(sample_document(*published, {}, now));
  EXPECT_EQ(document["sequence"], 7);
  EXPECT_EQ(document["time"], "2007-08-14T15:41:38.6148066Z");
  ASSERT_EQ(document["countersets"].size(), 3U);
  const auto& processor = document["countersets"][0];
  EXPECT_EQ(processor["object"], "Processor");
  EXPECT_EQ(processor["object_index"], 238);
  EXPECT_EQ(processor["success"], true);
  EXPECT_TRUE(processor["error"].is_null());
  EXPECT_EQ(processor["age_seconds"], 2.5);
  EXPECT_EQ(processor["values"].size(), 6U);
  const auto& missing = document["countersets"][2];
  EXPECT_TRUE(missing["object"].is_null());
  EXPECT_EQ(missing["error"], describe(*failed.error));
  EXPECT_EQ(document["problems"][0]["reason"], "truncated");
  EXPECT_EQ(document["problems"][0]["count"], 2);
}

// The clock was set back since the sample: 0 would claim that it is brand new.
TEST(SampleDocument_OfTheApi, AgeThatTheClockMakesNegative_IsNull) {
  const auto published = typical_sample(1);
  const auto age = [&](std::int64_t ticks) {
    return ordered_json::parse(sample_document(*published, {}, {ticks}))["countersets"][0].at(
        "age_seconds");
  };
  EXPECT_TRUE(age(kSampledAt.ticks - 1).is_null());
  EXPECT_EQ(age(kSampledAt.ticks), 0.0);
}

TEST(SampleDocument_OfNamedCountersets, HasThoseAlone) {
  const auto published = typical_sample(1);
  const std::vector<std::string> memory{"memory"};
  const auto document = ordered_json::parse(sample_document(*published, memory, kSampledAt));
  ASSERT_EQ(document["countersets"].size(), 1U);
  EXPECT_EQ(document["countersets"][0]["name"], "Memory");
  EXPECT_EQ(unknown_counterset(*published, memory), std::nullopt);
  EXPECT_EQ(unknown_counterset(*published, std::vector<std::string>{"Memory", "Nope"}), "Nope");
}

}  // namespace
}  // namespace winperf::json
