#include "tests/support/blg_v2.h"

#include <utility>

#include "tests/support/byte_writer.h"

namespace winperf::testing {
namespace {

constexpr std::uint32_t kNoName = 0xFFFF'FFFF;
constexpr std::uint32_t kNone = 0xFFFF'FFFF;
constexpr std::uint32_t kWholeCounterset = 6;
constexpr std::uint32_t kMultipleInstances = 2;

void align(ByteWriter& out) {
  while (out.size() % 8 != 0) out.put(std::uint8_t{0});
}

ByteVector text(const std::u16string& text) {
  ByteWriter out;
  out.utf16(text).put(std::uint16_t{0});
  return std::move(out).take();
}

ByteVector info_bytes(const V2CountersetSpec& counterset) {
  ByteWriter out;
  out.put(counterset.guid).grow(19);
  out.put(100U).put(u32(counterset.counters.size())).put(kMultipleInstances);
  for (const V2CounterSpec& counter : counterset.counters) {
    out.put(counter.id).put(counter.type).put(std::uint64_t{0}).put(100U).put(0U);
    out.put(counter.base_id).put(kNone).put(kNone).put(kNone).put(0U).put(0U);
  }
  return std::move(out).take();
}

// Offsets count from the start.
ByteVector names_bytes(const V2CountersetSpec& counterset) {
  ByteWriter entries;
  ByteWriter strings;
  const std::size_t first = 8 + 8 * counterset.counters.size();
  for (const V2CounterSpec& counter : counterset.counters) {
    entries.put(counter.id).put(counter.name ? u32(first + strings.size()) : kNoName);
    if (counter.name) strings.put(text(*counter.name));
  }
  ByteWriter out;
  out.put(u32(first + strings.size())).put(u32(counterset.counters.size()));
  out.put(std::move(entries).take());
  out.put(std::move(strings).take());
  return std::move(out).take();
}

ByteVector reply_of(const ByteVector& result, const V2ClockSpec& clock) {
  ByteWriter out;
  out.put(u32(48 + result.size())).put(1U).put(clock.perf_time).put(clock.time_100ns);
  out.put(std::uint64_t{10'000'000}).grow(16);
  out.put(result);
  return std::move(out).take();
}

void write_row(ByteWriter& out, const V2RowSpec& row) {
  const std::size_t start = out.size();
  out.put(0U).put(0U).utf16(row.instance).put(std::uint16_t{0});
  align(out);
  out.set(start, u32(out.size() - start));
  for (const std::uint64_t value : row.values) out.put(8U).put(16U).put(value);
}

}  // namespace

ByteVector registration_record_bytes(const V2CountersetSpec& counterset) {
  const ByteVector info = info_bytes(counterset);
  const ByteVector names = names_bytes(counterset);
  const ByteVector name = text(counterset.name);
  ByteWriter out;
  out.put(0U).put(u32(info.size())).put(u32(names.size())).put(u32(name.size()));
  out.put(info);
  out.put(names);
  out.put(name);
  align(out);
  out.set(0, u32(out.size()));
  return std::move(out).take();
}

ByteVector v2_reply_bytes(const V2CountersetSpec& counterset, const std::vector<V2RowSpec>& rows,
                          const V2ClockSpec& clock) {
  ByteWriter out;
  out.put(0U).put(kWholeCounterset).put(0U).put(0U);
  const std::size_t counters = out.size();
  out.put(0U).put(u32(counterset.counters.size()));
  for (const V2CounterSpec& counter : counterset.counters) out.put(counter.id);
  align(out);
  out.set(counters, u32(out.size() - counters));
  const std::size_t instances = out.size();
  out.put(0U).put(u32(rows.size()));
  for (const V2RowSpec& row : rows) write_row(out, row);
  out.set(instances, u32(out.size() - instances));
  out.set(8, u32(out.size()));
  return reply_of(std::move(out).take(), clock);
}

ByteVector v2_error_bytes(std::uint32_t status) {
  ByteWriter out;
  out.put(status).put(0U).put(16U).put(0U);
  return reply_of(std::move(out).take(), {});
}

ListedCounter listed_counterset(const V2CountersetSpec& counterset, std::u16string machine) {
  return {.machine = std::move(machine),
          .object = counterset.name,
          .instance = u"*",
          .wildcard = 0x110};
}

}  // namespace winperf::testing
