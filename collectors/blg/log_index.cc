#include "collectors/blg/log_index.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/blg/format.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_records.h"
#include "collectors/wire/name_table.h"

namespace winperf::blg {
namespace {

constexpr std::int64_t kMinute = 60 * 10'000'000LL;
constexpr std::int64_t kQuarter = 15 * kMinute;
constexpr std::int64_t kMaxOffset = 16 * 60 * kMinute;  // of a time zone
// Between the times of a sample and of a value in it.
constexpr std::int64_t kMaxDifference = kMinute;

std::optional<std::int64_t> offset_between(std::uint64_t local, std::uint64_t utc) {
  if (local > kLatestTime || utc > kLatestTime) return std::nullopt;
  const auto difference = static_cast<std::int64_t>(utc) - static_cast<std::int64_t>(local);
  const std::int64_t half = difference < 0 ? -kQuarter / 2 : kQuarter / 2;
  const std::int64_t offset = (difference + half) / kQuarter * kQuarter;
  const std::int64_t rest = difference - offset;
  if (std::max(offset, -offset) > kMaxOffset || std::max(rest, -rest) > kMaxDifference)
    return std::nullopt;
  return offset;
}

}  // namespace

void SampleTimes::begin(std::size_t sample, std::uint64_t local_100ns) {
  times_.resize(sample + 1);
  times_.back() = {local_100ns, std::nullopt};
}

void SampleTimes::note_utc(std::uint64_t time_100ns) {
  Time& time = times_.back();
  if (!time.offset) time.offset = offset_between(time.local_100ns, time_100ns);
}

bool SampleTimes::apply(std::span<std::expected<IndexedSample, Error>> samples) const {
  const auto first =
      std::ranges::find_if(times_, &std::optional<std::int64_t>::has_value, &Time::offset);
  std::optional<std::int64_t> offset = first == times_.end() ? std::nullopt : first->offset;
  bool all_utc = true;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i]) continue;
    const Time& time = times_[i];
    if (time.offset) offset = time.offset;
    all_utc = all_utc && (offset || zone_);
    const std::int64_t added = offset.value_or(zone_ ? utc_offset(*zone_, time.local_100ns) : 0);
    samples[i]->time = {
        static_cast<std::int64_t>(time.local_100ns + static_cast<std::uint64_t>(added))};
  }
  return all_utc;
}

namespace {

constexpr std::uint32_t kMax32Bits = 0xFFFF'FFFF;

// The results of the first walk over a log for the second one.
struct FirstPassResult {
  std::optional<ListedCounters> list{};  // for samples before any list
  std::optional<Place> oldest{};         // sample, of a log that has wrapped
};

class Indexer {
 public:
  Indexer(LogReader& log, const std::optional<TimeZone>& zone, FirstPassResult known)
      : log_(log), times_(zone), list_is_foreknown_(known.list.has_value()), oldest_(known.oldest) {
    if (known.list) lists_.front() = *std::move(known.list);
    if (oldest_) index_.summary.oldest_run = oldest_->event;
  }

  void walk() {
    while (const auto read = log_.next()) take(*read);
  }

  // Whether samples came before the first list.
  bool lists_late() const { return lists_.size() > 1 && samples_before_lists_ != 0; }
  std::optional<ListedCounters> first_list() const {
    if (lists_.size() == 1) return std::nullopt;
    ListedCounters list{.list = lists_[1].list, .facts = {}};
    list.facts.resize(list.list.counters.size());
    return list;
  }

  LogIndex finish() && {
    index_.summary.foreign_events = log_.foreign_events();
    index_.summary.utc_known = times_.apply(index_.samples);
    LogLayouts laid_out = lay_out(lists_, index_.countersets);
    index_.layouts = std::move(laid_out.layouts);
    index_.machines = std::move(laid_out.machines);
    if (index_.machines.empty())
      index_.machines.push_back(tables_.empty() ? "" : tables_.front().machine);
    assign_names();
    assign_countersets();
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
    if (!read.record) return take_damage(read.type, read.record.error());
    if (is_sample(read.record->bytes())) return take_sample(*read.record);
    switch (static_cast<RecordType>(read.record->type())) {
      case RecordType::kSample:
        return take_sample(*read.record);
      case RecordType::kCounterList:
        return take_counters(*read.record);
      case RecordType::kNameTable:
        return take_names(*read.record);
      case RecordType::kRegistration:
        return take_registration(*read.record);
      case RecordType::kSummary:
        return;
    }
    index_.summary.unknown_records.note(read.record->place().event);
  }

  void take_damage(std::optional<std::uint8_t> type, const Error& error) {
    const bool of_sample = type == static_cast<std::uint8_t>(RecordType::kSample);
    // The rest of the sample that the newest ones have overwritten.
    if (of_sample && oldest_ && error.offset == oldest_->event && index_.samples.empty()) {
      ++index_.summary.overwritten;
      return;
    }
    index_.summary.note_damage(error);
    if (of_sample) add_sample(std::unexpected(error), error.offset);
  }

  void refuse(const char* where, std::uint64_t offset, std::uint64_t actual, std::uint64_t limit) {
    index_.summary.note_damage({.code = ErrorCode::kLimitExceeded,
                                .where = where,
                                .offset = offset,
                                .actual = actual,
                                .limit = limit});
  }

  void take_sample(const Record& record) {
    if (record.type() != static_cast<std::uint8_t>(RecordType::kSample))
      index_.summary.note_damage({.code = ErrorCode::kBadSignature,
                                  .where = "log.record.type",
                                  .offset = record.place().event,
                                  .actual = record.type(),
                                  .limit = static_cast<std::uint8_t>(RecordType::kSample)});
    // A sample that is lost as a whole counts once, regardless of its readable parts.
    std::optional<LogSummary> without;
    if (!are_sound(record)) without = index_.summary;
    if (const auto noted = note_items(record, index_.summary); !noted) {
      if (without) index_.summary = *std::move(without);  // are_sound() knows all reasons
      const Error error = record.in_file(noted.error());
      index_.summary.note_damage(error);
      return add_sample(std::unexpected(error), record.place().event);
    }
    if (index_.samples.size() < kMaxLogSamples) ++index_.summary.samples;
    if (lists_.size() == 1) ++samples_before_lists_;
    if (record.time() < latest_time_) index_.summary.late_samples.note(record.place().event);
    latest_time_ = record.time();
    add_sample(IndexedSample{record.place(), lists_.size() - 1, {}}, record.place().event);
  }

  void add_sample(std::expected<IndexedSample, Error> sample, std::uint64_t offset) {
    if (index_.samples.size() < kMaxLogSamples) return index_.samples.push_back(std::move(sample));
    refuse("log.sample", offset, index_.samples.size() + 1, kMaxLogSamples);
  }

  // Whether the record can be split into items.
  static bool are_sound(const Record& record) {
    auto items = ItemWalk::over(record.bytes());
    if (!items) return false;
    while (const auto item = items->next())
      if (!*item) return false;
    return true;
  }

  [[nodiscard]] std::expected<void, Error> note_items(const Record& record, LogSummary& summary) {
    auto items = ItemWalk::over(record.bytes());
    if (!items) return std::unexpected(items.error());
    times_.begin(index_.samples.size(), record.time());
    for (std::size_t number = 0; const auto item = items->next(); ++number) {
      if (!*item) return std::unexpected(item->error());
      place_ = record.in_file({.offset = (*item)->body.offset()}).offset - item_header::kBytes;
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
      case ItemKind::kV2Reply:
        return note_reply(item, number, summary);
      case ItemKind::kInstances: {
        const auto instances = read_instances_item(item.body);
        if (!instances) return std::unexpected(instances.error());
        note_instances(*instances, number, summary);
        return {};
      }
    }
    summary.unknown_items.note(place_);
    return {};
  }

  [[nodiscard]] std::expected<void, Error> note_reply(const Item& item, std::size_t number,
                                                      LogSummary& summary) {
    const auto reply = read_v2_reply(item.body);
    auto& lists = lists_.back();
    if (number >= lists.facts.size() || !lists.list.counters[number]) {
      summary.unregistered_replies.note(place_);
      return {};
    }
    // Its counterset may be registered later.
    if (lists.facts[number].v2_replies++ == 0) lists.facts[number].first_reply = place_;
    if (!reply) return std::unexpected(reply.error());
    lists.facts[number].v2_values += reply->values;
    return {};
  }

  void note_instances(const InstancesItem& item, std::size_t number, LogSummary& summary) {
    if (listed(number) != nullptr) lists_.back().facts[number].names_instances = true;
    for (const InstancesItem::Instance& instance : item.instances)
      note_value(instance.value, number, summary, &instance);
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
                  const InstancesItem::Instance* instance = nullptr) {
    const Counter* const counter = listed(number);
    if (counter == nullptr) return summary.unlisted_values.note(place_);
    if (counter->name.empty()) {
      ++summary.nameless_values;
      return;
    }
    if (!is_valid(value.status)) {
      if (summary.missing_values++ != 0) return;
      Counter asked = *counter;
      const std::string name = instance != nullptr ? instance->name() : std::string();
      if (!name.empty()) {
        asked.parent.clear();
        asked.instance = name;
      }
      summary.first_missing = MissingValue{path_of(asked), value.status};
      return;
    }
    ++summary.values;
    EntryFacts& facts = lists_.back().facts[number];
    facts.wide_value = facts.wide_value || value.first > kMax32Bits;
    facts.wide_base = facts.wide_base || value.second > kMax32Bits;
    if (!facts.has_utc) {
      const CounterTypeInfo info = winperf::describe(CounterType{counter->type});
      facts.has_utc = info.time_base == TimeBase::k100ns && second_is_time(info);
    }
    if (*facts.has_utc) times_.note_utc(value.second);
  }

  void take_counters(const Record& record) {
    ListedCounters next{.list = read_counter_list(record.bytes()), .facts = {}};
    LogSummary& summary = index_.summary;
    for (const Error& problem : next.list.problems) summary.note_damage(record.in_file(problem));
    // A record that isn't a list doesn't replace one.
    if (next.list.counters.empty() && !next.list.problems.empty()) return;
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
    if (lists_.size() == 1 && list_is_foreknown_ && next.list.counters == lists_[0].list.counters)
      return;
    next.facts.resize(next.list.counters.size());
    lists_.push_back(std::move(next));
  }

  void take_registration(const Record& record) {
    auto read = read_registration(record.bytes());
    if (!read) return index_.summary.note_damage(record.in_file(read.error()));
    auto& known = index_.countersets;
    if (std::ranges::find(known, read->guid, &RegistrationRecord::guid) != known.end()) return;
    const std::size_t size = registration_bytes_ + record.bytes().size();
    if (size > kMaxRegistrationBytes || known.size() == kMaxRegistrations)
      return refuse("log.registration", record.place().event, size, kMaxRegistrationBytes);
    registration_bytes_ = size;
    known.push_back(*std::move(read));
  }

  // False if there are too many machines.
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

  // Which replies can be used is known only at the end of the log.
  void assign_countersets() {
    LogSummary& summary = index_.summary;
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      for (std::size_t number = 0; number < lists_[list].facts.size(); ++number) {
        const EntryFacts& facts = lists_[list].facts[number];
        if (facts.v2_replies == 0) continue;
        auto& entry = index_.layouts[list].entries[number];
        if (!entry || !entry->counterset) {
          summary.unregistered_replies.note(facts.first_reply, facts.v2_replies);
        } else if (entry->machine != 0) {
          entry->counterset.reset();
          summary.other_machines_replies.note(facts.first_reply, facts.v2_replies);
        } else {
          summary.v2_replies += facts.v2_replies;
          summary.v2_values += facts.v2_values;
        }
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
  bool list_is_foreknown_;
  std::optional<Place> oldest_;
  std::size_t registration_bytes_ = 0;
  std::uint64_t samples_before_lists_ = 0;
  std::uint64_t latest_time_ = 0;
  std::uint64_t place_ = 0;  // of the current item in the file
};

}  // namespace

LogIndex index_log(LogReader& log) {
  const auto header = read_trace_header(log.head(kTraceHeaderBytes));
  const auto zone = header ? header->zone : std::nullopt;
  const bool may_wrap = !header || header->is_circular;
  Indexer first(log, zone, {});
  first.walk();
  const auto oldest = may_wrap ? log.oldest_run() : std::nullopt;
  if (!oldest && !first.lists_late()) return std::move(first).finish();
  FirstPassResult known{.list = first.first_list(), .oldest = oldest};
  if (known.oldest) {
    log.start_at(*known.oldest);
  } else {
    log.seek({0, buffer_header::kBytes});
  }
  Indexer second(log, zone, std::move(known));
  second.walk();
  return std::move(second).finish();
}

}  // namespace winperf::blg
