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

// The setting of an option that is a pattern; null if it selects nothing, or there is none.
const Setting* pattern_setting(const Collector& collector, std::string_view option,
                               Progress& progress) {
  if (option.empty()) return nullptr;
  // Older versions called the options "...-whitelist" and "...-blacklist".
  std::string old(option);
  old.replace(old.size() - 7, 7, option.ends_with("include") ? "whitelist" : "blacklist");
  const Setting* const setting =
      progress.use_any({prefix_of(collector) + std::string(option), prefix_of(collector) + old});
  if (setting == nullptr || setting->values.back().empty()) return nullptr;
  const std::string& value = setting->values.back();
  const bool is_all = option.ends_with("include") && (value == ".+" || value == ".*");
  return is_all ? nullptr : setting;
}

// The patterns of an entry: this one, which matches what follows the prefix.
void add_pattern(std::vector<std::string>& patterns, std::string_view prefix,
                 const std::string& pattern) {
  if (prefix.empty()) return patterns.push_back(pattern);
  patterns.push_back(std::string(prefix) + "(?:" + pattern + ')');
}

// A condition of WQL, which was written as the options of older versions have it.
void add_wql(const Setting& setting, std::string_view prefix, bool is_exclusion,
             std::vector<std::string>& same, std::vector<std::string>& opposite,
             Progress& progress) {
  const std::string& value = setting.values.back();
  const auto patterns = patterns_of_wql(value);
  // What isn't "A and not B" is "not A, or B", and no two lists of patterns say that.
  const bool is_mixed =
      is_exclusion && patterns && !patterns->include.empty() && !patterns->exclude.empty();
  if (!patterns || is_mixed) {
    progress.lose(setting.place + ": " + as_json(value) +
                  " is a condition of WQL, not a regular expression, and can't be said as one: "
                  "write the names");
    return;
  }
  progress.note(setting.place + ": " + as_json(value) +
                " is a condition of WQL, not a regular expression: the names in it were taken, "
                "which was probably meant");
  for (const std::string& pattern : patterns->include) add_pattern(same, prefix, pattern);
  for (const std::string& pattern : patterns->exclude) add_pattern(opposite, prefix, pattern);
}

// `same`: what the option selects; `opposite`: the rest.
void add_option(const Collector& collector, std::string_view option, std::string_view prefix,
                bool is_exclusion, std::vector<std::string>& same,
                std::vector<std::string>& opposite, Progress& progress) {
  const Setting* const setting = pattern_setting(collector, option, progress);
  if (setting == nullptr) return;
  const std::string& value = setting->values.back();
  if (looks_like_wql(value))
    return add_wql(*setting, prefix, is_exclusion, same, opposite, progress);
  const auto pattern = Pattern::compile(value);
  if (pattern) return add_pattern(same, prefix, value);
  progress.lose(setting->place + ": " + as_json(value) + " is not a valid regular expression (" +
                pattern.error().message + " at byte " + std::to_string(pattern.error().offset) +
                "), so it selects nothing: correct it, and add it to the result");
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
  add_option(collector, include, prefix, false, filters.include, filters.exclude, progress);
  add_option(collector, exclude, prefix, true, filters.exclude, filters.include, progress);
  add_condition(filters, collector, progress);
  return filters;
}

}  // namespace winperf::migration
