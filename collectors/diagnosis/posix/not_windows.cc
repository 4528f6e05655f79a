// Stubs for Windows-only functions.
#include "collectors/diagnosis/facts.h"
#include "collectors/diagnosis/trial.h"

namespace winperf {

MachineFacts read_machine_facts() { return {}; }

AccountFacts read_account() { return {}; }

void probe_target(TargetFacts&) {}

}  // namespace winperf
