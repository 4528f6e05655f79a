#include "service/plan/setup.h"

#include <algorithm>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/blg/log_source.h"
#include "collectors/capture/archive.h"
#include "collectors/capture/replay_perflib.h"
#include "collectors/hosting/hosted_source.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/platform.h"
#include "collectors/sources/replay.h"
#include "collectors/wire/text.h"
#include "collectors/worker/worker_facts.h"
#include "collectors/worker/worker_source.h"
#include "service/plan/hardening.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {
constexpr std::string_view kReplayPrefix = "replay:";
constexpr std::string_view kBlgPrefix = "blg:";

// Paths on the command line are UTF-8, on Windows too.
// What follows the prefix; nothing if the text does not begin with it or ends there.
std::optional<std::filesystem::path> path_after(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix) || text.size() == prefix.size()) return std::nullopt;
  return path_of(text.substr(prefix.size()));
}

std::expected<OpenedSource, std::string> open_blg(const std::filesystem::path& file) {
  auto log = blg::BlgSource::open(file);
  if (!log) {
    const bool is_archive = file.extension() == ".zip";
    return std::unexpected(log.error().text +
                           (is_archive ? "; use replay:FILE.zip for a capture in an archive" : ""));
  }
  const blg::LogSummary& summary = log->front()->summary();
  OpenedSource opened{.source = nullptr,
                      .notice = blg::describe_losses(summary),
                      .is_incomplete = summary.is_incomplete()};
  if (auto countersets = log->front()->v2_countersets())
    opened.perflib = capture::replay_perflib(std::move(countersets));
  for (auto& machine : *log) opened.other_machines.push_back(std::move(machine));
  opened.source = std::move(opened.other_machines.front());
  opened.other_machines.erase(opened.other_machines.begin());
  return opened;
}
}  // namespace

std::expected<SourceChoice, std::string> parse_source_choice(std::string_view text) {
  if (text == "registry") return SourceChoice{};
  SourceChoice choice{.text = std::string(text),
                      .replay = path_after(kReplayPrefix, text),
                      .blg = path_after(kBlgPrefix, text)};
  if (choice.is_recorded()) return choice;
  return std::unexpected(
      "write \"registry\", \"replay:DIR\", \"replay:FILE.zip\" or \"blg:FILE\", not \"" +
      std::string(text) + "\"");
}

std::expected<OpenedSource, std::string> open_source(const SourceChoice& choice,
                                                     const LimitsConfig& limits) {
  if (choice.blg) return open_blg(*choice.blg);
  if (choice.replay) {
    auto folder = capture::open_capture(*choice.replay);
    if (!folder) {
      const bool is_log = choice.replay->extension() == ".blg";
      return std::unexpected(folder.error().text +
                             (is_log ? "; use blg:FILE for a perfmon binary log" : ""));
    }
    auto replay = ReplaySource::open(*folder);
    if (!replay) return std::unexpected(replay.error().text);
    const auto samples = static_cast<std::uint32_t>((*replay)->sample_count());
    std::string notice = (*replay)->describe_gaps();
    return OpenedSource{.source = *std::move(replay),
                        .perflib = capture::replay_perflib(*folder, samples),
                        .notice = std::move(notice)};
  }
  auto registry =
      make_registry_source({.max_bytes = limits.max_reply_bytes, .max_time = limits.query_timeout});
  if (!registry) return std::unexpected(registry.error().text);
  return OpenedSource{.source = *std::move(registry), .notice = {}};
}

namespace {

bool wants_perflib(const Config& config) {
  return config.path == CounterPath::kPerflib ||
         std::ranges::any_of(config.countersets, [](const CountersetConfig& entry) {
           return entry.path == CounterPath::kPerflib;
         });
}

// Always in a worker, since such calls may hang. Independent of this machine's providers.
Setup open_target(const SetupOptions& options, SharedConfig config) {
  worker::RemoteMachine machine = worker::remote_machine(make_remote_worker(options.origin, config),
                                                         options.target, options.origin.now);
  Setup setup{.config = std::move(config),
              .source = std::move(machine.source),
              .perflib = nullptr,
              .perflib_missing = {},
              .target = options.target};
  if (options.target_by_perflib || wants_perflib(setup.config))
    setup.perflib = std::move(machine.perflib);
  return setup;
}

}  // namespace

std::expected<LoadedConfig, Failure> load_config(const std::string& file, const ReadFile& read) {
  if (file.empty()) return LoadedConfig{.config = default_config(), .settings = default_settings()};
  // Paths on the command line are UTF-8, on Windows too.
  auto loaded = load_config_file(path_of(file), read);
  if (loaded) return *std::move(loaded);
  return std::unexpected(Failure{
      .exit_code = kExitUsage, .message = describe(loaded.error()), .names_its_file = true});
}

std::expected<Setup, Failure> open_setup(const SetupOptions& options) {
  if (!options.target.empty() && options.source.is_recorded())
    return std::unexpected(Failure{
        .exit_code = kExitUsage,
        .message = "--target and a recording in --source exclude each other; remove one of them"});
  auto loaded = load_config(options.config_file);
  if (!loaded) return std::unexpected(std::move(loaded).error());
  auto setup = open_sources(options, std::move(loaded->config));
  if (setup) return *std::move(setup);
  return std::unexpected(Failure{.message = std::move(setup).error()});
}

std::expected<Setup, std::string> open_sources(const SetupOptions& options, SharedConfig config) {
  if (!options.target.empty()) return open_target(options, std::move(config));
  auto opened = open_source(options.source, config->limits);
  if (!opened) return std::unexpected(opened.error());
  Setup setup{.config = std::move(config),
              .source = std::move(opened->source),
              .other_machines = std::move(opened->other_machines),
              .perflib = std::move(opened->perflib),
              .perflib_missing = {},
              .is_replay = options.source.is_recorded(),
              .is_incomplete = opened->is_incomplete};
  if (!opened->notice.empty()) setup.notices.push_back(std::move(opened->notice));
  if (setup.is_replay) return setup;
  if (options.always_isolated || options.isolation) {
    Config apart = setup.config;
    apart.workers.enabled |= options.always_isolated;
    apart.workers.isolation = options.isolation.value_or(apart.workers.isolation);
    setup.config = std::move(apart);
  }
  setup.source =
      isolated(options.origin, std::move(setup.source), setup.config, options.is_patient);
  auto perflib = make_perflib_api();
  if (perflib) {
    setup.perflib = isolated(options.origin, *std::move(perflib), setup.config, options.is_patient);
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
          .names = name_language(setup.config)};
}

namespace {

bool is_isolated(const worker::WorkerOptions& origin, const Config& config) {
  return config.workers.enabled && !origin.executable.empty();
}

// `is_patient`: no other query waits for a slow call.
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

std::unique_ptr<worker::Worker> make_doctor_worker(const worker::WorkerOptions& origin) {
  constexpr std::chrono::minutes kDeadline{4};
  constexpr std::size_t kLargestDiagnosis = std::size_t{4} << 20U;
  harden_this_process();
  // It has the same limits whatever the configuration says, which it reads itself.
  worker::WorkerOptions options = options_of(origin, kDoctorWorker, Config(), true);
  options.starts_workers = true;
  options.limits.shortest_timeout = options.limits.longest_timeout = kDeadline;
  options.limits.max_reply_bytes = kLargestDiagnosis;
  return std::make_unique<worker::Worker>(std::move(options));
}

std::unique_ptr<worker::Worker> make_pdh_worker(const worker::WorkerOptions& origin,
                                                const Config& config) {
  constexpr std::chrono::minutes kDeadline{1};
  harden_this_process();
  worker::WorkerOptions options = options_of(origin, kPdhWorker, config, true);
  options.limits.longest_timeout =
      std::max<std::chrono::milliseconds>(options.limits.longest_timeout, kDeadline);
  options.limits.shortest_timeout = options.limits.longest_timeout;
  return std::make_unique<worker::Worker>(std::move(options));
}

std::unique_ptr<FactSource> isolated_facts(const worker::WorkerOptions& origin,
                                           const Config& config) {
  if (!is_isolated(origin, config)) return make_fact_source();
  harden_this_process();
  return std::make_unique<worker::WorkerFacts>(options_of(origin, kFactsWorker, config, true));
}

}  // namespace winperf
