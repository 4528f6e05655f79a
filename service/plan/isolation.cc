#include "service/plan/isolation.h"

#include <algorithm>
#include <utility>

#include "collectors/hosting/hosted_source.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/worker/worker_facts.h"
#include "collectors/worker/worker_source.h"
#include "service/plan/hardening.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

bool is_isolated(const worker::WorkerOptions& origin, const Config& config) {
  return config.workers.enabled && !origin.executable.empty();
}

// `is_patient`: nobody else waits while a call does.
worker::WorkerOptions options_of(const worker::WorkerOptions& origin, std::string name,
                                 const Config& config, bool is_patient) {
  worker::WorkerOptions options = origin;
  options.waits_for_start = is_patient;
  options.name = std::move(name);
  options.words = {kWorkerCommand};
  options.limits = worker_limits(config);
  return options;
}

}  // namespace

worker::WorkerLimits worker_limits(const Config& config) {
  return {.shortest_timeout = config.workers.shortest_timeout,
          .longest_timeout = config.limits.query_timeout,
          .max_reply_bytes = config.limits.max_reply_bytes,
          .max_private_bytes = config.workers.max_memory_bytes,
          .max_handles = config.workers.max_handles,
          .max_threads = config.workers.max_threads};
}

worker::WorkerLimits worker_limits(const Config& config, const ProviderRegistration& provider) {
  worker::WorkerLimits limits = worker_limits(config);
  const auto longest = limits.longest_timeout;
  const auto collect = provider.collect_timeout.value_or(longest);
  limits.longest_timeout = std::min(longest, collect);
  // The first call is of Open and of Collect.
  limits.longest_first_timeout =
      std::min(longest, provider.open_timeout.value_or(longest) +
                            provider.collect_timeout.value_or(std::chrono::milliseconds(0)));
  return limits;
}

std::unique_ptr<ProviderHost> make_provider_host(const worker::WorkerOptions& origin,
                                                 const ProviderRegistration* provider,
                                                 const Config& config, bool is_patient) {
  if (provider == nullptr)
    return std::make_unique<ProviderHost>("the query of all providers",
                                          options_of(origin, kRestWorker, config, is_patient),
                                          is_patient);
  auto options = options_of(origin, kProviderWorker + provider->service, config, is_patient);
  options.limits = worker_limits(config, *provider);
  return std::make_unique<ProviderHost>(title_of(*provider), options, is_patient);
}

std::unique_ptr<CounterSource> isolated(const worker::WorkerOptions& origin,
                                        std::unique_ptr<CounterSource> source,
                                        const SharedConfig& config, bool is_patient) {
  if (!is_isolated(origin, config)) return source;
  harden_this_process();
  auto whole = std::make_unique<worker::WorkerSource>(
      std::move(source), options_of(origin, kRegistryWorker, config, is_patient));
  auto machine = make_provider_machine();
  if (machine == nullptr) return whole;
  HostedSource::Processes make{
      .host =
          [origin, config, is_patient](const ProviderRegistration* provider) {
            return make_provider_host(origin, provider, config, is_patient);
          },
      .shared =
          [origin, config, is_patient] {
            return std::make_unique<SharedProviders>(
                options_of(origin, kSharedWorker, config, is_patient));
          }};
  return std::make_unique<HostedSource>(std::move(whole), std::move(machine),
                                        config->workers.isolation, std::move(make),
                                        config->workers.leave_out, origin.now);
}

std::unique_ptr<PerflibSource> isolated(const worker::WorkerOptions& origin,
                                        std::unique_ptr<PerflibApi> perflib, const Config& config,
                                        bool is_patient) {
  if (!is_isolated(origin, config))
    return std::make_unique<PerflibClient>(std::move(perflib), perflib_limits(config));
  return std::make_unique<worker::WorkerPerflib>(
      options_of(origin, kPerflibWorker, config, is_patient));
}

std::shared_ptr<worker::Worker> make_remote_worker(const worker::WorkerOptions& origin,
                                                   const Config& config,
                                                   const std::string& number) {
  harden_this_process();
  return std::make_shared<worker::Worker>(options_of(origin, kRemoteWorker + number, config, true));
}

std::unique_ptr<FactSource> isolated_facts(const worker::WorkerOptions& origin,
                                           const Config& config) {
  if (!is_isolated(origin, config)) return make_fact_source();
  harden_this_process();
  return std::make_unique<worker::WorkerFacts>(options_of(origin, kFactsWorker, config, true));
}

}  // namespace winperf
