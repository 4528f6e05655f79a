// What a fuzz target offers: libFuzzer's entrance, and sound inputs to start mutations from.
//
// Built with libFuzzer (the preset linux-fuzz), the entrance is all that is used; --write-seeds
// makes the first corpus of the inputs. In every other build standalone_main.cc feeds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace winperf::fuzz {

using Input = std::vector<std::byte>;

std::vector<Input> seeds();

// At its exact size on the heap, for the address sanitizer to see every byte too many.
Input copy_of(const std::uint8_t* data, std::size_t size);

// A property that has to hold whatever the input; ends the process with the property's text.
void require(bool holds, const char* property);

}  // namespace winperf::fuzz
