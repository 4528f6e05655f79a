// A second parser for V1 blocks, for comparison only: slow, by positions in the whole block, every
// read checked, and any damage an exception that the part around it catches. Knows of no limits but
// that of names, so its input has to stay below the others.
#include <stdexcept>

#include "collectors/wire/text.h"
#include "tests/support/block_digest.h"

namespace winperf::testing {
namespace {

struct Damage : std::runtime_error {
  Damage() : std::runtime_error("damage") {}
};

void require(bool condition) {
  if (!condition) throw Damage();
}

// Positions are 64 bits wide and sums of a few 32-bit numbers, so they do not overflow.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t number(std::uint64_t at, unsigned bytes) const {
    require(at + bytes <= bytes_.size());
    std::uint64_t value = 0;
    for (unsigned i = bytes; i > 0; --i)
      value = value * 256 + std::to_integer<std::uint64_t>(bytes_[at + i - 1]);
    return value;
  }
  std::uint64_t u32(std::uint64_t at) const { return number(at, 4); }
  std::int64_t i64(std::uint64_t at) const { return static_cast<std::int64_t>(number(at, 8)); }

  std::span<const std::byte> bytes(std::uint64_t at, std::uint64_t length) const {
    require(at + length <= bytes_.size());
    return bytes_.subspan(at, length);
  }
  std::string text(std::uint64_t at, std::uint64_t length, std::uint32_t code_page) const {
    return decode_text(bytes(at, length), code_page).text;
  }
  std::uint64_t size() const { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
};

CounterDefinition read_counter(const Reader& in, std::uint64_t at) {
  const auto field = [&](std::uint64_t offset) {
    return static_cast<std::uint32_t>(in.u32(at + offset));
  };
  return {.index = CounterIndex{field(4)},
          .help_index = HelpIndex{field(12)},
          .default_scale = static_cast<std::int32_t>(field(20)),
          .detail_level = field(24),
          .type = CounterType{field(28)},
          .size = field(32),
          .offset = field(36)};
}

void read_counters(const Reader& in, ObjectDigest& object, std::uint64_t at, std::uint64_t end,
                   std::uint64_t count) {
  require(count != 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    require(at + 4 <= end);
    const std::uint64_t length = in.u32(at);
    require(length >= 40 && at + length <= end);
    object.counters.push_back(read_counter(in, at));
    at += length;
  }
  require(end - at < 40);
}

ValueDigest read_value(const Reader& in, std::uint64_t block, const CounterDefinition& counter) {
  const std::uint32_t type = value_of(counter.type);
  const std::uint32_t size_bits = (type >> 8) & 3;
  const std::uint32_t kind = (type >> 10) & 3;
  if (size_bits == 2 || size_bits == 3 || kind == 2 || kind == 3)
    return {.reason = NoValue::kNotNumeric};
  if (counter.size != 4 && counter.size != 8) return {.reason = NoValue::kBadSize};
  if (counter.offset < 4 || std::uint64_t{counter.offset} + counter.size > in.u32(block))
    return {.reason = NoValue::kOutOfBlock};
  return {.value = in.number(block + counter.offset, counter.size)};
}

std::vector<ValueDigest> read_block(const Reader& in, std::uint64_t at, std::uint64_t end,
                                    const std::vector<CounterDefinition>& counters) {
  require(at + 4 <= end);
  require(in.u32(at) >= 4 && at + in.u32(at) <= end);
  std::vector<ValueDigest> values;
  for (const CounterDefinition& counter : counters) values.push_back(read_value(in, at, counter));
  return values;
}

using NameBytes = std::vector<std::span<const std::byte>>;

// The first of 64 names that shows it decides, if it contradicts the object.
std::uint32_t code_page_of(const NameBytes& names, std::uint32_t told) {
  for (std::size_t i = 0; i < names.size() && i < 64; ++i) {
    const auto width = unit_bytes_of(names[i]);
    if (width == 2) return kUtf16;
    if (width == 1) return told == kUtf16 ? kAscii : told;
  }
  return told;
}

// Without their names, whose bytes are appended to `names`.
void read_instances(const Reader& in, ObjectDigest& object, NameBytes& names, std::uint64_t at,
                    std::uint64_t end, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    require(at + 4 <= end);
    const std::uint64_t length = in.u32(at);
    require(length >= 24 && at + length <= end);
    const std::uint64_t name_length = in.u32(at + 20);
    const std::uint64_t name = name_length == 0 ? 0 : in.u32(at + 16);
    require(name_length <= 65'536 && name + name_length <= length);
    InstanceDigest instance;
    const auto name_bytes = in.bytes(at + name, name_length);
    instance.parent_object = static_cast<std::uint32_t>(in.u32(at + 4));
    instance.parent_position = static_cast<std::uint32_t>(in.u32(at + 8));
    if (in.u32(at + 12) != 0xFFFFFFFF)
      instance.unique_id = static_cast<std::uint32_t>(in.u32(at + 12));
    instance.values = read_block(in, at + length, end, object.counters);
    object.instances.push_back(std::move(instance));
    names.push_back(name_bytes);
    at += length + in.u32(at + length);
  }
}

// Runs one part; its damage is a problem of the object and of nothing else.
template <class Part>
void attempt(ObjectDigest& object, const Part& part) {
  try {
    part();
  } catch (const Damage&) {
    ++object.problems;
  }
}

ObjectDigest read_object(const Reader& in, std::uint64_t at, std::uint64_t block_end) {
  require(at + 64 <= block_end);
  const std::uint64_t total = in.u32(at);
  const std::uint64_t definitions = in.u32(at + 4);
  const std::uint64_t header = in.u32(at + 8);
  require(header >= 64 && definitions >= header && total >= definitions && at + total <= block_end);
  const auto instances = static_cast<std::int32_t>(in.u32(at + 40));
  require(instances >= -3);

  ObjectDigest object;
  object.index = static_cast<std::uint32_t>(in.u32(at + 12));
  object.help_index = static_cast<std::uint32_t>(in.u32(at + 20));
  object.offset = static_cast<std::size_t>(at);
  object.multi_instance = instances >= 0 || instances == -2;
  object.metadata_only = instances <= -2;
  object.time.ticks = in.i64(at + 48);
  object.frequency.ticks_per_second = in.i64(at + 56);
  const std::uint64_t data = at + definitions;
  const std::uint64_t end = at + total;
  attempt(object, [&] { read_counters(in, object, at + header, data, in.u32(at + 32)); });
  NameBytes names;
  attempt(object, [&] {
    if (instances == -1)
      object.instances.push_back({.values = read_block(in, data, end, object.counters)});
    if (instances > 0)
      read_instances(in, object, names, data, end, static_cast<std::uint32_t>(instances));
  });
  const auto code_page = code_page_of(names, static_cast<std::uint32_t>(in.u32(at + 44)));
  for (std::size_t i = 0; i < names.size(); ++i)
    object.instances[i].name = decode_text(names[i], code_page).text;
  return object;
}

std::optional<ObjectDigest> try_object(const Reader& in, std::uint64_t at, std::uint64_t end) {
  try {
    return read_object(in, at, end);
  } catch (const Damage&) {
    return std::nullopt;
  }
}

void read_objects(const Reader& in, BlockDigest& block, std::uint64_t end) {
  const std::uint64_t count = in.u32(28);
  std::uint64_t at = in.u32(24);
  std::uint64_t walked = 0;
  for (; walked < count; ++walked) {
    if (at == end) {
      ++block.problems;
      return;
    }
    auto object = try_object(in, at, end);
    if (object) block.objects.push_back(std::move(*object));
    if (!object) ++block.problems;
    const std::uint64_t length = at + 4 <= end ? in.u32(at) : 0;
    if (length < 64 || at + length > end) return;
    at += length;
  }
  if (try_object(in, at, end)) ++block.problems;
}

std::string computer_name(const Reader& in) {
  const std::uint64_t length = in.u32(80);
  const std::uint64_t offset = in.u32(84);
  return offset + length <= in.u32(24) ? in.text(offset, length, kUtf16) : std::string();
}

BlockDigest read_whole(const Reader& in) {
  constexpr std::uint64_t kPerfInUtf16 = 0x0046'0052'0045'0050;
  require(in.size() >= 88 && in.number(0, 8) == kPerfInUtf16);
  require(in.u32(8) != 0 && in.u32(12) == 1);
  const std::uint64_t total = in.u32(20);
  require(in.u32(24) >= 88 && total >= in.u32(24) && total <= in.size());

  BlockDigest block;
  block.valid = true;
  block.clocks.perf_time.ticks = in.i64(56);
  block.clocks.perf_frequency.ticks_per_second = in.i64(64);
  block.clocks.time_100ns.ticks = in.i64(72);
  block.computer_name = computer_name(in);
  read_objects(in, block, total);
  return block;
}

}  // namespace

BlockDigest digest_by_reference(std::span<const std::byte> bytes) {
  try {
    return read_whole(Reader(bytes));
  } catch (const Damage&) {
    return {};
  }
}

}  // namespace winperf::testing
