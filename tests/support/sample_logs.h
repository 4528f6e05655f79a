// Built logs that between them have every structure of the format: what tests of damage start from.
#pragma once

#include <string>
#include <vector>

#include "tests/support/blg_builder.h"

namespace winperf::testing {

struct NamedLog {
  std::string name;
  BuiltLog log;
};

// "whole_objects" has 3 samples of 2 blocks, "mixed" 2 samples of all kinds of items, "counters" 3
// samples of single and wildcard counters of two machines, and "circular" 3 samples with whole V2
// countersets, of which the oldest comes last in the file.
std::vector<NamedLog> sample_logs();

}  // namespace winperf::testing
