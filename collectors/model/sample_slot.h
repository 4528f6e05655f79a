// The latest published sample: the only sample data that the sampling and HTTP threads share.
// Thread rule: any thread.
#pragma once

#include "collectors/base/latest.h"
#include "collectors/model/sample.h"

namespace winperf {

using SampleSlot = Latest<Sample>;

}  // namespace winperf
