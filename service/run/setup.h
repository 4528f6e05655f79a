// What the commands share: configuration and source, and saying what is wrong with them.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sampler/sampler.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"
#include "config/config.h"

namespace winperf {

struct CommonOptions {
  std::string config_file;          // empty: the built-in defaults
  std::string source = "registry";  // or "replay:DIR", "blg:FILE"
};

// The file's configuration, or the defaults where `file` is empty. Every error of the file goes to
// standard error; then there is no configuration.
std::optional<Config> load_config(const std::string& file);
// The same, with all errors as lines of text. `file` is not empty.
std::expected<Config, std::string> read_config(const std::string& file);

// The folder of a configuration file, that the log file's relative name is seen from: a service's
// own working folder is Windows'.
std::string folder_of(const std::string& config_file);

// What a command works on.
struct Setup {
  Config config;
  std::unique_ptr<CounterSource> source;
  std::vector<std::unique_ptr<CounterSource>> other_machines{};  // of a recording of several
  std::unique_ptr<PerflibApi> perflib;                           // null where there is none,
  std::string perflib_missing;                                   // and why; empty for a replay
  bool is_replay = false;
};

// The configuration and the open source; otherwise, after complaining, the exit code.
std::expected<Setup, int> open_setup(const CommonOptions& options);

// The sources that the options name, opened as the configuration wants it. The error is a sentence.
std::expected<Setup, std::string> open_sources(const CommonOptions& options, Config config);

// Of all machines.
std::vector<CounterSource*> all_sources(const Setup& setup);

// For a sampler that lives shorter than `setup`.
SamplerSources sampler_sources(const Setup& setup);

// Whether samples may be taken so often; complains where not.
bool is_interval(std::chrono::milliseconds interval);

// "winperf_exporter: message" on standard error.
void complain(std::string_view message);

}  // namespace winperf
