// Holds docs/counter-types.md against the table of counter types, and runs its worked examples.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/collectors/formula/worked_example.h"

namespace winperf::testing {
namespace {

using Cells = std::vector<std::string>;

Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream parts(line.substr(1));
  for (std::string cell; std::getline(parts, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(" `");
    const std::size_t last = cell.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

// The rows of the first table below a heading, without its two header lines.
std::vector<Cells> table_below(const std::string& heading) {
  std::ifstream page(WINPERF_SOURCE_DIR "/docs/counter-types.md");
  EXPECT_TRUE(page) << "docs/counter-types.md is missing";
  std::vector<Cells> rows;
  std::string line;
  while (std::getline(page, line) && line != heading) continue;
  while (std::getline(page, line) && !line.starts_with("## ")) {
    if (line.starts_with('|')) rows.push_back(cells_of(line));
    if (!line.starts_with('|') && !rows.empty()) break;
  }
  EXPECT_GT(rows.size(), 2u) << "no table below " << heading;
  if (rows.size() > 2) rows.erase(rows.begin(), rows.begin() + 2);
  return rows;
}

std::string samples_text(const CounterTypeInfo& info) {
  if (info.formula == Formula::kNone) return "-";
  return info.needs_previous ? "2" : "1";
}

std::string clock_text(const CounterTypeInfo& info) {
  constexpr std::array kTexts{"-", "PerfTime", "100 ns", "object"};
  return kTexts.at(static_cast<std::size_t>(info.time_base));
}

std::string base_text(const CounterTypeInfo& info) {
  constexpr std::array kTexts{"-", "sample", "average", "raw", "multi"};
  return info.is_base ? "is one" : kTexts.at(static_cast<std::size_t>(info.base));
}

std::string unit_text(const CounterTypeInfo& info) {
  if (info.inverse && info.exposition == Exposition::kCounter) return ", idle seconds";
  constexpr std::array kTexts{"", ", seconds", ", seconds", ", ratio", ", start time"};
  return kTexts.at(static_cast<std::size_t>(info.unit));
}

std::string exposition_text(const CounterTypeInfo& info) {
  constexpr std::array kTexts{"-", "gauge", "counter"};
  std::string text = kTexts.at(static_cast<std::size_t>(info.exposition)) + unit_text(info);
  if (info.base == BaseKind::kMulti) return text + "; base: gauge";
  if (info.base == BaseKind::kNone || info.unit == RawUnit::kRatio) return text;
  return text + (info.base == BaseKind::kRaw ? "; base: counter, seconds" : "; base: counter");
}

Cells expected_row(const CounterTypeInfo& info) {
  char value[11];
  std::snprintf(value, sizeof value, "0x%08X", value_of(info.type));
  const auto or_dash = [](std::string_view text) {
    return text.empty() ? std::string("-") : std::string(text);
  };
  return {std::string(info.name),
          value,
          info.raw_bytes == 0 ? "-" : std::to_string(info.raw_bytes),
          samples_text(info),
          clock_text(info),
          base_text(info),
          or_dash(info.suffix),
          or_dash(text_of(info.formula)),
          exposition_text(info)};
}

TEST(CounterTypesPage, ListsTheTableRowByRow) {
  const auto rows = table_below("## The types");
  const auto types = known_counter_types();
  ASSERT_EQ(rows.size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i) EXPECT_EQ(rows[i], expected_row(types[i]));
}

TEST(CounterTypesPage, ListsTheMarksRowByRow) {
  std::vector<Cells> expected;
  for (const KnownReading& known : known_readings()) {
    if (known.fact != KnownReading::Fact::kUnknown) continue;
    char value[19];
    std::snprintf(value, sizeof value, "0x%0*llX", 2 * known.bytes,
                  static_cast<unsigned long long>(known.value));
    expected.push_back({std::string(known.object), std::string(known.counter),
                        std::to_string(known.bytes), value, std::string(known.source)});
  }
  EXPECT_EQ(table_below("## Marks"), expected);
}

TEST(CounterTypesPage, ShowsExamplesThatComeOut) {
  for (const Cells& row : table_below("## Worked examples")) {
    ASSERT_EQ(row.size(), 5u) << row.front();
    const auto type = type_named(row[0]);
    ASSERT_TRUE(type) << "no such type: " << row[0];
    const auto example = parse_example("page", *type, row[1], row[2], row[4]);
    ASSERT_TRUE(example) << "not an example: " << row[0] << ' ' << row[1] << ' ' << row[2];
    expect_result(*example);
  }
}

TEST(CounterTypesPage, HasAnExampleForEachTypeThatIsCooked) {
  std::set<std::string> shown;
  for (const Cells& row : table_below("## Worked examples")) shown.insert(row.front());
  for (const CounterTypeInfo& info : known_counter_types())
    EXPECT_EQ(shown.contains(std::string(info.name)), info.formula != Formula::kNone) << info.name;
}

}  // namespace
}  // namespace winperf::testing
