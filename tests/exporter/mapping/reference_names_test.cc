// Every counter that the reference pages name, all on one page: no two get the same name, and none
// needs a hash.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "exporter/mapping/counter_name.h"
#include "exporter/mapping/object_mapping.h"
#include "tests/exporter/support/name_lint.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

using Counters = std::map<std::string, std::map<std::string, std::uint32_t>>;  // by object

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 1, end; (end = line.find('|', at)) != std::string::npos; at = end + 1)
    cells.push_back(trimmed(line.substr(at, end - at)));
  return cells;
}

// "object `LogicalDisk(*)`", "object: A / B", "System (2)", "PhysicalDisk (234) / LogicalDisk
// (236)".
std::vector<std::string> objects_in(std::string heading) {
  heading.resize(std::min(heading.find(", label"), heading.size()));
  std::vector<std::string> objects;
  const auto find = [&](const char* pattern) {
    const std::regex expression(pattern);
    for (std::sregex_iterator match(heading.begin(), heading.end(), expression), end; match != end;
         ++match)
      objects.push_back(trimmed((*match)[1]));
  };
  if (heading.find("object") != std::string::npos || heading.starts_with("### `"))
    find(R"(`([^`(]+)(?:\([^`]*\))?`)");
  if (objects.empty()) find(R"(object: ([^(/]+))");
  if (objects.empty()) find(R"((?:^### |/ )([A-Z][\w ]*?) \(\d+\))");
  return objects;
}

// The type that a counter of this name usually has.
std::uint32_t type_of(const std::string& name, const std::string& told) {
  const std::map<std::string, std::uint32_t> known{
      {"CC", kCounterCounter},       {"BC", kBulkCount},        {"RAW", kRawCount},
      {"LRAW", kLargeRawCount},      {"AT", kAverageTimer},     {"AB", kAverageBulk},
      {"100TI", k100nsTimerInverse}, {"100T", k100nsTimer},     {"RF", kRawFraction},
      {"SF", kSampleFraction},       {"P100", kPrecision100ns}, {"QL", kQueueLength},
      {"ELA", kElapsedTime},         {"T100", k100nsTimer},     {"Q100", kQueueLength},
      {"ET", kElapsedTime}};
  const auto found = known.find(told.substr(0, told.find_first_of(" (")));
  if (found != known.end()) return found->second;
  if (name.ends_with("/sec") || name.ends_with("/Sec")) return kBulkCount;
  if (name.starts_with("Avg.")) return kAverageTimer;
  return name.starts_with("%") ? k100nsTimer : kRawCount;
}

void read(const std::filesystem::path& page, Counters& counters) {
  std::ifstream in(page);
  std::vector<std::string> objects;
  std::size_t column = 0, type_column = 0;
  bool in_table = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("##")) objects = objects_in(line);
    if (!line.starts_with("|")) in_table = false;
    if (!line.starts_with("|") || line.starts_with("|--") || objects.empty()) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (!std::exchange(in_table, true)) {
      const auto place = [&](std::initializer_list<const char*> names) {
        return std::size_t(std::ranges::find_first_of(cells, names) - cells.begin());
      };
      column = place({"counter", "name"});
      type_column = place({"perf type", "index"}) == 0 ? 2 : place({"perf type"});
      continue;
    }
    if (column >= cells.size()) continue;
    const std::string name = trimmed(
        std::regex_replace(cells[column], std::regex(R"( \((`.*|first|second|\w+Disk).*)"), ""));
    if (name.size() < 2 || name.starts_with('(') || name.find('`') != std::string::npos ||
        name.find(": ") != std::string::npos)
      continue;
    const std::string told = type_column < cells.size() ? cells[type_column] : "";
    for (const std::string& object : objects) counters[object].emplace(name, type_of(name, told));
  }
}

Counters reference() {
  Counters counters;
  const char* const captures = std::getenv("WINPERF_CAPTURES");
  if (captures == nullptr) return counters;
  const auto folder = std::filesystem::path(captures).parent_path() / "reference";
  for (const char* page :
       {"names.md", "windows-exporter-metrics.md", "windows-exporter-metrics-2.md"})
    read(folder / page, counters);
  return counters;
}

TEST(ReferenceNames, AreDistinctLegalAndNeedNoHash) {
  const Counters counters = reference();
  if (counters.empty()) GTEST_SKIP() << "no reference pages: WINPERF_CAPTURES has none beside it";
  std::vector<ObjectMapping> objects;
  std::size_t count = 0;
  for (const auto& [name, types] : counters) {
    std::vector<CounterSchema> schemas;
    for (const auto& [text, type] : types) schemas.push_back(counter(text, type));
    count += schemas.size();
    const MappingContext context{.interval = {}, .newer_is_sampled = true};
    objects.push_back(map_object(object(name, schemas, true), {}, context));
  }
  EXPECT_GT(counters.size(), 80U);
  EXPECT_GT(count, 1'000U);
  std::vector<const FamilyMapping*> families;
  for (const ObjectMapping& mapping : objects)
    for (const FamilyMapping& family : mapping.families) families.push_back(&family);
  const auto names = resolve_name_clashes(families);
  std::set<std::string> series;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const FamilyMapping& family = *families[i];
    EXPECT_EQ(names[i], family.stem + family.suffix) << family.text.origin;
    EXPECT_EQ(lint_name(names[i], family.type), "") << names[i] << ' ' << family.text.origin;
    EXPECT_TRUE(series.insert(names[i] + family.labels).second)
        << names[i] << ' ' << family.text.origin;
  }
}

}  // namespace
}  // namespace winperf
