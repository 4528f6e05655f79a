#include "tests/simulator/server/server_provider.h"

#include <algorithm>

#include "collectors/wire/text.h"
#include "tests/simulator/codes.h"

namespace winperf::simulator {
namespace {

constexpr std::int64_t kFrequency = 10'000'000;

// Elapsed times of V1 objects go by the object's clock, which is that of the system's time.
testing::ObjectBuilder build(const ServerMachine& server, const ServerObject& object,
                             bool metadata) {
  testing::ObjectBuilder builder(object.number);
  for (const ServerCounter& counter : object.counters)
    builder.counter(
        {.index = counter.number, .type = value_of(counter.type), .size = counter.bytes});
  if (object.table) builder.multi_instance();
  if (metadata) return builder.metadata();
  const ServerMoment moment = server.moment();
  builder.clock({moment.now.time_100ns}, {kFrequency});
  for (InstanceValues& row : rows_of(*server.data, object, moment)) {
    if (!object.table) return builder.single(row.values);
    builder.instance({.name = std::move(row.name), .values = std::move(row.values)});
  }
  return builder;
}

CounterDefinition definition_of(const ServerObject& object, const ServerCounter& counter) {
  CounterDefinition definition{.id = counter.number,
                               .name = to_utf16(counter.name),
                               .type = value_of(counter.type),
                               .bytes = counter.bytes,
                               .local_name = to_utf16(counter.local_name)};
  if (counter.base) definition.base_id = object.counters[*counter.base].number;
  if (counter.is_hidden) definition.attributes = v2::kAttribNotDisplayed;
  if (counter.movement.motion != Motion::kStarted) return definition;
  for (const ServerCounter& clock : object.counters) {
    if (clock.base || !clock.is_hidden) continue;
    if (clock.movement.motion == Motion::kTime) definition.perf_time_id = clock.number;
    if (clock.movement.motion == Motion::kFrequency) definition.perf_freq_id = clock.number;
  }
  return definition;
}

CountersetDefinition definition_of(const ServerObject& object) {
  CountersetDefinition definition{
      .guid = object.guid,
      .name = to_utf16(object.name),
      .local_name = to_utf16(object.local_name),
      .instance_type = object.table ? v2::InstanceType::kMultiple : v2::InstanceType::kSingle,
      .counters = {}};
  for (const ServerCounter& counter : object.counters)
    definition.counters.push_back(definition_of(object, counter));
  return definition;
}

class ServerCountersets final : public V2Provider {
 public:
  ServerCountersets(SharedServer server, const ServerProvider& provider)
      : server_(std::move(server)), provider_(provider), name_(to_utf16(provider.name)) {
    for (const ServerObject& object : provider.objects)
      definitions_.push_back(definition_of(object));
  }

  Guid guid() const override { return provider_.guid; }
  std::u16string name() const override { return name_; }
  std::vector<CountersetDefinition> countersets() const override { return definitions_; }
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) override {
    return collect(counterset, mask);
  }
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(
      const CountersetDefinition& counterset, const Mask&) override {
    const auto found = std::ranges::find(provider_.objects, counterset.guid, &ServerObject::guid);
    if (found == provider_.objects.end()) return std::unexpected(kGuidNotFound);
    return rows_of(*server_->data, *found, server_->moment());
  }

 private:
  const SharedServer server_;
  const ServerProvider& provider_;  // of the server's data
  const std::u16string name_;
  std::vector<CountersetDefinition> definitions_;
};

}  // namespace

std::shared_ptr<V1Provider> v1_provider(const SharedServer& server, const ServerProvider& provider,
                                        std::set<std::uint32_t>& named) {
  PerformanceKey key{.service = to_utf16(provider.name), .supports_metadata = true};
  std::vector<ObjectProvider::Object> objects;
  V1Provider::Names names;
  V1Provider::Names local_names;
  const auto name = [&](const auto& what) {
    if (!named.insert(what.number).second) return;
    names.emplace_back(what.number, to_utf16(what.name));
    local_names.emplace_back(what.number,
                             to_utf16(what.local_name.empty() ? what.name : what.local_name));
  };
  for (const ServerObject& object : provider.objects) {
    key.object_list.push_back(object.number);
    objects.push_back({.index = object.number, .build = [server, &object](bool metadata) {
                         return build(*server, object, metadata);
                       }});
    name(object);
    for (const ServerCounter& counter : object.counters) name(counter);
  }
  auto made =
      std::make_shared<ObjectProvider>(std::move(key), std::move(objects), std::move(names));
  made->local = std::move(local_names);
  return made;
}

std::shared_ptr<V2Provider> v2_provider(const SharedServer& server,
                                        const ServerProvider& provider) {
  return std::make_shared<ServerCountersets>(server, provider);
}

}  // namespace winperf::simulator
