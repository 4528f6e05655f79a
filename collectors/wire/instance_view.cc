#include "collectors/wire/instance_view.h"

namespace winperf {
namespace {
constexpr std::uint32_t kDefinitionBytes = 24;
constexpr std::uint32_t kNoUniqueId = 0xFFFFFFFF;
}  // namespace

InstanceView::InstanceView(const ByteView& definition, const ByteView& name,
                           const CounterBlockView& block, std::uint32_t code_page)
    : definition_(definition),
      name_(name),
      block_(block),
      code_page_(code_page),
      parent_object_(ObjectIndex{definition.get<std::uint32_t>(4)}),
      parent_position_(definition.get<std::uint32_t>(8)) {
  const auto unique_id = definition.get<std::uint32_t>(12);
  if (unique_id != kNoUniqueId) unique_id_ = unique_id;
}

std::expected<InstanceView, Error> InstanceView::parse(const ByteView& rest,
                                                       std::uint32_t code_page,
                                                       const ParseLimits& limits) {
  const auto length = rest.read<std::uint32_t>(0);
  if (!length) return std::unexpected(length.error());
  if (*length < kDefinitionBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, *length, kDefinitionBytes));
  const auto definition = rest.slice(0, *length, "object.instance");
  if (!definition) return std::unexpected(definition.error());

  const auto name_offset = definition->get<std::uint32_t>(16);
  const auto name_length = definition->get<std::uint32_t>(20);
  if (name_length > limits.name_bytes)
    return std::unexpected(
        definition->error(ErrorCode::kLimitExceeded, name_length, limits.name_bytes));
  // An instance without a name may leave its offset at any value.
  const auto name =
      definition->slice(name_length == 0 ? 0 : name_offset, name_length, "object.instance.name");
  if (!name) return std::unexpected(name.error());

  const auto behind = rest.from(*length, "object.counter_block");
  if (!behind) return std::unexpected(behind.error());
  const auto block = CounterBlockView::parse(*behind);
  if (!block) return std::unexpected(block.error());
  return InstanceView(*definition, *name, *block, code_page);
}

Text InstanceView::name() const { return decode_text(name_.bytes(), code_page_); }

std::optional<std::expected<InstanceView, Error>> InstanceWalk::next() {
  if (left_ == 0) return std::nullopt;
  auto instance = parse_next();
  if (!instance) {
    left_ = 0;
    return instance;
  }
  --left_;
  ++walked_;
  rest_ = *rest_.from(instance->byte_length(), "object.instance");
  return instance;
}

std::expected<InstanceView, Error> InstanceWalk::parse_next() const {
  const std::uint64_t counted = std::uint64_t{walked_} + left_;
  if (walked_ == limits_.instances_per_object)
    return std::unexpected(
        rest_.error(ErrorCode::kLimitExceeded, counted, limits_.instances_per_object));
  if (rest_.size() == 0)
    return std::unexpected(rest_.error(ErrorCode::kBadCount, counted, walked_));
  return InstanceView::parse(rest_, code_page_, limits_);
}

}  // namespace winperf
