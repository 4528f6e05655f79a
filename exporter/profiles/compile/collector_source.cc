// The collectors of windows_exporter as C++.
#include <algorithm>
#include <map>
#include <utility>

#include "collectors/model/fact_topic.h"
#include "exporter/profiles/compile/sources.h"
#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

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
      problems.add(table.file, 1, "the other table of the collector says what it is");
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
        problems.add(table.file, said.line, "the topic is that of " + home + ": write also");
    }
  std::string items;
  for (const FactTopicInfo& info : kFactTopics) items += quoted(homes[info.name]) + ", ";
  return items;
}

}  // namespace

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

}  // namespace winperf::tables
