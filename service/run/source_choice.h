// The value of --source: where the counters come from.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"
#include "config/config.h"

namespace winperf {

// With neither of them, the registry.
struct SourceChoice {
  std::optional<std::filesystem::path> replay;  // a capture directory
  std::optional<std::filesystem::path> blg;     // a binary log of perfmon

  bool is_recorded() const { return replay || blg; }
};

struct OpenedSource {
  std::unique_ptr<CounterSource> source;
  std::vector<std::unique_ptr<CounterSource>> other_machines{};  // of a recording of several
  std::unique_ptr<PerflibApi> perflib{};  // of a recording that has V2 countersets
  std::string notice;  // what a user has to know about it, such as what it leaves out; may be empty
};

// "registry", "replay:DIR" or "blg:FILE". The error is a sentence for the command line.
std::expected<SourceChoice, std::string> parse_source_choice(std::string_view text);

// The registry on Windows, replay elsewhere has to be asked for.
std::expected<OpenedSource, std::string> open_source(const SourceChoice& choice,
                                                     const LimitsConfig& limits);

}  // namespace winperf
