// Metric names in the documents exist. The examples of docs/metrics.md are mapped by the real rule
// and rendered; a name that any document mentions is one of these, or one of the exporter's own.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "exporter/profiles/collector.h"
#include "exporter/text/metrics_page.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;
using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Names = std::set<std::string>;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file << " is missing";
  return {std::istreambuf_iterator<char>(in), {}};
}

Names matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  Names found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

const fs::path kRoot = WINPERF_SOURCE_DIR;

// | `Object\Counter` | TYPE | `metric{label="value"}`, ... |
struct Example {
  std::string object;
  std::string counter;
  std::uint32_t type = 0;
  std::string metrics;
};

std::uint32_t type_named(const std::string& name) {
  for (const CounterTypeInfo& info : known_counter_types())
    if (info.name == "PERF_" + name || info.name == "PERF_COUNTER_" + name)
      return value_of(info.type);
  ADD_FAILURE() << "docs/metrics.md names a counter type that is not known: " << name;
  return 0;
}

std::vector<Example> examples() {
  const std::string page = contents(kRoot / "docs/metrics.md");
  const std::regex row(R"(\n\| `([^`\\]+)\\([^`]+)` \| (\w+) \| (`winperf_[^\n]+) \|)");
  std::vector<Example> found;
  for (std::sregex_iterator match(page.begin(), page.end(), row), end; match != end; ++match)
    found.push_back({(*match)[1], (*match)[2], type_named((*match)[3]), (*match)[4]});
  return found;
}

// One instance, every value of which is there: as a count, a base and a point in time.
CountersetSample with_values(CountersetSchema schema) {
  CountersetSample sample = values(std::move(schema), {instance("0", 0)});
  const auto number = static_cast<std::uint64_t>(kSampledAt.ticks);
  std::ranges::fill(sample.raw, number);
  std::ranges::fill(sample.more, number);
  sample.clocks.object_time.ticks = kSampledAt.ticks;
  sample.clocks.object_frequency.ticks_per_second = 10'000'000;
  return sample;
}

bool has_line(const std::string& text, const std::string& begin, const std::string& part) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(begin) && line.find(part) != line.npos) return true;
  return false;
}

class DocumentedNames : public ::testing::Test {
 protected:
  // A page with everything: the examples' counters, and every state of the exporter's own metrics.
  DocumentedNames() {
    registry_.count_abandoned_match("x");
    registry_.count_discovery(true);
    registry_.show_discovery({});
    registry_.count_handshake_failure("protocol");
    registry_.show_certificate("a:1", ExporterRegistry::Validity{});
    registry_.count_request("/metrics", 200);
    registry_.show_scrapes(1, 1.0);
    registry_.show_event_streams(1);
    registry_.show_recorder(ExporterRegistry::Recorded{});
    registry_.show_captures("counter");
    registry_.show_own_counters(1, 0);
    std::map<std::string, std::vector<CounterSchema>> objects;
    for (const Example& example : examples()) {
      auto& counters = objects[example.object];
      counters.push_back(
          counter(example.counter, example.type, 4 + 2 * std::uint32_t(counters.size())));
    }
    std::vector<CountersetState> states;
    for (const auto& [name, counters] : objects)
      states.push_back(state(name, with_values(object(name, counters, true))));
    CountersetSample missing = values(object("x", {counter("y", kBulkCount)}));
    missing.reason.assign(1, NoValue::kFirstSample);
    states.push_back(state("x", missing));
    states.front().late_seconds = 0.5;
    CountersetState absent;
    absent.name = "Absent";
    absent.is_absent = true;
    states.push_back(absent);
    auto everything = sample(1, std::move(states));
    Error last;
    everything->problems.push_back({"x", ErrorCode::kTruncated, 1, last});
    everything->workers.push_back({.name = "registry",
                                   .start_seconds = 1,
                                   .private_bytes = 1,
                                   .shared_bytes = 1,
                                   .handles = 1,
                                   .threads = 1});
    ProviderState provider;
    provider.error = last;
    provider.query_seconds = 1;
    provider.reply_bytes = 1;
    provider.harms = 1;
    everything->providers.push_back(provider);
    auto facts = std::make_shared<FactSnapshot>();
    facts->topics.push_back({.topic = FactTopic::kOs,
                             .stale_after = std::chrono::seconds(1),
                             .table = std::make_shared<const FactTable>(),
                             .read_at = kTaken,
                             .attempts = 1});
    facts_.publish(std::move(facts));
    slot_.publish(everything);
    registry_.count_shed("queue");
    text_ = page_.text().str();
    names_ = matches(text_, "# TYPE (\\w+) ");
    for (const FactMetric& metric : fact_metrics(MetricProfile::kWinperf))
      names_.emplace(metric.name);
    names_.insert("winperf_textfile_error");
  }

  SampleSlot slot_;
  FactSlot facts_;
  ExporterRegistry registry_{{"1.2.3", "abc", "gcc", "linux", "x86_64"}, kSampledAt, [] {
                               return ProcessFacts{.cpu_seconds = 2};
                             }};
  MetricsPage page_{slot_,
                    registry_,
                    MappingOptions{},
                    [] { return kTaken; },
                    {.slot = &facts_},
                    [] {
                      return TargetsReport{.targets = {{.host = "srv-1",
                                                        .module = kDefaultModule,
                                                        .is_up = true,
                                                        .read_at = kTaken}},
                                           .probed = ProbedTargets{}};
                    }};
  std::string text_;
  Names names_;
};

TEST_F(DocumentedNames, ExamplesAreWhatTheRuleGives) {
  const std::vector<Example> all = examples();
  EXPECT_THAT(all, SizeIs(::testing::Ge(12u))) << "the table of examples is not read any more";
  for (const Example& example : all) {
    for (const std::string& name : matches(example.metrics, "`(winperf_\\w+)"))
      EXPECT_THAT(names_, Contains(name)) << example.object << '\\' << example.counter;
    for (const std::string& series : matches(example.metrics, "`(winperf_\\w+\\{[^}]*)\\}`")) {
      const std::size_t brace = series.find('{');
      const std::string name = series.substr(0, brace), labels = series.substr(brace + 1);
      EXPECT_TRUE(has_line(text_, name + '{', labels)) << series;
    }
  }
}

// In code blocks and between back quotes; "winperf_x_..." is a pattern, not a name.
TEST_F(DocumentedNames, InEveryDocumentExist) {
  std::vector<fs::path> documents{kRoot / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
    // Other tests compare the list with what the program says, and try the queries; from-0.1.md
    // has names of earlier versions.
    if (entry.path().extension() == ".md" && entry.path().filename() != "metric-list.md" &&
        entry.path().filename() != "runbooks.md" && entry.path().filename() != "from-0.1.md" &&
        entry.path().parent_path().filename() != "recipes" &&
        entry.path().parent_path().filename() != "collectors")
      documents.push_back(entry.path());
  EXPECT_THAT(documents, SizeIs(::testing::Gt(15u)));
  // What is called like that and is no metric: the product, its DLL, CMake's targets and functions.
  const Names others{"winperf_exporter",           "winperf_room",          "winperf_add_test",
                     "winperf_exporter_simulated", "winperf_installer",     "winperf_options",
                     "winperf_exporter_perf",      "winperf_exporter_trial"};
  std::size_t checked = 0;
  for (const fs::path& document : documents) {
    for (const std::string& name :
         matches(contents(document), R"(\b(winperf_[a-z0-9_]*[a-z0-9])(?![\w<*]))")) {
      if (others.contains(name)) continue;
      EXPECT_THAT(names_, Contains(name)) << document.filename();
      ++checked;
    }
  }
  EXPECT_GT(checked, 20u);
}

// The page of the exporter's own metrics is complete, and its tables have nothing else.
TEST_F(DocumentedNames, OwnMetricsAreThoseOfTheTable) {
  Names documented;
  std::istringstream lines(contents(kRoot / "docs/own-metrics.md"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string first = line.substr(0, line.find('|', 1));
    for (const std::string& name : matches(first, "`(\\w+)[`{]"))
      documented.insert("winperf_exporter_" + name);
  }
  Names own;
  for (const std::string& name : names_)
    if (name.starts_with("winperf_exporter_")) own.insert(name);
  EXPECT_EQ(documented, own);
}

// A number that perfmon shows, too, has the same help in both places.
TEST_F(DocumentedNames, MetricsOfRowsHaveTheirHelp) {
  std::size_t checked = 0;
  for (const own::ObjectRow* const object : own::kObjects)
    for (const own::CounterRow& row : object->counters) {
      if (row.metric == nullptr) continue;
      const std::string line = std::string("# HELP ") + row.metric + ' ' + row.english.help + '\n';
      EXPECT_THAT(text_, HasSubstr(line)) << row.symbol;
      ++checked;
    }
  EXPECT_GE(checked, 15u);
}

}  // namespace
}  // namespace winperf
