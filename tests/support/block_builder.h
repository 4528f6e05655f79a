// Builds V1 performance data blocks for tests: valid by default, readable in the test, and one
// field of the result can then be spoilt.
//
//   const BuiltBlock built = BlockBuilder()
//                                .add(ObjectBuilder(238)
//                                         .counter({.index = 6, .type = 0x21510500, .size = 8})
//                                         .instance({.name = u"0", .values = {1000}})
//                                         .instance({.name = u"_Total", .values = {1000}}))
//                                .build();
//   built.bytes                            the block
//   built.objects[0].instances[1].offset   where the second instance's definition begins
//   built.with(built.objects[0].offset + v1::object::kTotalByteLength, 0)   a spoilt copy
//
// Counters are laid out one after another, 8-byte values aligned, unless an offset is given (two
// definitions may share one). Lengths are rounded up to 8. Objects have instances as soon as one is
// added or multi_instance() is called; otherwise they have one counter block.
// Source: winperf.h; Learn, "Performance Data Format".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/clock.h"

namespace winperf::testing {

class ByteWriter;

using ByteVector = std::vector<std::byte>;

struct CounterSpec {
  std::uint32_t index = 0;
  std::uint32_t type = 0x00010000;            // PERF_COUNTER_RAWCOUNT
  std::uint32_t size = 4;                     // of the raw data
  std::optional<std::uint32_t> offset{};      // in the counter block; laid out where absent
  std::optional<std::uint32_t> help_index{};  // index + 1 where absent
  std::int32_t default_scale = 0;
  std::uint32_t detail_level = 100;
};

struct InstanceSpec {
  // UTF-16 with the code page 0; else each unit is one byte. A NUL is added. nullopt: no name.
  std::optional<std::u16string> name{};
  std::vector<std::uint64_t> values{};  // in the order of the counters; 0 where absent
  std::uint32_t parent_object = 0;
  std::uint32_t parent_position = 0;
  std::optional<std::uint32_t> unique_id{};
};

// The built bytes, and where each structure begins.
struct BuiltBlock {
  struct Instance {
    std::size_t offset = 0;        // of the definition
    std::size_t block_offset = 0;  // of its counter block
  };
  struct Object {
    std::size_t offset = 0;
    std::vector<std::size_t> counters;  // of the definitions
    std::vector<Instance> instances;
    std::size_t block_offset = 0;  // of the counter block of an object without instances
  };

  ByteVector bytes;
  std::vector<Object> objects;

  // A copy with one 32-bit field changed.
  ByteVector with(std::size_t offset, std::uint32_t value) const;
};

class ObjectBuilder {
 public:
  explicit ObjectBuilder(std::uint32_t index) : index_(index) {}

  ObjectBuilder& counter(const CounterSpec& spec);
  ObjectBuilder& instance(const InstanceSpec& spec);
  // The one counter block of an object without instances.
  ObjectBuilder& single(const std::vector<std::uint64_t>& values);
  // With instances, also where none is there right now.
  ObjectBuilder& multi_instance();
  // Definitions only, as a Metadata* query answers.
  ObjectBuilder& metadata();
  ObjectBuilder& code_page(std::uint32_t code_page);
  ObjectBuilder& clock(ObjectTicks time, Frequency frequency);
  // Zero bytes after the last instance, within the object.
  ObjectBuilder& slack(std::size_t bytes);

 private:
  friend class BlockBuilder;
  void write(ByteWriter& out, BuiltBlock::Object& places) const;
  void write_header(ByteWriter& out) const;
  std::int32_t num_instances() const;

  std::uint32_t index_;
  std::vector<CounterSpec> counters_;
  std::vector<InstanceSpec> instances_;
  std::vector<std::uint64_t> single_values_;
  bool multi_instance_ = false;
  bool metadata_ = false;
  std::uint32_t code_page_ = 0;
  ObjectTicks time_;
  Frequency frequency_;
  std::size_t slack_ = 0;
};

class BlockBuilder {
 public:
  BlockBuilder& add(const ObjectBuilder& object);
  BlockBuilder& perf_time(PerfTicks time, Frequency frequency);
  BlockBuilder& time_100ns(Ticks100ns time);
  BlockBuilder& computer_name(std::u16string name);
  // Bytes after TotalByteLength, as in a buffer larger than the reply.
  BlockBuilder& trailing(std::size_t bytes);

  BuiltBlock build() const;
  ByteVector bytes() const { return build().bytes; }

 private:
  std::vector<ObjectBuilder> objects_;
  PerfTicks perf_time_{1'000'000};
  Frequency perf_frequency_{10'000'000};
  Ticks100ns time_100ns_{133'716'612'800'215'149};
  std::u16string computer_name_ = u"HOST-01";
  std::size_t trailing_ = 0;
};

// A 32-bit field; 0 if it doesn't lie within the bytes.
std::uint32_t field_at(const ByteVector& bytes, std::size_t offset);
// A copy with one 32-bit field changed; as much of it as lies within the bytes.
ByteVector with_field(ByteVector bytes, std::size_t offset, std::uint32_t value);

}  // namespace winperf::testing
