#include "collectors/blg/log_summary.h"

#include <string_view>

namespace winperf::blg {
namespace {

void add(std::string& text, std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 0) return;
  if (!text.empty()) text += ", ";
  text += std::to_string(count) + ' ';
  text += count == 1 ? one : many;
}

void add_skipped_items(std::string& text, const ItemCounts& items) {
  add(text, items.single_counters, "single counter", "single counters");
  add(text, items.wildcard_counters, "wildcard counter", "wildcard counters");
  add(text, items.unknown, "item of an unknown kind", "items of unknown kinds");
}

std::string damage_of(const LogSummary& summary) {
  if (!summary.first_damage) return {};
  std::string text;
  add(text, summary.damaged, "damaged part", "damaged parts");
  return text + " (the first: " + describe(*summary.first_damage) + ')';
}

}  // namespace

ItemCounts& ItemCounts::operator+=(const ItemCounts& more) {
  whole_objects += more.whole_objects;
  single_counters += more.single_counters;
  wildcard_counters += more.wildcard_counters;
  unknown += more.unknown;
  return *this;
}

std::string describe(const LogSummary& summary) {
  std::string text = std::to_string(summary.samples) + " samples of " +
                     std::to_string(summary.counters) + " counters";
  if (!summary.first_counter.empty()) text += " (such as " + summary.first_counter + ')';
  std::string items;
  add(items, summary.items.whole_objects, "whole object", "whole objects");
  add_skipped_items(items, summary.items);
  if (summary.samples == 0)
    add(items, summary.foreign_events, "event of others than the performance library",
        "events of others than the performance library");
  if (!items.empty()) text += ": " + items;
  if (const std::string damage = damage_of(summary); !damage.empty()) text += "; " + damage;
  return text;
}

std::string describe_losses(const LogSummary& summary) {
  std::string text;
  add_skipped_items(text, summary.items);
  if (!text.empty()) text += " skipped, since only whole objects can be replayed";
  std::string names;
  add(names, summary.foreign_names, "name table record", "name table records");
  if (!names.empty()) text += (text.empty() ? "" : "; ") + names + " of further machines left out";
  if (const std::string damage = damage_of(summary); !damage.empty())
    text += (text.empty() ? "" : "; ") + damage;
  return text;
}

}  // namespace winperf::blg
