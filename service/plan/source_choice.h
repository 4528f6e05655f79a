// The value of --source: where the counters come from. Thread rule: any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"
#include "config/config.h"

namespace winperf {

// Neither path: the registry.
struct SourceChoice {
  std::string text = "registry";                  // as it was written
  std::optional<std::filesystem::path> replay{};  // a capture: a directory or an archive
  std::optional<std::filesystem::path> blg{};     // a binary log of perfmon

  bool is_recorded() const { return replay || blg; }
};

struct OpenedSource {
  std::unique_ptr<CounterSource> source;
  std::vector<std::unique_ptr<CounterSource>> other_machines{};  // if a recording has several
  std::unique_ptr<PerflibSource> perflib{};  // if a recording has whole V2 countersets
  std::string notice;  // what a user should know about it, such as what it lacks; may be empty
  bool is_incomplete = false;  // whether a recording has something that can't be shown
};

// "registry", "replay:DIR", "replay:FILE.zip" or "blg:FILE". The error says what to write.
[[nodiscard]] std::expected<SourceChoice, std::string> parse_source_choice(std::string_view text);

// If there is no registry, the error suggests a recording.
[[nodiscard]] std::expected<OpenedSource, std::string> open_source(const SourceChoice& choice,
                                                                   const LimitsConfig& limits);

}  // namespace winperf
