#include "collectors/wire/counter_definition.h"

#include "collectors/wire/v1_format.h"

namespace winperf {

std::expected<CounterBlockView, Error> CounterBlockView::parse(const ByteView& rest) {
  const auto length = rest.read(v1::counter_block::kByteLength);
  if (!length) return std::unexpected(length.error());
  if (*length < v1::counter_block::kBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, *length, v1::counter_block::kBytes));
  const auto view = rest.first(*length, "object.counter_block");
  if (!view) return std::unexpected(view.error());
  return CounterBlockView(*view);
}

std::expected<std::uint64_t, NoValue> CounterBlockView::read(
    const CounterDefinition& definition) const {
  if (!is_numeric(definition.type)) return std::unexpected(NoValue::kNotNumeric);
  switch (definition.size) {
    case sizeof(std::uint32_t):
      return read_at<std::uint32_t>(definition.offset);
    case sizeof(std::uint64_t):
      return read_at<std::uint64_t>(definition.offset);
    default:
      return std::unexpected(NoValue::kBadSize);
  }
}

template <class Integer>
std::expected<std::uint64_t, NoValue> CounterBlockView::read_at(std::uint32_t offset) const {
  // The block's own length is not a value.
  if (offset < v1::counter_block::kBytes || !view_.holds<Integer>(offset))
    return std::unexpected(NoValue::kOutOfBlock);
  return view_.get<Integer>(offset);
}

}  // namespace winperf
