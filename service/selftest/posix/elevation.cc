#include <unistd.h>

#include "service/selftest/selftest.h"

namespace winperf::selftest {

bool is_elevated() { return geteuid() == 0; }

}  // namespace winperf::selftest
