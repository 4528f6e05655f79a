#include "collectors/wire/block_view.h"

#include <algorithm>

namespace winperf {

std::expected<CounterBlockView, Error> CounterBlockView::parse(const ByteView& rest) {
  const auto view = rest.measured(v1::counter_block::kByteLength, v1::counter_block::kBytes,
                                  "object.counter_block");
  if (!view) return std::unexpected(view.error());
  return CounterBlockView(*view);
}

std::expected<std::uint64_t, NoValue> CounterBlockView::read(
    const CounterDefinition& definition) const {
  if (!is_numeric(definition.type)) return std::unexpected(NoValue::kNotNumeric);
  const bool is_wide = definition.size == sizeof(std::uint64_t);
  if (!is_wide && definition.size != sizeof(std::uint32_t))
    return std::unexpected(NoValue::kBadSize);
  const Field<std::uint32_t> narrow{definition.offset};
  const Field<std::uint64_t> wide{definition.offset};
  // The block's own length is not a value.
  if (definition.offset < v1::counter_block::kBytes ||
      !(is_wide ? view_.holds(wide) : view_.holds(narrow)))
    return std::unexpected(NoValue::kOutOfBlock);
  return is_wide ? view_.get(wide) : view_.get(narrow);
}

std::expected<InstanceView, Error> InstanceView::parse(const ByteView& rest,
                                                       std::uint32_t code_page,
                                                       const ParseLimits& limits) {
  const auto definition =
      rest.measured(v1::instance::kByteLength, v1::instance::kBytes, "object.instance");
  if (!definition) return std::unexpected(definition.error());

  const auto name_offset = definition->get(v1::instance::kNameOffset);
  const auto name_length = definition->get(v1::instance::kNameLength);
  if (name_length > limits.name_bytes)
    return std::unexpected(
        definition->error(ErrorCode::kLimitExceeded, name_length, limits.name_bytes));
  // Without a name, the offset may have any value.
  const auto name =
      definition->slice(name_length == 0 ? 0 : name_offset, name_length, "object.instance.name");
  if (!name) return std::unexpected(name.error());

  const auto after = rest.from(definition->size(), "object.counter_block");
  if (!after) return std::unexpected(after.error());
  const auto block = CounterBlockView::parse(*after);
  if (!block) return std::unexpected(block.error());
  return InstanceView(*definition, *name, *block, code_page);
}

std::optional<std::uint32_t> InstanceView::unique_id() const {
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  const auto id = definition_.get(v1::instance::kUniqueId);
  return id == kNone ? std::nullopt : std::optional(id);
}

Text InstanceView::name() const { return decode_text(name_.bytes(), code_page_); }

std::optional<std::expected<InstanceView, Error>> InstanceWalk::next() {
  if (count_.done()) return std::nullopt;
  const auto problem = count_.problem(rest_);
  const auto instance =
      problem ? std::unexpected(*problem) : InstanceView::parse(rest_, code_page_, limits_);
  if (!instance) {
    count_.stop();
    return instance;
  }
  count_.take();
  rest_ = *rest_.from(instance->byte_length(), "object.instance");
  return instance;
}

std::expected<InstanceView, Error> InstanceWalk::view(const InstanceBytes& bytes,
                                                      std::uint32_t code_page) const {
  const std::span<const std::byte> both(bytes.definition.data(),
                                        bytes.definition.size() + bytes.block.size());
  return InstanceView::parse(ByteView(both, rest_.where(), bytes.offset), code_page, limits_);
}

namespace {

constexpr std::int32_t kMetadataMultiple = -2;
constexpr std::int32_t kMetadataSingle = -3;

// Almost always the first name shows in which code page it is.
constexpr int kMaxNamesChecked = 64;

CounterDefinition read_definition(const ByteView& view) {
  return {.index = CounterIndex{view.get(v1::counter::kNameIndex)},
          .help_index = HelpIndex{view.get(v1::counter::kHelpIndex)},
          .default_scale = view.get(v1::counter::kDefaultScale),
          .detail_level = view.get(v1::counter::kDetailLevel),
          .type = CounterType{view.get(v1::counter::kType)},
          .size = view.get(v1::counter::kCounterSize),
          .offset = view.get(v1::counter::kCounterOffset)};
}

}  // namespace

std::expected<ObjectView, Error> ObjectView::parse(const ByteView& rest,
                                                   const ParseLimits& limits) {
  const auto fixed = rest.first(v1::object::kBytes, "object");
  if (!fixed) return std::unexpected(fixed.error());
  const auto total = fixed->get(v1::object::kTotalByteLength);
  const auto definitions = fixed->get(v1::object::kDefinitionLength);
  const auto header = fixed->get(v1::object::kHeaderLength);
  if (header < v1::object::kBytes)
    return std::unexpected(fixed->error(ErrorCode::kBadLength, header, v1::object::kBytes));
  if (definitions < header)
    return std::unexpected(fixed->error(ErrorCode::kBadLength, definitions, header));
  if (total < definitions)
    return std::unexpected(fixed->error(ErrorCode::kBadLength, total, definitions));
  const auto view = rest.first(total, "object");
  if (!view) return std::unexpected(view.error());
  const auto instances = view->get(v1::object::kNumInstances);
  if (instances < kMetadataSingle)
    return std::unexpected(
        view->error(ErrorCode::kBadCount, static_cast<std::uint32_t>(instances), 0));
  return ObjectView(*view, limits);
}

bool ObjectView::multi_instance() const {
  return num_instances() >= 0 || num_instances() == kMetadataMultiple;
}

bool ObjectView::metadata_only() const {
  return num_instances() == kMetadataMultiple || num_instances() == kMetadataSingle;
}

std::span<const std::byte> ObjectView::definition_bytes() const {
  return view_.bytes().subspan(header_length(), definition_length() - header_length());
}

CounterDefinitions ObjectView::counters() const {
  CounterDefinitions result;
  if (num_counters() == 0) {
    result.problem = view_.error(ErrorCode::kNoCounters, 0, 0);
    return result;
  }
  ByteView rest(definition_bytes(), "object.counter", view_.offset() + header_length());
  ElementCount count(num_counters(), limits_.counters_per_object);
  const std::size_t possible = rest.size() / v1::counter::kBytes;
  result.all.reserve(std::min<std::size_t>(
      {static_cast<std::size_t>(count.counted()), possible, limits_.counters_per_object}));
  for (; !count.done(); count.take()) {
    result.problem = count.problem(rest);
    if (result.problem) return result;
    const auto definition =
        rest.measured(v1::counter::kByteLength, v1::counter::kBytes, "object.counter");
    if (!definition) {
      result.problem = definition.error();
      return result;
    }
    result.all.push_back(read_definition(*definition));
    rest = *rest.from(definition->size(), "object.counter");
  }
  // Bytes that are too few for a definition are padding.
  if (rest.size() >= v1::counter::kBytes)
    result.problem = rest.error(ErrorCode::kBadCount, count.counted(), possible);
  return result;
}

std::uint32_t ObjectView::code_page() const {
  const auto told = view_.get(v1::object::kCodePage);
  InstanceWalk instances = instances_in(told);
  bool is_in_bytes = false;
  for (int checked = 0; checked < kMaxNamesChecked; ++checked) {
    const auto instance = instances.next();
    if (!instance || !*instance) break;
    const auto width = unit_bytes_of((*instance)->name_bytes());
    if (width == sizeof(char16_t)) return kUtf16;
    is_in_bytes = is_in_bytes || width;
  }
  return is_in_bytes && told == kUtf16 ? kAscii : told;
}

InstanceWalk ObjectView::instances() const { return instances_in(code_page()); }

InstanceWalk ObjectView::instances_in(std::uint32_t code_page) const {
  const std::int32_t count = num_instances();
  return {data("object.instance"), count > 0 ? static_cast<std::uint32_t>(count) : 0, code_page,
          limits_};
}

std::expected<CounterBlockView, Error> ObjectView::single_block() const {
  return CounterBlockView::parse(data("object.counter_block"));
}

// What follows the definitions; parse() has proved their length.
ByteView ObjectView::data(const char* where) const {
  return {view_.bytes().subspan(definition_length()), where, view_.offset() + definition_length()};
}

namespace {
constexpr std::uint32_t kLittleEndian = 1;
constexpr std::uint32_t kVersion = 1;
}  // namespace

std::expected<BlockView, Error> BlockView::parse(std::span<const std::byte> bytes,
                                                 const ParseLimits& limits) {
  const ByteView all(bytes, "block");
  const auto header = all.first(v1::block::kBytes, "block");
  if (!header) return std::unexpected(header.error());
  const auto signature = header->get(v1::block::kSignature);
  if (signature != v1::kPerfSignature)
    return std::unexpected(header->error(ErrorCode::kBadSignature, signature, v1::kPerfSignature));
  if (header->get(v1::block::kLittleEndian) == 0)
    return std::unexpected(header->error(ErrorCode::kBadVersion, 0, kLittleEndian));
  const auto version = header->get(v1::block::kVersion);
  if (version != kVersion)
    return std::unexpected(header->error(ErrorCode::kBadVersion, version, kVersion));

  const auto total = header->get(v1::block::kTotalByteLength);
  const auto header_length = header->get(v1::block::kHeaderLength);
  if (total > limits.block_bytes)
    return std::unexpected(header->error(ErrorCode::kLimitExceeded, total, limits.block_bytes));
  if (header_length < v1::block::kBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, header_length, v1::block::kBytes));
  if (total < header_length)
    return std::unexpected(header->error(ErrorCode::kBadLength, total, header_length));
  const auto view = all.first(total, "block");
  if (!view) return std::unexpected(view.error());
  return BlockView(*view, limits);
}

Clocks BlockView::clocks() const {
  Clocks clocks;
  clocks.perf_time.ticks = view_.get(v1::block::kPerfTime);
  clocks.perf_frequency.ticks_per_second = view_.get(v1::block::kPerfFreq);
  clocks.time_100ns.ticks = view_.get(v1::block::kPerfTime100nSec);
  return clocks;
}

std::string BlockView::computer_name() const {
  const auto length = view_.get(v1::block::kSystemNameLength);
  const auto offset = view_.get(v1::block::kSystemNameOffset);
  const auto header = view_.first(header_length(), "block");
  const auto name = header ? header->slice(offset, length, "block.computer_name") : header;
  return name ? decode_utf16le(name->bytes()).text : std::string();
}

ObjectWalk BlockView::objects() const {
  const ByteView rest(view_.bytes().subspan(header_length()), "object", header_length());
  return {rest, object_count(), limits_};
}

std::optional<std::expected<ObjectView, Error>> ObjectWalk::next() {
  if (over_) return std::nullopt;
  if (const auto problem = count_.done() ? uncounted() : count_.problem(rest_)) {
    over_ = true;
    return std::unexpected(*problem);
  }
  if (count_.done()) return std::nullopt;
  count_.take();
  auto object = ObjectView::parse(rest_, limits_);
  const auto length = rest_.read(v1::object::kTotalByteLength);
  const bool can_go_on = length && *length >= v1::object::kBytes && *length <= rest_.size();
  if (can_go_on) {
    rest_ = *rest_.from(*length, "object");
  } else {
    over_ = true;
  }
  return object;
}

std::optional<Error> ObjectWalk::uncounted() const {
  // Padding isn't an object; an object that the header doesn't count may be stale memory.
  if (!ObjectView::parse(rest_, limits_)) return std::nullopt;
  return rest_.error(ErrorCode::kBadCount, count_.taken() + 1ULL, count_.counted());
}

}  // namespace winperf
