// Replaces names of people and machines in texts that leave the machine. A name is found in any
// case of its Latin, Greek and Cyrillic letters, wherever no letter or digit is beside it, and each
// name has one replacement in all texts. Names of fewer than three bytes, and those that say
// nothing about a machine, are left. Thread rule: as for a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace winperf::selftest {

class NamesInText {
 public:
  // In any order; each may be there several times.
  explicit NamesInText(std::vector<std::string> names);

  // "name-1" and so on in their places.
  [[nodiscard]] std::string replaced(std::string_view text) const;

 private:
  std::vector<std::string> names_;  // lower case, the longest first
  // Places in it, by the first bytes.
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_beginning_{};
};

}  // namespace winperf::selftest
