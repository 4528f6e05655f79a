// What it means that a machine doesn't have a counterset that is to be sampled. Thread rule:
// values.
#pragma once

#include <cstdint>

namespace winperf {

enum class Absence : std::uint8_t {
  kFailure,         // it should be there
  kFailureIfKnown,  // it should, if the machine knows its name
  kNoFailure,       // a look for countersets has not found it, or is still to come
};

}  // namespace winperf
