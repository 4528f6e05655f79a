#include "collectors/blg/log_summary.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "collectors/base/hex.h"
#include "collectors/base/wording.h"

namespace winperf::blg {
namespace {

void append_part(std::string& text, std::string_view separator, const std::string& part) {
  if (!text.empty() && !part.empty()) text += separator;
  text += part;
}

void add(std::string& text, std::uint64_t count, std::string_view one, std::string_view many) {
  if (count != 0) append_part(text, ", ", counted(count, one, many));
}

struct SkippedKind {
  Skipped LogSummary::* parts;
  std::string_view one;
  std::string_view many;
};

constexpr std::array kSkippedKinds{
    SkippedKind{&LogSummary::unlisted_values, "value of a counter that the log does not list",
                "values of counters that the log does not list"},
    SkippedKind{&LogSummary::unregistered_replies,
                "reply of a V2 counterset without a registration in the log",
                "replies of V2 countersets without a registration in the log"},
    SkippedKind{&LogSummary::other_machines_replies,
                "reply of a V2 counterset of a machine other than the first",
                "replies of V2 countersets of machines other than the first"},
    SkippedKind{&LogSummary::unknown_items, "item of an unknown kind", "items of unknown kinds"},
    SkippedKind{&LogSummary::unknown_records, "record of an unknown type",
                "records of unknown types"}};

std::string skipped_parts(const LogSummary& summary) {
  std::string text;
  for (const auto& [parts, one, many] : kSkippedKinds) add(text, (summary.*parts).count, one, many);
  return text;
}

// Where the first of them is.
std::string place_of_skipped(const LogSummary& summary) {
  std::optional<std::uint64_t> first;
  for (const SkippedKind& kind : kSkippedKinds) {
    const Skipped& parts = summary.*kind.parts;
    if (parts.count != 0) first = std::min(first.value_or(parts.first), parts.first);
  }
  return first ? " (the first at offset " + std::to_string(*first) + ')' : std::string();
}

// States that a circular log has wrapped, and the loss.
std::string order_of(const LogSummary& summary) {
  std::string text;
  if (summary.oldest_run) {
    text = "the log is circular and has wrapped: the oldest sample is at offset " +
           std::to_string(*summary.oldest_run) + ", and samples are in the order of their times";
    if (summary.overwritten != 0)
      text += "; newer samples have overwritten the beginning of an older one";
  }
  if (summary.late_samples.count != 0)
    append_part(text, "; ",
                counted(summary.late_samples.count, "sample is", "samples are") +
                    " older than the one before (the first at offset " +
                    std::to_string(summary.late_samples.first) + ')');
  return text;
}

std::string nameless_values(const LogSummary& summary) {
  if (summary.nameless_values == 0) return {};
  return counted(summary.nameless_values, "value of a counter", "values of counters") +
         " without a name left out";
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
  add(items, summary.v2_replies, "reply of a V2 counterset", "replies of V2 countersets");
  add(items, summary.values, "value", "values");
  add(items, summary.missing_values, "missing value", "missing values");
  append_part(items, ", ", skipped_parts(summary));
  if (summary.samples == 0)
    add(items, summary.foreign_events, "event from outside the performance library",
        "events from outside the performance library");
  if (!items.empty()) text += ": " + items;
  append_part(text, "; ", damage_of(summary));
  return text;
}

std::string describe_losses(const LogSummary& summary) {
  std::string text = skipped_parts(summary);
  if (!text.empty()) text += " skipped" + place_of_skipped(summary);
  std::string names;
  add(names, summary.foreign_names, "name table record", "name table records");
  if (!names.empty()) append_part(text, "; ", names + " of machines without counters skipped");
  append_part(text, "; ", nameless_values(summary));
  append_part(text, "; ", missing_values(summary));
  // Blocks have separate times.
  if (!summary.utc_known && summary.values + summary.missing_values != 0)
    append_part(text, "; ",
                "the log's time zone is unknown: its local times are shown as if they were UTC");
  append_part(text, "; ", order_of(summary));
  append_part(text, "; ", damage_of(summary));
  return text;
}

}  // namespace winperf::blg
