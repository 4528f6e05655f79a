#include "collectors/wire/counter_definition.h"

namespace winperf {
namespace {
constexpr std::uint32_t kLengthBytes = 4;

// The size bits ZERO and VARIABLE, or the kind TEXT: no number to expect.
bool is_numeric(CounterType type) {
  const std::uint32_t size_bits = value_of(type) & 0x300;
  const std::uint32_t kind_bits = value_of(type) & 0xC00;
  return size_bits < 0x200 && kind_bits != 0x800;
}
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
  if (definition.size == sizeof(std::uint32_t)) {
    if (!view_.holds<std::uint32_t>(definition.offset))
      return std::unexpected(NoValue::kOutOfBlock);
    return view_.get<std::uint32_t>(definition.offset);
  }
  if (definition.size != sizeof(std::uint64_t)) return std::unexpected(NoValue::kBadSize);
  if (!view_.holds<std::uint64_t>(definition.offset)) return std::unexpected(NoValue::kOutOfBlock);
  return view_.get<std::uint64_t>(definition.offset);
}

}  // namespace winperf
