// What is wrong with a configuration, where, and what to write instead.
#pragma once

#include <cstddef>
#include <string>

namespace winperf {

struct ConfigError {
  std::string file;
  std::size_t line = 0;    // from 1; 0 where the file as a whole is meant (it cannot be read)
  std::size_t column = 0;  // from 1, in characters of UTF-8; 0 as above
  std::string message;     // lower case, no full stop
  bool operator==(const ConfigError&) const = default;
};

// "winperf.yaml:12:3: unknown key "intervall": did you mean "interval"?"
std::string describe(const ConfigError& error);

}  // namespace winperf
