// The blocks of a profile as C++.
#include <map>
#include <utility>

#include "exporter/profiles/compile/sources.h"
#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

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

}  // namespace

std::string array_of(const std::string& type, const std::string& name, const std::string& items,
                     std::string& arrays) {
  if (items.empty()) return "{}";
  arrays += "constexpr " + type + ' ' + name + "[] = {" + items + "};\n";
  return name;
}

std::string source_of(const std::string& header, const std::string& constants,
                      const std::string& functions) {
  return "// Made from tables; see exporter/profiles/compile.\n#include \"exporter/profiles/" +
         header + "\"\n\n#include \"collectors/model/fact_states.h\"\n\n" +
         "namespace winperf {\nnamespace {\n\n" + constants + "\n}  // namespace\n\n" + functions +
         "\n}  // namespace winperf\n";
}

std::string function_of(const std::string& type, const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& spans) {
  std::string cases;
  for (const auto& [profile, span] : spans)
    cases += "    case MetricProfile::" + constant(profile) + ":\n      return " + span + ";\n";
  return "std::span<const " + type + "> " + name +
         "(MetricProfile profile) {\n  switch (profile) {\n" + cases + "  }\n  return {};\n}\n";
}

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

}  // namespace winperf::tables
