#include "tests/simulator/v2_bytes.h"

#include "tests/support/byte_writer.h"

namespace winperf::simulator {
namespace {

using testing::ByteWriter;

std::uint32_t u32(std::size_t value) { return static_cast<std::uint32_t>(value); }

void put_guid(ByteWriter& out, const Guid& guid) {
  for (const std::uint8_t byte : guid.bytes) out.put(byte);
}

void put_bytes(ByteWriter& out, std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) out.put(static_cast<std::uint8_t>(byte));
}

// A block's size is a multiple of 8; where it begins is for the blocks before it to say.
void pad_to_8(ByteWriter& out, std::size_t start) { out.grow((8 - (out.size() - start) % 8) % 8); }

// PERF_COUNTER_DATA.
void put_value(ByteWriter& out, std::uint8_t bytes, std::uint64_t value) {
  out.put(std::uint32_t{bytes}).put(std::uint32_t{16});
  if (bytes == 8) {
    out.put(value);
  } else {
    out.put(static_cast<std::uint32_t>(value)).grow(4);
  }
}

// PERF_INSTANCE_HEADER and the name.
void put_instance(ByteWriter& out, const InstanceValues& instance) {
  const std::size_t start = out.size();
  out.put(std::uint32_t{0}).put(instance.id);
  out.utf16(instance.name).put(std::uint16_t{0});
  pad_to_8(out, start);
  out.set(start, u32(out.size() - start));
}

// PERF_MULTI_COUNTERS.
void put_counters(ByteWriter& out, const ResultTable& table) {
  const std::size_t start = out.size();
  out.put(std::uint32_t{0}).put(u32(table.columns.size()));
  for (const std::size_t column : table.columns) out.put(table.counterset.counters[column].id);
  const std::size_t end_of_ids = out.size();
  const bool padded = table.padding == Padding::kCounted || table.padding == Padding::kLeftOut;
  if (padded) pad_to_8(out, start);
  out.set(start, u32((table.padding == Padding::kCounted ? out.size() : end_of_ids) - start));
}

void put_row(ByteWriter& out, const ResultTable& table, const InstanceValues& row) {
  for (const std::size_t column : table.columns)
    put_value(out, table.counterset.counters[column].bytes, row.values[column]);
}

std::uint32_t kind_of(const ResultTable& table) {
  if (table.has_instances) return table.many_counters ? 6 : 4;
  return table.many_counters ? 2 : 1;
}

}  // namespace

Bytes error_result(std::uint32_t status) {
  ByteWriter out;
  out.put(status).put(std::uint32_t{0}).put(std::uint32_t{16}).put(std::uint32_t{0});
  return std::move(out).take();
}

Bytes table_result(const ResultTable& table) {
  ByteWriter out;
  out.put(std::uint32_t{0}).put(kind_of(table)).put(std::uint32_t{0}).put(std::uint32_t{0});
  if (table.many_counters) put_counters(out, table);
  if (table.has_instances) {
    const std::size_t start = out.size();
    out.put(std::uint32_t{0}).put(u32(table.rows.size()));
    for (const InstanceValues& row : table.rows) {
      put_instance(out, row);
      put_row(out, table, row);
    }
    out.set(start, u32(out.size() - start));
  } else {
    put_row(out, table, table.rows.front());
  }
  out.set(8, u32(out.size()));
  return std::move(out).take();
}

Bytes data_reply(const Now& now, std::span<const Bytes> results, Padding padding) {
  ByteWriter out;
  out.put(std::uint32_t{0}).put(u32(results.size()));
  out.put(now.perf_time).put(now.time_100ns).put(now.perf_frequency);
  // SystemTime: 2024-09-24 (a Tuesday) 14:21:20.021; the reader takes the 100 ns clock.
  for (const int part : {2024, 9, 2, 24, 14, 21, 20, 21}) out.put(static_cast<std::uint16_t>(part));
  for (const Bytes& result : results) {
    if (padding == Padding::kBetweenResults) out.align_to_8();
    put_bytes(out, result);
  }
  out.set(0, u32(out.size()));
  return std::move(out).take();
}

Bytes identifier_list(std::span<const v2::CounterRequest> requests) {
  ByteWriter out;
  std::uint32_t index = 0;
  for (const v2::CounterRequest& request : requests) {
    const std::size_t start = out.size();
    put_guid(out, request.counterset);
    out.put(std::uint32_t{0}).put(std::uint32_t{0});
    out.put(request.counter_id).put(request.instance_id).put(index++).put(std::uint32_t{0});
    if (!request.instance_name.empty()) out.utf16(request.instance_name).put(std::uint16_t{0});
    out.align_to_8();
    out.set(start + 20, u32(out.size() - start));
  }
  return std::move(out).take();
}

Bytes instance_list(std::span<const InstanceValues> instances) {
  ByteWriter out;
  for (const InstanceValues& instance : instances) put_instance(out, instance);
  return std::move(out).take();
}

Bytes counter_info(const CounterDefinition& counter) {
  const auto id_or_none = [](const std::optional<std::uint32_t>& id) {
    return id.value_or(0xFFFFFFFF);
  };
  ByteWriter out;
  out.put(counter.id).put(counter.type).put(counter.attributes).put(std::uint32_t{100});
  out.put(counter.default_scale).put(id_or_none(counter.base_id));
  out.put(id_or_none(counter.perf_time_id)).put(id_or_none(counter.perf_freq_id));
  out.put(id_or_none(counter.multi_id)).put(static_cast<std::uint32_t>(counter.aggregation));
  out.put(std::uint32_t{0});
  return std::move(out).take();
}

Bytes counterset_info(const CountersetDefinition& counterset) {
  ByteWriter out;
  put_guid(out, counterset.guid);
  out.put(std::uint32_t{0}).put(std::uint32_t{100}).put(u32(counterset.counters.size()));
  out.put(static_cast<std::uint32_t>(counterset.instance_type));
  for (const CounterDefinition& counter : counterset.counters)
    put_bytes(out, counter_info(counter));
  return std::move(out).take();
}

Bytes text(std::u16string_view text) {
  ByteWriter out;
  out.utf16(text).put(std::uint16_t{0});
  return std::move(out).take();
}

Bytes guid_bytes(const Guid& guid) {
  ByteWriter out;
  put_guid(out, guid);
  return std::move(out).take();
}

Bytes string_table(std::span<const std::pair<std::uint32_t, std::u16string>> texts, bool relative) {
  ByteWriter out;
  out.put(std::uint32_t{0}).put(u32(texts.size()));
  const std::size_t strings = 8 + 8 * texts.size();
  std::size_t next = relative ? 0 : strings;
  for (const auto& [id, text] : texts) {
    out.put(id).put(text.empty() ? 0xFFFFFFFFU : u32(next));
    if (!text.empty()) next += 2 * (text.size() + 1);
  }
  for (const auto& [id, text] : texts)
    if (!text.empty()) out.utf16(text).put(std::uint16_t{0});
  out.set(0, u32(out.size()));
  return std::move(out).take();
}

}  // namespace winperf::simulator
