#include "tests/simulator/pdh_double.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "collectors/pdh/pdh_status.h"
#include "collectors/wire/block_view.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/path_pair.h"

namespace winperf::simulator {
namespace {

using Defined = SimulatedPdh::Defined;
using Seen = SimulatedPdh::Seen;

// winperf.h
constexpr std::uint32_t kKind = 0xC00, kKindCounter = 0x400;
constexpr std::uint32_t kSubtype = 0x70000, kRate = 0x10000, kFraction = 0x20000, kBase = 0x30000,
                        kElapsed = 0x40000, kQueue = 0x50000, kPrecision = 0x70000;
constexpr std::uint32_t kTimer = 0x300000, kTimer100ns = 0x100000, kTimerObject = 0x200000;
constexpr std::uint32_t kDelta = 0x400000, kInverse = 0x1000000, kMulti = 0x2000000;
constexpr std::uint32_t kDisplay = 0xF0000000, kPercent = 0x20000000, kSeconds = 0x30000000;

bool is_base(std::uint32_t type) {
  return (type & kKind) == kKindCounter && (type & kSubtype) == kBase;
}

bool has_fraction(std::uint32_t type) {
  const std::uint32_t subtype = type & kSubtype;
  return (type & kKind) == kKindCounter && (subtype == kFraction || subtype == kPrecision);
}

bool has_time(std::uint32_t type) {
  const std::uint32_t subtype = type & kSubtype;
  return (type & kKind) == kKindCounter &&
         (subtype == kRate || subtype == kElapsed || subtype == kQueue);
}

bool needs_two(std::uint32_t type) {
  return (type & kKind) == kKindCounter && (type & kSubtype) != kElapsed &&
         ((type & kDelta) != 0 || has_fraction(type)) && type != 0x20020400 && type != 0x20020500;
}

std::int64_t time_of(std::uint32_t type, const Seen& seen) {
  if ((type & kTimer) == kTimer100ns) return seen.time_100ns;
  return (type & kTimer) == kTimerObject ? seen.object_time : seen.perf_time;
}

std::int64_t frequency_of_type(std::uint32_t type, const Seen& seen) {
  if ((type & kTimer) == kTimer100ns) return 10'000'000;
  return (type & kTimer) == kTimerObject ? seen.object_frequency : seen.perf_frequency;
}

PdhRaw raw_of(const Defined& counter, const Seen& seen, const Seen::Row& row) {
  constexpr std::int64_t kTwoHours = 2 * 3600 * std::int64_t{10'000'000};
  PdhRaw raw{.status = kPdhValidData, .multi_count = 1, .local_time = seen.time_100ns + kTwoHours};
  const auto& value = row.values[counter.place];
  if (!value) raw.status = kPdhInvalidData;
  raw.first = static_cast<std::int64_t>(value.value_or(0));
  const std::uint64_t base =
      counter.base ? row.values[*counter.base].value_or(0) : std::uint64_t{0};
  if (has_fraction(counter.type))
    raw.second = static_cast<std::int64_t>(base);
  else if (has_time(counter.type))
    raw.second = time_of(counter.type, seen);
  if ((counter.type & kMulti) != 0) raw.multi_count = static_cast<std::uint32_t>(base);
  return raw;
}

double grown(std::int64_t from, std::int64_t to, std::uint32_t bytes) {
  const auto step = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return static_cast<double>(bytes == 4 ? step & 0xFFFF'FFFF : step);
}

PdhNumber plain_number(const Defined& counter, const PdhRaw& now) {
  if (counter.type == 0x00012000) return {.value = std::bit_cast<double>(now.first)};
  const bool is_hexadecimal = (counter.type & 0xF0000) == 0;
  if (is_hexadecimal) return {.value = static_cast<double>(static_cast<std::uint64_t>(now.first))};
  return {.value = static_cast<double>(now.first)};
}

PdhNumber timed_number(const Defined& counter, const PdhRaw& before, const PdhRaw& now,
                       double frequency) {
  const std::uint32_t type = counter.type;
  const auto time = static_cast<double>(now.second - before.second);
  if (time <= 0 || frequency <= 0) return {.status = kPdhNegativeTimeBase};
  const double share = grown(before.first, now.first, counter.bytes) / time;
  if ((type & kSubtype) == kQueue) return {.value = share};
  if ((type & kDisplay) != kPercent) return {.value = share * frequency};
  const double all = (type & kMulti) != 0 ? now.multi_count : 1;
  if ((type & kInverse) != 0) return {.value = std::max(0.0, 100 * (all - share))};
  if (all == 0) return {.status = kPdhNegativeDenominator};
  return {.value = 100 * share / all};
}

PdhNumber fraction_number(const Defined& counter, const PdhRaw& before, const PdhRaw& now,
                          double frequency) {
  const std::uint32_t type = counter.type;
  if (!counter.base) return {.status = kPdhInvalidData};
  if (!needs_two(type)) {
    if (now.second == 0) return {.value = 0};
    return {.value = 100 * (static_cast<double>(static_cast<std::uint64_t>(now.first)) /
                            static_cast<double>(static_cast<std::uint64_t>(now.second)))};
  }
  const double base = grown(before.second, now.second, counter.base_bytes);
  if (base == 0) return {.value = 0};
  const double quotient = grown(before.first, now.first, counter.bytes) / base;
  if ((type & kDisplay) == kPercent) return {.value = 100 * quotient};
  return {.value = (type & kDisplay) == kSeconds ? quotient / frequency : quotient};
}

PdhNumber number_of(const Defined& counter, const Seen& seen, const PdhRaw* before,
                    const PdhRaw& now) {
  const std::uint32_t type = counter.type;
  if (!is_valid_pdh(now.status)) return {.status = now.status};
  if ((type & kKind) != kKindCounter) return plain_number(counter, now);
  const auto frequency = static_cast<double>(frequency_of_type(type, seen));
  if ((type & kSubtype) == kElapsed && (now.first < 0 || now.first > now.second))
    return {.status = kPdhNegativeTimeBase};
  if ((type & kSubtype) == kElapsed)
    return {.value = static_cast<double>(now.second - now.first) / frequency};
  if (needs_two(type) && (before == nullptr || !is_valid_pdh(before->status)))
    return {.status = kPdhInvalidData};
  if (has_fraction(type))
    return fraction_number(counter, before == nullptr ? now : *before, now, frequency);
  if (has_time(type)) return timed_number(counter, *before, now, frequency);
  return {.value = grown(before->first, now.first, counter.bytes)};  // PERF_COUNTER_DELTA
}

// All instances of a reply's objects, by object and position.
using Parents = std::map<std::pair<std::uint32_t, std::uint32_t>, std::string>;

Parents parents_in(const BlockView& block) {
  Parents parents;
  auto objects = block.objects();
  while (const auto object = objects.next()) {
    if (!*object || !(*object)->multi_instance()) continue;
    auto instances = (*object)->instances();
    for (std::uint32_t place = 0; const auto instance = instances.next(); ++place)
      if (*instance) parents[{value_of((*object)->index()), place}] = (*instance)->name().text;
  }
  return parents;
}

std::vector<Defined> counters_of(const std::vector<winperf::CounterDefinition>& all) {
  std::vector<Defined> counters;
  for (std::size_t place = 0; place < all.size(); ++place) {
    if (is_base(value_of(all[place].type))) continue;
    Defined counter{.index = value_of(all[place].index),
                    .type = value_of(all[place].type),
                    .bytes = all[place].size,
                    .default_scale = all[place].default_scale,
                    .place = place,
                    .base = {}};
    if (place + 1 < all.size() && is_base(value_of(all[place + 1].type))) {
      counter.base = place + 1;
      counter.base_bytes = all[place + 1].size;
    }
    counters.push_back(counter);
  }
  return counters;
}

std::vector<std::optional<std::uint64_t>> values_of(
    const CounterBlockView& block, const std::vector<winperf::CounterDefinition>& all) {
  std::vector<std::optional<std::uint64_t>> values;
  for (const winperf::CounterDefinition& definition : all) {
    const auto value = block.read(definition);
    values.push_back(value ? std::optional(*value) : std::nullopt);
  }
  return values;
}

std::string instance_name(const InstanceView& instance, const Parents& parents) {
  std::string name = instance.name().text;
  if (const auto id = instance.unique_id(); id && name.empty()) name = std::to_string(*id);
  const auto parent =
      parents.find({value_of(instance.parent_object()), instance.parent_position()});
  const bool has_parent = value_of(instance.parent_object()) != 0 && parent != parents.end();
  return has_parent ? parent->second + '/' + name : name;
}

Seen seen_in(const BlockView& block, const ObjectView& object) {
  const auto all = object.counters().all;
  const Clocks clocks = block.clocks();
  Seen seen{.has_instances = object.multi_instance(),
            .perf_time = clocks.perf_time.ticks,
            .perf_frequency = clocks.perf_frequency.ticks_per_second,
            .time_100ns = clocks.time_100ns.ticks,
            .object_time = object.time().ticks,
            .object_frequency = object.frequency().ticks_per_second,
            .counters = counters_of(all),
            .rows = {}};
  if (!object.multi_instance()) {
    if (const auto single = object.single_block())
      seen.rows.push_back({.name = "", .values = values_of(*single, all)});
    return seen;
  }
  const Parents parents = parents_in(block);
  auto instances = object.instances();
  while (const auto instance = instances.next())
    if (*instance)
      seen.rows.push_back({.name = instance_name(**instance, parents),
                           .values = values_of((*instance)->block(), all)});
  return seen;
}

std::u16string digits_of(std::uint32_t number) {
  const std::string digits = std::to_string(number);
  std::u16string wide;
  for (const char digit : digits) wide += static_cast<char16_t>(digit);
  return wide;
}

std::unexpected<Error> refused(const char* where, std::uint32_t status) {
  return std::unexpected(Error{.code = ErrorCode::kOsError, .where = where, .os_code = status});
}

}  // namespace

std::vector<std::byte> SimulatedPdh::reply(const std::u16string& value_name) {
  constexpr std::size_t kMost = std::size_t{64} << 20U;
  for (std::size_t room = std::size_t{1} << 16U; room <= kMost; room *= 4) {
    std::vector<std::byte> bytes(room);
    std::size_t size = 0;
    const std::uint32_t code = face_.query_value(value_name, bytes, size);
    if (code == kMoreData) continue;
    bytes.resize(code == kSuccess ? size : 0);
    return bytes;
  }
  return {};
}

std::optional<SimulatedPdh::Seen> SimulatedPdh::see(std::uint32_t object) {
  const std::vector<std::byte> bytes = reply(digits_of(object));
  const auto block = BlockView::parse(bytes);
  if (!block) return std::nullopt;
  auto objects = block->objects();
  while (const auto one = objects.next())
    if (*one && value_of((*one)->index()) == object) return seen_in(*block, **one);
  return std::nullopt;
}

std::string SimulatedPdh::name_of(std::uint32_t index, bool is_local) {
  auto& names = names_[is_local ? 1 : 0];
  if (names_as_of_ != machine_.last_counter()) names_ = {};
  names_as_of_ = machine_.last_counter();
  if (names.empty())
    for (const Machine::Title& title : machine_.counter_table(is_local))
      names.emplace(title.index, utf8(title.text));
  const auto found = names.find(index);
  return found == names.end() ? std::string() : found->second;
}

std::optional<std::uint32_t> SimulatedPdh::object_called(const std::string& name) {
  for (const std::u16string& all : {std::u16string(u"Global"), std::u16string(u"Costly")}) {
    const std::vector<std::byte> bytes = reply(all);
    const auto block = BlockView::parse(bytes);
    if (!block) continue;
    auto objects = block->objects();
    while (const auto one = objects.next()) {
      if (!*one) continue;
      const std::uint32_t index = value_of((*one)->index());
      if (name_of(index, false) == name || name_of(index, true) == name) return index;
    }
  }
  return std::nullopt;
}

std::expected<std::vector<std::string>, Error> SimulatedPdh::objects() {
  std::vector<std::string> names;
  for (const std::u16string& all : {std::u16string(u"Global"), std::u16string(u"Costly")}) {
    const std::vector<std::byte> bytes = reply(all);
    const auto block = BlockView::parse(bytes);
    if (!block) return refused("pdh.objects", kPdhNoData);
    auto objects = block->objects();
    while (const auto one = objects.next())
      if (*one) names.push_back(name_of(value_of((*one)->index()), true));
  }
  return names;
}

std::expected<PdhItems, Error> SimulatedPdh::items(const PdhObject& object) {
  const auto index = object_called(object.name);
  const auto seen = index ? see(*index) : std::nullopt;
  if (!seen) return refused("pdh.items", kPdhNoObject);
  PdhItems items{.object = name_of(*index, true), .counters = {}, .instances = {}};
  for (const Defined& counter : seen->counters)
    if (std::string name = name_of(counter.index, true); !name.empty())
      items.counters.push_back(std::move(name));
  if (seen->has_instances)
    for (const Seen::Row& row : seen->rows) items.instances.push_back(row.name);
  return items;
}

std::expected<std::vector<PdhDefinition>, Error> SimulatedPdh::open(const PdhQuery& query) {
  close();
  const auto index = object_called(query.object.name);
  const auto seen = index ? see(*index) : std::nullopt;
  std::vector<PdhDefinition> definitions;
  for (const PdhQuery::Counter& wanted : query.counters) {
    PdhDefinition one{.name = wanted.name, .local_name = wanted.name, .add_status = kPdhNoObject};
    if (seen) {
      one.add_status = kPdhNoCounter;
      for (const Defined& counter : seen->counters) {
        if (one.add_status != kPdhNoCounter || name_of(counter.index, false) != wanted.name)
          continue;
        one.local_name = name_of(counter.index, true);
        const bool is_refused =
            emptiness_ == Emptiness::kNotAdded && seen->has_instances && seen->rows.empty();
        one.add_status = is_refused ? kPdhNoInstance : 0;
        one.type = CounterType{counter.type};
        one.default_scale = counter.default_scale;
        one.time_base = frequency_of_type(counter.type, *seen);
      }
    }
    definitions.push_back(std::move(one));
  }
  if (index) open_ = Open{.object = *index, .counters = query.counters, .before = {}};
  return definitions;
}

std::expected<PdhCollection, Error> SimulatedPdh::collect() {
  if (!open_) return refused(kPdhCollect, kPdhNoData);
  const auto seen = see(open_->object);
  if (!seen) return refused(kPdhCollect, kPdhNoData);
  if (seen->has_instances && seen->rows.empty() && emptiness_ == Emptiness::kNoData)
    return refused(kPdhCollect, kPdhNoData);
  PdhCollection collection;
  std::map<std::pair<std::string, std::string>, PdhRaw> now;
  for (const PdhQuery::Counter& wanted : open_->counters) {
    const auto counter = std::ranges::find_if(seen->counters, [&](const Defined& defined) {
      return name_of(defined.index, false) == wanted.name;
    });
    if (counter == seen->counters.end()) continue;
    PdhValues values{.name = wanted.name};
    std::map<std::string, int> repeated;
    for (const Seen::Row& row : seen->rows) {
      const std::pair key{wanted.name, row.name + '#' + std::to_string(repeated[row.name]++)};
      const PdhRaw raw = raw_of(*counter, *seen, row);
      const auto before = open_->before.find(key);
      const PdhRaw* const older = before == open_->before.end() ? nullptr : &before->second;
      values.raw.push_back({.instance = row.name, .raw = raw});
      values.numbers.push_back(
          {.instance = row.name, .number = number_of(*counter, *seen, older, raw)});
      now[key] = raw;
    }
    collection.counters.push_back(std::move(values));
  }
  open_->before = std::move(now);
  return collection;
}

}  // namespace winperf::simulator
