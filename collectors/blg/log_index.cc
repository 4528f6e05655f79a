#include "collectors/blg/log_index.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/blg/format.h"
#include "collectors/blg/log_names.h"
#include "collectors/blg/sample_record.h"
#include "collectors/blg/sample_times.h"
#include "collectors/wire/name_table.h"

namespace winperf::blg {
namespace {

constexpr std::uint32_t kMax32Bits = 0xFFFF'FFFF;

class Indexer {
 public:
  explicit Indexer(LogReader& log) : log_(log), times_(read_time_zone(log.head(kTimeZoneBytes))) {}

  LogIndex run() && {
    while (const auto read = log_.next()) take(*read);
    index_.summary.foreign_events = log_.foreign_events();
    index_.summary.utc_known = times_.apply(index_.samples);
    LogLayouts laid_out = lay_out(lists_);
    index_.layouts = std::move(laid_out.layouts);
    index_.machines = std::move(laid_out.machines);
    if (index_.machines.empty())
      index_.machines.push_back(tables_.empty() ? "" : tables_.front().machine);
    assign_names();
    return std::move(index_);
  }

 private:
  // The name table records of one machine, joined.
  struct NamesOfMachine {
    std::string machine;
    Bytes pairs;
    std::uint64_t records = 0;
  };

  void take(const JoinedRecord& read) {
    if (!read.record) {
      index_.summary.note_damage(read.record.error());
      if (read.type == static_cast<std::uint8_t>(RecordType::kSample))
        add_sample(std::unexpected(read.record.error()), read.record.error().offset);
      return;
    }
    switch (static_cast<RecordType>(read.record->type())) {
      case RecordType::kSample:
        return take_sample(*read.record);
      case RecordType::kCounterList:
        return take_counters(*read.record);
      case RecordType::kNameTable:
        return take_names(*read.record);
    }
    ++index_.summary.other_records;
  }

  void refuse(const char* where, std::uint64_t offset, std::uint64_t actual, std::uint64_t limit) {
    index_.summary.note_damage({.code = ErrorCode::kLimitExceeded,
                                .where = where,
                                .offset = offset,
                                .actual = actual,
                                .limit = limit});
  }

  void take_sample(const Record& record) {
    // A sample that is lost as a whole counts once, whatever was found in it before.
    LogSummary summary = index_.summary;
    if (const auto noted = note_items(record, summary); !noted) {
      const Error error = record.in_file(noted.error());
      index_.summary.note_damage(error);
      return add_sample(std::unexpected(error), record.place().event);
    }
    if (index_.samples.size() < kMaxLogSamples) ++summary.samples;
    index_.summary = std::move(summary);
    add_sample(IndexedSample{record.place(), lists_.size() - 1, {}}, record.place().event);
  }

  void add_sample(std::expected<IndexedSample, Error> sample, std::uint64_t offset) {
    if (index_.samples.size() < kMaxLogSamples) return index_.samples.push_back(std::move(sample));
    refuse("log.sample", offset, index_.samples.size() + 1, kMaxLogSamples);
  }

  [[nodiscard]] std::expected<void, Error> note_items(const Record& record, LogSummary& summary) {
    auto items = ItemWalk::over(record.bytes());
    if (!items) return std::unexpected(items.error());
    times_.begin(index_.samples.size(), record.time());
    for (std::size_t number = 0; const auto item = items->next(); ++number) {
      if (!*item) return std::unexpected(item->error());
      const auto noted = note_item(**item, number, summary);
      if (!noted) summary.note_damage(record.in_file(noted.error()));
    }
    return {};
  }

  [[nodiscard]] std::expected<void, Error> note_item(const Item& item, std::size_t number,
                                                     LogSummary& summary) {
    switch (static_cast<ItemKind>(item.kind)) {
      case ItemKind::kWholeObject:
        ++summary.whole_objects;
        if (listed(number) != nullptr) lists_.back().facts[number].holds_blocks = true;
        return {};
      case ItemKind::kCounter: {
        const auto counter = read_counter_item(item.body);
        if (!counter) return std::unexpected(counter.error());
        note_value(counter->value, number, summary);
        return {};
      }
      case ItemKind::kInstances: {
        const auto instances = read_instances_item(item.body);
        if (!instances) return std::unexpected(instances.error());
        note_instances(*instances, number, summary);
        return {};
      }
    }
    ++summary.unknown_items;
    return {};
  }

  void note_instances(const InstancesItem& item, std::size_t number, LogSummary& summary) {
    if (listed(number) != nullptr) lists_.back().facts[number].names_instances = true;
    for (const InstancesItem::Instance& instance : item.instances)
      note_value(instance.value, number, summary, instance.name);
    if (item.instances.empty() && !is_valid(item.status))
      note_value({.status = item.status}, number, summary);
  }

  // The counter of a sample's n-th item; null if the current list has none.
  const Counter* listed(std::size_t number) const {
    const auto& counters = lists_.back().list.counters;
    if (number >= counters.size() || !counters[number] || names_whole_object(*counters[number]))
      return nullptr;
    return &*counters[number];
  }

  // `instance`: if the item names it instead of the list.
  void note_value(const RawValue& value, std::size_t number, LogSummary& summary,
                  const std::string& instance = {}) {
    const Counter* const counter = listed(number);
    if (counter == nullptr) {
      ++summary.unlisted_values;
      return;
    }
    if (!is_valid(value.status)) {
      if (summary.missing_values++ != 0) return;
      Counter asked = *counter;
      if (!instance.empty()) {
        asked.parent.clear();
        asked.instance = instance;
      }
      summary.first_missing = MissingValue{path_of(asked), value.status};
      return;
    }
    ++summary.values;
    const CounterTypeInfo info = winperf::describe(CounterType{counter->type});
    EntryFacts& facts = lists_.back().facts[number];
    facts.wide_value = facts.wide_value || value.first > kMax32Bits;
    facts.wide_base = facts.wide_base || value.second > kMax32Bits;
    if (info.time_base == TimeBase::k100ns && second_is_time(info)) times_.note_utc(value.second);
  }

  void take_counters(const Record& record) {
    ListedCounters next{.list = read_counter_list(record.bytes()), .facts = {}};
    LogSummary& summary = index_.summary;
    for (const Error& problem : next.list.problems) summary.note_damage(record.in_file(problem));
    const std::size_t count = next.list.counters.size();
    if (summary.counters + count > kMaxListedCounters) {
      refuse("log.counter_list", record.place().event, summary.counters + count,
             kMaxListedCounters);
      next = {};
    }
    for (auto& counter : next.list.counters)
      if (counter && !admit(counter->machine, record)) counter.reset();
    for (const auto& counter : next.list.counters)
      if (counter && summary.first_counter.empty()) summary.first_counter = path_of(*counter);
    summary.counters += next.list.counters.size();
    next.facts.resize(next.list.counters.size());
    lists_.push_back(std::move(next));
  }

  // False if this machine is one too many.
  bool admit(const std::string& machine, const Record& record) {
    const auto known = [&](const std::string& name) { return equal_names(name, machine); };
    if (std::ranges::any_of(admitted_, known)) return true;
    if (admitted_.size() == kMaxMachines) {
      refuse("log.machine", record.place().event, kMaxMachines + 1, kMaxMachines);
      return false;
    }
    admitted_.push_back(machine);
    return true;
  }

  void take_names(const Record& record) {
    const auto names = read_name_record(record.bytes());
    if (!names) return index_.summary.note_damage(record.in_file(names.error()));
    if (!admit(names->machine, record)) return;
    const std::size_t size = name_bytes_ + names->pairs.size();
    if (size > kMaxNameTableBytes)
      return refuse("log.name_table", record.place().event, size, kMaxNameTableBytes);
    name_bytes_ = size;
    auto known = std::ranges::find_if(tables_, [&](const NamesOfMachine& table) {
      return equal_names(table.machine, names->machine);
    });
    if (known == tables_.end()) {
      tables_.push_back({names->machine, {}, 0});
      known = tables_.end() - 1;
    }
    known->pairs.insert(known->pairs.end(), names->pairs.begin(), names->pairs.end());
    ++known->records;
  }

  void assign_names() {
    index_.names.resize(index_.machines.size());
    for (NamesOfMachine& table : tables_) {
      const auto machine = std::ranges::find_if(index_.machines, [&](const std::string& name) {
        return equal_names(name, table.machine);
      });
      if (machine == index_.machines.end()) {
        index_.summary.foreign_names += table.records;
      } else {
        index_.names[static_cast<std::size_t>(machine - index_.machines.begin())] =
            std::move(table.pairs);
      }
    }
  }

  LogReader& log_;
  SampleTimes times_;
  LogIndex index_;
  std::vector<ListedCounters> lists_{ListedCounters{}};
  std::vector<NamesOfMachine> tables_;
  std::size_t name_bytes_ = 0;
  std::vector<std::string> admitted_;  // machines
};

}  // namespace

LogIndex index_log(LogReader& log) { return Indexer(log).run(); }

}  // namespace winperf::blg
