// Every option of the configuration is seen to act in the program: what is observed with it differs
// from what is observed without it. An option without a row fails.
#include "config/options.h"

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "collectors/sources/platform.h"
#include "config/hosts.h"
#include "config/patterns.h"
#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/page_plan.h"
#include "service/plan/plan.h"
#include "service/plan/setup.h"
#include "service/run/discovery.h"
#include "service/run/run.h"
#include "service/run/threads.h"
#include "service/targets/target_pool.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/service/run/captures_made.h"
#include "tests/service/run/fake_platform.h"
#include "tests/service/run/running_server.h"
#include "tests/support/option_file.h"

namespace winperf {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

Json plain_file() {
  return {{"listen", {{"address", "127.0.0.1"}, {"port", 0}}}, {"countersets", {{{"name", "4"}}}}};
}

Config config_of(const Json& file) {
  auto config = parse_config(file.dump(), "test");
  EXPECT_TRUE(config) << file << describe(config.error().front());
  return config.value_or(Config{});
}

Config config_with(std::string_view path, const Json& value) {
  return config_of(testing::with_option(plain_file(), path, value));
}

// What can be observed of a program with a configuration, as text.
using Observed = std::string;

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

PlannedCounterset planned(const Config& config) { return make_plan(config).at(0); }

// Of an object with a number "a" and a rate "b".
Observed named_metrics(const Config& config) {
  CountersetSchema schema;
  schema.name = "4";
  schema.multi_instance = true;
  schema.counters.emplace_back().name = "a";
  schema.counters.back().type = static_cast<CounterType>(0x00010000);  // PERF_COUNTER_RAWCOUNT
  schema.counters.emplace_back().name = "b";
  schema.counters.back().type = static_cast<CounterType>(0x10410400);  // PERF_COUNTER_COUNTER
  const auto custom = mapping_options(config).custom;
  const auto* const block = custom ? custom->find("4") : nullptr;
  if (block == nullptr) return "";
  std::string all;
  for (const FamilyMapping& family : map_custom(schema, *block))
    all += family.stem + '{' + family.labels + '}' +
           (family.value.source == ValueSource::kCooked ? " cooked " : " ") +
           std::string(name_of(family.type)) + ' ' + instance_labels(*family.block).front();
  return all;
}

Observed read_topics(const Config& config) {
  std::string all;
  for (const PlannedFacts& fact : make_fact_plan(config))
    all.append(name_of(fact.request.topic)) += ' ';
  return all;
}

PlannedFacts planned(const Config& config, FactTopic topic) {
  for (const PlannedFacts& fact : make_fact_plan(config))
    if (fact.request.topic == topic) return fact;
  return {};
}

Observed shown_services(const Config& config) {
  std::string all;
  for (const char* const name : {"a", "b", "c"})
    if (planned(config, FactTopic::kServices).request.rows.check(name).accepted) all += name;
  return all;
}

template <class Named>
Observed accepted(const std::function<bool(Named)>& predicate) {
  std::string all;
  for (const char* const name : {"a", "b", "c"}) {
    std::remove_cvref_t<Named> named{};
    if constexpr (std::is_same_v<std::remove_cvref_t<Named>, CounterSchema>)
      named.name = name;
    else
      named = name;
    if (!predicate || predicate(named)) all += name;
  }
  return all;
}

// Milliseconds from one look for what patterns stand for to the next one.
Observed between_looks(const Config& given) {
  Config config = given;
  config.countersets.front().names = {"*"};
  std::promise<Observed> paused;
  const SteadyTime now;
  const ClockSource clocks{.steady_now = [now] { return now; },
                           .wall_now = [] { return Ticks100ns{}; },
                           .pause_until =
                               [&](SteadyTime next, const StopToken& stop) {
                                 paused.set_value(std::to_string((next - now) / milliseconds(1)));
                                 pause_until(SteadyTime::max(), stop);
                               }};
  ExporterRegistry registry(build_info(), {});
  BackgroundDiscovery keeper([](const Config&, const StopToken&) { return Inventory(); }, true,
                             clocks, std::make_shared<Log>(LogLines{}, nullptr), registry);
  keeper.change(config);
  return paused.get_future().get();
}

Observed stood_for(const Config& config) {
  const Inventory inventory{.countersets = {{.name = "a", .key = "2"},
                                            {.name = "b", .key = "6"},
                                            {.name = "c", .key = "4"}}};
  std::string all;
  for (const CountersetConfig& entry : expanded(config, inventory).countersets) all += entry.label;
  return all;
}

Observed host(const Config& config) {
  testing::RunningServer running(config);
  const std::string url = running.server().urls();
  return url.substr(0, url.rfind(':'));
}

// The lines of one message of each level, as they are logged.
Observed logged(const Config& config) {
  std::ostringstream text;
  LogLines lines = open_log_lines(config.log, {}).value();
  lines.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
  Log log(lines, nullptr);
  log.write(Event::kStarted, "info");
  log.write(Event::kCountersetFails, "warning");
  log.write(Event::kSamplingEnded, "error");
  const std::string all = text.str();
  return std::string(1, all.front()) + ' ' + std::to_string(std::ranges::count(all, '\n'));
}

// How many files there are after ten messages of 40 KiB, of which no two fit into 64 KiB.
Observed log_files(Config config) {
  const testing::TempFolder folder;
  if (config.log.file.empty()) config.log.file = "w.log";
  const auto logger =
      make_logger(config.log, {.config_file = (folder.path() / "w.yaml").string()}).value();
  for (int i = 0; i < 10; ++i)
    logger->write(Event::kCountersetFails, std::to_string(i), std::string(40'000, 'x'));
  return std::to_string(folder.files());
}

Observed captures_of_a_stop(const Config& config) {
  Config stopping = config;
  stopping.recorder.captures.service_stops = true;
  return testing::captures_made(stopping);
}

// Who is asked for an object that nobody has registered.
Observed last_worker_asked(const Config& config) {
  testing::ProvidersHere providers;
  const auto source = isolated({.executable = "a program"}, make_registry_source().value(), config);
  EXPECT_FALSE(source->query("4", {}));
  return std::string(source->health()->workers().back()->state().name);
}

Observed reloads_by_itself(const Config& config) {
  const testing::TempFolder folder;
  const auto file = folder.path() / "w.yaml";
  ReloadGate gate;
  testing::RunningServer running(config);
  Reloader reloader(WatchedFiles(file.string()), gate, running.server(),
                    std::make_shared<Log>(LogLines{}, nullptr));
  std::ofstream(file) << plain_file();
  for (int i = 0; i < 3; ++i) reloader.poll();
  return yes_or_no(running.own("config_reloads_total") > 0);
}

// By which road the server tries to publish its own counters.
Observed own_road(const Config& config) {
  std::atomic<const char*> tried = "";
  const auto road = [&tried](const char* name) {
    return [&tried, name] { return tried = name, std::unexpected(std::string("not here")); };
  };
  testing::RunningServerOptions options;
  options.run.own_counters = {.v1 = road("v1"), .v2 = road("v2")};
  testing::RunningServer(config, options).server().maintain();
  return std::string(tried.load());
}

Observed answer_to_reload(const Config& config) {
  testing::RunningServer running(config, {.reload = [] { return PlainAnswer{200, "reloaded\n"}; }});
  return running.request("POST /-/reload").substr(0, std::string_view("HTTP/1.1 200").size());
}

// What the recorder knows of a process that the facts have an owner of.
Observed kept_owners(const Config& config) {
  const SteadyTime now(std::chrono::seconds(5));
  auto table = std::make_shared<FactTable>();
  table->add().text("process_id", "7").text("owner", "alice");
  FactSlot facts;
  FactSnapshot snapshot;
  snapshot.topics.push_back({.topic = FactTopic::kProcesses, .table = table, .read_at = now});
  facts.publish(std::make_shared<const FactSnapshot>(std::move(snapshot)));
  recorder::Recorder recorder(recorder::kMebibyte);
  OwnerNotes(facts, recorder).note(config.recorder.owners, now);
  testing::Chained chain;
  testing::record(recorder,
                  chain.append(testing::make_raw_sample(testing::schema_of({{.index = 2}}, true),
                                                        testing::instances_named({"a"}),
                                                        testing::at_second(5))),
                  5);
  const auto* const found = recorder.history()->owners.find(7, now, now);
  return found == nullptr ? "" : found->owner;
}

struct Row {
  std::string_view path;
  Json value;
  Observed (*observe)(const Config&);
  Observed without;
  Observed with;
};

// Of the first target of a configuration; "none" if there is none.
template <auto kObserve>
Observed of_target(const Config& config) {
  return config.targets.empty() ? "none" : kObserve(config, config.targets.front());
}
Config as_one_machine(const Config& config, const TargetConfig& target) {
  return winperf::config_of(config, target);
}
Observed target_host(const Config&, const TargetConfig& target) {
  return Json(target.hosts).dump();
}
Observed target_module(const Config& config, const TargetConfig& target) {
  return describe_target(config, target, "srv-1", true).module;
}
Observed target_labels(const Config& config, const TargetConfig& target) {
  return Json(describe_target(config, target, "srv-1", true).labels).dump();
}
Observed target_interval(const Config& config, const TargetConfig& target) {
  return std::to_string(planned(as_one_machine(config, target)).interval.count());
}
Observed target_stale_after(const Config& config, const TargetConfig& target) {
  return std::to_string(planned(as_one_machine(config, target)).stale_after.count());
}
Observed target_path(const Config& config, const TargetConfig& target) {
  return std::string(name_of(planned(as_one_machine(config, target)).path));
}
Observed target_language(const Config& config, const TargetConfig& target) {
  return yes_or_no(name_language(as_one_machine(config, target)) == Language::kMachine);
}
Observed target_set(const Config& config, const TargetConfig& target) {
  return expanded(as_one_machine(config, target),
                  {.countersets = {{.name = "Processor Information", .key = "8"}}})
      .countersets.back()
      .label;
}

// Of 70 machines that answer nothing.
Observed lanes(const Config& config) {
  Config many = config;
  many.targets.emplace_back().countersets = config.countersets;
  for (int i = 0; i < 70; ++i) many.targets.back().hosts.push_back("srv-" + std::to_string(i));
  TargetPool pool(target_tools({}, system_clocks(), std::make_shared<Log>(LogLines{}, nullptr)));
  pool.change(many);
  return std::to_string(pool.report().workers.size());
}

const Row kRows[] = {
    {"remote.workers", 3, lanes, "8", "3"},
    {"targets[].host", {"a", "b*"}, of_target<target_host>, "none", "[\"a\",\"b*\"]"},
    {"targets[].module", "sql", of_target<target_module>, "none", "sql"},
    {"targets[].labels", {{"x", "y"}}, of_target<target_labels>, "none", "[[\"x\",\"y\"]]"},
    {"targets[].interval", "7s", of_target<target_interval>, "none", "7000"},
    {"targets[].stale_after", "70s", of_target<target_stale_after>, "none", "70000"},
    {"targets[].path", "perflib", of_target<target_path>, "none", "perflib"},
    {"targets[].language", "machine", of_target<target_language>, "none", "yes"},
    {"targets[].collect", "cpu", of_target<target_set>, "none", "Processor Information"},
    {"facts[].name", "disks", read_topics,
     "os time memory pagefiles processors disks volumes adapters connections services logons "
     "sessions tasks printers quotas license iis sql_servers ",
     "disks "},
    {"facts[].interval", "7s",
     [](const Config& c) {
       return std::to_string(planned(c, FactTopic::kServices).interval.count());
     },
     "15000", "7000"},
    {"facts[].include", {"a", "b"}, shown_services, "abc", "ab"},
    {"facts[].exclude", {"a"}, shown_services, "abc", "bc"},
    {"facts[].folders", "x",
     [](const Config& c) { return Json(planned(c, FactTopic::kTextfile).request.folders).dump(); },
     "[]", "[\"x\"]"},
    {"listen.address", "localhost", host, "http://127.0.0.1", "http://localhost"},
    {"listen.serve",
     {"metrics", "page"},
     [](const Config& c) {
       testing::RunningServer running(c);
       const auto answer_to = [&](const char* line) { return running.request(line).substr(9, 3); };
       return answer_to("GET /metrics") + ' ' + answer_to("GET /version") + ' ' +
              answer_to("GET /");
     },
     "200 200 200",
     "200 403 200"},
    {"listen.hosts", "alias.example",
     [](const Config& c) {
       return testing::RunningServer(c).request("GET /version", "alias.example:1").substr(9, 3);
     },
     "403", "200"},
    {"listen.cors", "https://a.example",
     [](const Config& c) {
       return testing::RunningServer(c)
           .request("GET /version", "localhost\r\nOrigin: https://a.example")
           .substr(9, 3);
     },
     "403", "200"},
    {"interval", "7s", [](const Config& c) { return std::to_string(planned(c).interval.count()); },
     "5000", "7000"},
    {"stale_after", "70s",
     [](const Config& c) { return std::to_string(planned(c).stale_after.count()); }, "12500",
     "70000"},
    {"discovery_interval", "7s", between_looks, "30000", "7000"},
    {"language", "machine",
     [](const Config& c) { return yes_or_no(name_language(c) == Language::kMachine); }, "no",
     "yes"},
    {"path", "registry", [](const Config& c) { return std::string(name_of(planned(c).path)); },
     "auto", "registry"},
    {"log.level", "error", logged, "2 3", "2 1"},
    {"log.format", "json", logged, "2 3", "{ 3"},
    {"log.file", "a.log",
     [](const Config& c) {
       const testing::TempFolder folder;
       const auto file = (folder.path() / "w.yaml").string();
       EXPECT_TRUE(open_log_lines(c.log, {.config_file = file}));
       return yes_or_no(std::filesystem::exists(folder.path() / "a.log"));
     },
     "no", "yes"},
    {"log.max_bytes", "64KiB", [](const Config& c) { return log_files(c); }, "1", "6"},
    {"log.max_files", 2,
     [](const Config& c) {
       Config small = c;
       small.log.max_bytes = 64 * 1024;
       return log_files(small);
     },
     "6", "3"},
    {"metrics.total_instances", true,
     [](const Config& c) { return yes_or_no(mapping_options(c).total_instances); }, "no", "yes"},
    {"metrics.profiles",
     {"windows_exporter", "winperf"},
     [](const Config& c) {
       std::string names;
       for (const MetricProfile profile : mapping_options(c).profiles)
         names.append(name_of(profile)) += ' ';
       return names;
     },
     "winperf ",
     "winperf windows_exporter "},
    {"metrics.detail", "full",
     [](const Config& c) { return std::to_string(static_cast<int>(mapping_options(c).detail)); },
     "0", "1"},
    {"metrics.leading_processes", 3,
     [](const Config& c) { return std::to_string(mapping_options(c).leading_processes); }, "10",
     "3"},
    {"metrics.values", "raw",
     [](const Config& c) { return std::to_string(static_cast<int>(mapping_options(c).values)); },
     "0", "1"},
    {"limits.max_series", 1234,
     [](const Config& c) { return std::to_string(mapping_options(c).max_series); }, "200000",
     "1234"},
    {"limits.max_requests", 7,
     [](const Config& c) { return std::to_string(front_options(1, c.limits.max_requests).queue); },
     "1024", "7"},
    {"metrics.path", "/other",
     [](const Config& c) {
       testing::RunningServer running(c);
       const auto answer_to = [&](const char* line) { return running.request(line).substr(9, 3); };
       return answer_to("GET /metrics") + ' ' + answer_to("GET /other");
     },
     "200 404", "404 200"},
    {"metrics.exporter", false,
     [](const Config& c) {
       const std::string page = testing::RunningServer(c).request("GET /metrics");
       return yes_or_no(page.contains("\nwinperf_exporter_http_connections ")) + ' ' +
              yes_or_no(page.contains("\nwinperf_exporter_build_info{")) + ' ' +
              yes_or_no(page.contains("\nwinperf_exporter_config_last_reload_successful "));
     },
     "yes yes yes", "no yes yes"},
    {"metrics.created", true, [](const Config& c) { return yes_or_no(mapping_options(c).created); },
     "no", "yes"},
    {"metrics.cap_percentages", true,
     [](const Config& c) { return yes_or_no(planned(c).selection.cook.cap_percent); }, "no", "yes"},
    {"limits.query_timeout", "3s",
     [](const Config& c) {
       EXPECT_TRUE(open_sources({}, c));
       return std::to_string(testing::registry_limits().max_time.count());
     },
     "10000", "3000"},
    {"limits.max_reply_bytes", "1MiB",
     [](const Config& c) {
       EXPECT_TRUE(open_sources({}, c));
       return std::to_string(testing::registry_limits().max_bytes) + ' ' +
              std::to_string(perflib_limits(c).max_bytes);
     },
     "67108864 67108864", "1048576 1048576"},
    {"workers.enabled", false,
     [](const Config& c) {
       const auto source = isolated({.executable = "a program"}, make_registry_source().value(), c);
       return yes_or_no(source->health() != nullptr);
     },
     "yes", "no"},
    {"workers.isolation", "hosts", last_worker_asked, "registry", "rest"},
    {"workers.leave_out", "Perf", last_worker_asked, "registry", "rest"},
    {"workers.shortest_timeout", "3s",
     [](const Config& c) { return std::to_string(worker_limits(c).shortest_timeout.count()); },
     "2000", "3000"},
    {"workers.max_memory", "64MiB",
     [](const Config& c) { return std::to_string(worker_limits(c).max_private_bytes); },
     "536870912", "67108864"},
    {"workers.max_handles", 200,
     [](const Config& c) { return std::to_string(worker_limits(c).max_handles); }, "10000", "200"},
    {"workers.max_threads", 20,
     [](const Config& c) { return std::to_string(worker_limits(c).max_threads); }, "500", "20"},
    {"reload.on_change", false, reloads_by_itself, "yes", "no"},
    {"reload.http", true, answer_to_reload, "HTTP/1.1 403", "HTTP/1.1 200"},
    // What that does is in server_test.cc.
    {"recorder.memory", "5MiB",
     [](const Config& c) { return yes_or_no(recorder_share(c) == 5 * recorder::kMebibyte); }, "no",
     "yes"},
    {"recorder.targets", "srv-1",
     [](const Config& c) { return std::to_string(recorded_targets(c).size()); }, "0", "1"},
    {"recorder.owners", false, [](const Config& c) { return kept_owners(c); }, "alice", ""},
    {"recorder.captures.counterset_fails", true, testing::captures_made, "",
     "logs counterset_fails 900 "},
    {"recorder.captures.service_stops", true, testing::captures_made, "",
     "logs service_stops 900 "},
    {"recorder.captures.counters[].path", "\\c\\d", testing::captures_made, "",
     "logs counter 900 "},
    {"recorder.captures.counters[].above", 4, testing::captures_made, "", "logs counter 900 "},
    {"recorder.captures.counters[].below", 6, testing::captures_made, "", "logs counter 900 "},
    {"recorder.captures.span", "5m", captures_of_a_stop, "logs service_stops 900 ",
     "logs service_stops 300 "},
    {"recorder.captures.folder", "x", captures_of_a_stop, "logs service_stops 900 ",
     "x service_stops 900 "},
    {"own_counters", "v2", own_road, "v1", "v2"},
    {"countersets[].name",
     {"5", "6"},
     [](const Config& c) { return Json(planned(c).names).dump() + planned(c).label; },
     "[\"4\"]4",
     "[\"5\",\"6\"]5"},
    {"collect", "cpu",
     [](const Config& c) {
       return expanded(c, {.countersets = {{.name = "Processor Information", .key = "8"}}})
           .countersets.back()
           .label;
     },
     "4", "Processor Information"},
    {"countersets[].except", {"b*", "4"}, stood_for, "4", "a"},
    {"countersets[].costly", true,
     [](const Config& c) -> Observed { return wants_costly(c) ? "asked" : "not asked"; },
     "not asked", "asked"},
    {"countersets[].interval", "7s",
     [](const Config& c) { return std::to_string(planned(c).interval.count()); }, "5000", "7000"},
    {"countersets[].stale_after", "70s",
     [](const Config& c) { return std::to_string(planned(c).stale_after.count()); }, "12500",
     "70000"},
    {"countersets[].path", "perflib",
     [](const Config& c) { return std::string(name_of(planned(c).path)); }, "auto", "perflib"},
    {"countersets[].instances.include",
     {"a", "b"},
     [](const Config& c) { return accepted(planned(c).selection.instances); },
     "abc",
     "ab"},
    {"countersets[].instances.exclude",
     {"a"},
     [](const Config& c) { return accepted(planned(c).selection.instances); },
     "abc",
     "bc"},
    {"countersets[].instances.id", 7,
     [](const Config& c) {
       const auto id = planned(c).selection.instance_id;
       return id ? std::to_string(*id) : "all";
     },
     "all", "7"},
    {"countersets[].instances.max", 7,
     [](const Config& c) {
       const auto limit = planned(c).selection.limit;
       return limit ? std::to_string(limit->instances) : "all";
     },
     "all", "7"},
    {"countersets[].instances.by", "b",
     [](const Config& c) {
       const auto limit = planned(c).selection.limit;
       return limit ? limit->by : "all";
     },
     "all", "b"},
    {"countersets[].instances.labels", "(?<x>.)(?<y>.)",
     [](const Config& c) {
       const Selection selection = planned(c).selection;
       std::string labels;
       if (selection.labels)
         for (const auto& [name, value] : selection.labels("ab"))
           labels += name + '=' + value + ' ';
       return labels;
     },
     "", "x=a y=b "},
    {"countersets[].instance_label", "core", named_metrics, "", "m{} gauge core"},
    {"countersets[].metrics[].counter", "b", named_metrics, "", "m{} counter instance"},
    {"countersets[].metrics[].name", "n", named_metrics, "", "n{} gauge instance"},
    {"countersets[].metrics[].labels",
     {{"x", "y"}},
     named_metrics,
     "",
     "m{x=\"y\"} gauge instance"},
    {"countersets[].metrics[].type", "counter", named_metrics, "", "m{} counter instance"},
    {"countersets[].metrics[].value", "cooked", named_metrics, "", "m{} cooked gauge instance"},
    {"countersets[].counters.include",
     {"a", "b"},
     [](const Config& c) { return accepted(planned(c).selection.counters); },
     "abc",
     "ab"},
    {"countersets[].counters.exclude",
     {"a"},
     [](const Config& c) { return accepted(planned(c).selection.counters); },
     "abc",
     "bc"},
};

TEST(Options, EachHasARowHere) {
  for (const Option& option : config_options()) {
    // The port has a test of its own below, because none is fixed; web_options_test.cc has the
    // rest.
    if (option.assign == nullptr || option.path == "listen.port" ||
        option.path.starts_with("listen.web"))
      continue;
    EXPECT_EQ(std::ranges::count(kRows, option.path, &Row::path), 1) << option.path;
  }
}

TEST(Options, EachActsWhereItIsUsed) {
  const Config plain = config_of(plain_file());
  for (const Row& row : kRows) {
    EXPECT_EQ(row.observe(plain), row.without) << "without " << row.path;
    EXPECT_EQ(row.observe(config_with(row.path, row.value)), row.with) << row.path;
  }
}

TEST(Options, ThePortIsTheOneThatIsListenedOn) {
  testing::RunningServer first(config_of(plain_file()));
  const std::string url = first.server().urls();
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  const Config same = config_with("listen.port", port);
  Server second(open_sources({}, same).value(), {}, {}, std::make_shared<Log>(LogLines{}, nullptr),
                {});
  const auto started = second.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error(), ::testing::HasSubstr("127.0.0.1:" + std::to_string(port)));
}

TEST(Options, OfACountersetGoBeforeThoseOfAll) {
  Json file = plain_file();
  file["interval"] = "2s";
  file["path"] = "registry";
  file["countersets"] = {{{"name", "4"}, {"interval", "7s"}, {"path", "perflib"}}, {{"name", "5"}}};
  const auto plan = make_plan(config_of(file));
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[0].interval, std::chrono::seconds(7));
  EXPECT_EQ(plan[0].path, CounterPath::kPerflib);
  EXPECT_EQ(plan[1].interval, std::chrono::seconds(2));
  EXPECT_EQ(plan[1].path, CounterPath::kRegistry);
}

}  // namespace
}  // namespace winperf
