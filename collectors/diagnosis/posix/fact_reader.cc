#include "collectors/diagnosis/fact_reader.h"

namespace winperf {

MachineFacts read_machine_facts() { return {}; }

AccountFacts read_account() { return {}; }

}  // namespace winperf
