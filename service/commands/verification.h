// What `verify` prints: where the two paths to the same counters differ.
#pragma once

#include <span>
#include <string>

#include "collectors/sampler/path_verifier.h"

namespace winperf {

// Whether at least one counterset was delivered and nothing differs.
bool verified(std::span<const VerifiedCounterset> results);

// A line a difference, then one that sums up.
std::string verification_table(std::span<const VerifiedCounterset> results);
std::string verification_json(std::span<const VerifiedCounterset> results);

}  // namespace winperf
