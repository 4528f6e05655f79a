#include "collectors/sampling/running_total.h"

#include "collectors/formula/cook.h"

namespace winperf {
namespace {

std::uint64_t extended(std::uint64_t previous_total, std::uint64_t previous_raw, std::uint64_t raw,
                       std::uint8_t bytes) {
  const auto step = growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : raw;
}

}  // namespace

std::uint64_t first_total(const CounterTypeInfo& type, std::uint64_t raw) {
  return type.formula == Formula::kDelta ? 0 : raw;
}

std::uint64_t next_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                         std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  if (type.formula != Formula::kDelta) return extended(previous_total, previous_raw, raw, bytes);
  const auto step = growth(previous_raw, raw, bytes, NoValue::kCounterReset);
  return step ? previous_total + *step : 0;
}

std::uint64_t next_base_total(const CounterTypeInfo& type, std::uint64_t previous_total,
                              std::uint64_t previous_raw, std::uint64_t raw, std::uint8_t bytes) {
  if (type.exposition != Exposition::kCounter) return raw;
  return extended(previous_total, previous_raw, raw, bytes);
}

}  // namespace winperf
