#include "tests/support/block_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collectors/wire/v1_format.h"
#include "tests/support/byte_writer.h"

namespace winperf::testing {
namespace {

constexpr std::uint32_t kNoUniqueId = 0xFFFFFFFF;

std::uint32_t align(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

struct BlockLayout {
  std::vector<std::uint32_t> offsets;
  std::uint32_t byte_length = 0;
};

BlockLayout lay_out(const std::vector<CounterSpec>& counters) {
  BlockLayout layout;
  std::uint32_t next = v1::counter_block::kBytes;
  std::uint32_t end = next;
  for (const CounterSpec& counter : counters) {
    const std::uint32_t offset =
        counter.offset.value_or(align(next, counter.size % 8 == 0 ? 8 : 4));
    if (!counter.offset) next = offset + counter.size;
    end = std::max(end, offset + counter.size);
    layout.offsets.push_back(offset);
  }
  layout.byte_length = align(end, 8);
  return layout;
}

void write_counter(ByteWriter& out, const CounterSpec& counter, std::uint32_t offset) {
  out.put(u32(v1::counter::kBytes)).put(counter.index).put(std::uint32_t{0});
  out.put(counter.help_index.value_or(counter.index + 1)).put(std::uint32_t{0});
  out.put(counter.default_scale).put(counter.detail_level);
  out.put(counter.type).put(counter.size).put(offset);
}

void write_counter_block(ByteWriter& out, const std::vector<CounterSpec>& counters,
                         const BlockLayout& layout, const std::vector<std::uint64_t>& values) {
  const std::size_t start = out.size();
  out.grow(layout.byte_length).set(start, layout.byte_length);
  for (std::size_t i = 0; i < std::min(values.size(), counters.size()); ++i) {
    const std::size_t at = start + layout.offsets[i];
    if (counters[i].size == 4) out.set(at, static_cast<std::uint32_t>(values[i]));
    if (counters[i].size == 8) out.set(at, values[i]);
  }
}

void write_instance_definition(ByteWriter& out, const InstanceSpec& instance,
                               std::uint32_t code_page) {
  const std::size_t start = out.size();
  out.put(std::uint32_t{0}).put(instance.parent_object).put(instance.parent_position);
  out.put(instance.unique_id.value_or(kNoUniqueId));
  out.put(u32(v1::instance::kBytes)).put(std::uint32_t{0});
  if (instance.name) {
    const std::size_t name = out.size();
    if (code_page == 0) out.utf16(*instance.name).put(std::uint16_t{0});
    if (code_page != 0) out.narrow(*instance.name).put(std::uint8_t{0});
    out.set(start + v1::instance::kNameLength, u32(out.size() - name));
  }
  out.align_to_8();
  out.set(start + v1::instance::kByteLength, u32(out.size() - start));
}

}  // namespace

ObjectBuilder& ObjectBuilder::counter(const CounterSpec& spec) {
  counters_.push_back(spec);
  return *this;
}

ObjectBuilder& ObjectBuilder::instance(const InstanceSpec& spec) {
  instances_.push_back(spec);
  return multi_instance();
}

ObjectBuilder& ObjectBuilder::single(const std::vector<std::uint64_t>& values) {
  single_values_ = values;
  return *this;
}

ObjectBuilder& ObjectBuilder::multi_instance() {
  multi_instance_ = true;
  return *this;
}

ObjectBuilder& ObjectBuilder::metadata() {
  metadata_ = true;
  return *this;
}

ObjectBuilder& ObjectBuilder::code_page(std::uint32_t code_page) {
  code_page_ = code_page;
  return *this;
}

ObjectBuilder& ObjectBuilder::clock(ObjectTicks time, Frequency frequency) {
  time_ = time;
  frequency_ = frequency;
  return *this;
}

ObjectBuilder& ObjectBuilder::slack(std::size_t bytes) {
  slack_ = bytes;
  return *this;
}

void ObjectBuilder::write(ByteWriter& out, BuiltBlock::Object& places) const {
  const BlockLayout layout = lay_out(counters_);
  const std::size_t start = out.size();
  places.offset = start;
  write_header(out);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    places.counters.push_back(out.size());
    write_counter(out, counters_[i], layout.offsets[i]);
  }
  out.set(start + v1::object::kDefinitionLength, u32(out.size() - start));
  if (!metadata_ && !multi_instance_) {
    places.block_offset = out.size();
    write_counter_block(out, counters_, layout, single_values_);
  }
  for (const InstanceSpec& instance : instances_) {
    if (metadata_) break;
    BuiltBlock::Instance place{.offset = out.size()};
    write_instance_definition(out, instance, code_page_);
    place.block_offset = out.size();
    write_counter_block(out, counters_, layout, instance.values);
    places.instances.push_back(place);
  }
  out.grow(slack_);
  out.set(start + v1::object::kTotalByteLength, u32(out.size() - start));
}

void ObjectBuilder::write_header(ByteWriter& out) const {
  // TotalByteLength and DefinitionLength are known at the end.
  out.put(std::uint32_t{0}).put(std::uint32_t{0}).put(u32(v1::object::kBytes));
  out.put(index_).put(std::uint32_t{0}).put(index_ + 1).put(std::uint32_t{0});
  out.put(std::uint32_t{100}).put(u32(counters_.size())).put(std::int32_t{0});
  out.put(num_instances()).put(code_page_);
  out.put(time_.ticks).put(frequency_.ticks_per_second);
}

std::int32_t ObjectBuilder::num_instances() const {
  if (metadata_) return multi_instance_ ? -2 : -3;
  return multi_instance_ ? static_cast<std::int32_t>(instances_.size()) : -1;
}

ByteVector BuiltBlock::with(std::size_t offset, std::uint32_t value) const {
  return with_field(bytes, offset, value);
}

BlockBuilder& BlockBuilder::add(const ObjectBuilder& object) {
  objects_.push_back(object);
  return *this;
}

BlockBuilder& BlockBuilder::perf_time(PerfTicks time, Frequency frequency) {
  perf_time_ = time;
  perf_frequency_ = frequency;
  return *this;
}

BlockBuilder& BlockBuilder::time_100ns(Ticks100ns time) {
  time_100ns_ = time;
  return *this;
}

BlockBuilder& BlockBuilder::computer_name(std::u16string name) {
  computer_name_ = std::move(name);
  return *this;
}

BlockBuilder& BlockBuilder::trailing(std::size_t bytes) {
  trailing_ = bytes;
  return *this;
}

BuiltBlock BlockBuilder::build() const {
  BuiltBlock built;
  ByteWriter out;
  out.utf16(u"PERF").put(std::uint32_t{1}).put(std::uint32_t{1}).put(std::uint32_t{1});
  out.put(std::uint32_t{0}).put(std::uint32_t{0}).put(u32(objects_.size())).put(std::int32_t{238});
  // SystemTime: 2024-09-24 (a Tuesday) 14:21:20.021, and 4 bytes of padding.
  for (const int part : {2024, 9, 2, 24, 14, 21, 20, 21, 0, 0})
    out.put(static_cast<std::uint16_t>(part));
  out.put(perf_time_.ticks).put(perf_frequency_.ticks_per_second).put(time_100ns_.ticks);
  out.put(u32(2 * (computer_name_.size() + 1))).put(u32(v1::block::kBytes));
  out.utf16(computer_name_).put(std::uint16_t{0}).align_to_8();
  out.set(v1::block::kHeaderLength, u32(out.size()));
  for (const ObjectBuilder& object : objects_) object.write(out, built.objects.emplace_back());
  out.set(v1::block::kTotalByteLength, u32(out.size()));
  out.grow(trailing_);
  built.bytes = std::move(out).take();
  return built;
}

std::uint32_t field_at(const ByteVector& bytes, std::size_t offset) {
  std::uint32_t value = 0;
  if (offset + sizeof value <= bytes.size())
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

ByteVector with_field(ByteVector bytes, std::size_t offset, std::uint32_t value) {
  for (std::size_t i = 0; i < sizeof value && offset + i < bytes.size(); ++i)
    bytes[offset + i] = static_cast<std::byte>((value >> (8 * i)) & 0xFF);
  return bytes;
}

}  // namespace winperf::testing
