// The documents about countersets, names, the machine and the page.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "collectors/recorder/recorder.h"
#include "exporter/api/counterset_documents.h"
#include "exporter/api/documents.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf::api {
namespace {

using namespace winperf::testing;  // NOLINT: builders of this room's tests
using nlohmann::ordered_json;

TEST(CountersetsDocument, HasTheStateOfEach) {
  auto published = typical_sample(1);
  CountersetState& failed = published->countersets.emplace_back();
  failed.name = "Memry";
  failed.error = Error{.code = ErrorCode::kNoSuchObject, .where = "catalog"};
  failed.nearest = "Memory";
  failed.attempts = 1;
  CountersetState& absent = published->countersets.emplace_back();
  absent.name = "Absent";
  absent.is_absent = true;
  published->countersets.emplace_back().name = "New";
  published->countersets[0].interval = std::chrono::milliseconds(1500);
  published->countersets[0].skipped_ticks = 4;
  published->countersets[0].late_seconds = 0.75;
  const std::vector<std::uint64_t> series{7, 3, 0, 0, 0};
  const auto list = ordered_json::parse(
      countersets_document(*published, series, kTaken + std::chrono::seconds(2)))["countersets"];
  EXPECT_EQ(list[0].dump(),
            R"({"name":"Processor","object":"Processor","path":"registry","object_index":238,)"
            R"("status":"ok","reason":null,"sentence":null,"repair":[],"interval_seconds":1.5,)"
            R"("age_seconds":2.0,"duration_seconds":0.25,"attempts":3,"failures":1,"missed":4,)"
            R"("late_seconds":0.75,"counters":2,"instances":3,"series":7})");
  EXPECT_EQ(list[1]["instances"], nullptr);
  EXPECT_EQ(list[2]["status"], "failed");
  EXPECT_EQ(list[2]["reason"], std::string(name_of(ErrorCode::kNoSuchObject)));
  EXPECT_THAT(std::string(list[2]["sentence"]), ::testing::HasSubstr("did you mean \"Memory\"?"));
  EXPECT_EQ(list[2]["age_seconds"], nullptr);
  EXPECT_EQ(list[3]["status"], "absent");
  EXPECT_EQ(list[4]["status"], "pending");
  const auto later = ordered_json::parse(
      countersets_document(*published, {}, kTaken + std::chrono::hours(1)))["countersets"];
  EXPECT_EQ(later[0]["status"], "stale");
  EXPECT_EQ(later[0]["series"], nullptr);
}

TEST(CountersetsDocument, SaysWhatToDoAboutThoseThatFail) {
  auto published = typical_sample(1);
  CountersetState& failed = published->countersets.emplace_back();
  failed.name = "Memry";
  failed.error = Error{.code = ErrorCode::kNoSuchName, .where = "counterset"};
  std::vector<std::string> asked;
  const Advise advise = [&](const CountersetState& state) {
    asked.push_back(state.name);
    return Advice{.sentence = "it is called Memory",
                  .repair = {{.command = "list", .text = "shows it"}, {.text = "write it"}}};
  };
  const auto list =
      ordered_json::parse(countersets_document(*published, {}, kTaken, advise))["countersets"];
  EXPECT_EQ(asked, std::vector<std::string>{"Memry"});
  EXPECT_EQ(list[0]["repair"], ordered_json::array());
  EXPECT_EQ(list[2]["reason"], "no_such_name");
  EXPECT_EQ(list[2]["sentence"], "it is called Memory");
  EXPECT_EQ(list[2]["repair"], ordered_json::parse(R"([{"command":"list","text":"shows it"},
                                                       {"command":null,"text":"write it"}])"));
  MetricNames names({});
  const auto one = ordered_json::parse(counterset_document(*published, 2, names, kTaken, advise));
  EXPECT_EQ(one["sentence"], "it is called Memory");
  EXPECT_EQ(one["repair"], list[2]["repair"]);
}

TEST(CountersetDocument, HasMetricsOfEachCounterWithTheirPromQl) {
  MetricNames names({});
  const auto document =
      ordered_json::parse(counterset_document(*typical_sample(1), 0, names, kTaken));
  EXPECT_EQ(document["instance_names"], ordered_json::parse(R"(["0","1","_Total"])"));
  EXPECT_EQ(document["multi_instance"], true);
  const auto& time = document["counters"][0];
  EXPECT_EQ(time["name"], "% Processor Time");
  EXPECT_EQ(time["type_name"], "PERF_100NSEC_TIMER_INV");
  EXPECT_EQ(time["help"], "What it is.");
  EXPECT_FALSE(time.contains("base_type"));
  std::vector<std::string> expressions;
  for (const auto& metric : document["counters"][1]["metrics"])
    expressions.push_back(metric["promql"]);
  EXPECT_THAT(expressions, ::testing::UnorderedElementsAre("rate(winperf_cpu_interrupts_total[5m])",
                                                           "winperf_cpu_interrupts_per_second"));
}

TEST(MetricNames, OnAUsualPageSayWhichItHas) {
  MappingOptions options;
  options.detail = PageDetail::kUsual;
  MetricNames names(options);
  const auto sample = typical_sample(1);
  std::map<std::string, bool> on_page;
  const auto metrics = names.of(*sample, 0);
  for (const NamedMetric& metric : metrics[1]) on_page[metric.name] = metric.on_page;
  EXPECT_EQ(on_page, (std::map<std::string, bool>{{"winperf_cpu_interrupts_per_second", false},
                                                  {"winperf_cpu_interrupts_total", true}}));
}

TEST(MetricNames, DivideByTheBase) {
  CounterSchema average = counter("Avg. Waits/Lock", kAverageBulk);
  CounterSchema fraction = counter("% Hit Rate", kSampleFraction);
  auto published = sample(1, {state("Locks", values(object("Locks", {average, fraction})))});
  MetricNames names({});
  std::map<std::string, std::string> promql;
  for (const auto& counter : names.of(*published, 0))
    for (const NamedMetric& metric : counter) promql[metric.name] = with_labels(metric, "a=\"b\"");
  int divided = 0;
  for (const auto& [name, expression] : promql) {
    if (expression.find(" / rate(") == std::string::npos) continue;
    ++divided;
    EXPECT_THAT(expression, ::testing::HasSubstr("_base_total{a=\"b\"}[5m])"));
  }
  EXPECT_EQ(divided, 2);
}

TEST(CountersDocument, FindsTextsInNamesFirst) {
  auto published = typical_sample(1);
  const auto names = [&](const std::string& text) {
    std::vector<std::string> found;
    const auto document = ordered_json::parse(counters_document(*published, text));
    for (const auto& counter : document["counters"]) found.push_back(counter["name"]);
    return found;
  };
  EXPECT_EQ(names("PAGE"), std::vector<std::string>{"Page Faults/sec"});
  EXPECT_EQ(names("memory").size(), 2U) << "the counterset";
  EXPECT_EQ(names("what it is").size(), 4U) << "the help";
  EXPECT_EQ(names("").size(), 4U);
  EXPECT_TRUE(names("nothing like it").empty());
}

TEST(NamesDocument, HasSeriesOfTheSelectedInstances) {
  MetricNames names({});
  const CountersetIndex index(typical_sample(1));
  const auto text = names_document(index, R"(\Processor(1)\Interrupts/sec)", names);
  ASSERT_TRUE(text);
  const auto document = ordered_json::parse(*text);
  EXPECT_EQ(document["path"], R"(\Processor(1)\Interrupts/sec)");
  EXPECT_EQ(document["sampled"], true);
  EXPECT_EQ(document["configuration"], "countersets:\n  - '\\Processor(1)\\Interrupts/sec'\n");
  ASSERT_EQ(document["counters"].size(), 1U);
  std::vector<std::string> expressions;
  for (const auto& metric : document["counters"][0]["metrics"]) {
    ASSERT_EQ(metric["series"].size(), 1U);
    EXPECT_EQ(metric["series"][0]["instance"], "1");
    EXPECT_EQ(metric["series"][0]["labels"], ordered_json::parse(R"({"core":"1"})"));
    expressions.push_back(metric["series"][0]["promql"]);
  }
  EXPECT_THAT(expressions,
              ::testing::UnorderedElementsAre("rate(winperf_cpu_interrupts_total{core=\"1\"}[5m])",
                                              "winperf_cpu_interrupts_per_second{core=\"1\"}"));
}

TEST(NamesDocument, OfWhatIsNotSampledHasTheConfiguration) {
  MetricNames names({});
  const CountersetIndex index(typical_sample(1));
  const auto text = names_document(index, R"(\\SRV\It's(a)\b)", names);
  EXPECT_FALSE(text) << "another machine's";
  const auto other = names_document(index, R"(\It's(a)\b)", names);
  ASSERT_TRUE(other);
  EXPECT_EQ(ordered_json::parse(*other)["sampled"], false);
  EXPECT_EQ(ordered_json::parse(*other)["configuration"], "countersets:\n  - '\\It''s(a)\\b'\n");
  EXPECT_EQ(names_document(index, "Memory", names).error().parameter, "path");
}

TEST(MachineDocument, HasWhatFactsAndCountersKnow) {
  auto table = std::make_shared<FactTable>();
  table->add()
      .text("hostname", "SRV01")
      .text("product", "Windows Server 2022")
      .number("boot_time", 1000);
  const FactSnapshot facts{.topics = {{.topic = FactTopic::kOs,
                                       .stale_after = std::chrono::minutes(1),
                                       .table = table,
                                       .read_at = kTaken}}};
  const BuildInfo build{"1.2", "abc", "gcc", "windows", "x86_64"};
  const MachineNow now{.steady = kTaken,
                       .wall = Ticks100ns{kUnixEpoch100ns + 1060 * kTicks100nsPerSecond}};
  const auto document = ordered_json::parse(
      machine_document({.sample = typical_sample(1).get(), .facts = &facts}, build, now));
  EXPECT_EQ(document["name"], "SRV01");
  EXPECT_EQ(document["os"]["product"], "Windows Server 2022");
  EXPECT_EQ(document["os"]["edition"], nullptr);
  EXPECT_EQ(document["boot_time"], "1970-01-01T00:16:40.0000000Z");
  EXPECT_EQ(document["uptime_seconds"], 60.0);
  EXPECT_EQ(document["clocks"]["time_100ns"], "128315796986148066");
  EXPECT_EQ(document["exporter"]["version"], "1.2");
  const auto target = ordered_json::parse(
      machine_document({.sample = typical_sample(1).get()}, build, now, "srv-1"));
  EXPECT_EQ(target["name"], "srv-1");
  EXPECT_EQ(target["time"], nullptr) << "its clock isn't read";
  const auto nothing =
      ordered_json::parse(machine_document({}, build, {.steady = kTaken, .wall = {}}));
  EXPECT_EQ(nothing["name"], nullptr);
  EXPECT_EQ(nothing["clocks"], nullptr);
  EXPECT_EQ(nothing["uptime_seconds"], nullptr);
}

Sample sample_of_processors(const char* name, const std::vector<std::string>& instances) {
  Sample sample;
  CountersetState& state = sample.countersets.emplace_back();
  auto schema = std::make_shared<CountersetSchema>();
  schema->name = name;
  schema->multi_instance = true;
  auto set = std::make_shared<InstanceSet>();
  for (const std::string& instance : instances) set->instances.emplace_back().name = instance;
  auto values = std::make_shared<CountersetSample>();
  const auto layout = layout_of(*schema);
  prepare(*values, std::move(schema), layout, std::move(set), {});
  state.sample = std::move(values);
  state.success = true;
  state.sampled_at.steady = kTaken;
  return sample;
}

TEST(MachineDocument, CountsProcessorsThatAreAllThere) {
  struct Row {
    const char* object;
    std::vector<std::string> instances;
    ordered_json count;
  };
  for (const Row& row :
       {Row{"Processor", {"0", "1", "2", "_Total"}, 3},
        Row{"Processor Information", {"0,0", "0,1", "0,_Total", "1,0", "1,_Total", "_Total"}, 3},
        Row{"Processor Information", {"_Total", "0,_Total", "0,0", "1,1", "1,2"}, 3},
        Row{"Processor", {"0", "1", "2"}, nullptr}, Row{"Processor", {"1", "_Total"}, nullptr},
        Row{"Processor", {"0", "2", "_Total"}, nullptr}, Row{"Processor", {"_Total"}, nullptr},
        Row{"Processor", {"0", "x", "_Total"}, nullptr},
        Row{"Process", {"0", "1", "_Total"}, nullptr}}) {
    const Sample sample = sample_of_processors(row.object, row.instances);
    const auto document = ordered_json::parse(
        machine_document({.sample = &sample}, {}, {.steady = kTaken, .wall = {}}));
    EXPECT_EQ(document["logical_processors"], row.count) << row.object << row.instances.size();
  }
}

TEST(MachineDocument, TakesProcessorsFromFactsFirst) {
  auto table = std::make_shared<FactTable>();
  for (const double threads : {64, 96}) table->add().number("logical_processors", threads);
  const FactSnapshot facts{.topics = {{.topic = FactTopic::kProcessors,
                                       .stale_after = std::chrono::minutes(1),
                                       .table = table,
                                       .read_at = kTaken}}};
  const Sample sample = sample_of_processors("Processor", {"0", "1", "_Total"});
  EXPECT_EQ(
      ordered_json::parse(machine_document({.sample = &sample, .facts = &facts}, {},
                                           {.steady = kTaken, .wall = {}}))["logical_processors"],
      160);
}

TEST(MachineDocument, TellsHowFarBackTheRecorderReaches) {
  const MachineNow now{.steady = kTaken, .wall = {}};
  EXPECT_EQ(ordered_json::parse(machine_document({}, {}, now))["recorder"], nullptr);
  recorder::Recorder recorder(100'000);
  Sample sample = *typical_sample(1);
  for (CountersetState& state : sample.countersets)
    state.sampled_at = {.steady = kTaken, .wall = {kUnixEpoch100ns + 1'000 * kTicks100nsPerSecond}};
  sample.countersets.back().sampled_at.wall.ticks -= kTicks100nsPerSecond;
  sample.countersets.back().sampled_at.steady -= std::chrono::seconds(1);
  recorder.add(sample);
  const auto history = recorder.history();
  const auto told = ordered_json::parse(machine_document({.history = history.get()}, {}, now));
  EXPECT_EQ(told["recorder"]["oldest"], "1970-01-01T00:16:39.0000000Z");
  EXPECT_EQ(told["recorder"]["bytes"], history->memory);
  EXPECT_EQ(told["recorder"]["budget_bytes"], 100'000);
}

// A target may send what it likes.
TEST(MachineDocument, HasAnUptimeOnlyFromOneFreshValue) {
  const auto uptime = [](std::size_t instances, SteadyTime::duration age) {
    auto schema = std::make_shared<CountersetSchema>();
    schema->name = "System";
    schema->multi_instance = true;
    for (const char* const name : {"A", "System Up Time"})
      schema->counters.emplace_back().name = name;
    auto set = std::make_shared<InstanceSet>();
    set->instances.resize(instances);
    auto values = std::make_shared<CountersetSample>();
    const auto layout = layout_of(*schema);
    prepare(*values, std::move(schema), layout, std::move(set), {});
    if (instances == 1) {
      values->cooked = {1, 42};
      values->reason = {NoValue::kFirstSample, NoValue::kNone};
    }
    Sample sample;
    CountersetState& state = sample.countersets.emplace_back();
    state.sample = std::move(values);
    state.success = true;
    state.stale_after = std::chrono::minutes(1);
    state.sampled_at.steady = kTaken - age;
    return ordered_json::parse(machine_document(
        {.sample = &sample}, {}, {.steady = kTaken, .wall = {}}, "srv-1"))["uptime_seconds"];
  };
  EXPECT_EQ(uptime(1, {}), 42);
  EXPECT_EQ(uptime(1, std::chrono::minutes(3)), nullptr);
  EXPECT_EQ(uptime(0, {}), nullptr);
  EXPECT_EQ(uptime(2, {}), nullptr);
}

TEST(FamilyDocument, HasEverySeriesWithItsDigits) {
  const std::string page =
      "# HELP a_bytes A \\\\ b\\nc.\n# TYPE a_bytes gauge\na_bytes{x=\"q\\\"\\\\\\n}\",y=\"2\"} "
      "18446744073709551615\na_bytes NaN\n# HELP h H.\n# TYPE h histogram\n"
      "h_bucket{le=\"+Inf\"} 1e+06\nh_sum 1.5\n# HELP n No series.\n# TYPE n counter\n";
  EXPECT_EQ(
      family_document(page),
      R"({"families":[{"name":"a_bytes","type":"gauge","unit":"bytes","help":"A \\ b\u000ac.",)"
      R"("series":[{"labels":{"x":"q\"\\\u000a}","y":"2"},"value":18446744073709551615},)"
      R"({"labels":{},"value":"NaN"}]},)"
      R"({"name":"h","type":"histogram","unit":null,"help":"H.",)"
      R"("series":[{"name":"h_bucket","labels":{"le":"+Inf"},"value":1e+06},)"
      R"({"name":"h_sum","labels":{},"value":1.5}]},)"
      R"({"name":"n","type":"counter","unit":null,"help":"No series.","series":[]}]})"
      "\n");
  EXPECT_EQ(family_document(""), "{\"families\":[]}\n");
}

}  // namespace
}  // namespace winperf::api
