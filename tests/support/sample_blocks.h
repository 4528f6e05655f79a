// Built blocks that between them have every structure of the format: what tests of damage start
// from.
#pragma once

#include <string>
#include <vector>

#include "tests/support/block_builder.h"

namespace winperf::testing {

struct NamedBlock {
  std::string name;
  BuiltBlock block;
};

std::vector<NamedBlock> sample_blocks();

}  // namespace winperf::testing
