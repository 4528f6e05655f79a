// Examples that were worked out by hand, at least one for each type that is cooked.
#pragma once

#include <vector>

#include "tests/collectors/formula/worked_example.h"

namespace winperf::testing {

// One a type; a row that holds for several types appears once for each. Fails the test where a row
// is not in the notation.
std::vector<WorkedExample> worked_examples();

}  // namespace winperf::testing
