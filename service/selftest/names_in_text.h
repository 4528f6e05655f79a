// Replaces names of people and machines in texts that leave the machine. A name is found in any
// case of its ASCII letters, wherever no letter or digit is beside it, and each name has one
// replacement in all texts. Names of fewer than three bytes, and those that say nothing about a
// machine, are left. Thread rule: as for a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winperf::selftest {

class NamesInText {
 public:
  explicit NamesInText(std::vector<std::string> names);

  [[nodiscard]] std::string replaced(std::string_view text) const;

 private:
  std::vector<std::string> names_;  // lower case, the longest first
};

}  // namespace winperf::selftest
