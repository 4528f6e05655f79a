#include "collectors/sampling/reset_witness.h"

#include "collectors/formula/cook.h"

namespace winperf {

bool can_fall(const CounterTypeInfo& type) {
  return type.exposition != Exposition::kCounter || type.formula == Formula::kQueueLength ||
         type.formula == Formula::kSampleFraction;
}

void ResetWitness::hear(const CounterTypeInfo& type, std::uint64_t before, std::uint64_t now,
                        std::uint32_t bytes) {
  if (now >= before || can_fall(type)) return;
  if (bytes != sizeof(std::uint32_t)) {
    wide_fell_ = true;
    return;
  }
  ++narrow_fell_;
  if (!growth(before, now, sizeof(std::uint32_t), NoValue::kCounterReset)) one_fell_far_ = true;
}

}  // namespace winperf
