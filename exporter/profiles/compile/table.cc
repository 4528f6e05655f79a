#include "exporter/profiles/compile/table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/model/fact_topic.h"

namespace winperf::tables {
namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view kName =
    "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kDigits = "0123456789";

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

}  // namespace

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(stripped(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  parts.push_back(stripped(text));
  return parts;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  const std::string_view rest = text.substr(word.size());
  if (!rest.empty() && rest.front() != ' ') return false;
  text = stripped(rest);
  return true;
}

bool is_word(std::string_view text) { return has_only(text, kLower); }

bool is_name(std::string_view text) {
  return has_only(text, kName) && !kDigits.contains(text.front());
}

bool is_number(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view after = point < text.size() ? text.substr(point + 1) : "0";
  return has_only(text.substr(0, point), kDigits) && (after.empty() || has_only(after, kDigits));
}

std::optional<std::vector<Pair>> read_pairs(std::string_view text) {
  constexpr std::string_view kOpening = "=\"";
  std::vector<Pair> pairs;
  for (;;) {
    const std::size_t opening = text.find(kOpening);
    if (opening == text.npos || !is_name(text.substr(0, opening))) return std::nullopt;
    const std::size_t begin = opening + kOpening.size();
    const std::size_t end = text.find('"', begin);
    if (end == text.npos) return std::nullopt;
    pairs.push_back({text.substr(0, opening), text.substr(begin, end - begin)});
    text.remove_prefix(end + 1);
    if (text.empty()) return pairs;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

std::string quoted(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::string constant(std::string_view word) {
  std::string name = "k";
  bool begins = true;
  for (const char c : word) {
    if (c != '_') name += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return name;
}

namespace {

// A line, and where to say what is wrong with it.
struct Line {
  std::string_view text;
  std::string_view file;
  std::size_t number = 0;
  Problems& problems;
  void fail(std::string_view what) const { problems.add(file, number, what); }
};

// The rows: metric | type | counter | value | labels | note, and
// metric | type | field | value | labels | HELP.

// The six columns of a row, of which the first two are checked.
std::vector<std::string_view> cells_of(const Line& line, bool is_own) {
  constexpr std::size_t kColumns = 6;
  const std::string_view prefix = is_own ? "winperf_" : "windows_";
  auto cells = split(line.text, '|');
  if (cells.size() > kColumns) line.fail("a row has at most six columns");
  cells.resize(kColumns);
  const std::string_view metric = cells[0], type = cells[1];
  if (!metric.starts_with(prefix) || metric.size() == prefix.size() || !is_name(metric))
    line.fail('\'' + std::string(metric) + "' is not the name of a metric");
  if (type != "counter" && type != "gauge" && !type.starts_with('='))
    line.fail("the type must be counter or gauge, not '" + std::string(type) + '\'');
  return cells;
}

std::string not_a_value(std::string_view text) {
  return '\'' + std::string(text) + "' is not a value";
}

// Takes SIGN NUMBER off; the number is empty if there is none.
std::string take_number(std::string_view& text, std::string_view sign) {
  std::string_view rest = text;
  if (!take(rest, sign)) return {};
  const std::string number(rest.substr(0, rest.find(' ')));
  if (!is_number(number)) return {};
  text = stripped(rest.substr(number.size()));
  return number;
}

// Takes * NUMBER or / NUMBER off.
std::string take_factor(const Line& line, std::string_view& text) {
  if (std::string number = take_number(text, "*"); !number.empty()) return number;
  const std::string divisor = take_number(text, "/");
  if (divisor.empty()) return "1";
  if (divisor.find_first_not_of("0.") == divisor.npos) line.fail("division by 0");
  return "1.0 / " + divisor;
}

// What ProfileRow has of it.
struct Value {
  std::string kind = "as_read";
  std::string factor = "1";
  std::string offset = "0";
  std::string state = "0";
  // Of a constant and of the number of instances: no counter's.
  bool is_whole() const { return kind == "instances" || kind == "constant"; }
};

Value read_value(const Line& line, std::string_view text) {
  static constexpr std::array<std::string_view, 8> kKinds{"state", "instances", "raw",   "seconds",
                                                          "base",  "rest",      "ratio", "start"};
  Value value;
  std::string_view rest = text;
  for (const std::string_view kind : kKinds)
    if (value.kind == "as_read" && take(rest, kind)) value.kind = kind;
  if (is_number(text.starts_with('-') ? text.substr(1) : text)) {
    value.kind = "constant";
    value.offset = text;
    rest = {};
  } else if (value.kind == "state" && is_number(rest) && !rest.contains('.')) {
    value.state = std::exchange(rest, {});
  } else if (value.kind == "start" && !rest.empty()) {
    line.fail("a point in time cannot have a factor or an offset");
    rest = {};
  } else if (value.kind != "state" && value.kind != "instances") {
    value.factor = take_factor(line, rest);
    if (const std::string more = take_number(rest, "+"); !more.empty())
      value.offset = '+' + more;
    else if (const std::string less = take_number(rest, "-"); !less.empty())
      value.offset = '-' + less;
  }
  if (!rest.empty() || text == "state") line.fail(not_a_value(text));
  return value;
}

// A, or A (+) B, as the members of ProfileRow.
std::string counter_of(std::string_view text) {
  for (const std::string_view operation : {"+", "-", ":"}) {
    const std::string sign = " (" + std::string(operation) + ") ";
    const std::size_t at = text.rfind(sign);
    if (at != text.npos && at != 0)
      return quoted(text.substr(0, at)) + ", '" + std::string(operation) + "', " +
             quoted(text.substr(at + sign.size()));
  }
  return quoted(text) + ", '\\0', \"\"";
}

// What a value of a fact needs beside its word.
struct FactForm {
  std::string_view word;
  bool has_field = true;
  bool has_words = false;
  std::size_t labels = 0;  // how many it makes itself
};
constexpr FactForm kFactForms[] = {{.word = "info", .has_field = false},
                                   {.word = "states", .has_words = true, .labels = 1},
                                   {.word = "counts", .has_words = true, .labels = 1},
                                   {.word = "is_zero"},
                                   {.word = "is", .has_words = true},
                                   {.word = "pairs", .labels = 2},
                                   {.word = "parts", .labels = 1},
                                   {.word = "rows", .has_field = false},
                                   {.word = "now", .has_field = false},
                                   {.word = "number"}};

// Labels, and those that the value itself makes, as members of FactMetric.
std::string labels_of(const Line& line, std::string_view text, const FactForm& form) {
  constexpr std::size_t kMost = 8;  // kMaxFactLabels
  std::string labels, made_names;
  std::size_t count = 0, made = 0;
  for (std::string_view label : split(text, ',')) {
    if (text.empty()) break;
    const bool is_made = label.starts_with('{') && label.ends_with('}');
    if (is_made) label = label.substr(1, label.size() - 2);
    const std::size_t sign = std::min(label.find('='), label.size());
    const std::string_view name = label.substr(0, sign);
    const std::string_view field = sign == label.size() ? name : label.substr(sign + 1);
    if (!is_word(name) || !is_name(field) || (made != 0 && !is_made))
      line.fail("labels must be written name,name=field,{name}, with those of the value last");
    if (is_made)
      made_names.append(made++ == 0 ? "" : " ").append(name);
    else if (++count <= kMost)
      labels += '{' + quoted(name) + ", " + quoted(field) + "}, ";
  }
  if (made != form.labels)
    line.fail("this value has " + std::to_string(form.labels) + " labels, in braces");
  if (count > kMost) line.fail("a row has at most eight labels from fields");
  return "{{" + labels + "}}, " + quoted(made_names);
}

const FactForm& form_of(std::string_view value) {
  const auto* const found = std::ranges::find_if(kFactForms, [value](const FactForm& form) {
    return value.substr(0, value.find(' ')) == form.word;
  });
  return found == std::ranges::end(kFactForms) ? std::ranges::end(kFactForms)[-1] : *found;
}

void read_counter_row(const Line& line, Block& block) {
  const auto cells = cells_of(line, false);
  const std::string_view counter = cells[2], labels = cells[4];
  if (!labels.empty() && (!read_pairs(labels) || labels.contains('\\')))
    line.fail("labels must be written label=\"value\", separated by commas, not " +
              std::string(labels));
  if (cells[1].starts_with('=')) line.fail("only metrics of facts can refer to another metric");
  const Value value = read_value(line, cells[3]);
  if (value.is_whole() && counter != "-") line.fail("this value needs no counter; write -");
  if (!value.is_whole() && (counter.empty() || counter == "-")) line.fail("the counter is missing");
  block.rows.push_back(
      {line.number, std::string(cells[0]), cells[1] == "counter", std::string(labels),
       counter_of(value.is_whole() ? "" : counter) + ", ProfileValue::" + constant(value.kind) +
           ", " + value.factor + ", " + value.offset + ", " + value.state + ", " + quoted(labels) +
           ", " + quoted(cells[5])});
}

void read_fact_row(const Line& line, bool is_own, Statement& topic) {
  const auto cells = cells_of(line, is_own);
  const std::string_view type = cells[1], field = cells[2], help = cells[5];
  FactRow& row = topic.rows.emplace_back();
  row.line = line.number;
  row.metric = cells[0];
  if (type.starts_with('=')) {
    row.same_as = stripped(type.substr(1));
    if (!field.empty()) line.fail("a row that refers to another metric can only have a name");
    return;
  }
  const FactForm& form = form_of(cells[3]);
  std::string_view rest = cells[3];
  take(rest, form.word);
  const std::string factor = form.word == "number" ? take_factor(line, rest) : "1";
  if (form.has_words) row.words = std::exchange(rest, {});
  if (!rest.empty()) line.fail(not_a_value(cells[3]));
  if (form.has_field && !is_name(field)) line.fail("the field is missing");
  if (!form.has_field && field != "-") line.fail("this value needs no field; write -");
  if (help.empty()) line.fail("the HELP is missing");
  (help.starts_with('=') ? row.help_of : row.help) =
      help.starts_with('=') ? stripped(help.substr(1)) : help;
  row.cpp = "FactTopic::" + constant(topic.text) + ", FactKind::" + constant(form.word) + ", " +
            quoted(form.has_field ? field : "") + ", " + labels_of(line, cells[4], form) + ", " +
            (row.words.empty() ? "{}" : constant(row.words)) + ", " + factor + ", " +
            (type == "counter" ? "true" : "false");
}

// The other lines.

bool is_row(std::string_view line) {
  const std::size_t end = line.find_first_of(" |");
  return end != 0 && end != line.npos && stripped(line.substr(end)).starts_with('|');
}

bool is_text(std::string_view line) {
  return std::ranges::none_of(line, [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

// Of a block: what was said of its countersets, but for their names.
bool has_statements(const Block& block) {
  return !block.instances.empty() || !block.only.empty() || !block.skipped.empty() ||
         block.process_id || !block.value_label.empty();
}

void read_object(const Line& line, std::string_view text, Table& table) {
  const auto cells = split(text, '|');
  const std::string_view labels = cells.size() > 1 ? cells[1] : "";
  if (cells[0].empty() || cells.size() > 2 ||
      (cells.size() > 1 && (!read_pairs(labels) || labels.contains('\\'))))
    line.fail("an object must be a name, or a name | label=\"value\"");
  if (table.blocks.empty() || !table.blocks.back().rows.empty())
    table.blocks.emplace_back().line = line.number;
  else if (has_statements(table.blocks.back()))
    line.fail("the object above has no rows");
  table.blocks.back().objects.emplace_back(cells[0], labels);
}

// Whether a part of a template, without its braces, ends at the first place that fits.
bool is_early(std::string_view part) {
  return part.ends_with(":first") || part.ends_with(":number");
}

bool is_part(std::string_view part) {
  const std::size_t colon = std::min(part.find(':'), part.size());
  const std::string_view label = part.substr(0, colon), form = part.substr(colon);
  if (form.empty()) return label.empty() || is_word(label);
  return is_word(label) && (is_early(part) || form == ":words" || form == ":rdp");
}

// What a template of an instance's name lacks (exporter/profiles/name_template.h).
void check_template(const Line& line, std::string_view text) {
  bool is_right = !text.contains("}{"), has_late_part = false;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{')) {
    const std::size_t close = std::min(text.find('}', open), text.size() - 1);
    const std::string_view part = text.substr(open + 1, close - open - 1);
    is_right =
        is_right && !text.substr(0, open).contains('}') && text[close] == '}' && is_part(part);
    if (is_early(part) && has_late_part)
      line.fail("parts with :first or :number must precede all others");
    has_late_part = has_late_part || !is_early(part);
    text.remove_prefix(close + 1);
  }
  if (!is_right || text.contains('}'))
    line.fail(
        "a part of a name must be {}, {label}, {label:words}, {label:rdp}, {label:first} or "
        "{label:number}, with text between two of them");
}

// What is said of a collector.
struct Form {
  std::string_view word;
  std::size_t columns = 0;
  std::string_view options{};  // their names
};
constexpr Form kForms[] = {{"default"},
                           {"reports_parts"},
                           {"older", 2, "part"},
                           {"reads", 2, "include exclude prefix part"},
                           {"topic", 3, "include exclude part"},
                           {"also", 3, "include exclude part"},
                           {"missing", 2, "part default"},
                           {"words", 1}};

void read_options(const Line& line, std::string_view text, const Form& form, Statement& said) {
  const auto pairs = read_pairs(text);
  if (!pairs) return line.fail("options must be written name=\"value\", separated by commas");
  const auto known = split(form.options, ' ');
  for (const Pair& pair : *pairs) {
    said.options[std::string(pair.name)] = pair.value;
    if (std::ranges::find(known, pair.name) == known.end())
      line.fail('\'' + std::string(pair.name) + "' is not an option of this statement");
  }
}

// Whether the line says what a collector is.
bool read_collector_line(const Line& line, Table& table) {
  std::string_view rest = line.text;
  const auto* const form = std::ranges::find(kForms, rest.substr(0, rest.find(' ')), &Form::word);
  if (form == std::ranges::end(kForms)) return false;
  take(rest, form->word);
  auto cells = split(rest, '|');
  if (rest.empty() != (form->columns == 0) ||
      cells.size() > std::max<std::size_t>(form->columns, 1))
    line.fail("wrong number of arguments");
  cells.resize(3);
  if (!table.blocks.empty()) line.fail("this must precede the first object");
  Statement& said = table.statements.emplace_back();
  said.line = line.number;
  said.word = form->word;
  said.text = cells[0];
  said.note = cells[2];
  if (!cells[1].empty()) read_options(line, cells[1], *form, said);
  if (said.word == "older" && !is_word(said.text)) line.fail("the name must be in lower case");
  if (said.is_topic() && !find_fact_topic(said.text))
    line.fail('\'' + said.text + "' is not a topic of facts");
  return true;
}

// What stands between the objects of a block and its rows.
void read_statement(const Line& line, Block& block) {
  std::string_view rest = line.text;
  if (take(rest, "instance")) {
    check_template(line, rest);
    block.instances.emplace_back(rest);
  } else if (take(rest, "only")) {
    block.only = rest;
  } else if (take(rest, "skip")) {
    block.skipped.emplace_back(rest);
  } else if (rest == "process_id") {
    block.process_id = true;
  } else if (take(rest, "value_label")) {
    const auto parts = split(rest, '=');
    if (parts.size() != 2 || !is_word(parts[0]) || parts[1].empty())
      return line.fail("expected value_label LABEL = COUNTER");
    block.value_label = parts[0];
    block.value_counter = parts[1];
  } else {
    line.fail('\'' + std::string(rest) + "' is neither a statement nor a row");
  }
  if (!block.only.empty() && !block.instances.empty())
    line.fail("a block can have 'instance' or 'only', but not both");
}

void read_row(const Line& line, bool is_own, Table& table) {
  if (!table.blocks.empty())
    read_counter_row(line, table.blocks.back());
  else if (!table.statements.empty() && table.statements.back().is_topic())
    read_fact_row(line, is_own, table.statements.back());
  else
    line.fail("a row must follow the object or the topic that it is about");
}

void read_line(const Line& line, bool is_own, Table& table) {
  std::string_view rest = line.text;
  if (rest.empty() || rest.starts_with('#')) return;
  if (!is_text(rest)) return line.fail("the line has an invalid character");
  if (is_own && !is_row(rest) && !rest.starts_with("topic "))
    return line.fail("a table in winperf can only have topics and their rows");
  if (!is_own && table.collector.empty()) {
    if (!take(rest, "collector") || !is_word(rest))
      line.fail("the first line must be: collector NAME");
    table.collector = is_word(rest) ? rest : "unknown";
    if (!line.file.ends_with('/' + table.collector + ".table"))
      line.fail("the file must be named after its collector");
  } else if (take(rest, "collector")) {
    line.fail("a table must have exactly one collector");
  } else if (take(rest, "object")) {
    read_object(line, rest, table);
  } else if (is_row(rest)) {
    read_row(line, is_own, table);
  } else if (!read_collector_line(line, table)) {
    if (table.blocks.empty() || !table.blocks.back().rows.empty())
      line.fail("this must be between an object and its rows: " + std::string(rest));
    else
      read_statement(line, table.blocks.back());
  }
}

}  // namespace

Table read_table(const Profile& profile, std::string file, std::string_view text,
                 Problems& problems) {
  Table table;
  table.file = std::move(file);
  const bool is_own = profile.kind == ProfileKind::kOwn;
  const auto lines = split(text, '\n');
  if (!text.empty() && !text.ends_with('\n'))
    problems.add(table.file, lines.size(), "the last line has no line break");
  for (std::size_t i = 0; i < lines.size(); ++i)
    read_line({lines[i], table.file, i + 1, problems}, is_own, table);
  if (!is_own && table.collector.empty())
    problems.add(table.file, 1, "the first line must be: collector NAME");
  for (const Block& block : table.blocks)
    if (block.rows.empty()) problems.add(table.file, block.line, "the object has no rows");
  return table;
}

}  // namespace winperf::tables
