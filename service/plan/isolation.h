// Providers run in worker processes: the sources of this machine's counters are replaced by ones
// that let workers make their queries. `origin` is what all workers have in common: how they are
// started, and how their time passes; the rest of it is filled in for each. Without an executable,
// which the workers run, nothing is isolated. Thread rule: any thread.
#pragma once

#include <memory>
#include <string>

#include "collectors/facts/fact_source.h"
#include "collectors/hosting/provider_host.h"
#include "collectors/provider/registration.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"
#include "collectors/worker/worker.h"
#include "config/config.h"

namespace winperf {

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

[[nodiscard]] worker::WorkerLimits worker_limits(const Config& config);
// Those of a provider's host: the provider may have registered that it needs less time.
[[nodiscard]] worker::WorkerLimits worker_limits(const Config& config,
                                                 const ProviderRegistration& provider);

// Returns `source` itself if nothing is isolated. `is_patient`: whether each provider is waited
// for, whatever it has done before, and each process until it is up.
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
// A worker that reads other machines: always one, since such a call may hang for minutes. `number`:
// after its name, if there are several.
[[nodiscard]] std::shared_ptr<worker::Worker> make_remote_worker(
    const worker::WorkerOptions& origin, const Config& config, const std::string& number = {});
// What is not a counter, from a worker if anything is isolated.
[[nodiscard]] std::unique_ptr<FactSource> isolated_facts(const worker::WorkerOptions& origin,
                                                         const Config& config);

}  // namespace winperf
