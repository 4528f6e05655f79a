// Replaces names of people and machines in texts that leave the machine. A name is found in any
// case of its Latin, Greek and Cyrillic letters, wherever no letter or digit is beside it, and each
// name has one replacement in all texts. Names of fewer than three bytes, and those that say
// nothing about a machine, are left. SIDs of people's accounts are replaced, too.
// Thread rule: as for a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace winperf::selftest {

// Accounts of a machine or a domain, and of Entra ID, without their SIDs; "by NAME (SID)" also
// without the name, which may be that of an account without a profile on this machine. SIDs that
// every Windows has, such as S-1-5-32-545, are left.
std::string without_accounts(std::string_view text);

class NamesInText {
 public:
  // In any order; each may be there several times.
  explicit NamesInText(std::vector<std::string> names);

  // "name-1" and so on in their places, after without_accounts().
  [[nodiscard]] std::string replaced(std::string_view text) const;

 private:
  std::vector<std::string> names_;  // lower case, the longest first
  // Places in it, by the first bytes.
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_beginning_{};
};

}  // namespace winperf::selftest
