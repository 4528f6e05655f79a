// The value of --source: where the counters come from.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"
#include "config/config.h"

namespace winperf {

// With neither path, the registry.
struct SourceChoice {
  std::string text = "registry";                  // as it was written
  std::optional<std::filesystem::path> replay{};  // a capture: a directory or an archive
  std::optional<std::filesystem::path> blg{};     // a binary log of perfmon

  bool is_recorded() const { return replay || blg; }
};

struct OpenedSource {
  std::unique_ptr<CounterSource> source;
  std::vector<std::unique_ptr<CounterSource>> other_machines{};  // of a recording of several
  std::unique_ptr<PerflibApi> perflib{};  // of a recording that has V2 countersets
  std::string notice;  // what a user has to know about it, such as what it lacks; may be empty
};

// "registry", "replay:DIR", "replay:FILE.zip" or "blg:FILE". The error says what to write.
[[nodiscard]] std::expected<SourceChoice, std::string> parse_source_choice(std::string_view text);

// Where there is no registry, the error says that a recording can be read.
[[nodiscard]] std::expected<OpenedSource, std::string> open_source(const SourceChoice& choice,
                                                                   const LimitsConfig& limits);

}  // namespace winperf
