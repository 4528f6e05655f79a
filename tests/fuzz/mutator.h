// Changes an input at random, and the same way for the same seed.
#pragma once

#include <cstdint>
#include <random>

#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  // One to four changes: a byte, a 32-bit field, the length, a part repeated, removed or moved.
  Input mutate(Input input);

  // Below `limit`, which is not 0. Not a distribution of the library's: those differ by compiler.
  std::size_t below(std::size_t limit);

 private:
  void change_once(Input& input);
  void set_byte(Input& input);
  void set_field(Input& input);
  void repeat_part(Input& input);
  void remove_part(Input& input);

  std::mt19937_64 random_;
};

}  // namespace winperf::fuzz
