#include "collectors/wire/object_view.h"

#include <algorithm>

namespace winperf {
namespace {

constexpr std::uint32_t kObjectBytes = 64;
constexpr std::uint32_t kDefinitionBytes = 40;

constexpr std::int32_t kMetadataMultiple = -2;
constexpr std::int32_t kMetadataSingle = -3;

CounterDefinition read_definition(const ByteView& view) {
  return {.index = CounterIndex{view.get<std::uint32_t>(4)},
          .help_index = HelpIndex{view.get<std::uint32_t>(12)},
          .default_scale = view.get<std::int32_t>(20),
          .detail_level = view.get<std::uint32_t>(24),
          .type = CounterType{view.get<std::uint32_t>(28)},
          .size = view.get<std::uint32_t>(32),
          .offset = view.get<std::uint32_t>(36)};
}

struct SizedDefinition {
  CounterDefinition value;
  std::uint32_t byte_length;
};

std::expected<SizedDefinition, Error> parse_definition(const ByteView& rest) {
  const auto length = rest.read<std::uint32_t>(0);
  if (!length) return std::unexpected(length.error());
  if (*length < kDefinitionBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, *length, kDefinitionBytes));
  const auto view = rest.slice(0, *length, "object.counter");
  if (!view) return std::unexpected(view.error());
  return SizedDefinition{read_definition(*view), *length};
}

}  // namespace

std::expected<ObjectView, Error> ObjectView::parse(const ByteView& rest,
                                                   const ParseLimits& limits) {
  const auto fixed = rest.slice(0, kObjectBytes, "object");
  if (!fixed) return std::unexpected(fixed.error());
  const auto total = fixed->get<std::uint32_t>(0);
  const auto definitions = fixed->get<std::uint32_t>(4);
  const auto header = fixed->get<std::uint32_t>(8);
  if (header < kObjectBytes)
    return std::unexpected(fixed->error(ErrorCode::kBadLength, header, kObjectBytes));
  if (definitions < header)
    return std::unexpected(fixed->error(ErrorCode::kBadLength, definitions, header));
  if (total < definitions)
    return std::unexpected(fixed->error(ErrorCode::kBadLength, total, definitions));
  const auto view = rest.slice(0, total, "object");
  if (!view) return std::unexpected(view.error());
  const auto instances = view->get<std::int32_t>(40);
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
  return view_.bytes().subspan(field(8), field(4) - field(8));
}

CounterDefinitions ObjectView::counters() const {
  CounterDefinitions result;
  ByteView rest(definition_bytes(), "object.counter", view_.offset() + field(8));
  const std::uint32_t count = field(32);
  const std::size_t possible = rest.size() / kDefinitionBytes;
  result.all.reserve(std::min<std::size_t>({count, possible, limits_.counters_per_object}));
  while (result.all.size() < count) {
    if (result.all.size() == limits_.counters_per_object) {
      result.problem = rest.error(ErrorCode::kLimitExceeded, count, limits_.counters_per_object);
      return result;
    }
    if (rest.size() == 0) {
      result.problem = rest.error(ErrorCode::kBadCount, count, result.all.size());
      return result;
    }
    const auto definition = parse_definition(rest);
    if (!definition) {
      result.problem = definition.error();
      return result;
    }
    result.all.push_back(definition->value);
    rest = *rest.from(definition->byte_length, "object.counter");
  }
  // Less than a definition is padding.
  if (rest.size() >= kDefinitionBytes)
    result.problem = rest.error(ErrorCode::kBadCount, count, possible);
  return result;
}

InstanceWalk ObjectView::instances() const {
  const std::int32_t count = num_instances();
  return {data("object.instance"), count > 0 ? static_cast<std::uint32_t>(count) : 0, code_page(),
          limits_};
}

std::expected<CounterBlockView, Error> ObjectView::single_block() const {
  return CounterBlockView::parse(data("object.counter_block"));
}

// Behind the definitions, whose length was proved by parse().
ByteView ObjectView::data(const char* where) const {
  return {view_.bytes().subspan(field(4)), where, view_.offset() + field(4)};
}

}  // namespace winperf
