// What `check-config` prints, of plans that are made by hand.
#include "service/commands/plan_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> numbered(int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back("n" + std::to_string(i));
  return names;
}

ResolvedCounterset found(bool has_instances = false) {
  CountersetState state = testing::state(
      "label", testing::values(testing::object(
                   "Object", {testing::counter("c", testing::kRawCount)}, has_instances)));
  ResolvedCounterset counterset;
  counterset.label = "label";
  counterset.names = {"label"};
  counterset.interval = std::chrono::milliseconds(2500);
  counterset.state = state;
  counterset.counters.shown = {"c"};
  counterset.all_counters = numbered(1);
  counterset.series = 3;
  return counterset;
}

std::string text_of(const ResolvedCounterset& counterset) {
  return plan_to_text({.file = "f.yaml", .listen = {"a:1"}},
                      {.countersets = {counterset}, .unresolved = {}});
}

nlohmann::json json_of(const ResolvedPlan& plan) {
  return nlohmann::json::parse(plan_to_json({.file = "f.yaml", .listen = {"a:1", "b:2"}}, plan));
}

TEST(PlanReport, NamesFileAndAddresses) {
  const ResolvedPlan none;
  EXPECT_THAT(plan_to_text({.file = "f", .listen = {"a:1"}}, none),
              HasSubstr("f: valid\nlistens on a:1\n\n"));
  EXPECT_THAT(plan_to_text({.file = "f", .listen = {"a:1", "b:2", "c:3"}}, none),
              HasSubstr("listens on a:1, b:2, c:3\n"));
  EXPECT_THAT(plan_to_text({.file = "f", .listen = {"a:1"}}, none), HasSubstr("\n0 series at"));
}

TEST(PlanReport, NamesTheTargets) {
  TargetConfig target{
      .hosts = {"srv-1", "web-*"}, .module = "sql", .interval = std::chrono::milliseconds(30'000)};
  target.countersets.emplace_back().label = "Memory";
  target.countersets.emplace_back().label = "System";
  PlanHead head{.file = "f", .listen = {"a:1"}, .targets = {target}};
  EXPECT_THAT(
      plan_to_text(head, {}),
      HasSubstr("listens on a:1\nreads srv-1, web-* (module sql) every 30s: 2 countersets\n\n"));
  const auto document = nlohmann::json::parse(plan_to_json(head, {}));
  EXPECT_EQ(document["targets"], nlohmann::json::parse(R"([{
    "hosts": ["srv-1", "web-*"], "module": "sql", "interval_seconds": 30.0,
    "counterset_names": ["Memory", "System"]}])"));
  head.targets.front().module = "default";
  EXPECT_THAT(plan_to_text(head, {}), HasSubstr("reads srv-1, web-* every 30s"));
}

TEST(PlanReport, CountsTheSeriesOfAll) {
  const ResolvedPlan two{.countersets = {found(), found()}, .max_series = 7};
  EXPECT_THAT(plan_to_text({.file = "f", .listen = {"a:1"}}, two),
              HasSubstr("\n6 series at present, of at most 7 (limits.max_series)\n"));
  EXPECT_EQ(json_of(two)["series"], 6);
  EXPECT_EQ(json_of(two)["max_series"], 7);
  EXPECT_EQ(json_of(two)["countersets"].size(), 2U);
}

TEST(PlanReport, SaysWhatThePageHasNoRoomFor) {
  ResolvedCounterset large = found();
  large.series = 0;
  large.no_room = 5000;
  EXPECT_THAT(text_of(large), HasSubstr("\nLEFT OUT of /metrics: label, whose 5000 series exceed "
                                        "limits.max_series; raise the limit"));
  EXPECT_EQ(json_of({.countersets = {large}})["countersets"][0]["series_without_room"], 5000);
  EXPECT_THAT(text_of(found()), Not(HasSubstr("LEFT OUT")));
}

TEST(PlanReport, SaysWhichPatternMatchesNothing) {
  const ResolvedPlan plan{.countersets = {found()}, .unmatched = {"MSSQL$*:*"}};
  EXPECT_THAT(plan_to_text({.file = "f", .listen = {"a:1"}}, plan),
              HasSubstr("\nNO counterset matches \"MSSQL$*:*\" at present\n"));
  EXPECT_EQ(json_of(plan)["patterns_without_match"], nlohmann::json{"MSSQL$*:*"});
  EXPECT_EQ(json_of({})["patterns_without_match"], nlohmann::json::array());
  EXPECT_FALSE(json_of({.unresolved = "why"}).contains("patterns_without_match"));
}

TEST(PlanReport, SaysWhichCountersetsRepeatOthers) {
  const ResolvedPlan plan{.countersets = {found()}, .repeated = {"Process V2"}};
  EXPECT_THAT(plan_to_text({.file = "f", .listen = {"a:1"}}, plan),
              HasSubstr("\nLEFT OUT: Process V2, which has the counters of another counterset "
                        "that the pattern matches; name it in countersets to sample both\n"));
  EXPECT_EQ(json_of(plan)["repeated"], nlohmann::json{"Process V2"});
  EXPECT_EQ(json_of({})["repeated"], nlohmann::json::array());
  EXPECT_FALSE(json_of({.unresolved = "why"}).contains("repeated"));
}

TEST(PlanReport, SaysThatTheCounterIsMissingByWhichInstancesAreChosen) {
  ResolvedCounterset counterset = found(true);
  counterset.all_counters = {"c"};
  counterset.ranked_by = "C";
  EXPECT_THAT(text_of(counterset), Not(HasSubstr("NO counter")));
  counterset.ranked_by = "c1";
  EXPECT_THAT(
      text_of(counterset),
      HasSubstr(
          "  NO counter \"c1\" (did you mean \"c\"?): instances.max keeps the first instances\n"));
  counterset.counters.shown.clear();
  counterset.all_counters = {"c", "Handle Count"};
  counterset.ranked_by = "Handle Cnt";
  EXPECT_THAT(text_of(counterset), HasSubstr("\"Handle Cnt\" (did you mean \"Handle Count\"?)"));
  counterset.ranked_by = "unheard of";
  EXPECT_THAT(text_of(counterset), HasSubstr("  NO counter \"unheard of\": instances"));
}

TEST(PlanReport, NamesAreListedWhereThereAreSeveral) {
  ResolvedCounterset counterset = found();
  EXPECT_THAT(text_of(counterset), HasSubstr("\nlabel\n"));
  counterset.names = {"label", "other"};
  EXPECT_THAT(text_of(counterset), HasSubstr("\nlabel (label or other)\n"));
  counterset.machine = "HERE";
  EXPECT_THAT(text_of(counterset), HasSubstr("\nlabel on HERE (label or other)\n"));
}

TEST(PlanReport, ShowsEightNamesAndCountsTheOthers) {
  ResolvedCounterset counterset = found();
  counterset.counters.shown = numbered(8);
  EXPECT_THAT(text_of(counterset), HasSubstr("  counters: n1, n2, n3, n4, n5, n6, n7, n8\n"));
  counterset.counters.shown = numbered(10);
  EXPECT_THAT(text_of(counterset),
              HasSubstr("  counters: n1, n2, n3, n4, n5, n6, n7, n8 and 2 more\n"));
  counterset.counters.hidden = numbered(9);
  EXPECT_THAT(text_of(counterset),
              HasSubstr("  without a metric: n1, n2, n3, n4, n5, n6, n7, n8 and 1 more\n"));
}

TEST(PlanReport, TellsWhatAFilterLeavesOut) {
  ResolvedCounterset counterset = found(true);
  counterset.counters.shown = numbered(2);
  counterset.counters.hidden = numbered(1);
  counterset.all_counters = numbered(3);
  counterset.instances.shown = numbered(1);
  counterset.all_instances = 4;
  EXPECT_THAT(text_of(counterset),
              ::testing::ContainsRegex("label +registry +2s500ms +2 +1 of 4 +3"));
  counterset.all_counters = numbered(4);
  EXPECT_THAT(text_of(counterset), ::testing::ContainsRegex("2 of 4 +1 of 4"));
}

TEST(PlanReport, TellsOfInstancesWhereThereCanBeAny) {
  ResolvedCounterset counterset = found();
  EXPECT_THAT(text_of(counterset), Not(HasSubstr("instance matches")));
  EXPECT_THAT(text_of(counterset), ::testing::ContainsRegex("2s500ms +1 +- +3"));
  counterset = found(true);
  EXPECT_THAT(text_of(counterset), HasSubstr("  NO instance matches at present\n"));
  EXPECT_THAT(text_of(counterset), Not(HasSubstr("total_instances")));
  counterset.instances.shown = numbered(9);
  EXPECT_THAT(text_of(counterset), HasSubstr("  instances: n1, n2, n3, n4, n5, n6, n7, n8 and 1 "));
  counterset.instances.hidden = {"_Total"};
  EXPECT_THAT(text_of(counterset),
              HasSubstr("  on /metrics only with metrics: {total_instances: true}: _Total\n"));
}

TEST(PlanReport, HasNothingThatATerminalObeys) {
  const std::string foreign = "x\x1b[2J\ny", shown = "x\\u001b[2J\\u000ay";
  ResolvedCounterset counterset = found(true);
  counterset.label = counterset.machine = foreign;
  counterset.names = {foreign, foreign};
  counterset.counters = counterset.instances = {.shown = {foreign}, .hidden = {foreign}};
  ResolvedCounterset lost = counterset;
  lost.state->success = false;
  lost.state->error = Error{.code = ErrorCode::kNoSuchName, .where = "counterset"};
  lost.state->nearest = foreign;
  const std::string text = plan_to_text({.file = foreign, .listen = {foreign}},
                                        {.countersets = {counterset, lost}, .unresolved = {}});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\ny")));
  EXPECT_THAT(text,
              HasSubstr("\n" + shown + " on " + shown + " (" + shown + " or " + shown + ")\n"));
  EXPECT_THAT(text, HasSubstr("  counters: " + shown + "\n"));
  EXPECT_THAT(text, HasSubstr("did you mean \"" + shown + "\"?"));
}

TEST(PlanReport, OfWhatCannotBeReadTellsWhyAndWhatToDo) {
  ResolvedCounterset counterset = found();
  counterset.state->success = false;
  counterset.state->error = Error{.code = ErrorCode::kNoSuchName, .where = "counterset"};
  EXPECT_THAT(text_of(counterset), ::testing::ContainsRegex("label +auto +2s500ms +- +- +-"));
  EXPECT_THAT(text_of(counterset), HasSubstr("\nlabel\n  cannot be read: counterset "));
  EXPECT_THAT(text_of(counterset), HasSubstr("winperf_exporter doctor"));
  const auto entry = json_of({.countersets = {counterset}, .unresolved = {}})["countersets"][0];
  EXPECT_EQ(entry["success"], false);
  EXPECT_THAT(entry["error"].get<std::string>(), HasSubstr("counterset"));
  EXPECT_FALSE(entry.contains("object"));
}

TEST(PlanReport, OfWhatWasNotLookedUpTellsWhyOnce) {
  ResolvedCounterset counterset = found();
  counterset.state.reset();
  const ResolvedPlan plan{.countersets = {counterset}, .unresolved = "no reason"};
  const std::string text = plan_to_text({.file = "f", .listen = {"a:1"}}, plan);
  EXPECT_THAT(text, ::testing::EndsWith("\nthe countersets were not resolved: no reason\n"));
  EXPECT_THAT(text, Not(HasSubstr("series at present")));
  const auto document = json_of(plan);
  EXPECT_EQ(document["unresolved"], "no reason");
  EXPECT_TRUE(document["countersets"][0]["success"].is_null());
}

TEST(PlanReport, AsADocumentHasWhatTheTextHas) {
  ResolvedCounterset counterset = found(true);
  counterset.names = {"label", "other"};
  counterset.counters.hidden = {"text"};
  counterset.all_counters = numbered(5);
  counterset.instances = {.shown = {"i"}, .hidden = {"_Total"}};
  counterset.all_instances = 7;
  const auto document = json_of({.countersets = {counterset}, .unresolved = {}});
  EXPECT_EQ(document["listen"], nlohmann::json({"a:1", "b:2"}));
  EXPECT_TRUE(document["unresolved"].is_null());
  const auto expected = nlohmann::json::parse(R"({
      "name": "label", "alternatives": ["label", "other"], "interval_seconds": 2.5,
      "configured_path": "auto", "success": true, "error": null, "object": "Object",
      "path": "registry", "counter_names": ["c"], "hidden_counter_names": ["text"],
      "counters_in_all": 5, "instance_names": ["i"], "hidden_instance_names": ["_Total"],
      "instances_in_all": 7, "instances_hidden": 0, "series": 3, "series_without_room": 0})");
  EXPECT_EQ(document["countersets"][0], expected);
  counterset.machine = "HERE";
  EXPECT_EQ(json_of({.countersets = {counterset}, .unresolved = {}})["countersets"][0]["machine"],
            "HERE");
}

}  // namespace
}  // namespace winperf
