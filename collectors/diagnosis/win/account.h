// Which account this process runs as, and whether its token is in the groups that may read
// performance counters. With user account control, an administrator's token is one only in an
// elevated process: that is the question here.
// Thread rule: any thread.
#pragma once

#include "collectors/diagnosis/facts.h"

namespace winperf {

TokenFacts read_token();

}  // namespace winperf
