#include "exporter/profiles/compile/counter_row.h"

#include <algorithm>
#include <array>

#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

using Words = std::vector<std::string_view>;

// * NUMBER or / NUMBER, then + NUMBER or - NUMBER, each of which may be missing; whether that is
// all there is.
bool read_factor_and_offset(Words words, Row& row) {
  const auto take = [&](std::string_view sign) -> std::string {
    if (words.size() < 2 || words[0] != sign || !is_number(words[1])) return {};
    std::string number(words[1]);
    words.erase(words.begin(), words.begin() + 2);
    return number;
  };
  if (const std::string times = take("*"); !times.empty())
    row.factor = times;
  else if (const std::string divisor = take("/"); !divisor.empty())
    row.factor = "1.0 / " + divisor;
  if (const std::string more = take("+"); !more.empty())
    row.offset = '+' + more;
  else if (const std::string less = take("-"); !less.empty())
    row.offset = '-' + less;
  return words.empty();
}

bool is_zero(std::string_view number) { return number.find_first_not_of("0.") == number.npos; }

// "ratio": Ratio, and so on.
std::string kind_of(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kKinds{"raw",  "seconds", "base",
                                                          "rest", "ratio",   "start"};
  if (std::ranges::find(kKinds, word) == kKinds.end()) return "AsRead";
  std::string kind(word);
  kind.front() = static_cast<char>(kind.front() - 'a' + 'A');
  return kind;
}

// What is wrong, or nothing.
std::string read_value(std::string_view value, Row& row) {
  Words words = value.empty() ? Words() : split(value, ' ');
  std::erase(words, "");
  if (words.empty()) return {};
  const std::string wrong = '\'' + std::string(value) + "' is not a value";
  if (words.front() == "state") {
    if (words.size() != 2 || !is_whole_number(words[1])) return wrong;
    row.value = "State";
    row.state = words[1];
    return {};
  }
  if (value == "instances") {
    row.value = "Instances";
    return {};
  }
  if (is_number(value.starts_with('-') ? value.substr(1) : value)) {
    row.value = "Constant";
    row.offset = value;
    return {};
  }
  row.value = kind_of(words.front());
  if (row.value != "AsRead") words.erase(words.begin());
  if (row.value == "Start" && !words.empty())
    return "a point in time has neither a factor nor an offset";
  if (words.size() >= 2 && words[0] == "/" && is_zero(words[1])) return "nothing is divided by 0";
  return read_factor_and_offset(std::move(words), row) ? std::string() : wrong;
}

// A, or A (+) B.
void read_counter(std::string_view counter, Row& row) {
  row.counter = counter;
  for (const char operation : {'+', '-', ':'}) {
    const std::string sign = std::string(" (") + operation + ") ";
    const std::size_t at = counter.rfind(sign);
    if (at == counter.npos || at == 0) continue;
    row.counter = counter.substr(0, at);
    row.operation = operation;
    row.other = counter.substr(at + sign.size());
  }
}

}  // namespace

bool is_metric(std::string_view text) {
  constexpr std::string_view kPrefix = "windows_";
  return text.starts_with(kPrefix) && text.size() > kPrefix.size() && is_name(text);
}

std::expected<Row, std::string> read_counter_row(std::string_view line) {
  constexpr std::size_t kColumns = 6;
  Words cells = split(line, '|');
  if (cells.size() > kColumns) return std::unexpected("a row has at most six columns");
  cells.resize(kColumns);
  const std::string_view metric = cells[0], type = cells[1], counter = cells[2], value = cells[3],
                         labels = cells[4], note = cells[5];
  Row row;
  const auto problem = [&]() -> std::string {
    if (!is_metric(metric)) return '\'' + std::string(metric) + "' is not the name of a metric";
    if (type != "counter" && type != "gauge")
      return "the type is counter or gauge, not '" + std::string(type) + '\'';
    if (!labels.empty() && (!read_pairs(labels) || labels.contains('\\')))
      return "labels are written label=\"value\", with commas between them, not " +
             std::string(labels);
    if (std::string wrong = read_value(value, row); !wrong.empty()) return wrong;
    const bool is_whole = row.value == "Instances" || row.value == "Constant";
    if (is_whole && counter != "-") return "this value needs no counter: write -";
    if (!is_whole && (counter.empty() || counter == "-")) return "the counter is missing";
    if (!is_whole) read_counter(counter, row);
    return {};
  }();
  if (!problem.empty()) return std::unexpected(problem);
  row.metric = metric;
  row.is_counter = type == "counter";
  row.labels = labels;
  row.note = note;
  return row;
}

}  // namespace winperf::tables
