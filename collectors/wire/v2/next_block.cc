#include "collectors/wire/v2/next_block.h"

#include <cstdint>
#include <optional>

#include "collectors/wire/parse_limits.h"
#include "collectors/wire/v2/instance_header.h"

namespace winperf::v2 {
namespace {

// A value takes at least eight bytes of data, including padding.
constexpr std::size_t kSmallestValueBytes = counter_data::kBytes + 8;

// What follows the PERF_COUNTER_DATA at the start of `rest`; empty if that is unsound.
std::optional<ByteView> after_value(const ByteView& rest) {
  const auto header = rest.first(counter_data::kBytes, "v2.value");
  if (!header) return std::nullopt;
  const auto data_size = header->get(counter_data::kDataSize);
  const auto size = header->get(counter_data::kSize);
  const bool sound = size >= kSmallestValueBytes && size <= rest.size() &&
                     data_size <= size - counter_data::kBytes;
  return sound ? std::optional(*rest.from(size, "v2.value")) : std::nullopt;
}

std::optional<ByteView> after_values(ByteView rest, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    const auto after = after_value(rest);
    if (!after) return std::nullopt;
    rest = *after;
  }
  return rest;
}

std::optional<ByteView> after_instance(const ByteView& rest) {
  const auto header = InstanceHeader::parse(rest, ParseLimits{});
  if (!header || header->name_problem()) return std::nullopt;
  return *rest.from(header->byte_length(), "v2.instance");
}

}  // namespace

bool is_sound_result(const ByteView& rest) {
  const auto header = rest.first(counter_header::kBytes, "v2.result");
  if (!header) return false;
  const auto size = header->get(counter_header::kSize);
  return is_known(static_cast<ResultKind>(header->get(counter_header::kType))) &&
         size >= counter_header::kBytes && size <= rest.size();
}

bool are_sound_rows(const ByteView& rest, bool has_instances, std::size_t columns) {
  if (!has_instances) return after_values(rest, columns).has_value();
  const auto header = rest.first(multi_instances::kBytes, "v2.instances");
  if (!header) return false;
  const auto size = header->get(multi_instances::kTotalSize);
  if (size < multi_instances::kBytes || size > rest.size()) return false;
  ByteView rows =
      *rest.slice(multi_instances::kBytes, size - multi_instances::kBytes, "v2.instance");
  // Each turn consumes the bytes of an instance's header, so the bytes bound the loop.
  for (auto left = header->get(multi_instances::kInstances); left != 0; --left) {
    const auto values = after_instance(rows);
    const auto next = values ? after_values(*values, columns) : std::nullopt;
    if (!next) return false;
    rows = *next;
  }
  return true;
}

}  // namespace winperf::v2
