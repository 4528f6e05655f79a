#include "collectors/capture/written_counters.h"

#include "collectors/sampling/selected_instances.h"

namespace winperf::capture {
namespace {

constexpr CounterType kRawCount{0x00010000};  // PERF_COUNTER_RAWCOUNT
constexpr CounterType kElapsedTime{0x30240500};
constexpr CounterType kLargeRawCount{0x00010100};

// The indices that Windows has for them; a process id of other objects has none.
constexpr std::uint32_t kProcessIdIndex = 784;
constexpr std::uint32_t kThreadIdIndex = 804;
constexpr std::uint32_t kElapsedIndex = 684;

Identity<std::size_t> identity_in(const CountersetSchema& schema) {
  Identity<std::size_t> identity;
  for (std::size_t column = 0; column < schema.counters.size(); ++column) {
    const CounterSchema& counter = schema.counters[column];
    identity.note(schema, counter, column,
                  [&](std::string_view name) { return counter.name == name; });
  }
  return identity;
}

WrittenCounter value_of_column(const CounterSchema& counter, std::size_t column) {
  return {.column = column,
          .index = value_of(counter.index),
          .help_index = value_of(counter.help_index),
          .name = counter.name,
          .help = counter.help,
          .type = counter.type,
          .size = counter.size,
          .scale = counter.default_scale,
          .detail_level = counter.detail_level};
}

WrittenCounter identity_counter(Origin origin, std::uint32_t index, std::string_view name,
                                CounterType type, std::uint32_t size) {
  return {.origin = origin, .index = index, .name = std::string(name), .type = type, .size = size};
}

// The id of a process that isn't known is that of the idle process, which readers take for none.
std::optional<std::uint64_t> id_of(const InstanceSchema* instance,
                                   std::optional<std::uint64_t> InstanceSchema::* id) {
  return instance == nullptr ? 0 : (instance->*id).value_or(0);
}

}  // namespace

void HiddenIdentity::note(const CountersetSchema& schema, const InstanceSet& instances,
                          const std::optional<std::uint64_t>& of_all) {
  const auto known = identity_in(schema);
  if (!schema.multi_instance) {
    owner = owner || (of_all && !known.any_process());
    return;
  }
  for (const InstanceSchema& instance : instances.instances) {
    process_id = process_id || (instance.process_id && !known.process_id);
    thread_id = thread_id || (instance.thread_id && !known.thread_id);
    started = started || (instance.started && !known.started);
    owner = owner || (instance.owner && !known.owner);
  }
}

std::vector<WrittenCounter> written_counters(const CountersetSchema& schema,
                                             const HiddenIdentity& hidden, bool own_clocks) {
  std::vector<WrittenCounter> counters;
  for (std::size_t column = 0; column < schema.counters.size(); ++column) {
    const CounterSchema& counter = schema.counters[column];
    counters.push_back(value_of_column(counter, column));
    if (counter.has_base)
      counters.push_back({.origin = Origin::kBase,
                          .column = column,
                          .type = counter.base_type,
                          .size = counter.base_size});
    // Where a base is needed and none is registered, the clock would be taken for it.
    const CounterTypeInfo info = counter.info();
    const bool lacks_base = info.base != BaseKind::kNone && !counter.has_base;
    if (!own_clocks || info.time_base != TimeBase::kObject || lacks_base) continue;
    for (const Origin origin : {Origin::kTime, Origin::kFrequency})
      counters.push_back({.origin = origin,
                          .column = column,
                          .type = kLargeRawCount,
                          .size = sizeof(std::uint64_t)});
  }
  constexpr std::uint32_t kNarrow = sizeof(std::uint32_t);
  constexpr std::uint32_t kWide = sizeof(std::uint64_t);
  if (hidden.process_id)
    counters.push_back(identity_counter(Origin::kProcessId, kProcessIdIndex,
                                        process_id_name(schema.name), kRawCount, kNarrow));
  if (hidden.thread_id)
    counters.push_back(
        identity_counter(Origin::kThreadId, kThreadIdIndex, kThreadIdName, kRawCount, kNarrow));
  if (hidden.owner)
    counters.push_back(identity_counter(Origin::kOwner, 0, "Process ID", kRawCount, kNarrow));
  if (hidden.started)
    counters.push_back(
        identity_counter(Origin::kStarted, kElapsedIndex, "Elapsed Time", kElapsedTime, kWide));
  return counters;
}

std::optional<std::uint64_t> number_of(const WrittenCounter& counter,
                                       const CountersetSample& sample, std::size_t row) {
  const InstanceSchema* const instance =
      sample.schema->multi_instance ? &sample.instances->instances[row] : nullptr;
  const auto clocks = [&] { return sample.clocks_at(sample.cell(row, counter.column)); };
  switch (counter.origin) {
    case Origin::kValue:
    case Origin::kBase: {
      const std::size_t cell = sample.cell(row, counter.column);
      const NoValue reason = sample.reason[cell];
      if (!has_raw(reason)) return std::nullopt;
      if (counter.origin == Origin::kValue) return sample.raw[cell];
      if (reason == NoValue::kNoBase) return std::nullopt;
      return sample.base_at(cell);
    }
    case Origin::kTime:
      return static_cast<std::uint64_t>(clocks().object_time.ticks);
    case Origin::kFrequency:
      return static_cast<std::uint64_t>(clocks().object_frequency.ticks_per_second);
    case Origin::kProcessId:
      return id_of(instance, &InstanceSchema::process_id);
    case Origin::kThreadId:
      return id_of(instance, &InstanceSchema::thread_id);
    case Origin::kOwner:
      return instance == nullptr ? sample.owner.value_or(0)
                                 : id_of(instance, &InstanceSchema::owner);
    case Origin::kStarted:
      return id_of(instance, &InstanceSchema::started);
  }
  return std::nullopt;
}

bool has_numbers(const WrittenCounter& counter) {
  return is_numeric(counter.type) &&
         (counter.size == sizeof(std::uint32_t) || counter.size == sizeof(std::uint64_t));
}

}  // namespace winperf::capture
