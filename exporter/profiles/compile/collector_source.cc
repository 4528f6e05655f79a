#include "exporter/profiles/compile/collector_source.h"

#include <algorithm>
#include <map>
#include <utility>

#include "collectors/model/fact_topic.h"
#include "exporter/profiles/compile/cpp.h"

namespace winperf::tables {
namespace {

// What a collector of older versions had of one that there still is.
Table older_one(const Table& table, const Older& older) {
  Table own;
  own.file = table.file;
  own.collector = older.name;
  const auto copy = [&](const auto& from, auto& to) {
    for (auto part : from) {
      if (!older.part.empty() && part.part != older.part) continue;
      part.part.clear();
      to.push_back(std::move(part));
    }
  };
  copy(table.objects, own.objects);
  copy(table.topics, own.topics);
  copy(table.missing, own.missing);
  for (Read& topic : own.topics) topic.is_home = false;
  return own;
}

bool says_what_it_is(const Table& table) {
  return table.is_default || table.reports_parts || !table.objects.empty() ||
         !table.topics.empty() || !table.missing.empty() || !table.older.empty();
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
    for (const Older& one : table.older) {
      if (is_known(one.name)) problems.add(table.file, 1, one.name + " has a table");
      older.emplace(one.name, older_one(table, one));
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

std::string objects_of(const Table& table) {
  std::string items;
  for (const Read& read : table.objects)
    items += "\n    {" + quoted(read.name) + ", " + quoted(read.include) + ", " +
             quoted(read.exclude) + ", " + quoted(read.prefix) + ", " + quoted(read.part) + "},";
  return items;
}

std::string topics_of(const Table& table) {
  std::string items;
  for (const Read& read : table.topics)
    items += "\n    {FactTopic::" + constant(read.name) + ", " + quoted(read.include) + ", " +
             quoted(read.exclude) + ", " + quoted(read.part) + ", " + quoted(read.note) + "},";
  return items;
}

std::string missing_of(const Table& table) {
  std::string items;
  for (const Missing& missing : table.missing)
    items += "\n    {" + quoted(missing.what) + ", " + quoted(missing.part) + ", " +
             (missing.is_on ? "true" : "false") + "},";
  return items;
}

// The collector whose metrics are about each topic, in the order of the topics.
std::string homes_of_topics(const std::vector<Table>& all, Problems& problems) {
  std::map<std::string_view, std::string> homes;
  for (const Table& table : all)
    for (const Read& topic : table.topics) {
      if (!topic.is_home) continue;
      const std::string& home = homes.try_emplace(topic.name, table.collector).first->second;
      if (home != table.collector)
        problems.add(table.file, topic.line, "the topic is that of " + home + ": write also");
    }
  std::string items;
  for (const FactTopicInfo& info : kFactTopics) items += quoted(homes[info.name]) + ", ";
  return items;
}

}  // namespace

std::string collector_source(const std::vector<Table>& current, const std::vector<Table>& legacy,
                             Problems& problems) {
  const std::vector<Table> all = all_collectors(current, legacy, problems);
  std::string arrays, collectors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string number = std::to_string(i);
    const Array objects = array_of("ReadObject", "kObjects" + number, objects_of(all[i]));
    const Array topics = array_of("ReadTopic", "kTopics" + number, topics_of(all[i]));
    const Array missing = array_of("MissingPart", "kMissing" + number, missing_of(all[i]));
    arrays += objects.definition + topics.definition + missing.definition;
    collectors += "\n    {" + quoted(all[i].collector) + ", " + objects.span + ", " + topics.span +
                  ", " + missing.span + ", " + (all[i].is_default ? "true" : "false") + "},";
  }
  return source_of("exporter/profiles/collector.h",
                   arrays + "\nconstexpr Collector kCollectors[] = {" + collectors +
                       "};\n\nconstexpr std::array<std::string_view, kFactTopicCount> kOfTopics{" +
                       homes_of_topics(all, problems) + "};\n",
                   "std::span<const Collector> collectors() { return kCollectors; }\n"
                   "std::string_view collector_of(FactTopic topic) {\n"
                   "  return kOfTopics.at(static_cast<std::size_t>(topic));\n}\n");
}

}  // namespace winperf::tables
