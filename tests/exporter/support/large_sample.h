// A sample like that of a large server: many countersets of very different sizes, some of which
// share families. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <memory>

#include "collectors/model/sample.h"

namespace winperf::testing {

// At least 7 countersets. The last one has never been sampled.
std::shared_ptr<Sample> large_sample(std::size_t countersets);

}  // namespace winperf::testing
