#include "service/commands/plan_report.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/quantity.h"
#include "service/console/json_document.h"
#include "service/console/text_columns.h"

namespace winperf {
namespace {

std::string place_of(const ResolvedCounterset& counterset) {
  return counterset.machine.empty() ? "" : " on " + counterset.machine;
}

std::string quoted_title_of(const ResolvedCounterset& counterset) {
  return in_quotes(counterset.label) + place_of(counterset);
}

void add_lacks(const ResolvedCounterset& found, const CountersetConfig& wanted,
               std::vector<std::string>& list) {
  // A selected counter also has its localised name.
  const std::vector<CounterSchema>& selected = found.state->sample->schema->counters;
  const auto has = [&](const std::string& name) {
    return std::ranges::any_of(selected,
                               [&](const CounterSchema& one) { return is_called(one, name); }) ||
           std::ranges::any_of(found.all_counters,
                               [&](const std::string& one) { return equal_names(one, name); });
  };
  const auto matches_counter = [&](const Pattern& pattern) {
    const auto fits = [&](std::string_view name) { return pattern.match(name) == Match::kYes; };
    return std::ranges::any_of(
               selected,
               [&](const CounterSchema& one) { return fits(one.name) || fits(one.local_name); }) ||
           std::ranges::any_of(found.all_counters, fits);
  };
  const auto add = [&](const std::string& what) {
    list.push_back(quoted_title_of(found) + " has " + what);
  };
  for (const Pattern& pattern : wanted.counters.include)
    if (!matches_counter(pattern)) add("no counter matching " + in_quotes(pattern.text()));
  if (!wanted.ranked_by.empty() && !has(wanted.ranked_by))
    add("no counter " + in_quotes(wanted.ranked_by));
  for (const CustomMetric& metric : wanted.metrics)
    if (!has(metric.counter)) add("no counter " + in_quotes(metric.counter));
  const bool wants_instances = !wanted.instances.include.empty() || wanted.instance_id;
  if (wants_instances && found.instances.shown.empty() && found.instances.hidden.empty())
    add("no matching instance");
}

void add_folders(const Config& config, std::vector<std::string>& list) {
  for (const FactConfig& fact : config.facts)
    for (const std::string& folder : fact.folders) {
      std::error_code ignored;
      if (!std::filesystem::is_directory(path_of(folder), ignored))
        list.push_back("text file folder " + in_quotes(folder) + " does not exist");
    }
}

}  // namespace

std::vector<std::string> missing_names(const ResolvedPlan& plan, const Config& config,
                                       bool has_facts) {
  std::vector<std::string> list;
  for (const std::string& pattern : plan.unmatched)
    list.push_back("no counterset matches " + in_quotes(pattern));
  for (const std::string& set : plan.empty_sets)
    list.push_back("no counterset of the collector set " + in_quotes(set));
  const std::size_t machines =
      config.countersets.empty() ? 1 : plan.countersets.size() / config.countersets.size();
  for (std::size_t i = 0; i < plan.countersets.size(); ++i) {
    const ResolvedCounterset& found = plan.countersets[i];
    if (!found.state) continue;
    if (!found.state->success) {
      list.push_back(quoted_title_of(found) + " cannot be read: " + describe_failure(*found.state));
    } else {
      add_lacks(found, config.countersets[i / machines], list);
    }
  }
  if (has_facts) add_folders(config, list);
  return list;
}

namespace {

constexpr std::size_t kNamesShown = 8;

std::string title_of(const ResolvedCounterset& counterset) {
  return counterset.label + place_of(counterset);
}

bool was_found(const ResolvedCounterset& counterset) {
  return counterset.state && counterset.state->success;
}

// "28", or "3 of 28" if filters leave some out. What is selected but can't be a metric (hidden) was
// not left out by a filter; it is listed separately.
std::string share(const Exposure& exposure, std::uint64_t all) {
  const std::string text = std::to_string(exposure.shown.size());
  const bool is_filtered = exposure.shown.size() + exposure.hidden.size() != all;
  return is_filtered ? text + " of " + std::to_string(all) : text;
}

std::vector<std::string> row_of(const ResolvedCounterset& counterset) {
  const std::string every = duration_text(counterset.interval.count());
  if (!was_found(counterset))
    return {title_of(counterset), std::string(name_of(counterset.path)), every, "-", "-", "-"};
  const CountersetSample& sample = *counterset.state->sample;
  const bool has_instances = sample.schema->multi_instance;
  return {title_of(counterset),
          std::string(winperf::name_of(sample.schema->path)),
          every,
          share(counterset.counters, counterset.all_counters.size()),
          has_instances ? share(counterset.instances, counterset.all_instances) : "-",
          std::to_string(counterset.series)};
}

// The counter of instances.by if it is missing, with the most similar one.
std::optional<std::string> missing_ranking_counter(const ResolvedCounterset& counterset) {
  // A counter that is there is always sampled.
  const auto is_it = [&](const CounterSchema& counter) {
    return is_called(counter, counterset.ranked_by);
  };
  if (counterset.ranked_by.empty() ||
      std::ranges::any_of(counterset.state->sample->schema->counters, is_it))
    return std::nullopt;
  const std::vector<std::string_view> names(counterset.all_counters.begin(),
                                            counterset.all_counters.end());
  const std::string_view meant = nearest(counterset.ranked_by, names);
  return '"' + printable(counterset.ranked_by) + '"' +
         (meant.empty() ? "" : " (did you mean \"" + printable(meant) + "\"?)");
}

void append_details(std::string& out, const ResolvedCounterset& counterset, const Look& look) {
  // Names may be cut, advice may not.
  const auto append_names = [&](const std::string& what, const std::vector<std::string>& names) {
    out += fitted(what + joined(names, ", ", kNamesShown), look.columns) + '\n';
  };
  out += '\n' + printable(title_of(counterset));
  if (counterset.names.size() > 1) out += " (" + joined(counterset.names, " or ") + ')';
  out += '\n';
  if (!was_found(counterset)) {
    out += "  " + coloured("cannot be read", Colour::kRed, look.has_colours) + ": " +
           printable(describe_failure(*counterset.state)) +
           "\n  run \"winperf_exporter doctor\" to find out why and how to fix it\n";
    return;
  }
  const Exposure& counters = counterset.counters;
  const Exposure& instances = counterset.instances;
  append_names("  counters: ", counters.shown);
  if (!counters.hidden.empty()) append_names("  without a metric: ", counters.hidden);
  if (!counterset.state->sample->schema->multi_instance) return;
  if (const auto missing = missing_ranking_counter(counterset))
    out += "  " + coloured("NO", Colour::kYellow, look.has_colours) + " counter " + *missing +
           ": instances.max keeps the first instances\n";
  if (instances.shown.empty())
    out +=
        "  " + coloured("NO", Colour::kYellow, look.has_colours) + " instance matches at present\n";
  else
    append_names("  instances: ", instances.shown);
  if (counterset.hidden_instances != 0)
    out += "  on /metrics only with metrics: {detail: full}: " +
           std::to_string(counterset.hidden_instances) + " instances\n";
  if (!instances.hidden.empty())
    append_names("  on /metrics only with metrics: {total_instances: true}: ", instances.hidden);
}

nlohmann::ordered_json to_document(const ResolvedCounterset& counterset) {
  nlohmann::ordered_json entry{
      {"name", counterset.label},
      {"alternatives", counterset.names},
      {"interval_seconds", static_cast<double>(counterset.interval.count()) / 1000},
      {"configured_path", name_of(counterset.path)},
      {"success", nullptr},
      {"error", nullptr}};
  if (!counterset.machine.empty()) entry["machine"] = counterset.machine;
  if (!counterset.state) return entry;
  entry["success"] = counterset.state->success;
  if (!counterset.state->success) {
    entry["error"] = describe_failure(*counterset.state);
    return entry;
  }
  const CountersetSample& sample = *counterset.state->sample;
  entry["object"] = sample.schema->name;
  entry["path"] = winperf::name_of(sample.schema->path);
  entry["counter_names"] = counterset.counters.shown;
  entry["hidden_counter_names"] = counterset.counters.hidden;
  entry["counters_in_all"] = counterset.all_counters.size();
  entry["instance_names"] = counterset.instances.shown;
  entry["hidden_instance_names"] = counterset.instances.hidden;
  entry["instances_in_all"] = counterset.all_instances;
  if (sample.instances_left_out != 0) entry["instances_left_out"] = sample.instances_left_out;
  entry["instances_hidden"] = counterset.hidden_instances;
  entry["series"] = counterset.series;
  entry["series_without_room"] = counterset.no_room;
  return entry;
}

// "reads srv-1, web-* (module sql) every 30s: 8 countersets".
std::string describe_target(const TargetConfig& target) {
  const std::string module =
      target.module == kDefaultModule ? "" : " (module " + printable(target.module) + ')';
  return "reads " + joined(target.hosts, ", ", kNamesShown) + module + " every " +
         duration_text(target.interval.count()) + ": " + std::to_string(target.countersets.size()) +
         " countersets\n";
}

nlohmann::ordered_json to_document(const TargetConfig& target) {
  nlohmann::ordered_json countersets = nlohmann::ordered_json::array();
  for (const CountersetConfig& counterset : target.countersets)
    countersets.push_back(counterset.label);
  return {{"hosts", target.hosts},
          {"module", target.module},
          {"interval_seconds", static_cast<double>(target.interval.count()) / 1000},
          {"counterset_names", std::move(countersets)}};
}

std::uint64_t all_series(const ResolvedPlan& plan) {
  std::uint64_t series = 0;
  for (const ResolvedCounterset& counterset : plan.countersets) series += counterset.series;
  return series;
}

}  // namespace

std::string plan_to_text(const PlanHead& head, const ResolvedPlan& plan, const Look& look) {
  std::string out = printable(head.file) + ": " +
                    coloured("valid", Colour::kGreen, look.has_colours) + "\nlistens on " +
                    joined(head.listen, ", ") + "\n";
  for (const TargetConfig& target : head.targets) out += describe_target(target);
  out += '\n';
  TextColumns columns({"COUNTERSET", "PATH", "INTERVAL", "COUNTERS", "INSTANCES", "SERIES"});
  for (const ResolvedCounterset& counterset : plan.countersets) columns.add(row_of(counterset));
  out += columns.text(look.columns);
  if (!plan.unresolved.empty())
    return out + "\nthe countersets were not resolved: " + printable(plan.unresolved) + '\n';
  for (const std::string& pattern : plan.unmatched)
    out += '\n' + coloured("NO", Colour::kYellow, look.has_colours) + " counterset matches \"" +
           printable(pattern) + "\" at present\n";
  for (const std::string& name : plan.repeated)
    out += '\n' + coloured("LEFT OUT", Colour::kYellow, look.has_colours) + ": " + printable(name) +
           ", which has the counters of another counterset that the pattern matches; name it in "
           "countersets to sample both\n";
  const std::uint64_t series = all_series(plan);
  out += "\n" + std::to_string(series) + " series at present, of at most " +
         std::to_string(plan.max_series) + " (limits.max_series)\n";
  out += "facts and metrics about the exporter are not counted here\n";
  if (plan.full_series > series)
    out += std::to_string(plan.full_series) + " series with metrics: {detail: full}\n";
  for (const ResolvedCounterset& counterset : plan.countersets)
    if (counterset.no_room != 0)
      out += coloured("LEFT OUT", Colour::kYellow, look.has_colours) +
             " of /metrics: " + printable(title_of(counterset)) + ", whose " +
             std::to_string(counterset.no_room) +
             " series exceed limits.max_series; raise the limit, or sample fewer instances or "
             "counters\n";
  for (const ResolvedCounterset& counterset : plan.countersets)
    append_details(out, counterset, look);
  return out;
}

std::string plan_to_json(const PlanHead& head, const ResolvedPlan& plan) {
  nlohmann::ordered_json document{{"file", head.file},
                                  {"listen", head.listen},
                                  {"unresolved", nullptr},
                                  {"series", all_series(plan)},
                                  {"series_with_full_detail", plan.full_series},
                                  {"max_series", plan.max_series},
                                  {"countersets", nlohmann::ordered_json::array()}};
  if (!plan.unresolved.empty())
    document["unresolved"] = plan.unresolved;
  else
    document.update({{"patterns_without_match", plan.unmatched}, {"repeated", plan.repeated}});
  document["targets"] = nlohmann::ordered_json::array();
  for (const TargetConfig& target : head.targets)
    document["targets"].push_back(to_document(target));
  for (const ResolvedCounterset& counterset : plan.countersets)
    document["countersets"].push_back(to_document(counterset));
  return json_document(document);
}

}  // namespace winperf
