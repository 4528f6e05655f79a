// The value of --source: where the counters come from.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/sources/source.h"
#include "config/config.h"

namespace winperf {

struct SourceChoice {
  std::optional<std::filesystem::path> replay;  // a capture directory; nothing: the registry
};

// "registry" or "replay:DIR". The error is a sentence for the command line.
std::expected<SourceChoice, std::string> parse_source_choice(std::string_view text);

// The registry on Windows, replay elsewhere has to be asked for.
std::expected<std::unique_ptr<CounterSource>, std::string> open_source(const SourceChoice& choice,
                                                                       const LimitsConfig& limits);

}  // namespace winperf
