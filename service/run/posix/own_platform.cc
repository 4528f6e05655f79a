#include "service/run/own_counters.h"

namespace winperf {

OwnPlatform own_platform() { return {}; }

}  // namespace winperf
