#include "collectors/blg/log_layout.h"

#include <algorithm>
#include <expected>
#include <map>
#include <tuple>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/blg/format.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/text.h"

namespace winperf::blg {
namespace {

// Reads an entry's strings; keeps the first error.
class StringReader {
 public:
  explicit StringReader(const ByteView& entry) : entry_(entry) {}

  // The string to which the offset in `field` leads; empty if there is none.
  std::string at(Field<std::uint32_t> field) {
    const auto offset = entry_.get(field);
    if (error_ || offset == listed_counter::kNoString) return {};
    const auto text =
        entry_.from(std::uint64_t{listed_counter::kBytes} + offset, "log.counter_list.path");
    if (!text) {
      error_ = text.error();
      return {};
    }
    const auto string = until_nul(*text);
    if (string) return decode_utf16le(string->bytes()).text;
    error_ = string.error();
    return {};
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  ByteView entry_;
  std::optional<Error> error_;
};

[[nodiscard]] std::expected<Counter, Error> counter_of(const ByteView& entry) {
  namespace field = listed_counter;
  StringReader strings(entry);
  const auto index = entry.get(field::kInstanceIndex);
  Counter counter{.machine = machine_name(strings.at(field::kMachine)),
                  .object = strings.at(field::kObject),
                  .parent = strings.at(field::kParent),
                  .instance = strings.at(field::kInstance),
                  .instance_index = index == field::kNoIndex ? 0 : index,
                  .name = strings.at(field::kCounter),
                  .wildcard = (entry.get(field::kFlags) & field::kWildcards) != 0,
                  .type = entry.get(field::kType),
                  .time_base = entry.get(field::kTimeBase),
                  .default_scale = entry.get(field::kScale)};
  if (strings.error()) return std::unexpected(*strings.error());
  return counter;
}

}  // namespace

std::string path_of(const Counter& counter) {
  std::string path = counter.machine.empty() ? "" : "\\\\" + counter.machine;
  path += '\\' + counter.object;
  if (!counter.instance.empty()) {
    path += '(' + counter.parent + (counter.parent.empty() ? "" : "/") + counter.instance;
    if (counter.instance_index != 0) path += '#' + std::to_string(counter.instance_index);
    path += ')';
  }
  return path + '\\' + counter.name;
}

CounterList read_counter_list(std::span<const std::byte> record) {
  CounterList list;
  auto rest =
      ByteView(record, "log.counter_list").from(listed_counter::kFirstAt, "log.counter_list");
  while (rest && rest->size() > 0) {
    const auto entry =
        rest->measured(listed_counter::kLength, listed_counter::kBytes, "log.counter_list");
    if (!entry) {
      list.problems.push_back(entry.error());
      return list;
    }
    auto counter = counter_of(*entry);
    if (!counter) list.problems.push_back(counter.error());
    list.counters.push_back(counter ? std::optional(*std::move(counter)) : std::nullopt);
    rest = rest->from(entry->size(), "log.counter_list");
  }
  if (!rest) list.problems.push_back(rest.error());
  return list;
}

namespace {

constexpr CounterType kSampleBase{0x4003'0401};
constexpr CounterType kAverageBase{0x4003'0402};
constexpr CounterType kRawBase{0x4003'0403};
constexpr CounterType kLargeRawBase{0x4003'0500};
constexpr CounterType kMultiBase{0x4203'0500};

// The list doesn't contain it; this is the type that such a counter's base has in a block.
CounterType base_type_of(const CounterTypeInfo& info) {
  switch (info.base) {
    case BaseKind::kSample:
      return kSampleBase;
    case BaseKind::kAverage:
      return kAverageBase;
    case BaseKind::kMulti:
      return kMultiBase;
    case BaseKind::kRaw:
      return info.raw_bytes == sizeof(std::uint32_t) ? kRawBase : kLargeRawBase;
    case BaseKind::kNone:
      break;
  }
  return {};
}

CounterSchema schema_of(const Counter& counter, CounterIndex index) {
  CounterSchema schema;
  schema.index = index;
  schema.name = counter.name;
  schema.type = CounterType{counter.type};
  const CounterTypeInfo info = schema.info();
  schema.size = info.raw_bytes;
  schema.default_scale = counter.default_scale;
  schema.has_base = info.base != BaseKind::kNone;
  if (!schema.has_base) return schema;
  schema.base_type = base_type_of(info);
  schema.base_size = describe(schema.base_type).raw_bytes;
  return schema;
}

// A type may say 32 bits although the counter has 64; that of an average time does.
void widen(CounterSchema& schema, const EntryFacts& facts) {
  if (facts.wide_value && schema.size != 0) schema.size = sizeof(std::uint64_t);
  if (facts.wide_base && schema.has_base) schema.base_size = sizeof(std::uint64_t);
}

// Names, each of them once, with their numbers; the case of ASCII letters doesn't matter.
class Numbering {
 public:
  std::uint32_t of(const std::string& name) {
    const auto next = static_cast<std::uint32_t>(names_.size());
    const auto [entry, is_new] = numbers_.try_emplace(ascii_lower(name), next);
    if (is_new) names_.push_back(name);
    return entry->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
};

// Those of all lists of a log.
struct Numbers {
  Numbering machines;
  Numbering objects;
  std::map<ObjectIndex, Numbering> counters;
};

// One list's layout.
class LayoutBuilder {
 public:
  LayoutBuilder(Numbers& numbers, std::span<const RegistrationRecord> countersets)
      : numbers_(numbers), countersets_(countersets) {}

  LogLayout run(const ListedCounters& listed) && {
    for (std::size_t i = 0; i < listed.list.counters.size(); ++i) {
      const auto& counter = listed.list.counters[i];
      layout_.entries.push_back(counter ? std::optional(place(*counter, listed.facts[i]))
                                        : std::nullopt);
    }
    for (CountersetSchema& schema : schemas_) read_by_names(schema);
    for (std::size_t i = 0; i < schemas_.size(); ++i)
      layout_.objects[i].layout = layout_of(schemas_[i]);
    for (std::size_t i = 0; i < schemas_.size(); ++i)
      layout_.objects[i].schema = std::make_shared<const CountersetSchema>(std::move(schemas_[i]));
    return std::move(layout_);
  }

 private:
  LogLayout::Entry place(const Counter& counter, const EntryFacts& facts) {
    LogLayout::Entry entry{.machine = numbers_.machines.of(counter.machine)};
    if (facts.v2_replies != 0) entry.counterset = counterset_called(counter.object);
    // A counter without a name can't be shown.
    if (names_whole_object(counter) || facts.holds_blocks || facts.v2_replies != 0 ||
        counter.name.empty())
      return entry;
    const std::size_t object = object_of(counter, entry.machine);
    const std::size_t column = column_of(counter, object);
    schemas_[object].multi_instance |= facts.names_instances || !counter.instance.empty();
    widen(schemas_[object].counters[column], facts);
    entry.column = {object, column, static_cast<std::int64_t>(counter.time_base)};
    if (!counter.instance.empty()) entry.instance = instance_of(counter);
    entry.is_single = !facts.names_instances && !counter.wildcard;
    return entry;
  }

  std::optional<std::size_t> counterset_called(const std::string& name) const {
    const auto is_it = [&](const std::string& other) { return equal_names(name, other); };
    const auto found = std::ranges::find_if(countersets_, is_it, &RegistrationRecord::name);
    if (found == countersets_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - countersets_.begin());
  }

  static InstanceName instance_of(const Counter& counter) {
    InstanceName instance = parse_instance_name(counter.instance, counter.parent);
    if (instance.number == 0) instance.number = counter.instance_index;
    return instance;
  }

  std::size_t object_of(const Counter& counter, std::size_t machine) {
    const ObjectIndex index{kFirstOwnIndex + numbers_.objects.of(counter.object)};
    const auto [entry, is_new] = objects_.try_emplace({machine, index}, schemas_.size());
    if (is_new) {
      CountersetSchema& schema = schemas_.emplace_back();
      schema.path = CounterPath::kLog;
      const auto& machines = numbers_.machines.names();
      if (machines.size() > 1) schema.machine = machines[machine];
      schema.index = index;
      schema.name = counter.object;
      layout_.objects.push_back({machine, nullptr, nullptr});
    }
    return entry->second;
  }

  std::size_t column_of(const Counter& counter, std::size_t object) {
    CountersetSchema& schema = schemas_[object];
    const CounterIndex index{numbers_.counters[schema.index].of(counter.name) + 1};
    const auto [entry, is_new] =
        columns_.try_emplace({object, index, counter.type}, schema.counters.size());
    if (is_new) schema.counters.push_back(schema_of(counter, index));
    return entry->second;
  }

  Numbers& numbers_;
  std::span<const RegistrationRecord> countersets_;
  LogLayout layout_;
  std::vector<CountersetSchema> schemas_;  // of layout_.objects
  std::map<std::pair<std::size_t, ObjectIndex>, std::size_t> objects_;
  std::map<std::tuple<std::size_t, CounterIndex, std::uint32_t>, std::size_t> columns_;
};

}  // namespace

LogLayouts lay_out(std::span<const ListedCounters> lists,
                   std::span<const RegistrationRecord> countersets) {
  Numbers numbers;
  for (const ListedCounters& listed : lists)
    for (const auto& counter : listed.list.counters)
      if (counter) numbers.machines.of(counter->machine);
  LogLayouts result;
  for (const ListedCounters& listed : lists)
    result.layouts.push_back(LayoutBuilder(numbers, countersets).run(listed));
  result.machines = numbers.machines.names();
  return result;
}

}  // namespace winperf::blg
