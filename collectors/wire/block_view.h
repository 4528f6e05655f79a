// PERF_DATA_BLOCK (88 bytes and the computer's name): one reply of HKEY_PERFORMANCE_DATA.
//
//   header, HeaderLength bytes | object 0, its TotalByteLength bytes | object 1 | ...
//
// Validated: signature, byte order, version, and that HeaderLength and TotalByteLength nest within
// the bytes (more bytes may follow TotalByteLength). Objects are checked when they are walked.
// Lifetime of views: not longer than the bytes. Thread rule: immutable.
// Source: winperf.h, PERF_DATA_BLOCK and the structures in it; Learn, "Performance Data Format".
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/ids.h"
#include "collectors/model/raw_reading.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/parse_limits.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v1_format.h"

namespace winperf {

// PERF_COUNTER_DEFINITION (40 bytes) as a value.
struct CounterDefinition {
  CounterIndex index{};
  HelpIndex help_index{};
  std::int32_t default_scale = 0;
  std::uint32_t detail_level = 0;
  CounterType type{};
  std::uint32_t size = 0;    // CounterSize: how many bytes to read, even if the type says otherwise
  std::uint32_t offset = 0;  // of the raw data, from the start of the counter block
  bool operator==(const CounterDefinition&) const = default;
};

// The definitions of one object, up to the first unsound one. It is also a problem if NumCounters
// counts more or fewer than the bytes hold, or more than the limits allow, or none (kNoCounters):
// without definitions, the problem has the reason.
struct CounterDefinitions {
  std::vector<CounterDefinition> all;
  std::optional<Error> problem;
};

// Whether values of its type are numbers, it has a width that can be read, and it doesn't lie in
// the block's own length.
constexpr bool is_readable(const CounterDefinition& definition) {
  return is_numeric(definition.type) && definition.offset >= v1::counter_block::kBytes &&
         (definition.size == sizeof(std::uint32_t) || definition.size == sizeof(std::uint64_t));
}

// PERF_COUNTER_BLOCK: the raw data of all counters of one instance.
//
//   ByteLength (4 bytes) | raw data of counter 0 | of counter 1 | ...
//
// Validated: the length, and that the block lies within its object. Not validated: where the
// definitions point; read() checks that for each of them.
class CounterBlockView {
 public:
  // `rest`: from the start of the block to the end of its object.
  [[nodiscard]] static std::expected<CounterBlockView, Error> parse(const ByteView& rest);
  // `block`: exactly as long as its own length, which parse() has proved.
  static CounterBlockView of(std::span<const std::byte> block) {
    return CounterBlockView(ByteView(block, "object.counter_block"));
  }

  // The raw value, zero-extended to 64 bits: 4 or 8 bytes, as the definition's size says.
  // Errors: kNotNumeric if values of that type aren't numbers; kBadSize; kOutOfBlock.
  [[nodiscard]] std::expected<std::uint64_t, NoValue> read(
      const CounterDefinition& definition) const;

  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }
  std::span<const std::byte> bytes() const { return view_.bytes(); }

 private:
  explicit CounterBlockView(const ByteView& view) : view_(view) {}

  ByteView view_;
};

// PERF_INSTANCE_DEFINITION (24 bytes and a name) with its counter block.
//
// Validated: the definition and its block lie within the object; name offset and length lie within
// the definition. Not validated: the name's text (name() replaces what can't be decoded) and the
// parent, which may be an object or a position that doesn't exist.
class InstanceView {
 public:
  // `rest`: from the start of the definition to the end of its object.
  [[nodiscard]] static std::expected<InstanceView, Error> parse(const ByteView& rest,
                                                                std::uint32_t code_page,
                                                                const ParseLimits& limits);

  // Title index of the parent's object; 0 if there is no parent.
  ObjectIndex parent_object() const {
    return ObjectIndex{definition_.get(v1::instance::kParentObject)};
  }
  // 0-based position in the parent object's instance list of the same block.
  std::uint32_t parent_position() const { return definition_.get(v1::instance::kParentPosition); }
  // Identifies the instance instead of a name; empty if the provider set none.
  std::optional<std::uint32_t> unique_id() const;
  // Up to the first NUL; empty if there is no name.
  Text name() const;
  // As it is stored, with what comes after the NUL.
  std::span<const std::byte> name_bytes() const { return name_.bytes(); }
  const CounterBlockView& block() const { return block_; }

  // Definition and name: equal bytes mean the same instance in the same place.
  std::span<const std::byte> definition_bytes() const { return definition_.bytes(); }
  // Of definition and counter block together: the next instance begins after them.
  std::uint64_t byte_length() const { return definition_.size() + block_.byte_length(); }

 private:
  InstanceView(const ByteView& definition, const ByteView& name, const CounterBlockView& block,
               std::uint32_t code_page)
      : definition_(definition), name_(name), block_(block), code_page_(code_page) {}

  ByteView definition_;
  ByteView name_;
  CounterBlockView block_;
  std::uint32_t code_page_;
};

// An instance whose lengths are proved, and nothing else.
struct InstanceBytes {
  std::span<const std::byte> definition;  // with the name
  std::span<const std::byte> block;       // after it
  std::uint64_t offset = 0;  // of the definition, from the start of the block of objects

  // As InstanceView has them.
  ObjectIndex parent_object() const { return ObjectIndex{view().get(v1::instance::kParentObject)}; }
  std::uint32_t parent_position() const { return view().get(v1::instance::kParentPosition); }

 private:
  ByteView view() const { return {definition, "object.instance"}; }
};

// Walks the instances of one object. An error ends the walk, because the place of the next instance
// is unknown then. If more instances are counted than the bytes hold or the limits allow, that is
// an error after those that are present.
class InstanceWalk {
 public:
  // `rest`: from the first instance to the end of the object. `count`: as the object says.
  InstanceWalk(const ByteView& rest, std::uint32_t count, std::uint32_t code_page,
               const ParseLimits& limits)
      : rest_(rest),
        count_(count, limits.instances_per_object),
        code_page_(code_page),
        limits_(limits) {}

  [[nodiscard]] std::optional<std::expected<InstanceView, Error>> next();
  // The same for callers that know these bytes already. Nothing at the end, or if the next one is
  // unsound; then next() says which, and why.
  // Inline, because every instance of every sample passes.
  [[nodiscard]] std::optional<InstanceBytes> next_bytes() {
    const std::span<const std::byte> rest = rest_.bytes();
    if (count_.done() || count_.is_at_limit() || !rest_.holds(v1::instance::kByteLength))
      return std::nullopt;
    const std::size_t length = rest_.get(v1::instance::kByteLength);
    if (length < v1::instance::kBytes || length > rest.size()) return std::nullopt;
    const ByteView after(rest.subspan(length), "object.counter_block");
    if (!after.holds(v1::counter_block::kByteLength)) return std::nullopt;
    const std::size_t block = after.get(v1::counter_block::kByteLength);
    if (block < v1::counter_block::kBytes || block > after.size()) return std::nullopt;
    const InstanceBytes bytes{rest.first(length), after.bytes().first(block), rest_.offset()};
    count_.take();
    rest_ = ByteView(rest.subspan(length + block), rest_.where(), rest_.offset() + length + block);
    return bytes;
  }
  // One that next_bytes() has returned, as next() would have.
  [[nodiscard]] std::expected<InstanceView, Error> view(const InstanceBytes& bytes,
                                                        std::uint32_t code_page) const;

 private:
  ByteView rest_;
  ElementCount count_;
  std::uint32_t code_page_;
  ParseLimits limits_;
};

// PERF_OBJECT_TYPE (64 bytes): one object of a block, with its counters and instances.
//
// Validated: HeaderLength, DefinitionLength and TotalByteLength nest and lie within the block;
// NumInstances has a meaning: -1 single, n >= 0 multiple, -2 multiple and -3 single without data
// (metadata replies). Counter definitions and instances are checked when they are walked. An
// unsound one, or a count that contradicts the bytes, ends the walk with an Error; everything
// before it is valid.
class ObjectView {
 public:
  // `rest`: from the start of the object to the end of the block.
  [[nodiscard]] static std::expected<ObjectView, Error> parse(const ByteView& rest,
                                                              const ParseLimits& limits);

  ObjectIndex index() const { return ObjectIndex{view_.get(v1::object::kNameIndex)}; }
  HelpIndex help_index() const { return HelpIndex{view_.get(v1::object::kHelpIndex)}; }
  std::uint32_t detail_level() const { return view_.get(v1::object::kDetailLevel); }
  // The code page of instance names: the object's, unless the names contradict it, as in a damaged
  // object.
  std::uint32_t code_page() const;
  // The object's, without reading the names.
  std::uint32_t told_code_page() const { return view_.get(v1::object::kCodePage); }
  // The object's own clock; both are 0 if it has none.
  ObjectTicks time() const { return {view_.get(v1::object::kPerfTime)}; }
  Frequency frequency() const { return {view_.get(v1::object::kPerfFreq)}; }

  bool multi_instance() const;
  bool metadata_only() const;

  std::uint64_t offset() const { return view_.offset(); }
  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }
  // Of header and counter definitions, which come before all data.
  std::uint32_t definition_length() const { return view_.get(v1::object::kDefinitionLength); }

  std::uint32_t num_counters() const { return view_.get(v1::object::kNumCounters); }

  // All definitions as delivered: equal bytes, of as many counters, mean an equal schema.
  std::span<const std::byte> definition_bytes() const;
  CounterDefinitions counters() const;
  // Of an object with instances; none if it carries only metadata.
  InstanceWalk instances() const;
  // The same, for callers that may need no name: in the code page that the object says.
  InstanceWalk undecoded_instances() const { return instances_in(told_code_page()); }
  // The one counter block of an object without instances.
  [[nodiscard]] std::expected<CounterBlockView, Error> single_block() const;

 private:
  ObjectView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  std::uint32_t header_length() const { return view_.get(v1::object::kHeaderLength); }
  InstanceWalk instances_in(std::uint32_t code_page) const;
  std::int32_t num_instances() const { return view_.get(v1::object::kNumInstances); }
  ByteView data(const char* where) const;

  ByteView view_;
  ParseLimits limits_;
};

// Walks the objects of one block. A corrupt object is an Error; the walk continues after it if its
// length leads to a place within the block, and ends otherwise. Fewer or more objects than the
// header counts, or more than the limits allow, are an Error at the end; all objects that were
// present, counted and within the limits have been returned by then.
class ObjectWalk {
 public:
  ObjectWalk(const ByteView& rest, std::uint32_t count, const ParseLimits& limits)
      : rest_(rest), count_(count, limits.objects), limits_(limits) {}

  [[nodiscard]] std::optional<std::expected<ObjectView, Error>> next();

 private:
  // An object that NumObjectTypes leaves out.
  std::optional<Error> uncounted() const;

  ByteView rest_;
  ElementCount count_;
  bool over_ = false;
  ParseLimits limits_;
};

class BlockView {
 public:
  [[nodiscard]] static std::expected<BlockView, Error> parse(std::span<const std::byte> bytes,
                                                             const ParseLimits& limits = {});

  std::uint32_t object_count() const { return view_.get(v1::block::kNumObjectTypes); }
  // Without the clock of an object.
  Clocks clocks() const;
  // UTF-8; empty if the name doesn't lie within the header.
  std::string computer_name() const;
  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }

  ObjectWalk objects() const;

 private:
  BlockView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  std::uint32_t header_length() const { return view_.get(v1::block::kHeaderLength); }

  ByteView view_;
  ParseLimits limits_;
};

}  // namespace winperf
