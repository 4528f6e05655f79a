// A hot loop: every raw value passes read_at(), whose range read_all() has proved for the shortest
// of the blocks.
#include "collectors/wire/counter_blocks.h"

#include <algorithm>
#include <cstring>

#include "collectors/base/hot_loop.h"

namespace winperf {
namespace {

// The range has been proved for each of the blocks.
template <class Integer>
void read_at(std::span<const std::span<const std::byte>> blocks, std::size_t offset,
             std::uint64_t* values) {
  WINPERF_UNROLL
  for (const std::span<const std::byte>& block : blocks) {
    Integer value;
    std::memcpy(&value, block.data() + offset, sizeof value);
    *values++ = value;
  }
}

}  // namespace

void CounterBlocks::select_from(const CounterBlocks& all, std::span<const std::uint32_t> places) {
  clear();
  for (const std::uint32_t place : places) add(all.blocks_[place]);
}

bool CounterBlocks::read_all(const CounterDefinition& definition,
                             std::span<std::uint64_t> values) const {
  if (!is_readable(definition) || definition.size > shortest_ ||
      definition.offset > shortest_ - definition.size)
    return false;
  if (definition.size == sizeof(std::uint64_t))
    read_at<std::uint64_t>(blocks_, definition.offset, values.data());
  else
    read_at<std::uint32_t>(blocks_, definition.offset, values.data());
  return true;
}

void CounterBlocks::read(const CounterDefinition& definition, std::span<std::uint64_t> values,
                         std::span<NoValue> reasons) const {
  if (read_all(definition, values)) return;
  for (std::size_t row = 0; row < size(); ++row) {
    const auto value = (*this)[row].read(definition);
    values[row] = value.value_or(0);
    if (!value) reasons[row] = value.error();
  }
}

void CounterBlocks::read_base(const CounterDefinition& definition, std::span<std::uint64_t> bases,
                              std::span<NoValue> reasons) const {
  const bool all_have_values =
      std::ranges::all_of(reasons, [](NoValue reason) { return reason == NoValue::kNone; });
  if (all_have_values && read_all(definition, bases)) return;
  for (std::size_t row = 0; row < size(); ++row) {
    bases[row] = 0;
    if (!has_raw(reasons[row])) continue;
    const auto base = (*this)[row].read(definition);
    bases[row] = base.value_or(0);
    if (!base) reasons[row] = NoValue::kNoBase;
  }
}

}  // namespace winperf
