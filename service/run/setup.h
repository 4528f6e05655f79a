// What a program works on: the configuration, and the sources of counters opened as it says.
// Nothing here prints: what people have to know is returned. Thread rule: any thread.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "collectors/sampler/sampler.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"
#include "config/config.h"
#include "service/console/exit_code.h"
#include "service/run/source_choice.h"

namespace winperf {

struct SetupOptions {
  std::string config_file;  // empty: the built-in defaults
  SourceChoice source;
};

struct Setup {
  Config config;
  std::unique_ptr<CounterSource> source;
  std::vector<std::unique_ptr<CounterSource>> other_machines{};  // of a recording of several
  std::unique_ptr<PerflibApi> perflib;                           // null where there is none,
  std::string perflib_missing;                                   // and why; empty for a replay
  bool is_replay = false;
  std::vector<std::string> notices{};  // such as what a recording lacks
};

// The file's configuration, or the defaults where `file` is empty. The error lists everything that
// is wrong with the file, one line each, with its place.
[[nodiscard]] std::expected<Config, Failure> load_config(const std::string& file);

[[nodiscard]] std::expected<Setup, Failure> open_setup(const SetupOptions& options);

// The same with a configuration that is loaded already. The error is a sentence.
[[nodiscard]] std::expected<Setup, std::string> open_sources(const SetupOptions& options,
                                                             Config config);

// Of all machines.
std::vector<CounterSource*> all_sources(const Setup& setup);

// For a sampler that doesn't outlive `setup`.
SamplerSources sampler_sources(const Setup& setup);

}  // namespace winperf
