// A hot loop: every value of every V2 sample passes has_places(). A value has a separate header,
// which is compared with the known one; then its range needs no further proof.
#include "collectors/sampling/perflib/v2_rows.h"

#include <algorithm>

#include "collectors/wire/v2/blocks.h"

namespace winperf {

using namespace v2::counter_data;

void V2Rows::learn(const v2::ResultView& result, std::uint32_t requested_counter) {
  forget();
  has_instances_ = result.has_instances();
  places_.clear();
  row_bytes_ = 0;
  ByteView rest = result.row_bytes();
  if (result.row_count() == 0) return;
  if (result.has_instances()) {
    const auto header = v2::InstanceHeader::parse(rest, result.limits());
    if (!header) return;
    rest = *rest.from(header->byte_length(), "v2.value");
  }
  auto ids = result.counter_ids().value_or(std::vector{requested_counter});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto value = rest.measured(kSize, kBytes, "v2.value");
    if (!value) return;
    const std::uint32_t data_size = value->get(kDataSize);
    const bool is_number = data_size == sizeof(std::uint32_t) || data_size == sizeof(std::uint64_t);
    if (!is_number || data_size > value->size() - kBytes) return;
    places_.push_back({.offset = static_cast<std::uint32_t>(row_bytes_),
                       .data_size = data_size,
                       .size = static_cast<std::uint32_t>(value->size())});
    row_bytes_ += value->size();
    rest = *rest.from(value->size(), "v2.value");
  }
  // With an id twice, only the first one counts.
  std::vector<std::uint32_t> sorted = ids;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) ids_ = std::move(ids);
}

// `values`: at least as long as those of a row.
bool V2Rows::has_places(const ByteView& values) const {
  bool has_all = true;
  for (const Place& place : places_)
    has_all &= values.get<std::uint32_t>(place.offset + kDataSize) == place.data_size &&
               values.get<std::uint32_t>(place.offset + kSize) == place.size;
  return has_all;
}

bool V2Rows::follow(const v2::ResultView& result, std::uint32_t requested_counter) {
  if (ids_.empty() || result.has_instances() != has_instances_ ||
      !result.are_counter_ids(ids_, requested_counter) ||
      result.row_count() > result.limits().instances_per_object)
    return false;
  blocks_.clear();
  instances_.clear();
  ByteView rest = result.row_bytes();
  for (std::uint32_t row = 0; row < result.row_count(); ++row) {
    if (result.has_instances()) {
      const auto header = v2::InstanceHeader::parse(rest, result.limits());
      if (!header) return false;
      instances_.push_back(*header);
      rest = *rest.from(header->byte_length(), "v2.value");
    }
    if (rest.size() < row_bytes_ || !has_places(rest)) return false;
    blocks_.add(rest.bytes().first(row_bytes_));
    rest = *rest.from(row_bytes_, "v2.instance");
  }
  return true;
}

std::optional<CounterDefinition> V2Rows::place_of(std::uint32_t id, CounterType type) const {
  const auto found = std::ranges::find(ids_, id);
  if (found == ids_.end()) return std::nullopt;
  const Place& place = places_[static_cast<std::size_t>(found - ids_.begin())];
  return CounterDefinition{.index = CounterIndex{id},
                           .type = type,
                           .size = place.data_size,
                           .offset = place.offset + static_cast<std::uint32_t>(kBytes)};
}

}  // namespace winperf
