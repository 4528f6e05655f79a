#include "exporter/profiles/compile/collector_line.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

using Options = std::vector<std::pair<std::string_view, std::string*>>;  // where each goes

// What is wrong, or nothing.
std::string read_options(std::string_view text, const Options& options) {
  if (text.empty()) return {};
  const auto pairs = read_pairs(text);
  if (!pairs) return "options are written name=\"value\", with commas between them";
  for (const Pair& pair : *pairs) {
    const auto known = std::ranges::find(options, pair.name, &Options::value_type::first);
    if (known == options.end())
      return '\'' + std::string(pair.name) + "' is no option of this statement";
    *known->second = pair.value;
  }
  return {};
}

// A (or) B as A|B.
std::string alternatives(std::string_view text) {
  constexpr std::string_view kOr = " (or) ";
  std::string names(text);
  for (std::size_t at = names.find(kOr); at != names.npos; at = names.find(kOr))
    names.replace(at, kOr.size(), "|");
  return names;
}

// TEXT | OPTIONS | NOTE, of which a statement may have fewer.
struct Cells {
  std::string_view text;
  std::string_view options;
  std::string_view note;
};

std::string read_object(const Cells& cells, std::size_t line, Table& table) {
  Read& read = table.objects.emplace_back();
  read.line = line;
  read.name = alternatives(cells.text);
  return read_options(cells.options, {{"include", &read.include},
                                      {"exclude", &read.exclude},
                                      {"prefix", &read.prefix},
                                      {"part", &read.part}});
}

std::string read_topic(const Cells& cells, bool is_home, std::size_t line, Table& table) {
  if (!find_fact_topic(cells.text))
    return '\'' + std::string(cells.text) + "' is no topic of facts";
  Read& read = table.topics.emplace_back();
  read.line = line;
  read.name = cells.text;
  read.note = cells.note;
  read.is_home = is_home;
  return read_options(
      cells.options,
      {{"include", &read.include}, {"exclude", &read.exclude}, {"part", &read.part}});
}

std::string read_missing(const Cells& cells, Table& table) {
  Missing& missing = table.missing.emplace_back();
  missing.what = cells.text;
  std::string is_on = "on";
  std::string wrong = read_options(cells.options, {{"part", &missing.part}, {"default", &is_on}});
  missing.is_on = is_on != "off";
  return wrong;
}

std::string read_older(const Cells& cells, Table& table) {
  if (!is_word(cells.text)) return "it is written older NAME, or older NAME | part=\"PART\"";
  Older& older = table.older.emplace_back();
  older.name = cells.text;
  return read_options(cells.options, {{"part", &older.part}});
}

}  // namespace

std::optional<std::string> read_collector_line(std::string_view line, std::size_t number,
                                               Table& table) {
  if (line == "default") return table.is_default = true, "";
  if (line == "reports_parts") return table.reports_parts = true, "";
  const std::string_view word = line.substr(0, line.find(' '));
  static constexpr std::string_view kWords[] = {"reads", "topic", "also", "missing", "older"};
  if (std::ranges::find(kWords, word) == std::ranges::end(kWords) || !take_word(line, word))
    return std::nullopt;
  if (!table.blocks.empty()) return "this belongs before the first object";
  const auto cells = split(line, '|');
  const std::size_t most = word == "topic" || word == "also" ? 3 : 2;
  if (cells.size() > most) return "this statement has fewer columns";
  const Cells given{cells[0], cells.size() > 1 ? cells[1] : "", cells.size() > 2 ? cells[2] : ""};
  if (given.text.empty()) return "the statement says nothing";
  if (word == "reads") return read_object(given, number, table);
  if (word == "missing") return read_missing(given, table);
  if (word == "older") return read_older(given, table);
  return read_topic(given, word == "topic", number, table);
}

}  // namespace winperf::tables
