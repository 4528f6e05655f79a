#include "collectors/wire/v2/registration.h"

#include <algorithm>
#include <set>

#include "collectors/wire/byte_view.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::v2 {
namespace {

std::optional<std::uint32_t> id_or_none(std::uint32_t id) {
  return id == kNoCounter ? std::nullopt : std::optional(id);
}

CounterRegistration read_counter(const ByteView& info) {
  return {.id = info.get(counter_info::kCounterId),
          .type = CounterType{info.get(counter_info::kType)},
          .attributes = info.get(counter_info::kAttrib),
          .detail_level = info.get(counter_info::kDetailLevel),
          .default_scale = info.get(counter_info::kDefaultScale),
          .base_id = id_or_none(info.get(counter_info::kBaseCounterId)),
          .perf_time_id = id_or_none(info.get(counter_info::kPerfTimeId)),
          .perf_freq_id = id_or_none(info.get(counter_info::kPerfFreqId)),
          .multi_id = id_or_none(info.get(counter_info::kMultiId)),
          .aggregation = static_cast<Aggregation>(info.get(counter_info::kAggregateFunc))};
}

// From `offset` to the NUL, both within `bytes`; the offset may be odd.
[[nodiscard]] std::expected<std::string, Error> text_at(const ByteView& bytes,
                                                        std::uint64_t offset) {
  const auto rest = bytes.from(offset, "v2.string");
  if (!rest) return std::unexpected(bytes.error(ErrorCode::kBadOffset, offset, bytes.size()));
  if (!find_nul(*rest))
    return std::unexpected(rest->error(ErrorCode::kBadText, rest->size(), rest->size()));
  return decode_utf16le(rest->bytes()).text;
}

// Why there can't be so many counters after the header.
std::optional<Error> count_problem(const ByteView& header, std::uint32_t count, std::size_t room,
                                   const ParseLimits& limits) {
  if (count > limits.counters_per_object)
    return header.error(ErrorCode::kLimitExceeded, count, limits.counters_per_object);
  if (count > room) return header.error(ErrorCode::kBadCount, count, room);
  return std::nullopt;
}

ByteView entry_at(const ByteView& entries, std::size_t index) {
  return *entries.slice(index * string_entry::kBytes, string_entry::kBytes, entries.where());
}

// The origin of the strings' offsets: the start of the table or, if one of them is too low for
// that, the end of the entries.
std::size_t origin_of_strings(const ByteView& entries) {
  std::uint32_t lowest = kNoString;
  for (std::size_t i = 0; i < entries.size() / string_entry::kBytes; ++i)
    lowest = std::min(lowest, entry_at(entries, i).get(string_entry::kOffset));
  const std::size_t strings = string_header::kBytes + entries.size();
  return lowest >= strings ? 0 : strings;
}

}  // namespace

const CounterRegistration* CountersetRegistration::find(std::uint32_t id) const {
  const auto found = std::ranges::find(counters, id, &CounterRegistration::id);
  return found == counters.end() ? nullptr : &*found;
}

std::expected<CountersetRegistration, Error> parse_counterset(std::span<const std::byte> bytes,
                                                              const ParseLimits& limits) {
  const ByteView all(bytes, "v2.registration");
  const auto header = all.first(counterset_info::kBytes, "v2.registration");
  if (!header) return std::unexpected(header.error());
  CountersetRegistration counterset;
  counterset.guid = guid_at(*header, counterset_info::kCounterSetGuid);
  counterset.detail_level = header->get(counterset_info::kDetailLevel);
  const auto count = header->get(counterset_info::kNumCounters);
  counterset.instance_type = static_cast<InstanceType>(header->get(counterset_info::kInstanceType));
  const std::size_t room = (all.size() - counterset_info::kBytes) / counter_info::kBytes;
  if (const auto problem = count_problem(*header, count, room, limits))
    return std::unexpected(*problem);

  std::set<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto info = all.slice(counterset_info::kBytes + std::uint64_t{i} * counter_info::kBytes,
                                counter_info::kBytes, "v2.registration.counter");
    CounterRegistration counter = read_counter(*info);
    if (ids.insert(counter.id).second) {
      counterset.counters.push_back(counter);
    } else {
      counterset.problems.push_back(info->error(ErrorCode::kDuplicateCounter, counter.id, 0));
    }
  }
  return counterset;
}

std::expected<std::string, Error> parse_string(std::span<const std::byte> bytes) {
  return text_at(ByteView(bytes, "v2.string"), 0);
}

std::expected<Guid, Error> parse_guid_bytes(std::span<const std::byte> bytes) {
  const auto view = ByteView(bytes, "v2.guid").first(Guid::kBytes, "v2.guid");
  if (!view) return std::unexpected(view.error());
  return guid_at(*view);
}

StringTable parse_string_table(std::span<const std::byte> bytes, const ParseLimits& limits) {
  StringTable table;
  const ByteView all(bytes, "v2.strings");
  const auto header = all.first(string_header::kBytes, "v2.strings");
  if (!header) {
    table.problems.push_back(header.error());
    return table;
  }
  const auto count = header->get(string_header::kCounters);
  const std::size_t room = (all.size() - string_header::kBytes) / string_entry::kBytes;
  if (const auto problem = count_problem(*header, count, room, limits)) {
    table.problems.push_back(*problem);
    return table;
  }

  const ByteView entries =
      *all.slice(string_header::kBytes, count * string_entry::kBytes, all.where());
  const std::uint64_t origin = origin_of_strings(entries);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ByteView entry = entry_at(entries, i);
    const auto id = entry.get(string_entry::kCounterId);
    const auto offset = entry.get(string_entry::kOffset);
    if (offset == kNoString) continue;
    auto text = text_at(all, origin + offset);
    if (!text) {
      table.problems.push_back(text.error());
    } else if (!table.texts.emplace(id, *std::move(text)).second) {
      table.problems.push_back(header->error(ErrorCode::kDuplicateCounter, id, 0));
    }
  }
  return table;
}

}  // namespace winperf::v2
