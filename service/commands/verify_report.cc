#include "service/commands/verify_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "collectors/pdh/pdh_status.h"
#include "service/console/json_document.h"
#include "service/console/text_columns.h"

namespace winperf {
namespace {

using VerifyJson = nlohmann::ordered_json;

struct Totals {
  std::size_t delivered = 0;
  std::size_t compared = 0;
  std::size_t moving = 0;
  std::size_t differences = 0;
};

Totals totals_of(std::span<const VerifiedCounterset> results) {
  Totals totals;
  for (const VerifiedCounterset& result : results) {
    totals.delivered += result.delivered();
    totals.compared += result.comparison.compared;
    totals.moving += result.comparison.moving;
    totals.differences += result.comparison.differences.size();
    if (result.registry_error.has_value() != result.other_error.has_value()) ++totals.differences;
  }
  return totals;
}

std::string text_of(const std::optional<Error>& error) {
  return error ? describe_pdh(*error) : std::string("delivered");
}

VerifyJson json_of(const std::optional<Error>& error) {
  return error ? VerifyJson(describe_pdh(*error)) : VerifyJson(nullptr);
}

VerifyJson json_of(const std::optional<OurReading>& reading) {
  if (!reading) return nullptr;
  const Clocks& clocks = reading->clocks;
  return {{"value", has_raw(reading->reason) ? VerifyJson(reading->value) : VerifyJson(nullptr)},
          {"base", reading->base},
          {"reason", reading->reason == NoValue::kNone ? VerifyJson(nullptr)
                                                       : VerifyJson(name_of(reading->reason))},
          {"perf_time", clocks.perf_time.ticks},
          {"perf_frequency", clocks.perf_frequency.ticks_per_second},
          {"time_100ns", clocks.time_100ns.ticks},
          {"object_time", clocks.object_time.ticks},
          {"object_frequency", clocks.object_frequency.ticks_per_second}};
}

VerifyJson json_of(const std::optional<PdhRaw>& raw) {
  if (!raw) return nullptr;
  return {{"status", raw->status},
          {"first", raw->first},
          {"second", raw->second},
          {"multi_count", raw->multi_count},
          {"local_time", raw->local_time}};
}

VerifyJson json_of(const std::optional<PdhNumber>& number) {
  if (!number) return nullptr;
  const bool is_finite = std::isfinite(number->value);  // JSON has no other numbers
  return {{"status", number->status},
          {"value", is_finite ? VerifyJson(number->value) : VerifyJson(nullptr)}};
}

VerifyJson json_of(const std::vector<CellMoment>& evidence) {
  VerifyJson moments = VerifyJson::array();
  for (const CellMoment& moment : evidence)
    moments.push_back({{"before", json_of(moment.before)},
                       {"pdh", json_of(moment.raw)},
                       {"number", json_of(moment.number)},
                       {"after", json_of(moment.after)}});
  return moments;
}

VerifyJson json_of(const std::vector<PdhKnown>& all) {
  VerifyJson list = VerifyJson::array();
  for (const PdhKnown& known : all)
    list.push_back({{"type", known.type}, {"reason", known.reason}, {"values", known.values}});
  return list;
}

std::vector<std::string> cells_of(const VerifiedCounterset& result,
                                  const PathDifference& difference, bool has_types) {
  std::vector<std::string> cells{result.name, difference.instance, difference.counter};
  if (has_types) cells.push_back(difference.type);
  cells.insert(cells.end(), {difference.what, difference.registry, difference.other});
  return cells;
}

// What is known of an object that PDH alone lists.
std::string note_about(const VerifyReport& report, const std::string& object) {
  const auto has = [&object](const std::vector<std::string>& names) {
    return std::ranges::find(names, object) != names.end();
  };
  if (has(report.only_pdh_with_values)) return " (has values)";
  return has(report.only_pdh_not_asked) ? " (not asked)" : "";
}

// Nothing without names.
std::string line_of(std::string text, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + printable(names[i]);
  return text + '\n';
}

std::string reasons_of(const VerifyReport& report) {
  std::string out;
  for (const VerifiedCounterset& result : report.countersets) {
    if (!result.not_compared.empty())
      out += printable(result.name) + ": not compared, because " + result.not_compared + '\n';
    if (result.registry_error && result.other_error)
      out += printable(result.name) +
             ": not compared, because neither path has data: " + describe_pdh(*result.other_error) +
             '\n';
  }
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (const VerifiedByPdh& result : report.by_pdh)
    for (const PdhKnown& one : result.comparison.known) known[{one.type, one.reason}] += one.values;
  for (const auto& [key, values] : known)
    out += counted(values, "value") + " of " + key.first + " may differ: " + key.second + '\n';
  std::vector<std::string> only_pdh;
  for (const std::string& object : report.only_pdh)
    only_pdh.push_back(object + note_about(report, object));
  out += line_of("listed by PDH, but not read here: ", only_pdh);
  out += line_of("read from PDH, but not in its list of objects: ", report.unlisted);
  return out;
}

VerifyJson difference_json(const VerifyReport& report, std::size_t counterset, std::size_t place) {
  const PathDifference& difference = report.countersets[counterset].comparison.differences[place];
  VerifyJson json{{"instance", difference.instance},
                  {"counter", difference.counter},
                  {"difference", difference.what},
                  {"registry", difference.registry},
                  {report.other, difference.other}};
  if (report.by_pdh.empty()) return json;
  json["type"] = difference.type;
  json["moments"] = json_of(report.by_pdh[counterset].comparison.differences[place].evidence);
  return json;
}

}  // namespace

bool VerifyReport::verified() const {
  const Totals totals = totals_of(countersets);
  return totals.delivered != 0 && totals.differences == 0;
}

void VerifyReport::add(VerifiedByPdh result) {
  VerifiedCounterset shown{.name = result.name,
                           .registry_error = result.registry_error,
                           .other_error = result.pdh_error,
                           .comparison = {.differences = {},
                                          .compared = result.comparison.compared,
                                          .moving = result.comparison.moving},
                           .problems = result.problems,
                           .not_compared = result.not_compared};
  for (const PdhDifference& one : result.comparison.differences)
    shown.comparison.differences.push_back({.instance = one.instance,
                                            .counter = one.counter,
                                            .what = one.what,
                                            .registry = one.ours,
                                            .other = one.pdh,
                                            .type = one.type});
  countersets.push_back(std::move(shown));
  by_pdh.push_back(std::move(result));
}

void VerifyReport::add_without_time(const std::string& name) {
  without_time.push_back(name);
  add({.name = name, .not_compared = "there was no time left for it (--within)"});
}

std::string verification_table(const VerifyReport& report, const Look& look) {
  const bool has_types = !report.by_pdh.empty();
  std::vector<std::string> titles{"counterset", "instance", "counter"};
  if (has_types) titles.push_back("type");
  titles.insert(titles.end(), {"difference", "registry", report.other});
  TextColumns table(titles);
  for (const VerifiedCounterset& result : report.countersets) {
    if (result.registry_error.has_value() != result.other_error.has_value())
      table.add(cells_of(result,
                         {.instance = "",
                          .counter = "",
                          .what = "only through one path",
                          .registry = text_of(result.registry_error),
                          .other = text_of(result.other_error)},
                         has_types));
    for (const PathDifference& difference : result.comparison.differences)
      table.add(cells_of(result, difference, has_types));
  }
  const Totals totals = totals_of(report.countersets);
  std::string out = table.empty() ? std::string() : table.text() + '\n';
  out += reasons_of(report);
  return out + std::to_string(totals.delivered) + " of " +
         counted(report.countersets.size(), "counterset") +
         " compared: " + counted(totals.compared, "value") + ", of which " +
         std::to_string(totals.moving) + " changed too fast to compare; " +
         coloured(counted(totals.differences, "difference"),
                  report.verified() ? Colour::kGreen : Colour::kRed, look.has_colours) +
         '\n';
}

std::string verification_json(const VerifyReport& report) {
  VerifyJson countersets = VerifyJson::array();
  for (std::size_t i = 0; i < report.countersets.size(); ++i) {
    const VerifiedCounterset& result = report.countersets[i];
    VerifyJson differences = VerifyJson::array();
    for (std::size_t place = 0; place < result.comparison.differences.size(); ++place)
      differences.push_back(difference_json(report, i, place));
    VerifyJson json{{"name", result.name},
                    {"agrees", result.agrees()},
                    {"registry_error", json_of(result.registry_error)},
                    {report.other + "_error", json_of(result.other_error)},
                    {"compared", result.comparison.compared},
                    {"moving", result.comparison.moving},
                    {"differences", std::move(differences)}};
    if (!report.by_pdh.empty()) {
      json["not_compared"] =
          result.not_compared.empty() ? VerifyJson(nullptr) : VerifyJson(result.not_compared);
      json["known"] = json_of(report.by_pdh[i].comparison.known);
    }
    countersets.push_back(std::move(json));
  }
  VerifyJson document{{"verified", report.verified()}, {"countersets", std::move(countersets)}};
  if (!report.by_pdh.empty()) {
    document["only_pdh"] = report.only_pdh;
    document["only_pdh_with_values"] = report.only_pdh_with_values;
    document["only_pdh_not_asked"] = report.only_pdh_not_asked;
    document["not_listed_by_pdh"] = report.unlisted;
    document["without_time"] = report.without_time;
  }
  return json_document(document);
}

}  // namespace winperf
