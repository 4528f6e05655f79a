#include "config/config_error.h"

namespace winperf {

std::string describe(const ConfigError& error) {
  std::string text = error.file;
  if (error.line != 0) {
    text += ':' + std::to_string(error.line) + ':' + std::to_string(error.column);
  }
  return text + ": " + error.message;
}

}  // namespace winperf
