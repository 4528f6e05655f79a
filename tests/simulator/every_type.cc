#include "tests/simulator/every_type.h"

#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <tuple>

#include "collectors/model/counter_type.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kDivisorType = 0x00010000;
constexpr std::uint32_t kClockType = 0x00010100;
constexpr std::uint32_t kTimeId = 1;
constexpr std::uint32_t kFrequencyId = 2;
constexpr std::uint32_t kDivisorId = 3;
constexpr std::uint32_t kFirstId = 10;
constexpr std::int64_t kObjectFrequency = 1'000'000;

struct Kind {
  v2::InstanceType type;
  const char16_t* name;
  const char* guid;
};

constexpr std::array kKinds{
    Kind{v2::InstanceType::kMultiple, u"Every Type", "7a3a0e5c-2a0f-4c57-9e55-000000000102"},
    Kind{v2::InstanceType::kSingle, u"Every Type Single", "7a3a0e5c-2a0f-4c57-9e55-000000000200"},
    Kind{v2::InstanceType::kSingleAggregate, u"Every Type Sum",
         "7a3a0e5c-2a0f-4c57-9e55-000000000304"},
    Kind{v2::InstanceType::kMultipleAggregate, u"Every Type And Sum",
         "7a3a0e5c-2a0f-4c57-9e55-000000000406"},
    Kind{v2::InstanceType::kSingleAggregateHistory, u"Every Type History",
         "7a3a0e5c-2a0f-4c57-9e55-00000000050c"},
};

std::u16string widened(std::string_view text) { return {text.begin(), text.end()}; }

std::uint32_t base_type(BaseKind kind, std::uint8_t bytes) {
  if (kind == BaseKind::kSample) return 0x40030401;
  if (kind == BaseKind::kAverage) return 0x40030402;
  return bytes == 8 ? 0x40030500 : 0x40030403;
}

std::int64_t object_time(const Now& now) { return now.perf_time / 10; }

std::int64_t time_in(TimeBase base, const Now& now) {
  if (base == TimeBase::k100ns) return now.time_100ns;
  return base == TimeBase::kObject ? object_time(now) : now.perf_time;
}

std::int64_t frequency_in(TimeBase base) {
  return base == TimeBase::kObject ? kObjectFrequency : 10'000'000;
}

std::uint64_t typed_value(const CounterDefinition& counter, std::size_t instance, const Now& now) {
  if (counter.id == kTimeId) return static_cast<std::uint64_t>(object_time(now));
  if (counter.id == kFrequencyId) return static_cast<std::uint64_t>(kObjectFrequency);
  if (counter.id == kDivisorId) return 4;
  const CounterTypeInfo info = describe(CounterType{counter.type});
  const std::int64_t elapsed = time_in(info.time_base, now) - time_in(info.time_base, Now{});
  // Started so many seconds before the clocks of a new machine.
  if (info.formula == Formula::kElapsed)
    return static_cast<std::uint64_t>(time_in(info.time_base, Now{}) -
                                      frequency_in(info.time_base) *
                                          static_cast<std::int64_t>(100 + instance));
  if (info.formula == Formula::kDouble)
    return std::bit_cast<std::uint64_t>(0.5 + static_cast<double>(instance) +
                                        static_cast<double>(elapsed) / 1e7);
  const std::uint64_t speed = info.is_base ? 2 : instance + 1;
  const std::uint64_t start = info.is_base ? 500'000 : 100'000 * (instance + 1) + counter.id;
  const std::uint64_t value = start + static_cast<std::uint64_t>(elapsed) / 8 * speed;
  return counter.bytes == 4 ? value & 0xFFFF'FFFF : value;
}

// A counter of the type, and its base where it has one of its own.
void add_counter_of_type(CountersetDefinition& set, const CounterTypeInfo& info,
                         std::uint32_t& id) {
  CounterDefinition counter{.id = id++,
                            .name = widened(info.name.substr(5)),
                            .type = value_of(info.type),
                            .bytes = info.raw_bytes == 4 ? std::uint8_t{4} : std::uint8_t{8},
                            .default_scale = static_cast<std::int32_t>(id % 5) - 2,
                            .help = u"Of its type."};
  if (info.time_base == TimeBase::kObject) {
    counter.perf_time_id = kTimeId;
    counter.perf_freq_id = kFrequencyId;
  }
  if (info.base == BaseKind::kMulti) counter.multi_id = kDivisorId;
  const bool needs_base = info.base != BaseKind::kNone && info.base != BaseKind::kMulti &&
                          info.time_base != TimeBase::kObject;
  if (needs_base) counter.base_id = id++;
  set.counters.push_back(counter);
  if (!needs_base) return;
  const bool wide = info.base == BaseKind::kRaw && counter.bytes == 8;
  set.counters.push_back({.id = *counter.base_id,
                          .name = counter.name + u" Base",
                          .type = base_type(info.base, counter.bytes),
                          .bytes = wide ? std::uint8_t{8} : std::uint8_t{4},
                          .attributes = v2::kAttribNotDisplayed});
}

}  // namespace

const Guid kEveryTypeProvider = *parse_guid("7a3a0e5c-2a0f-4c57-9e55-000000000001");

FormulaProvider::Set every_type_set(v2::InstanceType instance_type) {
  FormulaProvider::Set set{.definition = {}, .instances = {}, .value = typed_value};
  CountersetDefinition& definition = set.definition;
  for (const Kind& kind : kKinds) {
    if (kind.type != instance_type) continue;
    definition.guid = *parse_guid(kind.guid);
    definition.name = kind.name;
  }
  definition.help = u"A counter of every type.";
  definition.instance_type = instance_type;
  for (const auto& [id, name, type, bytes] :
       {std::tuple{kTimeId, u"Time", kClockType, std::uint8_t{8}},
        std::tuple{kFrequencyId, u"Frequency", kClockType, std::uint8_t{8}},
        std::tuple{kDivisorId, u"Divisor", kDivisorType, std::uint8_t{4}}})
    definition.counters.push_back({.id = id,
                                   .name = name,
                                   .type = type,
                                   .bytes = bytes,
                                   .attributes = v2::kAttribNotDisplayed,
                                   .aggregation = v2::Aggregation::kMaximum});
  const bool aggregates = v2::adds_instances_up(instance_type);
  std::uint32_t id = kFirstId;
  for (const CounterTypeInfo& info : known_counter_types()) {
    // Bits of a double, and starts in time, can't be added up.
    const bool adds_up = info.formula != Formula::kDouble && info.formula != Formula::kElapsed;
    if (!info.is_base && (!aggregates || adds_up)) add_counter_of_type(definition, info, id);
  }
  if (instance_type == v2::InstanceType::kSingle) {
    set.instances = {{u"", 0}};
  } else {
    set.instances = {{u"one", 1}, {u"two", 2}, {u"a \u00E9 (x) \"y\"", 7}};
  }
  return set;
}

std::vector<FormulaProvider::Set> every_type_sets() {
  std::vector<FormulaProvider::Set> sets;
  for (const Kind& kind : kKinds) sets.push_back(every_type_set(kind.type));
  return sets;
}

}  // namespace winperf::simulator
