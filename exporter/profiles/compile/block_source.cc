#include "exporter/profiles/compile/block_source.h"

#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

// An array of a block, and what its span is initialized with; an empty one is no array.
struct Array {
  std::string definition;
  std::string span;
};

Array array_of(const std::string& type, const std::string& name, const std::string& items) {
  if (items.empty()) return {"", "{}"};
  return {"constexpr " + type + ' ' + name + "[] = {" + items + "};\n", name};
}

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

// Its arrays come before the list of all blocks.
void append_block(const std::string& collector, const Block& block, const std::string& number,
                  std::string& arrays, std::string& blocks) {
  const Array objects = array_of("ProfileObject", "kObjects" + number, list_of(block.objects));
  const Array instances =
      array_of("std::string_view", "kInstances" + number, list_of(block.instances));
  const Array skipped = array_of("std::string_view", "kSkipped" + number, list_of(block.skipped));
  const Array rows = array_of("ProfileRow", "kRows" + number, list_of(block.rows));
  arrays += objects.definition + instances.definition + skipped.definition + rows.definition;
  blocks += "    {" + quoted(collector) + ", " + objects.span + ", " + instances.span + ", " +
            quoted(block.only) + ", " + skipped.span + ", " +
            (block.process_id ? "true" : "false") + ", " + quoted(block.value_label) + ", " +
            quoted(block.value_counter) + ", " + quoted(block.part) + ", " + rows.span + "},\n";
}

}  // namespace

std::string block_source(const std::vector<Table>& tables, const std::string& function) {
  std::string arrays, blocks;
  std::size_t number = 0, rows = 0;
  for (const Table& table : tables)
    for (const Block& block : table.blocks) {
      append_block(table.collector, block, std::to_string(number++), arrays, blocks);
      rows += block.rows.size();
    }
  return "// Made from " + std::to_string(rows) +
         " rows of tables; see exporter/profiles/compile.\n"
         "#include \"exporter/profiles/profile.h\"\n\nnamespace winperf {\nnamespace {\n\n" +
         arrays + "\nconstexpr ProfileBlock kBlocks[] = {\n" + blocks +
         "};\n\n}  // namespace\n\nstd::span<const ProfileBlock> " + function +
         "() { return kBlocks; }\n\n}  // namespace winperf\n";
}

}  // namespace winperf::tables
