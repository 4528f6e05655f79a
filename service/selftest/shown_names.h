// Names of instances in what a check reports. Scrubbed, each is replaced by "instance-1" and so on,
// the same everywhere in one report of a check; what reveals nothing about a machine stays, such as
// "_Total" and "0,1".
//
// In the file that `verify --with pdh --raw FILE` writes, JSON Lines, an instance is named where a
// list begins with its name and goes on with numbers, and in lists called "instances". Validated:
// that each line is a JSON object, flat, of at most 128 MiB; with another one there is no result.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::selftest {

class ShownNames {
 public:
  explicit ShownNames(bool scrubs) : scrubs_(scrubs) {}

  // What is shown for it.
  std::string shown(const std::string& name);
  // All that were replaced.
  std::vector<std::string> replaced() const;

 private:
  bool scrubs_;
  std::map<std::string, std::size_t> numbers_;
};

// The file with other names, and everything else as it is.
[[nodiscard]] std::optional<std::string> without_instances(std::string_view records,
                                                           ShownNames& names);

}  // namespace winperf::selftest
