// PERF_COUNTER_DEFINITION (40 bytes) as a value, and the block of raw data that it describes.
//
//   block:  ByteLength (4 bytes) | raw data of counter 0 | of counter 1 | ...
//
// Lifetime of a view: not longer than the block's bytes. Thread rule: immutable.
// Source: winperf.h, PERF_COUNTER_DEFINITION and PERF_COUNTER_BLOCK.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/model/ids.h"
#include "collectors/model/no_value.h"
#include "collectors/wire/byte_view.h"

namespace winperf {

struct CounterDefinition {
  CounterIndex index{};
  HelpIndex help_index{};
  std::int32_t default_scale = 0;
  std::uint32_t detail_level = 0;
  CounterType type{};
  std::uint32_t size = 0;    // CounterSize: how many bytes to read, even if the type says otherwise
  std::uint32_t offset = 0;  // of the raw data, from the start of the counter block
  bool operator==(const CounterDefinition&) const = default;
};

// The definitions of one object, up to the first unsound one. It is also a problem if NumCounters
// counts more or fewer than the bytes hold, or more than the limits allow, or none (kNoCounters):
// where there are none, the problem says why.
struct CounterDefinitions {
  std::vector<CounterDefinition> all;
  std::optional<Error> problem;
};

// PERF_COUNTER_BLOCK: its length (4 bytes) and the raw data of all counters of one instance.
// Validated: the length, and that the block lies within its object. Not validated: where the
// definitions point; read() checks that for each of them.
class CounterBlockView {
 public:
  // `rest`: from the start of the block to the end of its object.
  [[nodiscard]] static std::expected<CounterBlockView, Error> parse(const ByteView& rest);

  // The raw value, zero-extended to 64 bits: 4 or 8 bytes, as the definition's size says.
  // Errors: kNotNumeric if values of that type aren't numbers, whatever their size; kBadSize;
  // kOutOfBlock.
  [[nodiscard]] std::expected<std::uint64_t, NoValue> read(
      const CounterDefinition& definition) const;

  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }

 private:
  explicit CounterBlockView(const ByteView& view) : view_(view) {}

  template <class Integer>
  [[nodiscard]] std::expected<std::uint64_t, NoValue> read_at(std::uint32_t offset) const;

  ByteView view_;
};

}  // namespace winperf
