// The files that are made from the table of the exporter's own counters: what lodctr reads, and the
// tables of docs/own-counters.md. With WINPERF_UPDATE_FILES=1 in the environment the test writes
// them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "collectors/model/counter_type.h"
#include "collectors/wire/text.h"
#include "exporter/counters/own_counters.h"

namespace winperf::own {
namespace {

const std::filesystem::path kSourceDir = WINPERF_SOURCE_DIR;
const std::filesystem::path kInstallFiles = kSourceDir / "packaging/windows/counters";

struct OwnLanguage {
  const char* id;  // as lodctr has it: the primary language in hexadecimal
  const char* name;
  OwnText ObjectRow::* of_object;
  OwnText CounterRow::* of_counter;
};
constexpr OwnLanguage kOwnLanguages[]{
    {"009", "English", &ObjectRow::english, &CounterRow::english},
    {"007", "Deutsch", &ObjectRow::german, &CounterRow::german},
    {"00C", "Français", &ObjectRow::french, &CounterRow::french},
};

std::string file_content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream.is_open()) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

void expect_file(const std::filesystem::path& path, const std::string& expected) {
  if (std::getenv("WINPERF_UPDATE_FILES") != nullptr)
    std::ofstream(path, std::ios::binary) << expected;
  EXPECT_TRUE(file_content(path) == expected)
      << path << " isn't what the table says: run this test with WINPERF_UPDATE_FILES=1 in the "
      << "environment and review the change";
}

std::string install_name(const std::string& symbol, const OwnLanguage& language) {
  return symbol + "_" + language.id + "_NAME";
}

void add_texts(std::string& ini, const std::string& symbol, const OwnLanguage& language,
               const OwnText& text) {
  ini += install_name(symbol, language) + "=" + text.name + "\r\n";
  ini += symbol + "_" + language.id + "_HELP=" + text.help + "\r\n";
}

std::string install_texts() {
  std::string ini =
      "[info]\r\ndrivername=winperf_exporter\r\nsymbolfile=winperf_exporter_perf.h\r\n\r\n"
      "[languages]\r\n";
  for (const OwnLanguage& language : kOwnLanguages)
    ini += std::string(language.id) + "=" + language.name + "\r\n";
  ini += "\r\n[objects]\r\n";
  for (const ObjectRow* const object : kObjects)
    ini += install_name(object->symbol, kOwnLanguages[0]) + "=" + object->english.name + "\r\n";
  ini += "\r\n[text]\r\n";
  for (const ObjectRow* const object : kObjects) {
    for (const OwnLanguage& language : kOwnLanguages)
      add_texts(ini, object->symbol, language, object->*language.of_object);
    for (const CounterRow& row : object->counters)
      for (const OwnLanguage& language : kOwnLanguages)
        add_texts(ini, row.symbol, language, row.*language.of_counter);
  }
  return ini;
}

TEST(OwnCounterFiles, HaveTheTextsOfTheTable) {
  std::string expected = "\xFF\xFE";
  for (const char16_t unit : to_utf16(install_texts())) {
    expected.push_back(static_cast<char>(unit & 0xFF));
    expected.push_back(static_cast<char>(unit >> 8));
  }
  expect_file(kInstallFiles / "winperf_exporter_perf.ini", expected);
}

TEST(OwnCounterFiles, HaveTheSymbolsOfTheTable) {
  std::string symbols =
      "// The offsets of the counters' names and descriptions from the first one, for lodctr.\r\n"
      "// Made from exporter/counters/own_counters.h by tests/exporter/counters.\r\n";
  const auto add = [&](const std::string& symbol, std::uint32_t offset) {
    symbols += "#define " + symbol + " " + std::to_string(offset) + "\r\n";
  };
  for (const ObjectRow* const object : kObjects) {
    add(object->symbol, title_offset(*object));
    for (std::size_t i = 0; i < object->counters.size(); ++i)
      add(object->counters[i].symbol, title_offset(*object, i));
  }
  expect_file(kInstallFiles / "winperf_exporter_perf.h", symbols);
}

// --- docs/own-counters.md ---

std::string own_type_name(OwnType type) {
  return std::string(describe(CounterType{static_cast<std::uint32_t>(type)}).name);
}

std::string in_code(std::string_view text) { return "`" + std::string(text) + "`"; }

// Without bases, which no program shows.
std::string counters_table(const ObjectRow& object) {
  constexpr std::string_view kPrefix = "winperf_exporter_";
  std::string table = "| counter | what | type | in `/metrics` |\n|---|---|---|---|\n";
  for (const CounterRow& row : object.counters) {
    if (is_base(row.type)) continue;
    const std::string_view metric = row.metric != nullptr ? row.metric : "";
    EXPECT_TRUE(metric.empty() || metric.starts_with(kPrefix)) << metric;
    table += "| " + in_code(row.english.name) + " | " + row.english.help + " | " +
             in_code(own_type_name(row.type)) + " | " +
             (metric.empty() ? "" : in_code(metric.substr(kPrefix.size()))) + " |\n";
  }
  return table;
}

std::string names_table(const ObjectRow& object) {
  std::string table = "| English | German | French |\n|---|---|---|\n| **" +
                      std::string(object.english.name) + "** | **" + object.german.name +
                      "** | **" + object.french.name + "** |\n";
  for (const CounterRow& row : object.counters)
    if (!is_base(row.type))
      table += std::string("| ") + row.english.name + " | " + row.german.name + " | " +
               row.french.name + " |\n";
  return table;
}

void expect_own_table(const std::string& name, const std::string& table) {
  const std::filesystem::path path = kSourceDir / "docs/own-counters.md";
  std::string page = file_content(path);
  std::erase(page, '\r');  // a checkout may have converted the line ends
  const std::string begin = "<!-- " + name + ": begin -->\n", end = "<!-- " + name + ": end -->\n";
  const std::size_t from = page.find(begin) + begin.size(), to = page.find(end);
  ASSERT_NE(page.find(begin), page.npos) << begin;
  ASSERT_NE(to, page.npos) << end;
  ASSERT_LE(from, to);
  std::string expected = page;
  expected.replace(from, to - from, table);
  if (page != expected) expect_file(path, expected);
}

TEST(OwnCounterFiles, TheDocumentHasTheTable) {
  expect_own_table("winperf_exporter", counters_table(kExporterObject));
  expect_own_table("winperf_exporter counterset", counters_table(kCountersetObject));
  expect_own_table("names of winperf_exporter", names_table(kExporterObject));
  expect_own_table("names of winperf_exporter counterset", names_table(kCountersetObject));
}

}  // namespace
}  // namespace winperf::own
