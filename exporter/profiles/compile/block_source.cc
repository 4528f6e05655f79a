#include "exporter/profiles/compile/block_source.h"

#include <algorithm>

#include "exporter/profiles/compile/cpp.h"

namespace winperf::tables {
namespace {

std::string list_of(const std::vector<std::string>& texts) {
  std::string items;
  for (const std::string& text : texts) items += quoted(text) + ", ";
  return items;
}

std::string list_of(const std::vector<Object>& objects) {
  std::string items;
  for (const Object& object : objects)
    items += '{' + quoted(object.name) + ", " + quoted(object.labels) + "}, ";
  return items;
}

std::string list_of(const std::vector<Row>& rows) {
  std::string items;
  for (const Row& row : rows) {
    const std::string operation = row.operation == '\0' ? "\\0" : std::string(1, row.operation);
    items += "\n    {" + quoted(row.metric) + ", " + (row.is_counter ? "true" : "false") + ", " +
             quoted(row.counter) + ", '" + operation + "', " + quoted(row.other) +
             ", ProfileValue::k" + row.value + ", " + row.factor + ", " + row.offset + ", " +
             row.state + ", " + quoted(row.labels) + ", " + quoted(row.note) + "},";
  }
  return items;
}

// The part of the collector that the block is about, if it reports on each.
std::string part_of(const Table& table, const Block& block) {
  if (!table.reports_parts) return {};
  for (const Object& object : block.objects) {
    const auto read = std::ranges::find(table.objects, object.name, &Read::name);
    if (read != table.objects.end()) return read->part;
  }
  return {};
}

// Its arrays come before the list of all blocks.
void append_block(const Table& table, const Block& block, const std::string& number,
                  std::string& arrays, std::string& blocks) {
  const Array objects = array_of("ProfileObject", "kObjects" + number, list_of(block.objects));
  const Array instances =
      array_of("std::string_view", "kInstances" + number, list_of(block.instances));
  const Array skipped = array_of("std::string_view", "kSkipped" + number, list_of(block.skipped));
  const Array rows = array_of("ProfileRow", "kRows" + number, list_of(block.rows));
  arrays += objects.definition + instances.definition + skipped.definition + rows.definition;
  blocks += "    {" + quoted(table.collector) + ", " + objects.span + ", " + instances.span + ", " +
            quoted(block.only) + ", " + skipped.span + ", " +
            (block.process_id ? "true" : "false") + ", " + quoted(block.value_label) + ", " +
            quoted(block.value_counter) + ", " + quoted(part_of(table, block)) + ", " + rows.span +
            "},\n";
}

}  // namespace

std::string block_source(const std::vector<Table>& tables, const std::string& function) {
  std::string arrays, blocks;
  std::size_t number = 0;
  for (const Table& table : tables)
    for (const Block& block : table.blocks)
      append_block(table, block, std::to_string(number++), arrays, blocks);
  return source_of("exporter/profiles/profile.h",
                   arrays + "\nconstexpr ProfileBlock kBlocks[] = {\n" + blocks + "};\n",
                   "std::span<const ProfileBlock> " + function + "() { return kBlocks; }\n");
}

}  // namespace winperf::tables
