#include "collectors/blg/log_summary.h"

#include <string_view>

#include "collectors/base/hex.h"

namespace winperf::blg {
namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

void append(std::string& text, std::string_view separator, const std::string& part) {
  if (!text.empty() && !part.empty()) text += separator;
  text += part;
}

void add(std::string& text, std::uint64_t count, std::string_view one, std::string_view many) {
  if (count != 0) append(text, ", ", counted(count, one, many));
}

std::string unreadable_items(const LogSummary& summary) {
  std::string text;
  add(text, summary.unlisted_values, "value of a counter that the log doesn't list",
      "values of counters that the log doesn't list");
  add(text, summary.unknown_items, "item of an unknown kind", "items of unknown kinds");
  return text;
}

std::string missing_values(const LogSummary& summary) {
  if (!summary.first_missing) return {};
  return counted(summary.missing_values, "value was", "values were") +
         " missing when the log was recorded (the first: " + summary.first_missing->counter +
         ", status " + hex(summary.first_missing->status) + ')';
}

std::string damage_of(const LogSummary& summary) {
  if (!summary.first_damage) return {};
  return counted(summary.damaged, "damaged part", "damaged parts") +
         " (the first: " + describe(*summary.first_damage) + ')';
}

}  // namespace

std::string describe(const LogSummary& summary) {
  std::string text = counted(summary.samples, "sample", "samples") + " of " +
                     counted(summary.counters, "counter", "counters");
  if (!summary.first_counter.empty()) text += " (such as " + summary.first_counter + ')';
  std::string items;
  add(items, summary.whole_objects, "whole object", "whole objects");
  add(items, summary.values, "value", "values");
  add(items, summary.missing_values, "missing value", "missing values");
  append(items, ", ", unreadable_items(summary));
  if (summary.samples == 0)
    add(items, summary.foreign_events, "event from outside the performance library",
        "events from outside the performance library");
  if (!items.empty()) text += ": " + items;
  append(text, "; ", damage_of(summary));
  return text;
}

std::string describe_losses(const LogSummary& summary) {
  std::string text = unreadable_items(summary);
  if (!text.empty()) text += " skipped";
  std::string names;
  add(names, summary.foreign_names, "name table record", "name table records");
  if (!names.empty()) append(text, "; ", names + " of machines without counters skipped");
  append(text, "; ", missing_values(summary));
  // Blocks have times of their own.
  if (!summary.utc_known && summary.values + summary.missing_values != 0)
    append(text, "; ",
           "the log's time zone is unknown: its local times are shown as if they were UTC");
  append(text, "; ", damage_of(summary));
  return text;
}

}  // namespace winperf::blg
