#include "exporter/json/sample_document.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/large_sample.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf::json {
namespace {

using namespace winperf::testing;  // NOLINT: builders of this room's tests
using nlohmann::ordered_json;

ordered_json query_line(const CountersetSample& sample) {
  std::string out;
  const std::vector all{std::make_shared<const CountersetSample>(sample)};
  append_query_line(out, 1, 0, kSampledAt, all);
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
      R"({"schema":1,"sequence":0,"time":"2007-08-14T15:41:38.6148066Z","values":[)"
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
  append_query_line(out, 1, 3, std::nullopt, {});
  EXPECT_EQ(out, "{\"schema\":1,\"sequence\":3,\"time\":null,\"values\":[]}\n");
}

// The document as its readers get it, compressed or not.
std::string document_text(std::shared_ptr<const Sample> sample, SteadyTime now = kTaken,
                          std::span<const std::string> names = {}) {
  SampleDocument document(std::move(sample));
  const std::string text = document.text(names, now).str();
  EXPECT_EQ(gunzipped(document.gzipped(names, now).str()), text);
  return text;
}

TEST(SampleDocument_OfTheApi, HasStateValuesAndProblems) {
  auto published = typical_sample(7);
  CountersetState failed;
  failed.name = "Missing";
  failed.error = Error{ErrorCode::kNoSuchObject, "catalog", 0, 0, 0, 0};
  published->countersets.push_back(failed);
  const SteadyTime now = kTaken + std::chrono::milliseconds(2500);
  const auto document = ordered_json::parse(document_text(published, now));
  EXPECT_EQ(document["sequence"], 7);
  EXPECT_EQ(document["time"], "2007-08-14T15:41:38.6148066Z");
  ASSERT_EQ(document["countersets"].size(), 3U);
  const auto& processor = document["countersets"][0];
  EXPECT_EQ(processor["object"], "Processor");
  EXPECT_EQ(processor["object_index"], 238);
  EXPECT_EQ(processor["success"], true);
  EXPECT_TRUE(processor["error"].is_null());
  EXPECT_EQ(processor["age_seconds"], 2.5);
  EXPECT_EQ(processor["stale"], false);
  EXPECT_EQ(processor["values"].size(), 6U);
  const auto& missing = document["countersets"][2];
  EXPECT_TRUE(missing["object"].is_null());
  EXPECT_EQ(missing["error"], describe(*failed.error));
  EXPECT_EQ(document["problems"][0]["reason"], "truncated");
  EXPECT_EQ(document["problems"][0]["count"], 2);
}

TEST(SampleDocument_OfTheApi, HasEveryMemberOfACountersetsState) {
  CountersetSample damaged = values(object("A", {}, false, 77));
  damaged.damage = Error{.code = ErrorCode::kBadLength, .where = "part"};
  CountersetState one = state("a", damaged);
  one.duration_seconds = 1.25;
  one.sampled_at = {kTaken - std::chrono::milliseconds(500), {kSampledAt.ticks - 5'000'000}};
  one.success = false;
  one.error = Error{.code = ErrorCode::kBusy, .where = "here"};
  one.preferred_path_error = Error{.code = ErrorCode::kTruncated, .where = "there"};
  CountersetState none;
  none.name = "b";
  none.machine = "ONE";
  const auto document = ordered_json::parse(document_text(sample(1, {one, none})));
  const auto& countersets = document["countersets"];
  const ordered_json expected_one = {{"name", "a"},
                                     {"object", "A"},
                                     {"path", "registry"},
                                     {"object_index", 77},
                                     {"sampled_at", "2007-08-14T15:41:38.1148066Z"},
                                     {"age_seconds", 0.5},
                                     {"stale", false},
                                     {"success", false},
                                     {"error", describe(*one.error)},
                                     {"preferred_path_error", describe(*one.preferred_path_error)},
                                     {"damage", describe(*damaged.damage)},
                                     {"duration_seconds", 1.25},
                                     {"values", ordered_json::array()}};
  EXPECT_EQ(countersets.at(0), expected_one);
  const ordered_json expected_none = {{"name", "b"},
                                      {"object", nullptr},
                                      {"path", nullptr},
                                      {"object_index", nullptr},
                                      {"sampled_at", nullptr},
                                      {"age_seconds", nullptr},
                                      {"stale", nullptr},
                                      {"machine", "ONE"},
                                      {"success", false},
                                      {"error", nullptr},
                                      {"preferred_path_error", nullptr},
                                      {"damage", nullptr},
                                      {"duration_seconds", 0.0},
                                      {"values", ordered_json::array()}};
  EXPECT_EQ(countersets.at(1), expected_none);
}

TEST(SampleDocument_OfTheApi, ListsNoneOneTwoOrManyProblemsAndCountersets) {
  for (const std::size_t count : {0U, 1U, 2U, 20U}) {
    auto published = sample(1, {});
    ordered_json expected = ordered_json::array();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "c" + std::to_string(i);
      const Error last{.code = ErrorCode::kTruncated, .where = "here", .actual = i};
      published->countersets.push_back(state(name, values(object("A", {}))));
      published->problems.push_back({name, ErrorCode::kTruncated, 7 + i, last});
      expected.push_back({{"counterset", name},
                          {"reason", "truncated"},
                          {"count", 7 + i},
                          {"last", describe(last)}});
    }
    const auto document = ordered_json::parse(document_text(published));
    EXPECT_EQ(document["problems"], expected);
    ASSERT_EQ(document["countersets"].size(), count);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(document["countersets"][i]["name"], "c" + std::to_string(i));
  }
}

TEST(SampleDocument_OfTheApi, HasEveryMemberOfAWorkersState) {
  WorkerState one;
  one.name = "registry";
  one.process_id = 4711;
  one.starts = 9;
  one.ends = {1, 2, 3, 4, 5, 6, 7, 8};
  one.queries = 100;
  one.query_seconds = 1.25;
  one.private_bytes = 18446744073709551615U;
  one.handles = 0;
  one.threads = 3;
  WorkerState none;
  none.name = "perf\"lib";
  auto published = sample(1, {});
  published->workers = {one, none};
  const auto document = ordered_json::parse(document_text(published));
  const ordered_json expected_one = {{"worker", "registry"},
                                     {"running", true},
                                     {"process_id", 4711},
                                     {"private_bytes", 18446744073709551615U},
                                     {"handles", 0},
                                     {"threads", 3},
                                     {"starts", 9},
                                     {"cpu_seconds", 0.0},
                                     {"queries", 100},
                                     {"query_seconds", 1.25},
                                     {"restarts",
                                      {{"crashed", 1},
                                       {"exited", 2},
                                       {"timed_out", 3},
                                       {"memory", 4},
                                       {"handles", 5},
                                       {"threads", 6},
                                       {"bad_reply", 7},
                                       {"start_late", 8}}}};
  const ordered_json expected_none = {{"worker", "perf\"lib"},
                                      {"running", false},
                                      {"process_id", nullptr},
                                      {"private_bytes", nullptr},
                                      {"handles", nullptr},
                                      {"threads", nullptr},
                                      {"starts", 0},
                                      {"cpu_seconds", 0.0},
                                      {"queries", 0},
                                      {"query_seconds", 0.0},
                                      {"restarts",
                                       {{"crashed", 0},
                                        {"exited", 0},
                                        {"timed_out", 0},
                                        {"memory", 0},
                                        {"handles", 0},
                                        {"threads", 0},
                                        {"bad_reply", 0},
                                        {"start_late", 0}}}};
  EXPECT_EQ(document["workers"], ordered_json::array({expected_one, expected_none}));
}

TEST(SampleDocument_OfTheApi, HasEveryMemberOfAProvidersState) {
  ProviderState lost;
  lost.provider = "con\"toso";
  lost.worker = "provider:contoso";
  lost.standing = ProviderStanding::kQuarantine;
  lost.quarantine_seconds = 7.5;
  lost.queries = 100;
  lost.failures = 4;
  lost.error = Error{.code = ErrorCode::kWorkerCrashed, .where = "provider \"x\"", .os_code = 11};
  lost.query_seconds = 0.25;
  lost.reply_bytes = 4096;
  lost.harms = 3;
  lost.last_harm = "crashed in contoso.dll";
  lost.library = "contoso.dll";
  lost.apart_seconds = 60.5;
  auto published = sample(1, {});
  published->providers = {lost, {}};
  const auto document = ordered_json::parse(document_text(published));
  const ordered_json expected_lost = {{"provider", "con\"toso"},
                                      {"worker", "provider:contoso"},
                                      {"state", "quarantine"},
                                      {"quarantine_seconds", 7.5},
                                      {"queries", 100},
                                      {"failures", 4},
                                      {"error", describe(*lost.error)},
                                      {"query_seconds", 0.25},
                                      {"reply_bytes", 4096},
                                      {"harms", 3},
                                      {"last_harm", "crashed in contoso.dll"},
                                      {"library", "contoso.dll"},
                                      {"apart_seconds", 60.5}};
  const ordered_json expected_new = {
      {"provider", ""},         {"worker", ""},  {"state", "new"},   {"quarantine_seconds", 0.0},
      {"queries", 0},           {"failures", 0}, {"error", nullptr}, {"query_seconds", nullptr},
      {"reply_bytes", nullptr}, {"harms", 0},    {"last_harm", ""},  {"library", ""},
      {"apart_seconds", 0.0}};
  EXPECT_EQ(document["providers"], ordered_json::array({expected_lost, expected_new}));
}

TEST(SampleDocument_OfTheApi, WithoutProvidersListsNone) {
  EXPECT_EQ(ordered_json::parse(document_text(sample(1, {})))["providers"], ordered_json::array());
}

TEST(SampleDocument_OfTheApi, WithoutWorkersListsNone) {
  EXPECT_EQ(ordered_json::parse(document_text(sample(1, {})))["workers"], ordered_json::array());
}

TEST(SampleDocument_QueryLine, HasTheValuesOfNoneOneTwoOrManyCountersets) {
  for (const std::size_t count : {0U, 1U, 2U, 20U}) {
    std::vector<std::shared_ptr<const CountersetSample>> all{nullptr};
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(std::make_shared<const CountersetSample>(
          values(object("o" + std::to_string(i), {counter("A", kRawCount)}))));
    std::string out;
    append_query_line(out, 1, 5, kSampledAt, all);
    const auto line = ordered_json::parse(out);
    EXPECT_EQ(line["sequence"], 5);
    ASSERT_EQ(line["values"].size(), count);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(line["values"][i]["object"], "o" + std::to_string(i));
  }
}

// Somebody else may have sampled since the time was taken.
TEST(SampleDocument_OfTheApi, AgeIsNeverNegative) {
  const auto document =
      ordered_json::parse(document_text(typical_sample(1), kTaken - std::chrono::seconds(1)));
  EXPECT_EQ(document["countersets"][0].at("age_seconds"), 0.0);
}

TEST(SampleDocument_OfTheApi, StaleValuesAreThereAndSaidToBe) {
  const auto published = typical_sample(1);
  published->countersets[1].stale_after = std::chrono::seconds(30);
  const auto document = ordered_json::parse(document_text(
      published, kTaken + published->countersets[0].stale_after + std::chrono::milliseconds(500)));
  const auto& countersets = document["countersets"];
  EXPECT_EQ(countersets[0]["stale"], true);
  EXPECT_EQ(countersets[0]["age_seconds"], 10.5);
  EXPECT_FALSE(countersets[0]["values"].empty());
  EXPECT_EQ(countersets[1]["stale"], false);
}

TEST(SampleDocument_OfNamedCountersets, HasThoseAlone) {
  const auto published = typical_sample(1);
  const std::vector<std::string> memory{"memory"};
  const auto document = ordered_json::parse(document_text(published, kTaken, memory));
  ASSERT_EQ(document["countersets"].size(), 1U);
  EXPECT_EQ(document["countersets"][0]["name"], "Memory");
  EXPECT_EQ(SampleDocument(published).unknown_counterset(memory), std::nullopt);
  published->countersets[1].name = "Memory or so";
  EXPECT_EQ(SampleDocument(published).unknown_counterset(memory), std::nullopt)
      << "its object's name";
  EXPECT_THAT(document_text(published, kTaken, memory),
              ::testing::HasSubstr("\"name\":\"Memory or so\""));
  const std::vector<std::string> names{"Memory", "Nope"};
  EXPECT_EQ(SampleDocument(published).unknown_counterset(names), "Nope");
}

TEST(SampleDocument_OfNamedCountersets, SharesTheirValuesWithTheWholeOne) {
  SampleDocument document(large_sample(30));
  const std::vector<std::string> some{"Object 7"};
  const auto longest = [](const SharedText& text) {
    return *std::ranges::max_element(text.pieces(), {}, [](const auto& p) { return p->size(); });
  };
  const SharedText one = document.text(some, kTaken);
  const SharedText again = document.text(some, kTaken + std::chrono::nanoseconds(100));
  EXPECT_EQ(longest(one), longest(again)) << "the same bytes, not equal ones";
  EXPECT_NE(one.str(), again.str()) << "its age has grown";
  EXPECT_THAT(document.text({}, kTaken).pieces(), ::testing::Contains(longest(one)));
  const SharedText gzipped = document.gzipped(some, kTaken);
  EXPECT_THAT(document.gzipped({}, kTaken).pieces(), ::testing::Contains(longest(gzipped)));
}

TEST(SampleDocument_Etag, IsThatOfItsSampleAndWeak) {
  const auto tag = [](std::uint64_t sequence) {
    return SampleDocument(sample(sequence, {})).etag(kTaken);
  };
  EXPECT_EQ(tag(7), "W/\"" + std::to_string(kSampledAt.ticks) + "-7-60-0\"");
  EXPECT_NE(tag(8), tag(7));
}

// The ages in a document that stays are of interest, because sampling has stopped.
TEST(SampleDocument_Etag, IsAnotherOneEachMinute) {
  const SampleDocument document(sample(1, {}));
  const auto after = [&](int seconds) {
    return document.etag(kTaken + std::chrono::seconds(seconds));
  };
  EXPECT_EQ(after(0), after(59));
  EXPECT_NE(after(0), after(60));
}

TEST(SampleDocument_Etag, IsAnotherOneOnceMoreIsStale) {
  const auto published = typical_sample(1);
  published->countersets[1].stale_after = std::chrono::seconds(30);
  const SampleDocument document(published);
  const auto after = [&](int seconds) {
    return document.etag(kTaken + std::chrono::seconds(seconds));
  };
  EXPECT_EQ(after(9), after(10));
  EXPECT_NE(after(10), after(11));
  EXPECT_NE(after(30), after(31));
}

}  // namespace
}  // namespace winperf::json
