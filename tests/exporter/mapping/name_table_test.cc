// The tables of well-known names are free of contradictions, and docs/metric-names.md shows them.
#include "exporter/mapping/name_table.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace winperf {
namespace {

bool is_label_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == text.npos;
}

TEST(NameTable_Objects, AreEachThereOnce) {
  std::set<std::string> seen;
  for (const ObjectRow& row : object_rows())
    for (const std::string_view object : alternatives(row.object))
      EXPECT_TRUE(seen.emplace(object).second) << object;
}

// Prometheus sets these two itself.
TEST(NameTable_Labels, AreNotThoseOfPrometheus) {
  for (const ObjectRow& row : object_rows())
    for (const std::string_view label : {row.instance_label, row.parent_label}) {
      EXPECT_TRUE(is_label_name(label)) << label;
      EXPECT_NE(label, "instance");
      EXPECT_NE(label, "job");
    }
}

TEST(NameTable_Counters, AreEachThereOnce) {
  std::set<std::string> seen;
  for (const CounterRow& row : counter_rows())
    for (const std::string_view object : alternatives(row.object))
      EXPECT_TRUE(seen.insert(std::string(object) + '\\' + std::string(row.counter)).second)
          << object << ' ' << row.counter;
}

TEST(NameTable_Counters, SayOneThingAtATime) {
  for (const CounterRow& row : counter_rows()) {
    EXPECT_EQ(row.label.empty(), row.value.empty()) << row.counter;
    EXPECT_TRUE(row.label.empty() || row.words) << row.counter;
    EXPECT_TRUE(row.covered_by.empty() || row.shown != Shown::kAll) << row.counter;
    // Nobody tells what isn't shown itself.
    for (const std::string_view teller : alternatives(row.covered_by)) {
      const CounterRow& covered_by = counter_row(alternatives(row.object).front(), teller);
      const bool is_shown = covered_by.shown == Shown::kAll ||
                            (covered_by.shown == Shown::kRaw && row.shown == Shown::kCooked) ||
                            (covered_by.shown == Shown::kCooked && row.shown == Shown::kRaw);
      EXPECT_TRUE(is_shown) << row.counter << " by " << teller;
    }
    EXPECT_TRUE(row.shown != Shown::kId || row.words) << row.counter;
  }
}

TEST(NameTable_Alternatives, AreTheTextsBetweenBars) {
  const auto all = [](std::string_view text) {
    std::vector<std::string_view> found;
    for (const std::string_view one : alternatives(text)) found.push_back(one);
    return found;
  };
  EXPECT_THAT(all(""), ::testing::IsEmpty());
  EXPECT_THAT(all("a b"), ::testing::ElementsAre("a b"));
  EXPECT_THAT(all("a|b c|d"), ::testing::ElementsAre("a", "b c", "d"));
}

TEST(NameTable_Lookup, IgnoresCaseAndTakesTheFirstRow) {
  EXPECT_EQ(object_row("logicaldisk").instance_label, "volume");
  EXPECT_EQ(object_row("LogicalDisks").instance_label, "instance_name");
  EXPECT_EQ(object_row(".NET CLR Jit").instance_label, "process");
  EXPECT_EQ(object_row("MSSQL$A:Databases").instance_label, "database");
  EXPECT_EQ(object_row("MSSQL$:Databases").instance_label, "instance_name");
  EXPECT_EQ(object_row("MSSQL$Databases").instance_label, "instance_name");
  EXPECT_EQ(object_row("MSSQL$A").instance_label, "instance_name");
  EXPECT_EQ(counter_row("PHYSICALDISK", "disk reads/sec").value, "read");
  EXPECT_EQ(counter_row("ICMP", "Messages Sent/sec").value, "sent");
  EXPECT_TRUE(counter_row("ICMP", "Received Echo").cumulative);
  EXPECT_TRUE(counter_row("Server", "Errors Logon").cumulative);
  EXPECT_FALSE(counter_row("Server", "Error").cumulative);
  EXPECT_FALSE(counter_row("Disk", "Disk Reads/sec").words);
}

std::string code(std::string_view text) { return '`' + std::string(text) + '`'; }

std::string codes_of(std::string_view text) {
  std::string all;
  for (const std::string_view object : alternatives(text))
    all += (all.empty() ? "" : ", ") + code(object);
  return all;
}

std::string number_text(double value) {
  std::ostringstream out;
  out.precision(10);
  out << value;
  return out.str();
}

std::string object_remark(const ObjectRow& row) {
  std::string text;
  if (!row.words.empty()) text = "is called " + code(row.words);
  if (!row.af.empty()) text += ", with `af=\"" + std::string(row.af) + "\"`";
  if (!row.newer.empty()) text += ", unless " + code(row.newer) + " is sampled, too";
  return text;
}

std::string objects_table() {
  std::string table =
      "| object | label of an instance | label of its parent | name |\n|---|---|---|---|\n";
  for (const ObjectRow& row : object_rows()) {
    const ObjectRow plain;
    const bool named = row.instance_label != plain.instance_label;
    table += "| " + codes_of(row.object) + " | " + (named ? code(row.instance_label) : "") + " | " +
             (row.parent_label != plain.parent_label ? code(row.parent_label) : "") + " | " +
             object_remark(row) + " |\n";
  }
  return table;
}

std::string shown_remark(const CounterRow& row) {
  const std::string teller =
      row.covered_by.empty() ? "" : "; the rest is in " + codes_of(row.covered_by);
  switch (row.shown) {
    case Shown::kAll:
      return {};
    case Shown::kCooked:
      return "no running total" + teller;
    case Shown::kRaw:
      return "only the running total" + teller;
    case Shown::kNothing:
      return row.covered_by.empty() ? "left out" : "left out: it is in " + codes_of(row.covered_by);
    case Shown::kId:
      return "a label of the object's `_info`";
  }
  return {};
}

std::string counter_remark(const CounterRow& row) {
  std::vector<std::string> parts;
  if (const std::string shown = shown_remark(row); !shown.empty()) parts.push_back(shown);
  if (row.cumulative) parts.emplace_back("counter");
  if (row.words && row.shown == Shown::kNothing)
    parts.push_back("else words " + code(*row.words));
  else if (row.words)
    parts.push_back(row.words->empty() ? "no words" : "words " + code(*row.words));
  if (!row.label.empty())
    parts.push_back('`' + std::string(row.label) + "=\"" + std::string(row.value) + "\"`");
  if (!row.unit.empty()) parts.push_back("unit " + code(row.unit));
  if (row.factor != 1) parts.push_back("times " + number_text(row.factor));
  if (!row.base_shared_with.empty())
    parts.push_back("its base is that of " + code(row.base_shared_with));
  if (!row.base.empty())
    parts.push_back("its base, times " + number_text(row.base_factor) + ", is " +
                    code(std::string(row.base) + "_bytes"));
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// Neighbours of the same object and remark share a row.
std::string counters_table() {
  std::string table = "| object | counters | correction |\n|---|---|---|\n";
  const auto rows = counter_rows();
  for (std::size_t i = 0; i < rows.size();) {
    const std::string object = codes_of(rows[i].object), remark = counter_remark(rows[i]);
    std::string counters;
    for (;
         i < rows.size() && codes_of(rows[i].object) == object && counter_remark(rows[i]) == remark;
         ++i)
      counters += (counters.empty() ? "" : ", ") + codes_of(rows[i].counter);
    table += "| " + object + " | " + counters + " | " + remark + " |\n";
  }
  return table;
}

// The table that follows a marker, up to the first line that is none of it.
struct Page {
  explicit Page(std::string file) : path(std::move(file)) {
    std::ifstream in(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::pair<std::size_t, std::size_t> table_after(const std::string& marker) const {
    const std::size_t begin = text.find(marker + "\n\n") + marker.size() + 2;
    std::size_t end = begin;
    while (end < text.size() && text[end] == '|') end = text.find('\n', end) + 1;
    return {begin, end};
  }
  std::string path;
  std::string text;
};

void expect_table(const std::string& marker, const std::string& table) {
  Page page(WINPERF_SOURCE_DIR "/docs/metric-names.md");
  ASSERT_NE(page.text.find(marker + "\n\n"), std::string::npos) << marker;
  const auto [begin, end] = page.table_after(marker);
  if (std::getenv("WINPERF_UPDATE_FILES") != nullptr) {
    page.text.replace(begin, end - begin, table);
    std::ofstream(page.path, std::ios::binary) << page.text;
  }
  EXPECT_EQ(Page(page.path).text.substr(begin, table.size()), table)
      << "run this test with WINPERF_UPDATE_FILES=1 in the environment and review the change";
  EXPECT_NE(Page(page.path).text[begin + table.size()], '|');
}

std::string installations_table() {
  std::string table = "| object | is called | label |\n|---|---|---|\n";
  for (const InstallationRow& row : installation_rows()) {
    const std::string name =
        std::regex_replace(std::string(row.name), std::regex(":(first|number)\\}"), "}");
    const std::string value(row.default_value.empty() ? "{installation}" : row.default_value);
    table += "| " + code(name) + " | " + code(row.object) + " | " +
             code(std::string(row.label) + "=\"" + value + '"') + " |\n";
  }
  return table;
}

TEST(NameTable_InTheDocumentation, IsThisOne) {
  expect_table("<!-- the table of installations -->", installations_table());
  expect_table("<!-- the table of objects -->", objects_table());
  expect_table("<!-- the table of counters -->", counters_table());
}

}  // namespace
}  // namespace winperf
