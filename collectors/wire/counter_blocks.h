// The counter blocks of all instances of an object, for reading a counter of all of them at once.
//
// A plan for one value costs a few instructions if it is made once for all instances: its range is
// proved against the shortest of the blocks, so that the loop need not prove it for each. If one
// block is too short, each block is asked (CounterBlockView), so that only its own value is
// missing. Lifetime: not longer than the bytes. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectors/model/raw_reading.h"
#include "collectors/wire/block_view.h"

namespace winperf {

// The raw values of the counters of a block: (definition) -> std::optional.
inline auto values_in(const CounterBlockView& block) {
  return [block](const CounterDefinition& counter) {
    const auto value = block.read(counter);
    return value ? std::optional(*value) : std::nullopt;
  };
}

class CounterBlocks {
 public:
  void clear() { blocks_.clear(); }
  // The next instance's block, whose length has been proved.
  void add(std::span<const std::byte> block) {
    shortest_ = blocks_.empty() ? block.size() : std::min(shortest_, block.size());
    blocks_.push_back(block);
  }

  std::size_t size() const { return blocks_.size(); }
  CounterBlockView operator[](std::size_t row) const { return CounterBlockView::of(blocks_[row]); }

  // Sets the raw value of each block, zero-extended; or 0 and its reason (CounterBlockView::read).
  // `values` and `reasons`: one for each block, without a reason.
  void read(const CounterDefinition& definition, std::span<std::uint64_t> values,
            std::span<NoValue> reasons) const;
  // The same for a base, of the counters that have a value. A missing one is kNoBase.
  void read_base(const CounterDefinition& definition, std::span<std::uint64_t> bases,
                 std::span<NoValue> reasons) const;

  // The blocks at these places only.
  void select_from(const CounterBlocks& all, std::span<const std::uint32_t> places);

 private:
  // False if not all of them have it.
  bool read_all(const CounterDefinition& definition, std::span<std::uint64_t> values) const;

  std::vector<std::span<const std::byte>> blocks_;
  std::size_t shortest_ = 0;
};

}  // namespace winperf
