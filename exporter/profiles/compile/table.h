// What a table says (docs/profile-tables.md), before it becomes C++. Thread rule: values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf::tables {

// What the tables' language, and the C++ that they become, need of texts. Thread rule: pure
// functions.
std::string_view stripped(std::string_view text);
// The texts between separators, without blanks around them; one if there is no separator.
std::vector<std::string_view> split(std::string_view text, char separator);
// Whether the text begins with this word, which is then taken off.
bool take(std::string_view& text, std::string_view word);

// Letters in lower case and underscores.
bool is_word(std::string_view text);
// Letters, digits and underscores, without a digit at its beginning.
bool is_name(std::string_view text);
// Without a sign: 12 or 0.5.
bool is_number(std::string_view text);

struct Pair {
  std::string_view name;
  std::string_view value;
};
// name="value",name="value"; nothing if it is written otherwise. A value has no quotes.
std::optional<std::vector<Pair>> read_pairs(std::string_view text);

// As a literal of C++, or as several with a comma after each.
std::string quoted(std::string_view text);
std::string quoted_list(const auto& texts) {
  std::string items;
  for (const auto& text : texts) items += quoted(text) + ", ";
  return items;
}
// The constant's name of a word: service_status is kServiceStatus.
std::string constant(std::string_view word);

// Where something stands, and what is wrong with it.
class Problems {
 public:
  void add(std::string_view file, std::size_t line, std::string_view text) {
    texts_.push_back(std::string(file) + ':' + std::to_string(line) + ": " + std::string(text));
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

// A row about a counter, and one about a fact. `cpp`: what ProfileRow and FactMetric have beyond
// the rest.
struct Row {
  std::size_t line = 0;
  std::string metric;
  bool is_counter = false;
  std::string labels;
  std::string cpp;
};
struct FactRow {
  std::size_t line = 0;
  std::string metric;
  std::string same_as;  // another metric, of which it has everything but the name
  std::string help;
  std::string help_of;  // another metric, whose HELP it has
  std::string words;    // the name of its states' words
  std::string cpp;
};

// What ProfileBlock has.
struct Block {
  std::size_t line = 0;
  std::vector<std::pair<std::string, std::string>> objects;  // names and labels
  std::vector<std::string> instances;
  std::string only;
  std::vector<std::string> skipped;
  bool process_id = false;
  std::string value_label;
  std::string value_counter;
  std::vector<Row> rows;
};

// What is said of a collector, or of a topic: WORD TEXT | OPTIONS | NOTE.
struct Statement {
  std::size_t line = 0;
  std::string word;
  std::string text;
  std::map<std::string, std::string, std::less<>> options;
  std::string note;
  std::vector<FactRow> rows;  // of a topic
  std::string option(std::string_view name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
  }
  bool is_topic() const { return word == "topic" || word == "also"; }
};

struct Table {
  std::string file;  // windows_exporter/cpu.table
  std::string collector;
  std::vector<Statement> statements;
  std::vector<Block> blocks;
  bool says(std::string_view word) const {
    return std::ranges::find(statements, word, &Statement::word) != statements.end();
  }
};

// Our own tables are about topics of facts, and of no collector.
enum class ProfileKind { kOwn, kCurrent, kLegacy };

struct Profile {
  std::string name;
  ProfileKind kind{};
  std::vector<Table> tables{};
};

// A table of the profile. What is wrong with a line is a problem, and the others are read all the
// same.
Table read_table(const Profile& profile, std::string file, std::string_view text,
                 Problems& problems);

// What a row of the tables of help says: of a counter, or of a metric that several counters share.
struct HelpRow {
  std::string file;
  std::size_t line = 0;
  std::string object;
  std::string counter;
  bool is_of_parts = false;
  std::string sentence;
};
std::vector<HelpRow> read_help(const std::string& file, std::string_view text, Problems& problems);

// The tables as C++. What doesn't fit together is a problem.

// Defines counter_helps() of exporter/profiles/counter_help.h.
std::string help_source(const std::vector<HelpRow>& rows, Problems& problems);

// Defines profile_blocks() of exporter/profiles/profile.h.
std::string block_source(const std::vector<Profile>& profiles, Problems& problems);
// Defines collectors() and collector_of() of exporter/profiles/collector.h. `current` has a table
// for each collector, `legacy` for those that only older versions had.
std::string collector_source(const Profile& current, const Profile& legacy, Problems& problems);
// Defines fact_metrics() of exporter/profiles/collector.h.
std::string fact_source(const std::vector<Profile>& profiles, Problems& problems);

}  // namespace winperf::tables
