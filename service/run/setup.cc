#include "service/run/setup.h"

#include <filesystem>
#include <iostream>
#include <mutex>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/sources/perflib.h"
#include "service/console/exit_code.h"
#include "service/run/plan.h"
#include "service/run/source_choice.h"

namespace winperf {

std::expected<Config, std::string> read_config(const std::string& file) {
  // Paths of the command line are UTF-8, on Windows too.
  auto config = load_config_file(std::u8string(file.begin(), file.end()));
  if (config) return *std::move(config);
  std::string lines;
  for (const ConfigError& error : config.error())
    lines += (lines.empty() ? "" : "\n") + describe(error);
  return std::unexpected(lines);
}

std::string folder_of(const std::string& config_file) {
  const std::filesystem::path path(std::u8string(config_file.begin(), config_file.end()));
  return path_text(path.parent_path());
}

std::optional<Config> load_config(const std::string& file) {
  if (file.empty()) return default_config();
  auto config = read_config(file);
  if (config) return *std::move(config);
  std::cerr << config.error() << '\n';
  return std::nullopt;
}

std::expected<Setup, int> open_setup(const CommonOptions& options) {
  auto config = load_config(options.config_file);
  if (!config) return std::unexpected(kExitUsage);
  if (const auto choice = parse_source_choice(options.source); !choice) {
    complain(choice.error());
    return std::unexpected(kExitUsage);
  }
  auto setup = open_sources(options, *std::move(config));
  if (setup) return *std::move(setup);
  complain(setup.error());
  return std::unexpected(kExitFailure);
}

std::expected<Setup, std::string> open_sources(const CommonOptions& options, Config config) {
  const auto choice = parse_source_choice(options.source);
  if (!choice) return std::unexpected(choice.error());
  auto opened = open_source(*choice, config.limits);
  if (!opened) return std::unexpected(opened.error());
  if (!opened->notice.empty()) complain(opened->notice);
  Setup setup{.config = std::move(config),
              .source = std::move(opened->source),
              .other_machines = std::move(opened->other_machines),
              .perflib = std::move(opened->perflib),
              .perflib_missing = {},
              .is_replay = choice->is_recorded()};
  if (setup.is_replay) return setup;
  auto perflib = make_perflib_api();
  if (perflib) {
    setup.perflib = *std::move(perflib);
  } else {
    setup.perflib_missing = perflib.error().text;
  }
  return setup;
}

std::vector<CounterSource*> all_sources(const Setup& setup) {
  std::vector<CounterSource*> sources{setup.source.get()};
  for (const auto& source : setup.other_machines) sources.push_back(source.get());
  return sources;
}

SamplerSources sampler_sources(const Setup& setup) {
  const std::vector<CounterSource*> sources = all_sources(setup);
  return {.registry = *sources.front(),
          .other_machines = {sources.begin() + 1, sources.end()},
          .perflib = setup.perflib.get(),
          .perflib_limits = perflib_limits(setup.config),
          .names = name_language(setup.config)};
}

bool is_interval(std::chrono::milliseconds interval) {
  if (interval >= std::chrono::seconds(1)) return true;
  complain("--interval is at least 1s: Windows' own guidance sets that floor");
  return false;
}

void complain(std::string_view message) { std::cerr << "winperf_exporter: " << message << '\n'; }

}  // namespace winperf
