// Whose fault an error is. Thread rule: any thread.
#pragma once

#include "collectors/model/error.h"

namespace winperf {

// The same error with the supplier in its `where`: `provider "x" in object.counter`. `supplier`:
// static text for people, or null if it isn't known.
[[nodiscard]] Error with_supplier(Error error, const char* supplier);

}  // namespace winperf
