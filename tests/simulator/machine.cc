#include "tests/simulator/machine.h"

#include <algorithm>
#include <utility>

#include "tests/simulator/wildcard.h"

namespace winperf::simulator {

Machine::Machine(std::function<Now()> now) : clock_(std::move(now)) {}

thread_local const Moment* Moment::current_ = nullptr;

Moment::Moment(const Machine& machine)
    : machine_(machine), now_(machine.now()), before_(std::exchange(current_, this)) {}

Moment::~Moment() { current_ = before_; }

Now Machine::now() const {
  if (Moment::current_ != nullptr && &Moment::current_->machine_ == this)
    return Moment::current_->now_;
  return clock_ ? clock_() : standing_;
}

void Machine::advance(double seconds) {
  standing_.perf_time +=
      static_cast<std::int64_t>(seconds * static_cast<double>(standing_.perf_frequency));
  standing_.time_100ns += static_cast<std::int64_t>(seconds * 1e7);
}

void Machine::add(std::shared_ptr<V1Provider> provider) { v1_.push_back(std::move(provider)); }

void Machine::add(std::shared_ptr<V2Provider> provider) {
  for (const CountersetDefinition& counterset : provider->countersets()) {
    Titles& titles = titles_[counterset.guid];
    if (titles.set == 0) titles.set = std::exchange(next_title_, next_title_ + 2);
    // Those with names last: behind a title without a name the table goes on, as on a real machine.
    for (const bool named : {false, true})
      for (const CounterDefinition& counter : counterset.counters)
        if (counter.name.empty() != named && !titles.counters.contains(counter.id))
          titles.counters[counter.id] = std::exchange(next_title_, next_title_ + 2);
  }
  v2_.push_back(std::move(provider));
}

void Machine::remove_v2(const Guid& provider) {
  std::erase_if(v2_, [&](const auto& known) { return known->guid() == provider; });
}

void Machine::number_titles_from(std::uint32_t title) { next_title_ = title; }

std::uint32_t Machine::assign_titles(std::uint32_t names) {
  return std::exchange(next_title_, next_title_ + 2 * names);
}

std::uint32_t Machine::last_counter() const {
  return next_title_ - 2 + (spoiler == nullptr ? 0 : spoiler->generation());
}

std::vector<Machine::Title> Machine::counter_table(bool is_local) const {
  const auto text_of = [is_local](const auto& definition) {
    return is_local && !definition.local_name.empty() ? definition.local_name : definition.name;
  };
  std::vector<Title> titles{{1, u"1847"}};
  for (const auto& provider : v1_)
    for (const auto& [index, name] : is_local ? provider->local_names() : provider->names())
      titles.push_back({index, name});
  for (const auto& provider : v2_) {
    for (const CountersetDefinition& counterset : provider->countersets()) {
      titles.push_back({title_of(counterset.guid), text_of(counterset)});
      for (const CounterDefinition& counter : counterset.counters)
        if (!counter.name.empty())
          titles.push_back({title_of(counterset.guid, counter.id), text_of(counter)});
    }
  }
  return titles;
}

std::vector<Machine::Title> Machine::help_table() const {
  std::vector<Title> titles;
  for (const auto& provider : v1_)
    for (const auto& [index, help] : provider->helps()) titles.push_back({index, help});
  for (const auto& provider : v2_) {
    for (const CountersetDefinition& counterset : provider->countersets()) {
      titles.push_back({title_of(counterset.guid) + 1, counterset.help});
      for (const CounterDefinition& counter : counterset.counters)
        if (!counter.help.empty())
          titles.push_back({title_of(counterset.guid, counter.id) + 1, counter.help});
    }
  }
  return titles;
}

std::optional<Machine::Found> Machine::find(const Guid& guid) const {
  for (const auto& provider : v2_)
    for (CountersetDefinition& counterset : provider->countersets())
      if (counterset.guid == guid) return Found{provider.get(), std::move(counterset)};
  return std::nullopt;
}

namespace {

// Providers may give more than was asked for.
std::expected<std::vector<InstanceValues>, std::uint32_t> filtered(
    std::expected<std::vector<InstanceValues>, std::uint32_t> instances, const Mask& mask) {
  if (!instances) return instances;
  std::erase_if(*instances, [&mask](const InstanceValues& instance) {
    if (mask.instance_id != v2::kAnyInstance && instance.id != mask.instance_id) return true;
    return mask.many && !matches_wildcard(mask.instance_name, instance.name);
  });
  return instances;
}

}  // namespace

std::expected<std::vector<InstanceValues>, std::uint32_t> Machine::collect(const Found& found,
                                                                           const Mask& mask) const {
  return filtered(found.provider->collect(found.counterset, mask), mask);
}

std::expected<std::vector<InstanceValues>, std::uint32_t> Machine::enumerate(
    const Found& found, const Mask& mask) const {
  return filtered(found.provider->enumerate(found.counterset, mask), mask);
}

}  // namespace winperf::simulator
