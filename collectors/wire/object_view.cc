#include "collectors/wire/object_view.h"

#include <algorithm>

namespace winperf {
namespace {

constexpr std::int32_t kMetadataMultiple = -2;
constexpr std::int32_t kMetadataSingle = -3;

// Almost always the first name shows in which code page it is.
constexpr int kNamesLookedAt = 64;

CounterDefinition read_definition(const ByteView& view) {
  return {.index = CounterIndex{view.get(v1::counter::kNameIndex)},
          .help_index = HelpIndex{view.get(v1::counter::kHelpIndex)},
          .default_scale = view.get(v1::counter::kDefaultScale),
          .detail_level = view.get(v1::counter::kDetailLevel),
          .type = CounterType{view.get(v1::counter::kType)},
          .size = view.get(v1::counter::kCounterSize),
          .offset = view.get(v1::counter::kCounterOffset)};
}

struct SizedDefinition {
  CounterDefinition value;
  std::uint32_t byte_length;
};

[[nodiscard]] std::expected<SizedDefinition, Error> parse_definition(const ByteView& rest) {
  const auto length = rest.read(v1::counter::kByteLength);
  if (!length) return std::unexpected(length.error());
  if (*length < v1::counter::kBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, *length, v1::counter::kBytes));
  const auto view = rest.first(*length, "object.counter");
  if (!view) return std::unexpected(view.error());
  return SizedDefinition{read_definition(*view), *length};
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
    const auto definition = parse_definition(rest);
    if (!definition) {
      result.problem = definition.error();
      return result;
    }
    result.all.push_back(definition->value);
    rest = *rest.from(definition->byte_length, "object.counter");
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
  for (int looked_at = 0; looked_at < kNamesLookedAt; ++looked_at) {
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

}  // namespace winperf
