#include "tests/simulator/user_provider.h"

#include <algorithm>

#include "tests/simulator/codes.h"

namespace winperf::simulator {

const CountersetDefinition* UserProvider::find(const Guid& counterset) const {
  const auto found = std::ranges::find(definitions_, counterset, &CountersetDefinition::guid);
  return found == definitions_.end() ? nullptr : &*found;
}

std::uint32_t UserProvider::create_instance(const InstanceKey& key) {
  const CountersetDefinition* const definition = find(key.counterset);
  if (definition == nullptr) return kInvalidParameter;
  const std::lock_guard lock(mutex_);
  const bool single = definition->instance_type == v2::InstanceType::kSingle;
  std::size_t present = 0;
  for (const auto& [other, values] : instances_) {
    if (other == key) return kAlreadyExists;
    present += other.counterset == key.counterset;
  }
  if (single && (present != 0 || !key.name.empty())) return kInvalidParameter;
  Values values;
  for (const CounterDefinition& counter : definition->counters) values[counter.id] = {};
  instances_.emplace_back(key, std::move(values));
  return kSuccess;
}

std::uint32_t UserProvider::delete_instance(const InstanceKey& key) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(instances_, [&](const auto& entry) { return entry.first == key; }) == 0
             ? kNotFound
             : kSuccess;
}

UserProvider::Value* UserProvider::value_of(const InstanceKey& key, std::uint32_t counter_id) {
  for (auto& [other, values] : instances_) {
    if (other != key) continue;
    const auto found = values.find(counter_id);
    return found == values.end() ? nullptr : &found->second;
  }
  return nullptr;
}

std::uint32_t UserProvider::set_value(const InstanceKey& key, std::uint32_t counter_id,
                                      std::uint64_t value) {
  const std::lock_guard lock(mutex_);
  Value* const found = value_of(key, counter_id);
  if (found == nullptr) return kNotFound;
  *found = {.number = value};
  return kSuccess;
}

std::uint32_t UserProvider::increment(const InstanceKey& key, std::uint32_t counter_id,
                                      std::uint64_t by) {
  const std::lock_guard lock(mutex_);
  Value* const found = value_of(key, counter_id);
  if (found == nullptr) return kNotFound;
  found->number += by;
  return kSuccess;
}

std::uint32_t UserProvider::set_reference(const InstanceKey& key, std::uint32_t counter_id,
                                          const std::uint64_t* value) {
  const std::lock_guard lock(mutex_);
  Value* const found = value_of(key, counter_id);
  if (found == nullptr) return kNotFound;
  *found = {.by_reference = true, .reference = value};
  return kSuccess;
}

void UserProvider::stop() {
  const std::lock_guard lock(mutex_);
  running_ = false;
  instances_.clear();
}

void UserProvider::start() {
  const std::lock_guard lock(mutex_);
  running_ = true;
}

std::uint32_t UserProvider::call(ControlRequest request, const Guid& counterset) const {
  return callback_ ? callback_(request, counterset) : kSuccess;
}

std::uint32_t UserProvider::add_counter(const CountersetDefinition& counterset, const Mask&) {
  if (refusal_ != kSuccess) return refusal_;
  return call(ControlRequest::kAddCounter, counterset.guid);
}

void UserProvider::remove_counter(const CountersetDefinition& counterset, const Mask&) {
  call(ControlRequest::kRemoveCounter, counterset.guid);
}

std::expected<std::vector<InstanceValues>, std::uint32_t> UserProvider::enumerate(
    const CountersetDefinition& counterset, const Mask&) {
  if (const std::uint32_t status = call(ControlRequest::kEnumerateInstances, counterset.guid);
      status != kSuccess)
    return std::unexpected(status);
  const std::lock_guard lock(mutex_);
  if (!running_) return std::unexpected(kInstanceNotFound);
  std::vector<InstanceValues> result;
  for (const auto& [key, values] : instances_)
    if (key.counterset == counterset.guid) result.push_back({.name = key.name, .id = key.id});
  return result;
}

std::expected<std::vector<InstanceValues>, std::uint32_t> UserProvider::collect(
    const CountersetDefinition& counterset, const Mask&) {
  if (const std::uint32_t status = call(ControlRequest::kCollectStart, counterset.guid);
      status != kSuccess)
    return std::unexpected(status);
  auto result = copied(counterset);
  call(ControlRequest::kCollectEnd, counterset.guid);
  return result;
}

std::expected<std::vector<InstanceValues>, std::uint32_t> UserProvider::copied(
    const CountersetDefinition& counterset) const {
  std::vector<InstanceValues> result;
  const std::lock_guard lock(mutex_);
  if (!running_) return std::unexpected(kInstanceNotFound);
  for (const auto& [key, values] : instances_) {
    if (key.counterset != counterset.guid) continue;
    InstanceValues& instance = result.emplace_back();
    instance.name = key.name;
    instance.id = key.id;
    for (const CounterDefinition& counter : counterset.counters) {
      const Value& value = values.at(counter.id);
      if (value.by_reference && value.reference == nullptr) return std::unexpected(kNoData);
      instance.values.push_back(value.by_reference ? *value.reference : value.number);
    }
  }
  return result;
}

}  // namespace winperf::simulator
