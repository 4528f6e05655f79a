#include "service/commands/metric_listing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/model/sample.h"
#include "exporter/mapping/counter_name.h"
#include "exporter/profiles/collector.h"
#include "exporter/profiles/profile.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kDocs = std::filesystem::path(WINPERF_SOURCE_DIR) / "docs";

const ProfileMetric& metric(const std::vector<ProfileMetric>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &ProfileMetric::name);
  EXPECT_NE(found, list.end()) << name;
  return *found;
}

TEST(ProfileListing, HasEachMetricOnceWithAllItsLabelsAndCounters) {
  const auto list = list_profile(MetricProfile::kWindowsExporter, {});
  EXPECT_TRUE(std::ranges::is_sorted(list, {}, &ProfileMetric::name));
  EXPECT_EQ(std::ranges::adjacent_find(list, {}, &ProfileMetric::name), list.end());
  const ProfileMetric& time = metric(list, "windows_cpu_time_total");
  EXPECT_EQ(time.type, "counter");
  EXPECT_THAT(time.labels, ElementsAre("core", "mode"));
  EXPECT_EQ(time.source,
            "Processor Information\\% Idle Time, % Interrupt Time, % DPC Time, % Privileged Time, "
            "% User Time");
  EXPECT_FALSE(time.served);
  const ProfileMetric& locks = metric(list, "windows_mssql_locks_deadlocks");
  EXPECT_THAT(locks.labels, ElementsAre("resource", "mssql_instance"));
  EXPECT_EQ(locks.source,
            "SQLServer:Locks\\Number of Deadlocks/sec; "
            "MSSQL${mssql_instance}:Locks\\Number of Deadlocks/sec");
  EXPECT_THAT(metric(list, "windows_cpu_logical_processor").labels, IsEmpty());
  EXPECT_THAT(metric(list, "windows_exporter_collector_success").labels, ElementsAre("collector"));
}

TEST(ProfileListing, SaysWhatIsServed) {
  const auto list = list_profile(MetricProfile::kWindowsExporter, {"windows_cpu_time_total"});
  EXPECT_TRUE(metric(list, "windows_cpu_time_total").served);
  EXPECT_FALSE(metric(list, "windows_net_bytes_total").served);
  EXPECT_THAT(profile_to_table(list), HasSubstr("windows_net_bytes_total"));
  const auto json = nlohmann::json::parse(profile_to_json(list));
  EXPECT_EQ(json["metrics"].size(), list.size());
  const auto& first = json["metrics"][0];
  for (const char* key : {"name", "type", "label_names", "from", "served"})
    EXPECT_TRUE(first.contains(key)) << key;
  EXPECT_EQ(first.size(), 5U);
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  std::erase(content, '\r');  // a checkout may have converted the line ends
  return content;
}

void expect_content(const std::filesystem::path& path, const std::string& expected) {
  if (std::getenv("WINPERF_UPDATE_FILES") != nullptr)
    std::ofstream(path, std::ios::binary) << expected;
  EXPECT_EQ(content_of(path), expected)
      << "run this test with WINPERF_UPDATE_FILES=1 in the environment and review the change";
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

constexpr MetricProfile kOthers[] = {MetricProfile::kWindowsExporter,
                                     MetricProfile::kWindowsExporterLegacy};

// The collector of each metric; "" of those that the exporter has about itself.
std::map<std::string, std::string, std::less<>> collectors_by_metric() {
  std::map<std::string, std::string, std::less<>> found;
  for (const MetricProfile profile : kOthers) {
    for (const FactMetric& fact : fact_metrics(profile))
      found.emplace(fact.name, collector_of(fact.topic));
    for (const ProfileBlock& block : profile_blocks(profile))
      for (const ProfileRow& row : block.rows) found.emplace(row.metric, block.collector);
  }
  return found;
}

std::string table_of(MetricProfile profile, std::string_view collector) {
  static const auto collector_of_metric = collectors_by_metric();
  std::string table;
  for (const ProfileMetric& metric : list_profile(profile, {})) {
    const auto known = collector_of_metric.find(metric.name);
    if ((known == collector_of_metric.end() ? "" : known->second) != collector) continue;
    std::string labels;
    for (const std::string& label : metric.labels)
      labels += (labels.empty() ? "`" : ", `") + label + '`';
    table += "| `" + metric.name + "` | " + metric.type + " | " + labels + " | " +
             cell(metric.source) + " |\n";
  }
  return table.empty() ? table : "| metric | type | labels | source |\n|---|---|---|---|\n" + table;
}

// "A|B" is A, or B where the machine lacks A.
std::string countersets_of(const Collector& collector) {
  std::string text;
  for (const ReadObject& object : collector.objects) {
    std::string names(object.name);
    for (std::size_t at = 0; (at = names.find('|', at)) != std::string::npos; at += 4)
      names.replace(at, 1, " or ");
    text += "- " + names + '\n';
  }
  return text;
}

std::string topics_of(const Collector& collector) {
  std::string text;
  for (const ReadTopic& topic : collector.topics)
    text += (text.empty() ? "`" : ", `") + std::string(name_of(topic.topic)) + '`';
  return text;
}

// The recipe about the same product; empty if there is none.
std::string recipe_of(std::string_view collector) {
  constexpr std::pair<std::string_view, std::string_view> kRecipes[] = {
      {"ad", "active-directory"}, {"exchange", "exchange"},  {"hyperv", "hyper-v"}, {"iis", "iis"},
      {"mssql", "sql-server"},    {"netframework", "dotnet"}};
  const auto found =
      std::ranges::find(kRecipes, collector, [](const auto& recipe) { return recipe.first; });
  return found == std::end(kRecipes) ? "" : std::string(found->second);
}

struct Alert {
  std::string name;
  std::string expression;
};

std::vector<Alert> shipped_alerts() {
  std::vector<Alert> alerts;
  std::istringstream lines(
      content_of(kDocs.parent_path() / "packaging/prometheus/alert_rules.yml"));
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find("- alert: "); at != std::string::npos)
      alerts.push_back({line.substr(at + 9), {}});
    else if (!alerts.empty())
      alerts.back().expression += line + '\n';
  }
  return alerts;
}

// Those that query a metric of our own names about one of the collector's countersets.
std::string alerts_of(const Collector& collector) {
  std::string text;
  for (const Alert& alert : shipped_alerts()) {
    bool is_about = false;
    for (const ReadObject& object : collector.objects) {
      const std::string_view names = object.name;
      CountersetSchema schema;
      schema.name = names.substr(0, names.find('|'));
      is_about |= alert.expression.contains("winperf_" + name_object(schema) + '_');
    }
    if (!is_about) continue;
    std::string anchor = alert.name;
    for (char& letter : anchor) letter = ascii_lower(letter);
    text += "- [" + alert.name + "](../runbooks.md#" + anchor + ")\n";
  }
  return text;
}

// What a table's first comment says of its collector: its first sentence, without the full stop.
std::string summary_of(std::string_view collector) {
  std::istringstream lines(content_of(kDocs.parent_path() / "exporter/profiles/windows_exporter" /
                                      (std::string(collector) + ".table")));
  std::string text;
  for (std::string line; std::getline(lines, line) && line.starts_with("# ");)
    text += line.substr(text.empty() ? 2 : 1);
  return text.substr(0, text.find('.', std::min(text.size(), text.find(' '))));
}

// The queries of docs/collectors/queries.txt, with their comments, by the sets' names.
std::map<std::string, std::string, std::less<>> example_queries() {
  std::map<std::string, std::string, std::less<>> found;
  std::istringstream lines(content_of(kDocs / "collectors" / "queries.txt"));
  std::string* queries = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("set "))
      queries = &found[line.substr(4)];
    else if (queries != nullptr && !line.empty())
      *queries += line + '\n';
  }
  return found;
}

std::string page_of(const Collector& collector) {
  const std::string name(collector.name);
  std::string page = "# Collector set `" + name + "`\n\n";
  const std::string countersets = countersets_of(collector);
  const std::string topics = topics_of(collector);
  if (!countersets.empty())
    page += "`collect: [" + name +
            "]` samples those of these countersets that the machine has:\n\n" + countersets;
  else
    page += "`collect: [" + name + "]` samples no counterset.\n";
  if (!topics.empty())
    page +=
        "\nIts facts are the topics " + topics + " of the key `facts` ([facts.md](../facts.md)).\n";
  if (const std::string recipe = recipe_of(name); !recipe.empty())
    page += "\n[The recipe](../recipes/" + recipe + ".md) has queries, alerts and pitfalls.\n";
  if (!collector.objects.empty()) {
    const std::string_view names = collector.objects.front().name;
    page += "\n`winperf_exporter metrics \"" + std::string(names.substr(0, names.find('|'))) +
            "\"` lists the metrics by our own names ([metrics.md](../metrics.md)).\n";
  }
  static const auto examples = example_queries();
  if (const auto queries = examples.find(name); queries != examples.end())
    page += "\n## Example queries\n\n```promql\n" + queries->second + "```\n";
  if (const std::string alerts = alerts_of(collector); !alerts.empty())
    page += "\n## Alerts\n\n" + alerts;
  if (const std::string table = table_of(MetricProfile::kWindowsExporter, name); !table.empty())
    page +=
        "\n## Metrics by windows_exporter's names\n\nWith `metrics: {profiles: "
        "[windows_exporter]}` ([windows-exporter-names.md](../windows-exporter-names.md)):\n\n" +
        table;
  if (const std::string table = table_of(MetricProfile::kWindowsExporterLegacy, name);
      !table.empty())
    page +=
        "\n## By names of older versions\n\nWith `windows_exporter_legacy` in "
        "`metrics.profiles`:\n\n" +
        table;
  if (!collector.missing.empty()) {
    page += "\n## Not served\n\n";
    for (const MissingPart& part : collector.missing) page += "- " + std::string(part.what) + '\n';
  }
  return page;
}

TEST(ProfileDocumentation, HasAPageForEachCollector) {
  std::string index =
      "# Collector sets\n\nEach is named after a collector of windows_exporter, and a word for the "
      "key "
      "`collect`. The pages list the countersets,\nexample queries, the alerts, and the metrics by "
      "windows_exporter's names.\n\n| set | what | countersets | facts |\n|---|---|---|---|\n";
  for (const Collector& collector : collectors()) {
    const std::string name(collector.name);
    index += "| [" + name + "](" + name + ".md) | " + summary_of(name) + " | " +
             std::to_string(collector.objects.size()) + " | " + topics_of(collector) + " |\n";
    expect_content(kDocs / "collectors" / (name + ".md"), page_of(collector));
  }
  index +=
      "\n## About the collectors themselves\n\n" + table_of(MetricProfile::kWindowsExporter, "");
  expect_content(kDocs / "collectors" / "README.md", index);
}

// Each has a page, and from three to six queries.
TEST(ProfileDocumentation, HasQueriesOfKnownCollectors) {
  for (const auto& [name, queries] : example_queries()) {
    EXPECT_NE(std::ranges::find(collectors(), name, &Collector::name), collectors().end()) << name;
    std::istringstream lines(queries);
    int count = 0;
    for (std::string line; std::getline(lines, line);) count += line.starts_with('#') ? 0 : 1;
    EXPECT_GE(count, 3) << name;
    EXPECT_LE(count, 6) << name;
  }
}

// README shows the sets that have tables, each in a few words; those without countersets share a
// row.
TEST(ProfileDocumentation, HasTheSetsInTheReadme) {
  std::string table = "<!-- sets: begin -->\n| set | what |\n|---|---|\n";
  std::string without;
  for (const Collector& collector : collectors()) {
    const std::string name(collector.name);
    const std::string summary = summary_of(name);
    if (summary.empty() || (collector.objects.empty() && collector.topics.empty())) continue;
    if (collector.objects.empty())
      without += (without.empty() ? "`" : ", `") + name + '`';
    else
      table += "| [`" + name + "`](docs/collectors/" + name + ".md) | " +
               summary.substr(0, summary.find(':')) + " |\n";
  }
  table += "| " + without + " | Facts only, without countersets ([facts.md](docs/facts.md)) |\n";
  const std::filesystem::path path = kDocs.parent_path() / "README.md";
  const std::string page = content_of(path);
  const std::size_t begin = page.find("<!-- sets: begin -->\n");
  const std::size_t end = page.find("<!-- sets: end -->");
  ASSERT_LT(begin, end);
  expect_content(path, page.substr(0, begin) + table + page.substr(end));
}

TEST(ProfileDocumentation, HasTheNotesOfTheTables) {
  std::string table = "<!-- notes: begin -->\n| metric | what is different |\n|---|---|\n";
  for (const MetricProfile profile :
       {MetricProfile::kWindowsExporter, MetricProfile::kWindowsExporterLegacy})
    for (const ProfileBlock& block : profile_blocks(profile))
      for (const ProfileRow& row : block.rows)
        if (!row.note.empty()) {
          std::string series(row.metric);
          if (!row.labels.empty()) series += '{' + std::string(row.labels) + '}';
          table += "| `" + cell(series) + "` | " + cell(std::string(row.note)) + " |\n";
        }
  const std::filesystem::path path = kDocs / "windows-exporter-names.md";
  const std::string page = content_of(path);
  const std::size_t begin = page.find("<!-- notes: begin -->\n");
  const std::size_t end = page.find("<!-- notes: end -->");
  ASSERT_LT(begin, end);
  expect_content(path, page.substr(0, begin) + table + page.substr(end));
}

}  // namespace
}  // namespace winperf
