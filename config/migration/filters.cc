#include "config/migration/filters.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "collectors/base/ascii.h"
#include "collectors/match/filter.h"
#include "collectors/match/nearest.h"
#include "config/migration/wql.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

std::string prefix_of(const Collector& collector) {
  return "collector." + std::string(collector.name) + '.';
}

// The setting that limits a collector to some of what it reads; null if there is none.
const Setting* parts_setting(const Collector& collector, Progress& progress) {
  const std::string name(collector.name);
  return progress.use_any(
      {"collector." + name + ".enabled", "collectors." + name + ".enabled",
       "collector." + name + ".classes-enabled", "collectors." + name + ".classes-enabled",
       "collector." + name + ".sources-enabled", "collectors." + name + ".sources-enabled"});
}

std::vector<std::string_view> known_parts(const Collector& collector) {
  std::vector<std::string_view> parts;
  const auto add = [&](const auto& reads) {
    for (const auto& read : reads)
      if (!read.part.empty()) parts.push_back(read.part);
  };
  add(collector.objects);
  add(collector.topics);
  add(collector.missing);
  return parts;
}

// The value of an option that is a pattern; "" if it selects nothing.
std::string pattern_of(const Collector& collector, std::string_view option, Progress& progress) {
  if (option.empty()) return "";
  // Older versions called the options "...-whitelist" and "...-blacklist".
  std::string old(option);
  old.replace(old.size() - 7, 7, option.ends_with("include") ? "whitelist" : "blacklist");
  const Setting* const setting =
      progress.use_any({prefix_of(collector) + std::string(option), prefix_of(collector) + old});
  if (setting == nullptr) return "";
  const std::string& value = setting->values.back();
  if (option.ends_with("include") && (value == ".+" || value == ".*")) return "";
  const auto pattern = Pattern::compile(value);
  if (pattern) return value;
  progress.lose(setting->place + ": " + as_json(value) + " is not a valid regular expression (" +
                pattern.error().message + " at byte " + std::to_string(pattern.error().offset) +
                "), so it selects nothing: correct it, and add it to the result");
  return "";
}

// The patterns of an entry: none, or this one, which matches what follows the prefix.
void add_pattern(std::vector<std::string>& patterns, std::string_view prefix,
                 const std::string& pattern) {
  if (pattern.empty()) return;
  if (prefix.empty()) return patterns.push_back(pattern);
  patterns.push_back(std::string(prefix) + "(?:" + pattern + ')');
}

// Of older versions: a condition of WQL.
void add_condition(Filters& filters, const Collector& collector, Progress& progress) {
  const Setting* const setting = progress.use_any({prefix_of(collector) + "services-where",
                                                   prefix_of(collector) + "processes-where",
                                                   prefix_of(collector) + "msmq-where"});
  if (setting == nullptr || setting->values.back().empty()) return;
  const auto patterns = patterns_of_wql(setting->values.back());
  if (!patterns) {
    progress.lose(setting->place + ": " + as_json(patterns.error()) +
                  " can't be said as a pattern, so everything is read: write include and exclude "
                  "with regular expressions");
    return;
  }
  std::ranges::copy(patterns->include, std::back_inserter(filters.include));
  std::ranges::copy(patterns->exclude, std::back_inserter(filters.exclude));
}

}  // namespace

std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress) {
  // Without parts, the collector's "enabled" (if it has one) is about something else.
  if (!has_parts(collector)) return std::nullopt;
  const Setting* const setting = parts_setting(collector, progress);
  if (setting == nullptr) return std::nullopt;
  const auto known = known_parts(collector);
  std::vector<std::string> parts = split(ascii_lower(setting->values.back()), ',');
  for (const std::string& part : parts) {
    if (std::ranges::find(known, part) != known.end()) continue;
    const std::string_view meant = nearest(part, known);
    progress.lose(setting->place + ": " + as_json(part) + " has no counterpart" +
                  (meant.empty() ? "" : ": did you mean " + as_json(meant) + '?'));
  }
  return parts;
}

Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress) {
  Filters filters;
  add_pattern(filters.include, prefix, pattern_of(collector, include, progress));
  add_pattern(filters.exclude, prefix, pattern_of(collector, exclude, progress));
  add_condition(filters, collector, progress);
  return filters;
}

}  // namespace winperf::migration
