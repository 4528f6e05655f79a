// What a program works on: the configuration, and the sources of counters that it describes.
// Nothing here prints; messages are returned. Thread rule: any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sampler/sampler.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"
#include "collectors/worker/worker.h"
#include "config/config.h"
#include "service/console/exit_code.h"

namespace winperf {

// The value of --source: where the counters come from. Neither path: the registry.
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

struct SetupOptions {
  std::string config_file;  // empty: the built-in defaults
  SourceChoice source;
  bool always_isolated = false;          // whatever the configuration says about workers
  std::optional<Isolation> isolation{};  // likewise
  // Whether a provider that may hang is waited for, up to its deadline. Not while others would be
  // held up by it again and again.
  bool is_patient = true;
  // Another machine instead of this one, as machine_name() gives it; empty: this one. It is read
  // through its registry, and by PerfLib's functions only if that is wanted here or in the
  // configuration, because they need more ports; a firewall that drops their calls lets them hang.
  std::string target{};
  bool target_by_perflib = false;
  worker::WorkerOptions origin{};  // of all workers, as isolation.h says
};

struct Setup {
  SharedConfig config;
  std::unique_ptr<CounterSource> source;
  std::vector<std::unique_ptr<CounterSource>> other_machines{};  // if a recording has several
  std::unique_ptr<PerflibSource> perflib;                        // may be null
  std::string perflib_missing;                                   // why; empty for a recording
  bool is_replay = false;
  bool is_incomplete = false;  // whether a recording has something that can't be shown
  std::string target{};  // the other machine that it is about; empty: this one, or a recording's
  std::vector<std::string> notices{};  // such as what a recording lacks
};

// The file's configuration, or the defaults if `file` is empty. The error lists everything that is
// wrong with the file, one line each, with its position.
[[nodiscard]] std::expected<LoadedConfig, Failure> load_config(
    const std::string& file, const ReadFile& read = read_config_file);

[[nodiscard]] std::expected<Setup, Failure> open_setup(const SetupOptions& options);

// The same for a configuration that is already loaded. The error is a sentence.
[[nodiscard]] std::expected<Setup, std::string> open_sources(const SetupOptions& options,
                                                             SharedConfig config);

// The sources of all machines.
std::vector<CounterSource*> all_sources(const Setup& setup);

// For a sampler that doesn't outlive `setup`.
SamplerSources sampler_sources(const Setup& setup);

}  // namespace winperf
