#include "service/console/machine_description.h"

namespace winperf {

// Here, a capture is always made from a recording, which comes from another machine.
MachineDescription describe_this_machine() { return {}; }

}  // namespace winperf
