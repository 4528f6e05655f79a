#include "collectors/capture/block_writer.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <ratio>
#include <string>
#include <vector>

#include "collectors/wire/text.h"
#include "collectors/wire/v1_format.h"

namespace winperf::capture {
namespace {

constexpr std::size_t kBlockAlignment = 8;
constexpr std::uint32_t kNoUniqueId = 0xFFFF'FFFF;
constexpr std::int32_t kNoInstances = -1;
constexpr std::uint32_t kYes = 1;
// Those of every Windows.
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kRevision = 1;

std::uint32_t narrow(std::size_t size) { return static_cast<std::uint32_t>(size); }

std::span<std::byte> grow(Bytes& bytes, std::size_t by) {
  bytes.resize(bytes.size() + by);
  return std::span(bytes).last(by);
}

void align(Bytes& bytes) {
  bytes.resize((bytes.size() + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment);
}

// Where the values of an object are in its counter blocks. Those that rows lack come last, so that
// a shorter block lacks them.
struct Placement {
  std::vector<std::size_t> order;  // of the counters that have numbers
  std::vector<std::uint32_t> offsets;
  std::uint32_t end = v1::counter_block::kBytes;
};

Placement place(const WrittenObject& object) {
  const std::size_t rows = object.sample->rows();
  std::vector<std::size_t> missing(object.counters.size());
  Placement placement{.order = {},
                      .offsets = std::vector(object.counters.size(), v1::counter_block::kBytes)};
  for (std::size_t i = 0; i < object.counters.size(); ++i) {
    if (!has_numbers(object.counters[i])) continue;
    placement.order.push_back(i);
    for (std::size_t row = 0; row < rows; ++row)
      missing[i] += number_of(object.counters[i], *object.sample, row) ? 0 : 1;
  }
  std::ranges::stable_sort(placement.order, {}, [&](std::size_t i) { return missing[i]; });
  for (const std::size_t i : placement.order) {
    const std::uint32_t size = object.counters[i].size;
    placement.end = (placement.end + size - 1) / size * size;
    placement.offsets[i] = placement.end;
    placement.end += size;
  }
  return placement;
}

void write_counter_block(Bytes& bytes, const WrittenObject& object, const Placement& placement,
                         std::size_t row) {
  const std::size_t start = bytes.size();
  grow(bytes, placement.end);
  std::uint32_t end = placement.end;
  for (const std::size_t i : placement.order) {
    const auto number = number_of(object.counters[i], *object.sample, row);
    const std::span block = std::span(bytes).subspan(start);
    if (!number) {
      end = placement.offsets[i];
      break;
    }
    const Field<std::uint64_t> wide{placement.offsets[i]};
    const Field<std::uint32_t> short_one{placement.offsets[i]};
    if (object.counters[i].size == sizeof(std::uint64_t))
      put(block, wide, *number);
    else
      put(block, short_one, static_cast<std::uint32_t>(*number));
  }
  bytes.resize(start + end);
  if (end == placement.end) align(bytes);
  put(std::span(bytes).subspan(start), v1::counter_block::kByteLength,
      narrow(bytes.size() - start));
}

void write_definition(Bytes& bytes, const WrittenCounter& counter, std::uint32_t offset) {
  const std::span definition = grow(bytes, v1::counter::kBytes);
  put(definition, v1::counter::kByteLength, v1::counter::kBytes);
  put(definition, v1::counter::kNameIndex, counter.index);
  put(definition, v1::counter::kHelpIndex, counter.help_index);
  put(definition, v1::counter::kDefaultScale, counter.scale);
  put(definition, v1::counter::kDetailLevel, counter.detail_level);
  put(definition, v1::counter::kType, value_of(counter.type));
  put(definition, v1::counter::kCounterSize, counter.size);
  put(definition, v1::counter::kCounterOffset, offset);
}

struct Parent {
  std::uint32_t object = 0;
  std::uint32_t position = 0;
};

void write_instance(Bytes& bytes, std::string_view name, std::uint32_t unique_id,
                    const Parent& parent) {
  std::vector<std::byte> text;
  append_utf16le(text, name);
  const std::size_t start = bytes.size();
  grow(bytes, v1::instance::kBytes);
  bytes.insert(bytes.end(), text.begin(), text.end());
  align(bytes);
  const std::span definition = std::span(bytes).subspan(start);
  put(definition, v1::instance::kByteLength, narrow(definition.size()));
  put(definition, v1::instance::kParentObject, parent.object);
  put(definition, v1::instance::kParentPosition, parent.position);
  put(definition, v1::instance::kUniqueId, unique_id);
  put(definition, v1::instance::kNameOffset, v1::instance::kBytes);
  put(definition, v1::instance::kNameLength, narrow(text.size()));
}

// The header of an object that begins at `start` and is complete.
void write_header(Bytes& bytes, std::size_t start, std::uint32_t index, std::size_t counters,
                  std::int32_t instances) {
  align(bytes);
  const std::span object = std::span(bytes).subspan(start);
  put(object, v1::object::kTotalByteLength, narrow(object.size()));
  put(object, v1::object::kDefinitionLength,
      narrow(v1::object::kBytes + counters * v1::counter::kBytes));
  put(object, v1::object::kHeaderLength, v1::object::kBytes);
  put(object, v1::object::kNameIndex, index);
  put(object, v1::object::kNumCounters, narrow(counters));
  put(object, v1::object::kNumInstances, instances);
}

// Of the parents, each name once.
std::map<std::string_view, std::uint32_t> parents_of(const WrittenObject& object) {
  std::map<std::string_view, std::uint32_t> parents;
  for (const InstanceSchema& instance : object.sample->instances->instances)
    if (!instance.parent.empty()) parents.try_emplace(instance.parent, narrow(parents.size()));
  return parents;
}

void write_parents(Bytes& bytes, std::uint32_t index,
                   const std::map<std::string_view, std::uint32_t>& parents) {
  const std::size_t start = bytes.size();
  grow(bytes, v1::object::kBytes);
  std::vector<std::string_view> names(parents.size());
  for (const auto& [name, position] : parents) names[position] = name;
  for (const std::string_view name : names) {
    write_instance(bytes, name, kNoUniqueId, {});
    put(grow(bytes, kBlockAlignment), v1::counter_block::kByteLength, kBlockAlignment);
  }
  write_header(bytes, start, index, 0, static_cast<std::int32_t>(names.size()));
}

// Returns how many objects it has become.
std::uint32_t write_object(Bytes& bytes, const WrittenObject& object) {
  const CountersetSample& sample = *object.sample;
  const bool has_instances = sample.schema->multi_instance;
  const auto parents =
      has_instances ? parents_of(object) : std::map<std::string_view, std::uint32_t>();
  if (!parents.empty()) write_parents(bytes, object.parents, parents);
  const std::size_t start = bytes.size();
  grow(bytes, v1::object::kBytes);
  const Placement placement = place(object);
  for (std::size_t i = 0; i < object.counters.size(); ++i)
    write_definition(bytes, object.counters[i], placement.offsets[i]);
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    if (has_instances) {
      const InstanceSchema& instance = sample.instances->instances[row];
      const bool has_parent = !instance.parent.empty();
      write_instance(bytes, instance.name, instance.unique_id.value_or(kNoUniqueId),
                     has_parent ? Parent{object.parents, parents.at(instance.parent)} : Parent());
    }
    write_counter_block(bytes, object, placement, row);
  }
  write_header(bytes, start, object.index, object.counters.size(),
               has_instances ? static_cast<std::int32_t>(sample.rows()) : kNoInstances);
  const std::span header = std::span(bytes).subspan(start);
  put(header, v1::object::kHelpIndex, object.help_index);
  put(header, v1::object::kDetailLevel, sample.schema->detail_level);
  put(header, v1::object::kPerfTime, sample.clocks.object_time.ticks);
  put(header, v1::object::kPerfFreq, sample.clocks.object_frequency.ticks_per_second);
  return parents.empty() ? 1 : 2;
}

// A SYSTEMTIME, of a time since 1601.
void write_system_time(std::span<std::byte> block, Ticks100ns time) {
  using std::chrono::floor;
  using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;
  constexpr std::chrono::sys_days kBeginning{std::chrono::year{1601} / 1 / 1};
  const auto since = floor<std::chrono::milliseconds>(Ticks(std::max<std::int64_t>(0, time.ticks)));
  const auto days = floor<std::chrono::days>(since);
  const std::chrono::sys_days day = kBeginning + days;
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(since - days);
  const std::int64_t parts[] = {static_cast<int>(date.year()),
                                static_cast<unsigned>(date.month()),
                                std::chrono::weekday(day).c_encoding(),
                                static_cast<unsigned>(date.day()),
                                clock.hours().count(),
                                clock.minutes().count(),
                                clock.seconds().count(),
                                clock.subseconds().count()};
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    const Field<std::uint16_t> part{v1::block::kSystemTime + i * sizeof(std::uint16_t)};
    put(block, part, static_cast<std::uint16_t>(parts[i]));
  }
}

}  // namespace

Bytes write_block(std::span<const WrittenObject> objects, const Clocks& clocks,
                  std::string_view machine) {
  std::vector<std::byte> name;
  append_utf16le(name, machine);
  Bytes bytes;
  grow(bytes, v1::block::kBytes);
  bytes.insert(bytes.end(), name.begin(), name.end());
  align(bytes);
  const std::size_t header = bytes.size();
  std::uint32_t count = 0;
  for (const WrittenObject& object : objects) count += write_object(bytes, object);
  const Clocks& taken = objects.empty() ? clocks : objects.front().sample->clocks;
  put(bytes, v1::block::kSignature, v1::kPerfSignature);
  put(bytes, v1::block::kLittleEndian, kYes);
  put(bytes, v1::block::kVersion, kVersion);
  put(bytes, v1::block::kRevision, kRevision);
  put(bytes, v1::block::kTotalByteLength, narrow(bytes.size()));
  put(bytes, v1::block::kHeaderLength, narrow(header));
  put(bytes, v1::block::kNumObjectTypes, count);
  write_system_time(bytes, taken.time_100ns);
  put(bytes, v1::block::kPerfTime, taken.perf_time.ticks);
  put(bytes, v1::block::kPerfFreq, taken.perf_frequency.ticks_per_second);
  put(bytes, v1::block::kPerfTime100nSec, taken.time_100ns.ticks);
  put(bytes, v1::block::kSystemNameLength, narrow(name.size()));
  put(bytes, v1::block::kSystemNameOffset, v1::block::kBytes);
  return bytes;
}

}  // namespace winperf::capture
