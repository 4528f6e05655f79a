#include "service/commands/lacking.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/wording.h"
#include "config/text_error.h"

namespace winperf {
namespace {

std::string title_of(const ResolvedCounterset& counterset) {
  return in_quotes(counterset.label) +
         (counterset.machine.empty() ? "" : " on " + counterset.machine);
}

// Of one counterset that was found.
class Lacks {
 public:
  Lacks(const ResolvedCounterset& found, const CountersetConfig& wanted,
        std::vector<std::string>& list)
      : found_(found), wanted_(wanted), list_(list) {}

  void add() {
    for (const Pattern& pattern : wanted_.counters.include)
      if (!matches_counter(pattern))
        add_one("no counter that " + in_quotes(pattern.text()) + " matches");
    if (!wanted_.ranked_by.empty() && !has(wanted_.ranked_by))
      add_one("no counter " + in_quotes(wanted_.ranked_by));
    for (const CustomMetric& metric : wanted_.metrics)
      if (!has(metric.counter)) add_one("no counter " + in_quotes(metric.counter));
    const bool wants_instances = !wanted_.instances.include.empty() || wanted_.instance_id;
    if (wants_instances && found_.instances.shown.empty() && found_.instances.hidden.empty())
      add_one("no instance that is wanted");
  }

 private:
  void add_one(const std::string& what) { list_.push_back(title_of(found_) + " has " + what); }

  // A selected counter has its name in the machine's language, too.
  const std::vector<CounterSchema>& selected() const {
    return found_.state->sample->schema->counters;
  }
  bool has(const std::string& name) const {
    return std::ranges::any_of(selected(),
                               [&](const CounterSchema& one) { return is_called(one, name); }) ||
           std::ranges::any_of(found_.all_counters,
                               [&](const std::string& one) { return equal_names(one, name); });
  }
  bool matches_counter(const Pattern& pattern) const {
    const auto fits = [&](std::string_view name) { return pattern.match(name) == Match::kYes; };
    return std::ranges::any_of(
               selected(),
               [&](const CounterSchema& one) { return fits(one.name) || fits(one.local_name); }) ||
           std::ranges::any_of(found_.all_counters, fits);
  }

  const ResolvedCounterset& found_;
  const CountersetConfig& wanted_;
  std::vector<std::string>& list_;
};

void add_folders(const Config& config, std::vector<std::string>& list) {
  for (const FactConfig& fact : config.facts)
    for (const std::string& folder : fact.folders) {
      std::error_code ignored;
      if (!std::filesystem::is_directory(path_of(folder), ignored))
        list.push_back("there is no folder " + in_quotes(folder) + " for text files");
    }
}

}  // namespace

std::vector<std::string> what_is_lacking(const ResolvedPlan& plan, const Config& config,
                                         bool has_facts) {
  std::vector<std::string> list;
  for (const std::string& pattern : plan.unmatched)
    list.push_back("no counterset matches " + in_quotes(pattern));
  for (const std::string& set : plan.empty_sets)
    list.push_back("there is no counterset of the set " + in_quotes(set));
  const std::size_t machines =
      config.countersets.empty() ? 1 : plan.countersets.size() / config.countersets.size();
  for (std::size_t i = 0; i < plan.countersets.size(); ++i) {
    const ResolvedCounterset& found = plan.countersets[i];
    if (!found.state) continue;
    if (!found.state->success) {
      list.push_back(title_of(found) + " cannot be read: " + describe_failure(*found.state));
    } else {
      Lacks(found, config.countersets[i / machines], list).add();
    }
  }
  if (has_facts) add_folders(config, list);
  return list;
}

}  // namespace winperf
