#include "service/targets/target.h"

#include <utility>

#include "config/targets.h"

namespace winperf {

TargetDescription describe_target(const Config& config, const TargetConfig& entry,
                                  const std::string& host, bool is_named) {
  TargetDescription description{.host = host,
                                .module = entry.module,
                                .is_named = is_named,
                                .config = config_of(config, entry)};
  for (const FixedLabel& label : entry.labels)
    description.labels.emplace_back(label.name, label.value);
  return description;
}

Target::Target(TargetDescription description, const MappingOptions& mapping,
               std::function<SteadyTime()> now)
    : description_(std::move(description)),
      state_{.host = description_.host,
             .module = description_.module,
             .labels = description_.labels,
             .is_named = description_.is_named},
      is_on_trial_(!description_.is_named),
      page_(slot_, mapping, std::move(now),
            [this] { return TargetsReport{.targets = {state()}}; }) {}

TargetState Target::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Target::update(const std::function<void(TargetState&)>& change) {
  const std::lock_guard lock(mutex_);
  change(state_);
  if (state_.read_at) is_on_trial_ = false;
}

}  // namespace winperf
