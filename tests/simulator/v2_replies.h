// Replies of every kind that PerfLib gives, for tests that spoil them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tests/simulator/definitions.h"

namespace winperf::simulator {

struct V2Reply {
  std::string name;
  std::vector<std::byte> bytes;
};

// Data with every type of result, in the form that `padding` says, or in each.
std::vector<V2Reply> v2_data_replies(Padding padding);
std::vector<V2Reply> v2_data_replies();
// Registrations, tables of strings, lists of instances and of identifiers.
std::vector<V2Reply> v2_other_replies();

// Reads the bytes by every reader of V2 there is and aborts the test or the fuzzer by `require`
// where a result contradicts the bytes: more values than they can hold, an error outside of them.
void read_all_of_v2(std::span<const std::byte> bytes, void (*require)(bool, const char*));

}  // namespace winperf::simulator
