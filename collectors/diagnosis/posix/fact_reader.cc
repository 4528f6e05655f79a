#include "collectors/diagnosis/fact_reader.h"

namespace winperf {

MachineFacts read_machine_facts() { return {}; }

}  // namespace winperf
