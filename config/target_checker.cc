// The list of other machines. What is to be sampled there is checked as if the entry was a
// configuration of its own.
#include <string>
#include <utility>

#include "collectors/base/wording.h"
#include "config/checker.h"
#include "config/targets.h"
#include "config/value_error.h"

namespace winperf {
namespace {

constexpr std::string_view kEntry = "targets[]";

}  // namespace

void Checker::check_targets(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kSequence)
    return complain(node.offset, in_quotes(option.path) + " must be a list, not " +
                                     described(node) +
                                     ": write, for example, [{host: srv-1, interval: 30s}]");
  const auto limit = static_cast<std::size_t>(option.maximum);
  if (node.children.size() > limit)
    return complain(node.children[limit].offset,
                    in_quotes(option.path) + " has " + std::to_string(node.children.size()) +
                        " entries: write at most " + std::to_string(limit) +
                        ", each with several machines");
  // Later, because what an entry leaves out is that of this machine.
  targets_ = &node;
}

void Checker::check_target_entries() {
  if (targets_ == nullptr) return;
  Scope machine = std::exchange(scope_, {});
  for (const Node& entry : targets_->children) {
    const std::size_t errors_before = errors_.size();
    TargetConfig target = check_target(entry, machine);
    if (errors_.size() != errors_before) continue;
    check_same_target(target, entry);
    checked_targets_.push_back(std::move(target));
  }
  scope_ = std::move(machine);
  scope_.draft.config.targets = std::exchange(checked_targets_, {});
}

TargetConfig Checker::check_target(const Node& node, const Scope& machine) {
  scope_ = {};
  Config& config = scope_.draft.config;
  config.metrics = machine.draft.config.metrics;
  TargetConfig& target = scope_.draft.target;
  config.interval = target.interval;
  config.path = target.path;
  config.language = target.language;
  scope_.facts_given = true;
  if (node.kind != NodeKind::kMap) {
    complain(node.offset, "an entry of \"targets\" must be an object, not " + described(node) +
                              ": write, for example, {host: srv-1}");
    return target;
  }
  check_keys(kEntry, node);
  if (child_of(node, "host") == nullptr)
    complain(node.offset, "this target has no host: write, for example, host: srv-1");
  check_sets(node);
  note_stale_after(node);
  if (!scope_.countersets_given && config.collect.empty()) {
    config.collect = machine.draft.config.collect;
    config.countersets = machine.draft.config.countersets;
    // What is sampled as often as the target says is stale when that says so, too.
    for (CountersetConfig& entry : config.countersets)
      if (entry.interval == std::chrono::milliseconds(0))
        entry.stale_after = std::chrono::milliseconds(0);
    scope_.countersets_given = machine.countersets_given;
    if (machine.no_countersets) scope_.no_countersets = {node.offset, "countersets"};
  }
  complete();
  target.interval = config.interval;
  target.stale_after = config.stale_after;
  target.path = config.path;
  target.language = config.language;
  target.collect = std::move(config.collect);
  target.countersets = std::move(config.countersets);
  return std::move(target);
}

// A machine may have several entries, but not two of the same name.
void Checker::check_same_target(const TargetConfig& target, const Node& node) {
  for (const std::string& host : target.hosts) {
    const auto [first, is_new] =
        target_names_.emplace(host_key(host) + ' ' + target.module, node.offset);
    if (is_new) continue;
    const auto line = std::to_string(lines_.line_of(first->second));
    complain(node.offset, "target " + in_quotes(host) + " is named twice, first on line " + line +
                              ": keep one, or give one of them a module of its own");
  }
}

}  // namespace winperf
