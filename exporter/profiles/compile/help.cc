// The table of what counters are, as C++.
#include <algorithm>
#include <map>
#include <utility>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {
namespace {

constexpr std::size_t kMaxSentence = 120;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool is_sentence(std::string_view text) {
  return text.size() <= kMaxSentence && text.ends_with('.') && text.front() >= 'A' &&
         text.front() <= 'Z';
}

}  // namespace

std::vector<HelpRow> read_help(const std::string& file, std::string_view text, Problems& problems) {
  std::vector<HelpRow> rows;
  std::vector<std::string_view> objects;
  const auto lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    // Names of counters may begin as comments do.
    if (line.empty() || (line.starts_with('#') && !line.contains('|'))) continue;
    if (take(line, "object")) {
      objects = split(line, '|');
      continue;
    }
    const auto cells = split(line, '|');
    if (cells.size() != 2 || objects.empty()) {
      problems.add(file, i + 1, "expected COUNTER | SENTENCE after object NAME");
      continue;
    }
    if (!is_sentence(cells[1]))
      problems.add(file, i + 1,
                   "a sentence must begin with a capital letter, end with a full stop and have at "
                   "most 120 characters");
    std::string_view counter = cells[0];
    const bool is_of_parts = take(counter, "parts");
    for (const std::string_view object : objects)
      rows.push_back({file, i + 1, std::string(object), std::string(counter), is_of_parts,
                      std::string(cells[1])});
  }
  return rows;
}

std::string help_source(const std::vector<HelpRow>& rows, Problems& problems) {
  std::map<std::string, const HelpRow*> sorted;
  for (const HelpRow& row : rows) {
    const std::string key =
        lower(row.object) + (row.is_of_parts ? "\\\\" : "\\") + lower(row.counter);
    const auto [first, is_new] = sorted.try_emplace(key, &row);
    if (!is_new)
      problems.add(row.file, row.line,
                   first->second->file + ':' + std::to_string(first->second->line) +
                       " has the same counter");
  }
  std::string items;
  for (const auto& [key, row] : sorted)
    items += "\n    {" + quoted(key) + ", " + quoted(row->object) + ", " + quoted(row->counter) +
             ", " + (row->is_of_parts ? "true" : "false") + ", " + quoted(row->sentence) + "},";
  return "// Made from tables; see exporter/profiles/compile.\n"
         "#include \"exporter/profiles/counter_help.h\"\n\nnamespace winperf {\nnamespace {\n\n"
         "constexpr CounterHelp kHelpRows[] = {" +
         items +
         "};\n\n}  // namespace\n\n"
         "std::span<const CounterHelp> counter_helps() { return kHelpRows; }\n\n"
         "}  // namespace winperf\n";
}

}  // namespace winperf::tables
