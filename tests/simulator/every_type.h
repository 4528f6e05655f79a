// Countersets that hold a counter of every type that winperf.h names, one set for each kind of
// instances.
#pragma once

#include "tests/simulator/formula_provider.h"

namespace winperf::simulator {

// Named "Every Type", "Every Type Single", "Every Type Sum", ...
FormulaProvider::Set every_type_set(v2::InstanceType instance_type);

// One set for each kind of instances.
std::vector<FormulaProvider::Set> every_type_sets();

extern const Guid kEveryTypeProvider;

}  // namespace winperf::simulator
