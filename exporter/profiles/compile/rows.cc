// The rows of tables: metric | type | counter | value | labels | note, and
// metric | type | field | value | labels | HELP.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "exporter/profiles/compile/table_reader.h"
#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

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
  if (divisor.find_first_not_of("0.") == divisor.npos) line.fail("nothing is divided by 0");
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
    line.fail("a point in time has neither a factor nor an offset");
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
struct Form {
  std::string_view word;
  bool has_field = true;
  bool has_words = false;
  std::size_t labels = 0;  // how many it makes itself
};
constexpr Form kForms[] = {{.word = "info", .has_field = false},
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
std::string labels_of(const Line& line, std::string_view text, const Form& form) {
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
      line.fail("labels are written name,name=field,{name}, with those that the value makes last");
    if (is_made)
      made_names.append(made++ == 0 ? "" : " ").append(name);
    else if (++count <= kMost)
      labels += '{' + quoted(name) + ", " + quoted(field) + "}, ";
  }
  if (made != form.labels)
    line.fail("this value makes " + std::to_string(form.labels) + " labels, in braces");
  if (count > kMost) line.fail("a row has at most eight labels from fields");
  return "{{" + labels + "}}, " + quoted(made_names);
}

const Form& form_of(std::string_view value) {
  const auto* const found = std::ranges::find_if(
      kForms, [value](const Form& form) { return value.substr(0, value.find(' ')) == form.word; });
  return found == std::ranges::end(kForms) ? std::ranges::end(kForms)[-1] : *found;
}

}  // namespace

void read_counter_row(const Line& line, Block& block) {
  const auto cells = cells_of(line, false);
  const std::string_view counter = cells[2], labels = cells[4];
  if (!labels.empty() && (!read_pairs(labels) || labels.contains('\\')))
    line.fail("labels are written label=\"value\", with commas between them, not " +
              std::string(labels));
  if (cells[1].starts_with('=')) line.fail("only metrics of facts are as another one");
  const Value value = read_value(line, cells[3]);
  if (value.is_whole() && counter != "-") line.fail("this value needs no counter: write -");
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
    if (!field.empty()) line.fail("a row as another one says no more than its name");
    return;
  }
  const Form& form = form_of(cells[3]);
  std::string_view rest = cells[3];
  take(rest, form.word);
  const std::string factor = form.word == "number" ? take_factor(line, rest) : "1";
  if (form.has_words) row.words = std::exchange(rest, {});
  if (!rest.empty()) line.fail(not_a_value(cells[3]));
  if (form.has_field && !is_name(field)) line.fail("the field is missing");
  if (!form.has_field && field != "-") line.fail("this value needs no field: write -");
  if (help.empty()) line.fail("the HELP is missing");
  (help.starts_with('=') ? row.help_of : row.help) =
      help.starts_with('=') ? stripped(help.substr(1)) : help;
  row.cpp = "FactTopic::" + constant(topic.text) + ", FactKind::" + constant(form.word) + ", " +
            quoted(form.has_field ? field : "") + ", " + labels_of(line, cells[4], form) + ", " +
            (row.words.empty() ? "{}" : constant(row.words)) + ", " + factor + ", " +
            (type == "counter" ? "true" : "false");
}

}  // namespace winperf::tables
