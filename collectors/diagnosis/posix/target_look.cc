#include "collectors/diagnosis/target_trial.h"

namespace winperf {

void look_at_target(TargetFacts&) {}

}  // namespace winperf
