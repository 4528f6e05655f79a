#include "exporter/profiles/compile/table_reader.h"

#include <algorithm>
#include <utility>

#include "exporter/profiles/compile/collector_line.h"
#include "exporter/profiles/compile/counter_row.h"
#include "exporter/profiles/compile/instance_template.h"
#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

class TableReader {
 public:
  TableReader(std::string file, Problems& problems) : problems_(problems) {
    table_.file = std::move(file);
  }

  void read_line(std::size_t number, std::string_view line);
  Table end();

 private:
  void fail(const std::string& text) { problems_.add(table_.file, line_, text); }
  void fail_if(const std::string& text) {
    if (!text.empty()) fail(text);
  }
  // The line that begins a table.
  void read_collector(std::string_view line);
  void read_object(std::string_view text);
  void read_row(std::string_view line);
  // Of the block: what stands between its objects and its rows.
  void read_statement(std::string_view line);
  void read_instance(std::string_view text);
  void read_value_label(std::string_view text);
  void expect_rows();
  Block& block() { return table_.blocks.back(); }

  Problems& problems_;
  Table table_;
  std::size_t line_ = 0;
};

bool is_row(std::string_view line) {
  const std::size_t end = line.find_first_of(" |");
  return end != 0 && end != line.npos && stripped(line.substr(end)).starts_with('|');
}

bool is_text(std::string_view line) {
  return std::ranges::none_of(line, [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

// What was said of the block's countersets, but for their names.
bool has_statements(const Block& block) {
  return !block.instances.empty() || !block.only.empty() || !block.skipped.empty() ||
         block.process_id || !block.value_label.empty();
}

void TableReader::read_line(std::size_t number, std::string_view line) {
  line_ = number;
  if (line.empty() || line.starts_with('#')) return;
  if (!is_text(line)) return fail("the line has a character that is no text");
  if (table_.collector.empty()) return read_collector(line);
  std::string_view rest = line;
  if (take_word(rest, "collector"))
    fail("a table is about one collector");
  else if (take_word(rest, "object"))
    read_object(rest);
  else if (is_row(line))
    read_row(line);
  else if (const auto wrong = read_collector_line(line, line_, table_); wrong)
    fail_if(*wrong);
  else if (table_.blocks.empty() || !block().rows.empty())
    fail("this belongs between an object and its rows: " + std::string(line));
  else
    read_statement(line);
}

void TableReader::read_collector(std::string_view line) {
  if (!take_word(line, "collector") || !is_word(line)) fail("the first line is: collector NAME");
  table_.collector = is_word(line) ? line : "unknown";
}

void TableReader::read_object(std::string_view text) {
  const auto cells = split(text, '|');
  const bool has_labels = cells.size() == 2;
  if (cells.front().empty() || cells.size() > 2 ||
      (has_labels && (!read_pairs(cells[1]) || cells[1].contains('\\'))))
    fail("an object is a name, or a name | label=\"value\"");
  if (table_.blocks.empty() || !block().rows.empty()) {
    table_.blocks.emplace_back().line = line_;
  } else if (has_statements(block())) {
    fail("the object before this line has no rows");
  }
  block().objects.push_back({std::string(cells.front()), std::string(has_labels ? cells[1] : "")});
}

void TableReader::read_row(std::string_view line) {
  if (table_.blocks.empty()) return fail("a row comes after the object that it is about");
  auto row = read_counter_row(line);
  if (!row) return fail(row.error());
  row->line = line_;
  block().rows.push_back(*std::move(row));
}

void TableReader::read_statement(std::string_view line) {
  std::string_view rest = line;
  if (take_word(rest, "instance"))
    read_instance(rest);
  else if (take_word(rest, "only"))
    block().only = rest;
  else if (take_word(rest, "skip"))
    block().skipped.emplace_back(rest);
  else if (line == "process_id")
    block().process_id = true;
  else if (take_word(rest, "value_label"))
    read_value_label(rest);
  else
    fail('\'' + std::string(line) + "' is neither a statement nor a row");
  if (!block().only.empty() && !block().instances.empty())
    fail("a block has either 'instance' or 'only'");
}

void TableReader::read_instance(std::string_view text) {
  fail_if(wrong_in_template(text));
  block().instances.emplace_back(text);
}

void TableReader::read_value_label(std::string_view text) {
  const auto parts = split(text, '=');
  if (parts.size() != 2 || !is_word(parts[0]) || parts[1].empty())
    return fail("it is written value_label LABEL = COUNTER");
  block().value_label = parts[0];
  block().value_counter = parts[1];
}

Table TableReader::end() {
  if (table_.collector.empty()) fail("the first line is: collector NAME");
  for (const Block& block : table_.blocks)
    if (block.rows.empty()) problems_.add(table_.file, block.line, "the object has no rows");
  return std::move(table_);
}

}  // namespace

Table read_table(std::string file, std::string_view text, Problems& problems) {
  const bool ends = text.empty() || text.ends_with('\n');
  const auto lines = split(text, '\n');
  if (!ends) problems.add(file, lines.size(), "the last line does not end");
  TableReader reader(std::move(file), problems);
  for (std::size_t i = 0; i < lines.size(); ++i) reader.read_line(i + 1, lines[i]);
  return reader.end();
}

}  // namespace winperf::tables
