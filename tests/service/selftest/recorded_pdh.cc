// PDH's numbers, cooked from PDH's raw values: with the tests' own reading of the file, so that it
// shares nothing with what has compared them on the machine.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "collectors/pdh/pdh_cook.h"
#include "collectors/pdh/pdh_known.h"
#include "tests/service/selftest/recorded_report.h"
#include "tests/support/cook_cell.h"

namespace winperf::testing {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kNewData = 1;  // PDH_CSTATUS_NEW_DATA; 0 is PDH_CSTATUS_VALID_DATA

struct WrongShape {};

const Json& at(const Json& from, const char* key) {
  if (!from.is_object() || !from.contains(key)) throw WrongShape();
  return from[key];
}
const Json& at(const Json& from, std::size_t place) {
  if (!from.is_array() || place >= from.size()) throw WrongShape();
  return from[place];
}
std::int64_t whole(const Json& from) {
  if (!from.is_number_integer()) throw WrongShape();
  return from.is_number_unsigned() ? static_cast<std::int64_t>(from.get<std::uint64_t>())
                                   : from.get<std::int64_t>();
}
std::string text(const Json& from) {
  if (!from.is_string()) throw WrongShape();
  return from.get<std::string>();
}
double number(const Json& from) {
  if (from.is_number()) return from.get<double>();
  const std::string word = text(from);
  if (word == "nan") return std::nan("");
  if (word != "inf" && word != "-inf") throw WrongShape();
  return word == "inf" ? INFINITY : -INFINITY;
}
bool is_valid(std::int64_t status) { return status == 0 || status == kNewData; }

// Of the raw values of a counter, those of the instance that is at this place among those of its
// name. [instance, status, first, second, multi count, local time]
const Json* raw_of(const Json& list, const std::string& instance, std::size_t ordinal) {
  if (!list.is_array()) throw WrongShape();
  for (const Json& item : list)
    if (text(at(item, std::size_t{0})) == instance && ordinal-- == 0) return &item;
  return nullptr;
}

struct PdhCounter {
  CounterTypeInfo type;
  std::int64_t time_base = 0;
  std::uint8_t bytes = 0;
  std::uint8_t base_bytes = 0;
};

std::uint64_t cut(std::int64_t value, std::uint8_t bytes) {
  const auto all = static_cast<std::uint64_t>(value);
  return bytes == sizeof(std::uint32_t) ? all & 0xFFFF'FFFFU : all;
}

// The second value is the base or the time, by the type. A base of several components is the
// multi count.
Measurement measurement_of(const PdhCounter& counter, const Json& raw) {
  const std::int64_t second = whole(at(raw, 3));
  const bool is_multi = counter.type.base == BaseKind::kMulti;
  const bool is_base = counter.type.base != BaseKind::kNone && !is_multi;
  Measurement result{.observation = {.value = cut(whole(at(raw, 2)), counter.bytes),
                                     .base = 0,
                                     .value_bytes = counter.bytes,
                                     .base_bytes = counter.base_bytes},
                     .clocks = {}};
  if (is_base) result.observation.base = cut(second, counter.base_bytes);
  if (is_multi) result.observation.base = static_cast<std::uint64_t>(whole(at(raw, 4)));
  result.clocks = {.perf_time = {second},
                   .perf_frequency = {counter.time_base},
                   .time_100ns = {second},
                   .object_time = {second},
                   .object_frequency = {counter.time_base}};
  return result;
}

bool is_close(const PdhCounter& counter, const Measurement& now, double a, double b) {
  return a == b || std::abs(a - b) <= tolerance_of(counter.type, a, now.observation.base);
}

// What PDH is known to do otherwise has one list.
bool is_known(const PdhCounter& counter, const Measurement& now, double ours, double pdh) {
  const CounterPoint point{
      .value = now.observation.value, .base = now.observation.base, .clocks = now.clocks};
  return known_number(counter.type, ours, point, pdh).has_value();
}

struct RecordedCell {
  const PdhCounter& counter;
  std::string title;  // of counterset, counter, type and instance
  const Json* before;
  const Json* now;
  std::int64_t status;  // of the number
  double value;
};

void judge(const RecordedCell& cell, Recomputed& result) {
  ++result.compared;
  if (cell.now == nullptr) {
    result.problems.push_back(cell.title + ": a number without raw values");
    return;
  }
  std::optional<Measurement> before;
  if (cell.before != nullptr && is_valid(whole(at(*cell.before, 1))))
    before = measurement_of(cell.counter, *cell.before);
  const Measurement now = measurement_of(cell.counter, *cell.now);
  const bool lacks_base = cell.counter.type.base != BaseKind::kNone && cell.counter.base_bytes == 0;
  const auto ours = lacks_base ? std::expected<double, NoValue>(std::unexpected(NoValue::kNoBase))
                               : cook(cell.counter.type, before, now);
  result.numbers += ours.has_value();
  const std::string pdhs = "PDH has " + std::to_string(cell.value);
  if (!is_valid(cell.status)) {
    // A value that fell may be a wrap for one of both.
    const bool fell = before && (now.observation.value < before->observation.value ||
                                 now.observation.base < before->observation.base);
    if (ours && is_valid(whole(at(*cell.now, 1))) && !fell)
      result.problems.push_back(cell.title + ": PDH has no number, its raw values give " +
                                std::to_string(*ours));
  } else if (ours) {
    if (is_close(cell.counter, now, *ours, cell.value)) return;
    if (is_known(cell.counter, now, *ours, cell.value))
      ++result.known;
    else
      result.problems.push_back(cell.title + ": " + pdhs + ", its raw values give " +
                                std::to_string(*ours));
  } else if (known_without_ours(ours.error(), cell.value)) {
    ++result.known;
  } else {
    result.problems.push_back(cell.title + ": " + pdhs + ", its raw values give none (" +
                              std::string(name_of(ours.error())) + ")");
  }
}

// The values of a counter, by the name with which it was asked for.
const Json* values_of(const Json& moment, const std::string& name) {
  if (!moment.is_array()) throw WrongShape();
  for (const Json& values : moment)
    if (text(at(values, "name")) == name) return &values;
  return nullptr;
}

std::uint8_t width(const Json& from) {
  const std::int64_t bytes = whole(from);
  if (bytes < 0 || bytes > 255) throw WrongShape();
  return static_cast<std::uint8_t>(bytes);
}

void recompute_counter(const Json& record, const std::string& counterset, const Json& definition,
                       const Json& widths, Recomputed& result) {
  if (whole(at(definition, "add_status")) != 0 || whole(at(definition, "info_status")) != 0) return;
  const std::string name = text(at(definition, "name"));
  const CounterType type{static_cast<std::uint32_t>(whole(at(definition, "type")))};
  const PdhCounter counter{.type = describe(type),
                           .time_base = whole(at(definition, "time_base")),
                           .bytes = width(at(widths, std::size_t{0})),
                           .base_bytes = width(at(widths, 1))};
  const Json& moments = at(record, "moments");
  const Json* const before = values_of(at(moments, std::size_t{0}), name);
  const Json* const now = values_of(at(moments, 1), name);
  if (now == nullptr) return;
  std::vector<std::string> seen;
  for (const Json& item : at(*now, "numbers")) {
    const std::string instance = text(at(item, std::size_t{0}));
    const auto ordinal = static_cast<std::size_t>(std::ranges::count(seen, instance));
    seen.push_back(instance);
    judge({.counter = counter,
           .title = counterset + ", " + name + " (" + to_string(type) + ") of \"" + instance + '"',
           .before = before == nullptr ? nullptr : raw_of(at(*before, "raw"), instance, ordinal),
           .now = raw_of(at(*now, "raw"), instance, ordinal),
           .status = whole(at(item, 1)),
           .value = number(at(item, 2))},
          result);
  }
}

void recompute_record(const Json& record, Recomputed& result) {
  const std::string counterset = text(at(record, "counterset"));
  const Json& definitions = at(record, "definitions");
  const Json& widths = at(record, "widths");
  if (!definitions.is_array()) throw WrongShape();
  ++result.samples;
  for (std::size_t i = 0; i < definitions.size(); ++i)
    recompute_counter(record, counterset, definitions[i], at(widths, i), result);
}

}  // namespace

Recomputed recompute_pdh(std::string_view file) {
  Recomputed result;
  std::size_t line_number = 0;
  for (std::size_t begin = 0; begin < file.size();) {
    const std::size_t end = std::min(file.find('\n', begin), file.size());
    const Json line = Json::parse(file.substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    ++line_number;
    const std::string where = "line " + std::to_string(line_number) + " of PDH's values";
    try {
      if (line_number == 1) {
        if (text(at(line, "format")) != "winperf_exporter pdh record" ||
            whole(at(line, "version")) != 1)
          throw WrongShape();
      } else {
        recompute_record(line, result);
      }
    } catch (const WrongShape&) {
      result.problems.push_back(where + " has another format");
    }
  }
  return result;
}

}  // namespace winperf::testing
