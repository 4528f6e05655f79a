#include "collectors/capture/reply_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "collectors/wire/text.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::capture {
namespace {

constexpr std::uint32_t kEnglishUnitedStates = 0x409;

std::uint32_t count_of(std::size_t size) { return static_cast<std::uint32_t>(size); }

// A structure at the end of `bytes`.
std::span<std::byte> append(Bytes& bytes, std::size_t size) {
  bytes.resize(bytes.size() + size);
  return std::span(bytes).last(size);
}

Bytes text_reply(std::string_view text) {
  Bytes bytes;
  append_utf16le(bytes, text);
  return bytes;
}

// A table of texts by id. Offsets count from its beginning.
Bytes text_table(const std::vector<std::pair<std::uint32_t, std::string_view>>& texts) {
  Bytes bytes;
  const std::size_t entries = v2::string_header::kBytes;
  append(bytes, entries + texts.size() * v2::string_entry::kBytes);
  put(bytes, v2::string_header::kCounters, count_of(texts.size()));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t start = bytes.size();
    append_utf16le(bytes, texts[i].second);
    const std::span entry = std::span(bytes).subspan(entries + i * v2::string_entry::kBytes);
    put(entry, v2::string_entry::kCounterId, texts[i].first);
    put(entry, v2::string_entry::kOffset, count_of(start));
  }
  return bytes;
}

void put_guid(std::span<std::byte> structure, std::size_t offset, const Guid& guid) {
  std::memcpy(&structure[offset], guid.bytes.data(), Guid::kBytes);
}

bool is_identity(Origin origin) { return origin >= Origin::kProcessId; }
// What belongs to a counter: its base and its clocks.
bool is_helper(Origin origin) { return origin != Origin::kValue && !is_identity(origin); }

bool is_same(const WrittenCounter& a, const WrittenCounter& b) {
  return a.type == b.type && a.name == b.name;
}

}  // namespace

Registration::Registration(const CountersetSchema& schema)
    : guid_(schema.guid.value_or(Guid{})),
      name_(schema.name),
      help_(schema.help),
      detail_level_(schema.detail_level),
      multi_instance_(schema.multi_instance) {}

bool Registration::contradicts(const CountersetSchema& schema,
                               const std::vector<WrittenCounter>& counters) const {
  if (schema.name != name_ || schema.multi_instance != multi_instance_) return true;
  std::uint32_t value = 0;
  for (const WrittenCounter& counter : counters) {
    if (is_identity(counter.origin)) continue;
    if (counter.origin == Origin::kValue) value = counter.index;
    const Key key{counter.origin, value};
    for (const auto& [other, known] : counters_) {
      if (other == key && !is_same(known, counter)) return true;
      // An id that was free before.
      if (other != key && key.first == Origin::kValue && known.index == key.second) return true;
    }
  }
  return false;
}

std::uint32_t Registration::id_of(const Key& key) {
  const auto known = ids_.find(key);
  if (known != ids_.end()) return known->second;
  std::uint32_t id = key.second;
  if (key.first != Origin::kValue) {
    std::set<std::uint32_t> used;
    for (const auto& [other, taken] : ids_) used.insert(taken);
    // Far from those of providers, which samples to come may still bring.
    for (id = 1'000'000; used.contains(id);) ++id;
  }
  ids_.emplace(key, id);
  return id;
}

bool Registration::add(const CountersetSchema& schema, std::vector<WrittenCounter>& counters) {
  if (contradicts(schema, counters)) return false;
  std::uint32_t value = 0;
  for (WrittenCounter& counter : counters) {
    if (is_identity(counter.origin)) continue;
    if (counter.origin == Origin::kValue) value = counter.index;
    const Key key{counter.origin, value};
    const bool is_new = !ids_.contains(key);
    counter.index = id_of(key);
    if (is_new) counters_.emplace_back(key, counter);
  }
  return true;
}

void Registration::add_identities(std::vector<WrittenCounter>& counters) {
  for (WrittenCounter& counter : counters) {
    if (!is_identity(counter.origin)) continue;
    const auto sampled = std::ranges::find_if(counters_, [&](const auto& known) {
      return known.first.first == Origin::kValue && is_same(known.second, counter);
    });
    const Key key = sampled == counters_.end() ? Key{counter.origin, 0} : sampled->first;
    const bool is_new = !ids_.contains(key);
    counter.index = id_of(key);
    if (is_new) counters_.emplace_back(key, counter);
  }
}

Bytes Registration::counter_info(const Key& key, const WrittenCounter& counter) const {
  Bytes bytes;
  const std::span info = append(bytes, v2::counter_info::kBytes);
  const auto id_or_none = [&](Origin origin) {
    if (key.first != Origin::kValue) return v2::kNoCounter;
    const auto found = ids_.find({origin, key.second});
    return found == ids_.end() ? v2::kNoCounter : found->second;
  };
  const bool is_multi = describe(counter.type).base == BaseKind::kMulti;
  put(info, v2::counter_info::kCounterId, counter.index);
  put(info, v2::counter_info::kType, value_of(counter.type));
  put(info, v2::counter_info::kAttrib, is_helper(key.first) ? v2::kAttribNotDisplayed : 0);
  put(info, v2::counter_info::kDetailLevel, counter.detail_level);
  put(info, v2::counter_info::kDefaultScale, counter.scale);
  put(info, v2::counter_info::kBaseCounterId,
      is_multi ? v2::kNoCounter : id_or_none(Origin::kBase));
  put(info, v2::counter_info::kPerfTimeId, id_or_none(Origin::kTime));
  put(info, v2::counter_info::kPerfFreqId, id_or_none(Origin::kFrequency));
  put(info, v2::counter_info::kMultiId, is_multi ? id_or_none(Origin::kBase) : v2::kNoCounter);
  return bytes;
}

Bytes Registration::counterset_info() const {
  Bytes bytes;
  const std::span info = append(bytes, v2::counterset_info::kBytes);
  put_guid(info, v2::counterset_info::kCounterSetGuid, guid_);
  put(info, v2::counterset_info::kDetailLevel, detail_level_);
  put(info, v2::counterset_info::kNumCounters, count_of(counters_.size()));
  const auto type = multi_instance_ ? v2::InstanceType::kMultiple : v2::InstanceType::kSingle;
  put(info, v2::counterset_info::kInstanceType, static_cast<std::uint32_t>(type));
  for (const auto& [key, counter] : counters_) {
    const Bytes one = counter_info(key, counter);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return bytes;
}

std::vector<Registration::Reply> Registration::replies() const {
  std::vector<std::pair<std::uint32_t, std::string_view>> names;
  std::vector<std::pair<std::uint32_t, std::string_view>> helps;
  for (const auto& [key, counter] : counters_) {
    if (!counter.name.empty()) names.emplace_back(counter.index, counter.name);
    if (!counter.help.empty()) helps.emplace_back(counter.index, counter.help);
  }
  using Info = RegistrationInfo;
  return {{Info::kCounterset, 0, counterset_info()},
          {Info::kCountersetEnglishName, 0, text_reply(name_)},
          {Info::kCountersetName, 0, text_reply(name_)},
          {Info::kCountersetHelp, kEnglishUnitedStates, text_reply(help_)},
          {Info::kCounterEnglishNames, 0, text_table(names)},
          {Info::kCounterNames, 0, text_table(names)},
          {Info::kCounterHelps, kEnglishUnitedStates, text_table(helps)}};
}

Bytes Registration::identifier(std::uint32_t place) const {
  const v2::CounterRequest request{.counterset = guid_,
                                   .instance_name = multi_instance_ ? u"*" : u""};
  Bytes bytes = v2::build_identifiers({&request, 1});
  put(bytes, v2::identifier::kIndex, place);
  return bytes;
}

namespace {

// PERF_COUNTER_DATA. A number that is missing has no bytes, and one of another size too few.
void write_number(Bytes& bytes, const WrittenCounter& counter, const CountersetSample& sample,
                  std::size_t row) {
  const auto number = has_numbers(counter) ? number_of(counter, sample, row) : std::nullopt;
  const bool is_of_bad_size = counter.origin == Origin::kValue && !number &&
                              sample.reason[sample.cell(row, counter.column)] == NoValue::kBadSize;
  const std::size_t size = v2::counter_data::kBytes + sizeof(std::uint64_t);
  const std::span data = append(bytes, size);
  put(data, v2::counter_data::kDataSize, number ? counter.size : is_of_bad_size ? 1 : 0);
  put(data, v2::counter_data::kSize, count_of(size));
  const Field<std::uint64_t> value{v2::counter_data::kBytes};
  put(data, value, number.value_or(0));
}

void write_instance_header(Bytes& bytes, const InstanceSchema& instance) {
  std::vector<std::byte> name;
  append_utf16le(name, instance.name);
  const std::span header = append(bytes, v2::aligned(v2::instance_header::kBytes + name.size()));
  put(header, v2::instance_header::kSize, count_of(header.size()));
  put(header, v2::instance_header::kInstanceId, instance.unique_id.value_or(0));
  std::ranges::copy(name, header.begin() + v2::instance_header::kBytes);
}

}  // namespace

Bytes write_result(const CountersetSample& sample, std::span<const WrittenCounter> counters) {
  const bool has_instances = sample.schema->multi_instance;
  Bytes bytes(v2::counter_header::kBytes);
  const std::size_t ids_size =
      v2::aligned(v2::multi_counters::kBytes + counters.size() * sizeof(std::uint32_t));
  const std::span ids = append(bytes, ids_size);
  put(ids, v2::multi_counters::kSize, count_of(ids_size));
  put(ids, v2::multi_counters::kCounters, count_of(counters.size()));
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const Field<std::uint32_t> id{v2::multi_counters::kBytes + i * sizeof(std::uint32_t)};
    put(ids, id, counters[i].index);
  }
  const std::size_t instances = bytes.size();
  if (has_instances) append(bytes, v2::multi_instances::kBytes);
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    if (has_instances) write_instance_header(bytes, sample.instances->instances[row]);
    for (const WrittenCounter& counter : counters) write_number(bytes, counter, sample, row);
  }
  if (has_instances) {
    const std::span list = std::span(bytes).subspan(instances);
    put(list, v2::multi_instances::kTotalSize, count_of(list.size()));
    put(list, v2::multi_instances::kInstances, count_of(sample.rows()));
  }
  const auto kind = has_instances ? v2::ResultKind::kCounterset : v2::ResultKind::kMultipleCounters;
  put(bytes, v2::counter_header::kType, static_cast<std::uint32_t>(kind));
  put(bytes, v2::counter_header::kSize, count_of(bytes.size()));
  return bytes;
}

Bytes write_reply(std::span<const Bytes> results, const Clocks& clocks) {
  Bytes bytes(v2::data_header::kBytes);
  for (const Bytes& result : results) bytes.insert(bytes.end(), result.begin(), result.end());
  put(bytes, v2::data_header::kTotalSize, count_of(bytes.size()));
  put(bytes, v2::data_header::kNumCounters, count_of(results.size()));
  put(bytes, v2::data_header::kPerfTimeStamp, clocks.perf_time.ticks);
  put(bytes, v2::data_header::kPerfTime100NSec, clocks.time_100ns.ticks);
  put(bytes, v2::data_header::kPerfFreq, clocks.perf_frequency.ticks_per_second);
  return bytes;
}

}  // namespace winperf::capture
