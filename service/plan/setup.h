// A program's input: the configuration, and the sources of counters that it describes. Nothing here
// prints; messages are returned. Thread rule: any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/facts/fact_source.h"
#include "collectors/hosting/provider_host.h"
#include "collectors/provider/registration.h"
#include "collectors/sampler/sampler.h"
#include "collectors/sources/perflib_api.h"
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
  std::unique_ptr<PerflibSource> perflib{};  // if a recording has complete V2 countersets
  std::string notice;  // what a user should know about it, such as missing parts; may be empty
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
  bool always_isolated = false;          // regardless of the configured workers
  std::optional<Isolation> isolation{};  // likewise
  // Whether to wait for a provider that may hang, up to its deadline. False if it would delay
  // others repeatedly.
  bool is_patient = true;
  // The target, as from machine_name(); empty: this machine. It is read through its registry, and
  // through PerfLib only if requested here or in the configuration: PerfLib needs more ports, and
  // hangs if a firewall drops its calls.
  std::string target{};
  bool target_by_perflib = false;
  worker::WorkerOptions origin{};  // of all workers, as below
};

struct Setup {
  SharedConfig config;
  std::unique_ptr<CounterSource> source;
  std::vector<std::unique_ptr<CounterSource>> other_machines{};  // if a recording has several
  std::unique_ptr<PerflibSource> perflib;                        // may be null
  std::string perflib_missing;                                   // why; empty for a recording
  bool is_replay = false;
  bool is_incomplete = false;          // whether a recording has something that can't be shown
  std::string target{};                // the target; empty: this machine, or a recording's
  std::vector<std::string> notices{};  // such as missing parts of a recording
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

// Providers run in worker processes: the sources of this machine's counters are replaced by ones
// that let workers make their queries. `origin` is what all workers have in common: how they are
// started, and how their time passes; the rest of it is filled in for each. Without an executable,
// which the workers run, nothing is isolated.

// The names of the workers, and what their processes have on their command lines.
inline constexpr char kWorkerCommand[] = "worker";
inline constexpr char kRegistryWorker[] = "registry";
inline constexpr char kRestWorker[] =
    "rest";  // the registry again: what no provider has registered
inline constexpr char kSharedWorker[] = "shared";       // those of several providers
inline constexpr char kProviderWorker[] = "provider:";  // before a service's name
inline constexpr char kPerflibWorker[] = "perflib";
inline constexpr char kFactsWorker[] = "facts";
inline constexpr char kRemoteWorker[] = "remote";  // of other machines; before a number, if any
inline constexpr char kDoctorWorker[] = "doctor";  // diagnoses this machine, with its own workers
inline constexpr char kPdhWorker[] = "pdh";        // Windows' own reader of counters

[[nodiscard]] worker::WorkerLimits worker_limits(const Config& config);
// Limits of a provider host: the provider may have registered a shorter timeout.
[[nodiscard]] worker::WorkerLimits worker_limits(const Config& config,
                                                 const ProviderRegistration& provider);

// Returns `source` itself if nothing is isolated. `is_patient`: waits for each provider, regardless
// of its history, and for each process to start.
[[nodiscard]] std::unique_ptr<CounterSource> isolated(const worker::WorkerOptions& origin,
                                                      std::unique_ptr<CounterSource> source,
                                                      const SharedConfig& config,
                                                      bool is_patient = true);
// A process for one provider; for what no provider has registered if it is null.
[[nodiscard]] std::unique_ptr<ProviderHost> make_provider_host(const worker::WorkerOptions& origin,
                                                               const ProviderRegistration* provider,
                                                               const Config& config,
                                                               bool is_patient);
// Calls the functions here if nothing is isolated.
[[nodiscard]] std::unique_ptr<PerflibSource> isolated(const worker::WorkerOptions& origin,
                                                      std::unique_ptr<PerflibApi> perflib,
                                                      const Config& config, bool is_patient = true);
// A worker that reads targets: always a worker, since such a call may hang for minutes. `number`:
// after its name, if there are several.
[[nodiscard]] std::shared_ptr<worker::Worker> make_remote_worker(
    const worker::WorkerOptions& origin, const Config& config, const std::string& number = {});
// A worker that makes one diagnosis of this machine, which may take minutes. Call it only if
// `origin` has an executable.
[[nodiscard]] std::unique_ptr<worker::Worker> make_doctor_worker(
    const worker::WorkerOptions& origin);
// A worker that asks PDH, which loads every provider: a call may take a minute. Always a worker;
// call it only if `origin` has an executable.
[[nodiscard]] std::unique_ptr<worker::Worker> make_pdh_worker(const worker::WorkerOptions& origin,
                                                              const Config& config);
// Facts, from a worker if anything is isolated.
[[nodiscard]] std::unique_ptr<FactSource> isolated_facts(const worker::WorkerOptions& origin,
                                                         const Config& config);

}  // namespace winperf
