// The tables as C++.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "collectors/model/fact_topic.h"
#include "exporter/profiles/compile/table.h"

namespace winperf::tables {
namespace {

// Appends the definition of an array to the others, and returns what a span of it is initialized
// with. An empty one is no array.
std::string array_of(const std::string& type, const std::string& name, const std::string& items,
                     std::string& arrays) {
  if (items.empty()) return "{}";
  arrays += "constexpr " + type + ' ' + name + "[] = {" + items + "};\n";
  return name;
}

// A source: constants, and functions that return them.
std::string source_of(const std::string& header, const std::string& constants,
                      const std::string& functions) {
  return "// Made from tables; see exporter/profiles/compile.\n#include \"exporter/profiles/" +
         header + "\"\n\n#include \"collectors/model/fact_topic.h\"\n\n" +
         "namespace winperf {\nnamespace {\n\n" + constants + "\n}  // namespace\n\n" + functions +
         "\n}  // namespace winperf\n";
}

// A function that returns, for each profile, the span of its array.
std::string function_of(const std::string& type, const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& spans) {
  std::string cases;
  for (const auto& [profile, span] : spans)
    cases += "    case MetricProfile::" + constant(profile) + ":\n      return " + span + ";\n";
  return "std::span<const " + type + "> " + name +
         "(MetricProfile profile) {\n  switch (profile) {\n" + cases + "  }\n  return {};\n}\n";
}

// A metric has one type, wherever it stands, and a series of a block comes once.
void check(const Profile& profile, Problems& problems) {
  std::map<std::string_view, bool> is_counter;
  for (const Table& table : profile.tables)
    for (const Block& block : table.blocks) {
      std::map<std::pair<std::string_view, std::string_view>, std::size_t> lines;
      for (const Row& row : block.rows) {
        const bool known = is_counter.try_emplace(row.metric, row.is_counter).first->second;
        if (known != row.is_counter)
          problems.add(table.file, row.line,
                       row.metric + " is a " + (known ? "counter" : "gauge") + " in another row");
        const auto [first, is_new] = lines.try_emplace({row.metric, row.labels}, row.line);
        if (!is_new)
          problems.add(table.file, row.line,
                       "line " + std::to_string(first->second) + " has the same series");
      }
    }
}

std::string items_of(const std::vector<std::pair<std::string, std::string>>& objects) {
  std::string items;
  for (const auto& [name, labels] : objects)
    items += '{' + quoted(name) + ", " + quoted(labels) + "}, ";
  return items;
}

std::string items_of(const std::vector<Row>& rows) {
  std::string items;
  for (const Row& row : rows)
    items += "\n    {" + quoted(row.metric) + ", " + (row.is_counter ? "true" : "false") + ", " +
             row.cpp + "},";
  return items;
}

// The part of the collector that the block is about, if it reports on each.
std::string part_of(const Table& table, const Block& block) {
  if (table.says("reports_parts"))
    for (const Statement& said : table.statements)
      if (said.word == "reads" && said.text == block.objects.front().first)
        return said.option("part");
  return {};
}

// Its arrays come before the list of all blocks.
std::string text_of(const Table& table, const Block& block, const std::string& number,
                    std::string& arrays) {
  const std::string texts = "std::string_view";
  return "\n    {" + quoted(table.collector) + ", " +
         array_of("ProfileObject", "kObjects" + number, items_of(block.objects), arrays) + ", " +
         array_of(texts, "kInstances" + number, quoted_list(block.instances), arrays) + ", " +
         quoted(block.only) + ", " +
         array_of(texts, "kSkipped" + number, quoted_list(block.skipped), arrays) + ", " +
         (block.process_id ? "true" : "false") + ", " + quoted(block.value_label) + ", " +
         quoted(block.value_counter) + ", " + quoted(part_of(table, block)) + ", " +
         array_of("ProfileRow", "kRows" + number, items_of(block.rows), arrays) + "},";
}

// The collectors of windows_exporter.

// What a collector of older versions had of one that there still is.
Table older_one(const Table& table, const Statement& older) {
  Table own;
  own.file = table.file;
  own.collector = older.text;
  const std::string part = older.option("part");
  for (Statement said : table.statements) {
    if (said.word == "default" || said.word == "older") continue;
    if (!part.empty() && said.option("part") != part) continue;
    said.options.erase("part");
    if (said.is_topic()) said.word = "also";
    own.statements.push_back(std::move(said));
  }
  return own;
}

// Topics of others, and words, stand there for the sake of rows.
bool says_what_it_is(const Table& table) {
  return std::ranges::any_of(table.statements, [](const Statement& said) {
    return said.word != "words" &&
           (said.word != "also" || !said.options.empty() || !said.note.empty());
  });
}

// Those of older versions come last, in the order of their names.
std::vector<Table> all_collectors(const std::vector<Table>& current,
                                  const std::vector<Table>& legacy, Problems& problems) {
  std::map<std::string, Table> older;
  const auto is_known = [&](const std::string& name) {
    return older.contains(name) ||
           std::ranges::find(current, name, &Table::collector) != current.end();
  };
  for (const Table& table : current)
    for (const Statement& said : table.statements) {
      if (said.word != "older") continue;
      if (is_known(said.text)) problems.add(table.file, said.line, said.text + " has a table");
      older.emplace(said.text, older_one(table, said));
    }
  for (const Table& table : legacy) {
    if (!is_known(table.collector))
      older.emplace(table.collector, table);
    else if (says_what_it_is(table))
      problems.add(table.file, 1, "the collector is already described in its other table");
  }
  std::vector<Table> all = current;
  for (auto& [name, table] : older) all.push_back(std::move(table));
  return all;
}

std::string options_of(const Statement& said, const std::vector<std::string>& names) {
  std::vector<std::string> values;
  for (const std::string& name : names) values.push_back(said.option(name));
  return quoted_list(values);
}

// A (or) B as A|B.
std::string alternatives(std::string names) {
  constexpr std::string_view kOr = " (or) ";
  for (std::size_t at = names.find(kOr); at != names.npos; at = names.find(kOr))
    names.replace(at, kOr.size(), "|");
  return names;
}

// What ReadObject, ReadTopic and MissingPart have.
void append(const Statement& said, std::string& objects, std::string& topics,
            std::string& missing) {
  if (said.word == "reads")
    objects += "\n    {" + quoted(alternatives(said.text)) + ", " +
               options_of(said, {"include", "exclude", "prefix", "part"}) + "},";
  if (said.is_topic())
    topics += "\n    {FactTopic::" + constant(said.text) + ", " +
              options_of(said, {"include", "exclude", "part"}) + quoted(said.note) + "},";
  if (said.word == "missing")
    missing += "\n    {" + quoted(said.text) + ", " + options_of(said, {"part"}) +
               (said.option("default") == "off" ? "false" : "true") + "},";
}

// The collector whose metrics are about each topic, in the order of the topics.
std::string homes_of_topics(const std::vector<Table>& all, Problems& problems) {
  std::map<std::string_view, std::string> homes;
  for (const Table& table : all)
    for (const Statement& said : table.statements) {
      if (said.word != "topic") continue;
      const std::string& home = homes.try_emplace(said.text, table.collector).first->second;
      if (home != table.collector)
        problems.add(table.file, said.line, "the topic belongs to " + home + "; write also");
    }
  std::string items;
  for (const FactTopicInfo& info : kFactTopics) items += quoted(homes[info.name]) + ", ";
  return items;
}

// The metrics of facts.

// A row, and where it stands.
struct Metric {
  const Table* table = nullptr;
  FactTopic topic{};
  bool is_late = false;  // of a collector that only older versions had
  const FactRow* row = nullptr;
};
using Metrics = std::map<std::string, Metric, std::less<>>;  // by name

// In the order of the topics.
std::vector<Metric> metrics_of(const Profile& profile) {
  std::vector<Metric> metrics;
  for (const Table& table : profile.tables)
    for (const Statement& said : table.statements)
      for (const FactRow& row : said.rows)
        if (const auto topic = find_fact_topic(said.text))
          metrics.push_back(
              {&table, *topic, profile.kind == ProfileKind::kLegacy && said.word == "topic", &row});
  std::ranges::stable_sort(
      metrics, {}, [](const Metric& metric) { return std::pair(metric.is_late, metric.topic); });
  return metrics;
}

// `words NAME = WORD, WORD` of tables as arrays, beside those of fact_topic.h; all rows may name
// either.
std::string word_arrays(const std::vector<Profile>& profiles, Problems& problems) {
  std::string arrays;
  std::set<std::string, std::less<>> names;
  for (const FactStates& states : kFactStates) names.emplace(states.name);
  for (const Profile& profile : profiles)
    for (const Table& table : profile.tables)
      for (const Statement& said : table.statements) {
        if (said.word != "words") continue;
        const auto sides = split(said.text, '=');
        if (sides.size() != 2 || !is_word(sides[0]) || !names.emplace(sides[0]).second)
          problems.add(table.file, said.line,
                       "expected words NAME = WORD, WORD with a unique name");
        else
          array_of("std::string_view", constant(sides[0]), quoted_list(split(sides[1], ',')),
                   arrays);
      }
  for (const Profile& profile : profiles)
    for (const Metric& metric : metrics_of(profile))
      if (!metric.row->words.empty() && !names.contains(metric.row->words))
        problems.add(metric.table->file, metric.row->line,
                     '\'' + metric.row->words + "' is not the name of a list of states");
  return arrays;
}

// Another metric, if it says all of itself.
const Metric& metric_of(const std::string& name, const Metric& asker, const Metrics& metrics,
                        Problems& problems) {
  const auto found = metrics.find(name);
  if (found != metrics.end() && found->second.row->same_as.empty()) return found->second;
  problems.add(asker.table->file, asker.row->line, "no row defines " + name);
  return asker;
}

// With what it has of others.
std::string text_of(const Metric& metric, const Metrics& metrics, Problems& problems) {
  const std::string& same_as = metric.row->same_as;
  const Metric& whole = same_as.empty() ? metric : metric_of(same_as, metric, metrics, problems);
  const std::string& help_of = whole.row->help_of;
  const FactRow& teller =
      *(help_of.empty() ? whole : metric_of(help_of, metric, metrics, problems)).row;
  const auto fail = [&](const std::string& text) {
    problems.add(metric.table->file, metric.row->line, text);
  };
  if (whole.topic != metric.topic) fail(same_as + " belongs to another topic");
  if (!help_of.empty() && !teller.help_of.empty())
    fail(help_of + " itself refers to the HELP of another metric");
  return "\n    {" + quoted(metric.row->metric) + ", " + quoted(teller.help) + ", " +
         whole.row->cpp + "},";
}

}  // namespace

std::string block_source(const std::vector<Profile>& profiles, Problems& problems) {
  std::string arrays;
  std::vector<std::pair<std::string, std::string>> spans;
  std::size_t number = 0;
  for (const Profile& profile : profiles) {
    check(profile, problems);
    std::string blocks;
    for (const Table& table : profile.tables)
      for (const Block& block : table.blocks)
        blocks += text_of(table, block, std::to_string(number++), arrays);
    if (blocks.empty() && profile.kind != ProfileKind::kOwn)
      problems.add(profile.name, 1, "the folder has no tables with rows");
    spans.emplace_back(profile.name,
                       array_of("ProfileBlock", constant(profile.name), blocks, arrays));
  }
  return source_of("profile.h", arrays, function_of("ProfileBlock", "profile_blocks", spans));
}

std::string collector_source(const Profile& current, const Profile& legacy, Problems& problems) {
  const std::vector<Table> all = all_collectors(current.tables, legacy.tables, problems);
  std::string arrays, collectors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string number = std::to_string(i);
    std::string objects, topics, missing;
    for (const Statement& said : all[i].statements) append(said, objects, topics, missing);
    collectors += "\n    {" + quoted(all[i].collector) + ", " +
                  array_of("ReadObject", "kObjects" + number, objects, arrays) + ", " +
                  array_of("ReadTopic", "kTopics" + number, topics, arrays) + ", " +
                  array_of("MissingPart", "kMissing" + number, missing, arrays) + ", " +
                  (all[i].says("default") ? "true" : "false") + "},";
  }
  return source_of("collector.h",
                   arrays + "\nconstexpr Collector kCollectors[] = {" + collectors +
                       "};\n\nconstexpr std::array<std::string_view, kFactTopicCount> kOfTopics{" +
                       homes_of_topics(all, problems) + "};\n",
                   "std::span<const Collector> collectors() { return kCollectors; }\n"
                   "std::string_view collector_of(FactTopic topic) {\n"
                   "  return kOfTopics.at(static_cast<std::size_t>(topic));\n}\n");
}

std::string fact_source(const std::vector<Profile>& profiles, Problems& problems) {
  Metrics all;
  for (const Profile& profile : profiles)
    for (const Metric& metric : metrics_of(profile))
      if (const auto [known, is_new] = all.emplace(metric.row->metric, metric); !is_new)
        problems.add(metric.table->file, metric.row->line,
                     metric.row->metric + " is also in " + known->second.table->file);
  std::string arrays = word_arrays(profiles, problems);
  std::vector<std::pair<std::string, std::string>> spans;
  for (const Profile& profile : profiles) {
    std::string rows;
    for (const Metric& metric : metrics_of(profile)) rows += text_of(metric, all, problems);
    spans.emplace_back(profile.name, array_of("FactMetric", constant(profile.name), rows, arrays));
  }
  return source_of("collector.h", arrays, function_of("FactMetric", "fact_metrics", spans));
}

}  // namespace winperf::tables
