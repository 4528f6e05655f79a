// `capture --from-recorder`: a capture of what the running exporter remembers. Thread rule: one
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace winperf {

struct RecorderCapture {
  std::string url{};          // of the exporter; empty: of the configuration
  std::string config_file{};  // of the exporter; empty: that of the installed service
  std::string since{};        // as the API takes it; empty: its default
  std::string until{};
  std::vector<std::string> countersets{};
  bool scrub = false;
  std::string out{};
};

// What an error of the API says, or else the text itself.
std::string sentence_in(std::string_view document);

// Returns the exit code.
int capture_from_recorder(const RecorderCapture& capture);

}  // namespace winperf
