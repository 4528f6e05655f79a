#include "tests/support/blg_builder.h"

#include <algorithm>
#include <utility>

#include "tests/support/byte_writer.h"

namespace winperf::testing {
namespace {

constexpr std::size_t kBufferHeader = 72;
constexpr std::uint32_t kItemSignature = 0x0003'4C42;
constexpr std::uint32_t kNoString = 0xFFFF'FFFF;

ByteVector part_bytes_of(const PartSpec& spec) {
  ByteWriter out;
  out.grow(72);
  out.set(0, static_cast<std::uint16_t>(72 + spec.piece.size()));
  out.set(2, std::uint8_t{0x0A}).set(3, std::uint8_t{0xC0}).set(4, spec.type);
  out.set(16, spec.time);
  // 933F3BB3-943E-490D-9CED-3CBB14C14479
  out.set(24, 0x490D'943E'933F'3BB3).set(32, 0x7944'C114'BB3C'ED9C);
  out.set(64, spec.part).set(68, spec.parts);
  out.put(spec.piece);
  return std::move(out).take();
}

void write_value(ByteWriter& out, const RawSpec& value) { out.put(value.first).put(value.second); }

void write_string(ByteWriter& entry, std::size_t field, const std::optional<std::u16string>& text) {
  if (!text) {
    entry.set(field, kNoString);
    return;
  }
  entry.set(field, u32(entry.size() - 52));
  entry.utf16(*text).put(std::uint16_t{0});
}

void close_buffer(ByteWriter& out, std::size_t start, std::uint32_t buffer_bytes) {
  const std::size_t filled = out.size() - start;
  out.set(start, buffer_bytes).set(start + 4, u32(filled)).set(start + 48, u32(filled));
  for (std::size_t left = buffer_bytes - filled; left > 0; --left) out.put(std::uint8_t{0xFF});
}

}  // namespace

std::string BuiltLog::text() const {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

BuiltLog BuiltLog::with(std::size_t offset, std::uint32_t value) const {
  return {with_field(bytes, offset, value), events};
}

BuiltLog BuiltLog::with_byte(std::size_t offset, std::uint8_t value) const {
  BuiltLog changed = *this;
  changed.bytes.at(offset) = std::byte{value};
  return changed;
}

BuiltLog BuiltLog::cut_to(std::size_t size) const {
  return {ByteVector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), events};
}

BlgBuilder& BlgBuilder::at(std::uint64_t local_100ns) {
  next_time_ = local_100ns;
  return *this;
}

BlgBuilder& BlgBuilder::record(std::uint8_t type, const ByteVector& bytes, std::size_t part_bytes) {
  const std::size_t parts = std::max<std::size_t>(1, (bytes.size() + part_bytes - 1) / part_bytes);
  for (std::size_t i = 0; i < parts; ++i) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(i * part_bytes);
    const std::size_t length = std::min(part_bytes, bytes.size() - i * part_bytes);
    part({.type = type,
          .time = next_time_,
          .part = u32(i + 1),
          .parts = u32(parts),
          .piece = ByteVector(first, first + static_cast<std::ptrdiff_t>(length))});
  }
  next_time_ += 10'000'000;
  return *this;
}

BlgBuilder& BlgBuilder::part(const PartSpec& spec) {
  events_.push_back({part_bytes_of(spec), false, std::exchange(new_buffer_, false)});
  return *this;
}

BlgBuilder& BlgBuilder::system_event() {
  ByteWriter out;
  out.put(std::uint16_t{2}).put(std::uint8_t{1}).put(std::uint8_t{0xC0});
  out.put(std::uint16_t{36}).put(std::uint16_t{0}).grow(28);
  events_.push_back({std::move(out).take(), true, std::exchange(new_buffer_, false)});
  return *this;
}

BlgBuilder& BlgBuilder::trace_header(const TraceHeaderSpec& spec) {
  const std::size_t zone = 32 + 56 + 2 * std::size_t{spec.pointer_bytes};
  ByteWriter out;
  out.grow(zone + 172 + 40);
  out.set(2, std::uint8_t{2})
      .set(3, std::uint8_t{0xC0})
      .set(4, static_cast<std::uint16_t>(out.size()));
  out.set(32 + 32, spec.circular ? 2U : 1U);
  out.set(32 + 44, spec.pointer_bytes).set(zone, spec.bias);
  const auto changeover = [&](std::size_t at, std::uint16_t month, std::uint16_t hour) {
    out.set(at + 2, month).set(at + 6, std::uint16_t{5}).set(at + 8, hour);
  };
  changeover(zone + 68, 10, 3);
  changeover(zone + 152, 3, 2);
  out.set(zone + 168, std::int32_t{-60});
  events_.push_back({std::move(out).take(), true, std::exchange(new_buffer_, false)});
  return *this;
}

BlgBuilder& BlgBuilder::new_buffer() {
  new_buffer_ = true;
  return *this;
}

BuiltLog BlgBuilder::build() const {
  BuiltLog log;
  ByteWriter out;
  std::size_t start = 0;
  for (const Event& event : events_) {
    const std::size_t end = out.size() - start + event.bytes.size();
    if (out.size() > 0 && (event.begins_buffer || end > buffer_bytes_)) {
      close_buffer(out, start, buffer_bytes_);
      start = out.size();
    }
    if (out.size() == start) out.grow(kBufferHeader);
    if (!event.foreign) log.events.push_back(out.size());
    out.put(event.bytes);
    out.align_to_8();
  }
  if (out.size() == start) out.grow(kBufferHeader);
  close_buffer(out, start, buffer_bytes_);
  log.bytes = std::move(out).take();
  return log;
}

ByteVector sample_bytes(const std::vector<ItemSpec>& items) {
  ByteWriter out;
  out.put(kItemSignature).grow(4);
  for (const ItemSpec& item : items) {
    out.put(kItemSignature | std::uint32_t{item.kind} << 24).put(u32(8 + item.body.size()));
    out.put(item.body);
  }
  out.set(4, u32(out.size()));
  return std::move(out).take();
}

ByteVector counter_body(const RawSpec& value, std::uint64_t time, std::uint32_t multi_count) {
  ByteWriter out;
  out.put(value.status).put(time).grow(4);
  write_value(out, value);
  out.put(multi_count).grow(4);
  return std::move(out).take();
}

ByteVector instances_body(const std::vector<InstanceValueSpec>& instances, std::uint64_t time,
                          bool offsets_from_body) {
  ByteWriter out;
  out.grow(4).put(u32(instances.size())).grow(8).put(time);
  std::size_t name_at = offsets_from_body ? 24 + 24 * instances.size() : 0;
  for (const InstanceValueSpec& instance : instances) {
    out.put(u32(name_at)).put(instance.value.status);
    write_value(out, instance.value);
    name_at += 2 * (instance.name.size() + 1);
  }
  for (const InstanceValueSpec& instance : instances)
    out.utf16(instance.name).put(std::uint16_t{0});
  out.set(0, u32(out.size()));
  return std::move(out).take();
}

ByteVector counter_list_bytes(const std::vector<ListedCounter>& counters) {
  ByteWriter out;
  out.grow(8);
  for (const ListedCounter& counter : counters) {
    ByteWriter entry;
    entry.grow(52);
    entry.set(4, counter.wildcard).set(12, counter.type).set(16, counter.time_base);
    entry.set(24, counter.default_scale);
    write_string(entry, 28, counter.machine);
    write_string(entry, 32, counter.object);
    write_string(entry, 36, counter.instance);
    write_string(entry, 40, counter.parent);
    write_string(entry, 48, counter.counter);
    entry.align_to_8().set(0, u32(entry.size()));
    out.put(std::move(entry).take());
  }
  return std::move(out).take();
}

ByteVector name_record_bytes(std::u16string_view machine,
                             const std::vector<std::u16string_view>& texts) {
  ByteWriter out;
  out.utf16(machine).put(std::uint16_t{0});
  for (const std::u16string_view text : texts) out.utf16(text).put(std::uint16_t{0});
  return std::move(out).take();
}

}  // namespace winperf::testing
