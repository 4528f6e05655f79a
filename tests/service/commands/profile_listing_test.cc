#include "service/commands/metric_listing.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

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
  for (const char* key : {"name", "type", "labels", "source", "served"})
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

TEST(ProfileDocumentation, ListsEveryMetric) {
  std::string page =
      "# The metrics by windows_exporter's names\n\n"
      "`winperf_exporter metrics --profile windows_exporter` and `--profile "
      "windows_exporter_legacy` "
      "have made these\nlists. [windows-exporter-names.md](windows-exporter-names.md) explains "
      "them.\n";
  for (const MetricProfile profile :
       {MetricProfile::kWindowsExporter, MetricProfile::kWindowsExporterLegacy}) {
    page += "\n## " + std::string(name_of(profile)) + "\n\n";
    page += "| metric | type | labels | source |\n|---|---|---|---|\n";
    for (const ProfileMetric& metric : list_profile(profile, {})) {
      std::string labels;
      for (const std::string& label : metric.labels)
        labels += (labels.empty() ? "`" : ", `") + label + '`';
      page += "| `" + metric.name + "` | " + metric.type + " | " + labels + " | " +
              cell(metric.source) + " |\n";
    }
  }
  expect_content(kDocs / "windows-exporter-list.md", page);
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
