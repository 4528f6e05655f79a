#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <iterator>

namespace winperf::fuzz {
namespace {

constexpr std::uint32_t kSuspicious[] = {
    0,  1,  2,    3,          23,         24,         39,         40,
    63, 64, 0x80, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF};
constexpr std::size_t kMaxPart = 64;
// A repeated part lets an input grow; it stays far below all limits of the parsers.
constexpr std::size_t kMaxInput = 64 * 1024;

std::ptrdiff_t at(std::size_t position) { return static_cast<std::ptrdiff_t>(position); }

}  // namespace

std::size_t Mutator::below(std::size_t limit) {
  return static_cast<std::size_t>(random_() % limit);
}

Input Mutator::mutate(Input input) {
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes && !input.empty(); ++i) change_once(input);
  return input;
}

void Mutator::change_once(Input& input) {
  switch (below(8)) {
    case 0:
      return set_byte(input);
    case 1:
      return input.resize(below(input.size() + 1));
    case 2:
      return repeat_part(input);
    case 3:
      return remove_part(input);
    default:
      return set_field(input);
  }
}

void Mutator::set_byte(Input& input) {
  input[below(input.size())] = static_cast<std::byte>(below(256));
}

// To a suspicious value, or a little more or less than it is.
void Mutator::set_field(Input& input) {
  if (input.size() < 4) return;
  const std::size_t offset = below(input.size() / 4) * 4;
  std::uint32_t value = kSuspicious[below(std::size(kSuspicious))];
  if (below(2) == 0) {
    value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value |= std::to_integer<std::uint32_t>(input[offset + i]) << (8 * i);
    value += static_cast<std::uint32_t>(below(129)) - 64;
  }
  for (std::size_t i = 0; i < 4; ++i)
    input[offset + i] = static_cast<std::byte>((value >> (8 * i)) & 0xFF);
}

void Mutator::repeat_part(Input& input) {
  if (input.size() > kMaxInput) return;
  const std::size_t from = below(input.size());
  const std::size_t length = std::min(1 + below(kMaxPart), input.size() - from);
  const Input part(input.begin() + at(from), input.begin() + at(from + length));
  input.insert(input.begin() + at(below(input.size() + 1)), part.begin(), part.end());
}

void Mutator::remove_part(Input& input) {
  const std::size_t from = below(input.size());
  const std::size_t length = std::min(1 + below(kMaxPart), input.size() - from);
  input.erase(input.begin() + at(from), input.begin() + at(from + length));
}

}  // namespace winperf::fuzz
