#include "service/plan/hardening.h"

namespace winperf {

// A process can load no more here than what it was linked with.
void load_system_dlls_only() {}
void harden_this_process() {}

}  // namespace winperf
