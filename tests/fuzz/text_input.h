// Texts as inputs, for the targets whose entrances read text. Thread rule: any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {

inline std::vector<Input> inputs_of(std::initializer_list<std::string_view> texts) {
  std::vector<Input> inputs;
  for (const std::string_view text : texts) {
    const auto bytes = std::as_bytes(std::span(text));
    inputs.emplace_back(bytes.begin(), bytes.end());
  }
  return inputs;
}

// At most so many bytes of the input: what takes the square of its length has its own tests.
inline std::string text_of(const std::uint8_t* data, std::size_t size, std::size_t most) {
  return {reinterpret_cast<const char*>(data), std::min(size, most)};
}

// The part before the first NUL; what follows it stays in `rest`.
inline std::string_view take_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\0'), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

}  // namespace winperf::fuzz
