#include "collectors/wire/counter_definition.h"

namespace winperf {
namespace {
constexpr std::uint32_t kLengthBytes = 4;
}  // namespace

std::expected<CounterBlockView, Error> CounterBlockView::parse(const ByteView& rest) {
  const auto length = rest.read<std::uint32_t>(0);
  if (!length) return std::unexpected(length.error());
  if (*length < kLengthBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, *length, kLengthBytes));
  const auto view = rest.slice(0, *length, "object.counter_block");
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
  // An offset into the block's own length would make a value of it.
  if (offset < kLengthBytes || !view_.holds<Integer>(offset))
    return std::unexpected(NoValue::kOutOfBlock);
  return view_.get<Integer>(offset);
}

}  // namespace winperf
