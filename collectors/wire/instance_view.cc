#include "collectors/wire/instance_view.h"

#include "collectors/wire/v1_format.h"

namespace winperf {
namespace {
constexpr std::uint32_t kNoUniqueId = 0xFFFFFFFF;
}  // namespace

InstanceView::InstanceView(const ByteView& definition, const ByteView& name,
                           const CounterBlockView& block, std::uint32_t code_page)
    : definition_(definition),
      name_(name),
      block_(block),
      code_page_(code_page),
      parent_object_(ObjectIndex{definition.get(v1::instance::kParentObject)}),
      parent_position_(definition.get(v1::instance::kParentPosition)) {
  const auto unique_id = definition.get(v1::instance::kUniqueId);
  if (unique_id != kNoUniqueId) unique_id_ = unique_id;
}

std::expected<InstanceView, Error> InstanceView::parse(const ByteView& rest,
                                                       std::uint32_t code_page,
                                                       const ParseLimits& limits) {
  const auto length = rest.read(v1::instance::kByteLength);
  if (!length) return std::unexpected(length.error());
  if (*length < v1::instance::kBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, *length, v1::instance::kBytes));
  const auto definition = rest.first(*length, "object.instance");
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

  const auto after = rest.from(*length, "object.counter_block");
  if (!after) return std::unexpected(after.error());
  const auto block = CounterBlockView::parse(*after);
  if (!block) return std::unexpected(block.error());
  return InstanceView(*definition, *name, *block, code_page);
}

Text InstanceView::name() const { return decode_text(name_.bytes(), code_page_); }

std::optional<std::expected<InstanceView, Error>> InstanceWalk::next() {
  if (count_.done()) return std::nullopt;
  auto instance = parse_next();
  if (!instance) {
    count_.stop();
    return instance;
  }
  count_.take();
  rest_ = *rest_.from(instance->byte_length(), "object.instance");
  return instance;
}

std::expected<InstanceView, Error> InstanceWalk::parse_next() const {
  if (const auto problem = count_.problem(rest_)) return std::unexpected(*problem);
  return InstanceView::parse(rest_, code_page_, limits_);
}

}  // namespace winperf
