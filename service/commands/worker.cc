#include <cstring>
#include <memory>

#include "collectors/facts/fact_source.h"
#include "collectors/pdh/pdh_api.h"
#include "collectors/pdh/worker_pdh.h"
#include "collectors/provider/provider_source.h"
#include "collectors/sources/platform.h"
#include "collectors/worker/parent_link.h"
#include "collectors/worker/serve.h"
#include "service/commands/command.h"
#include "service/commands/examination.h"
#include "service/plan/hardening.h"
#include "service/plan/setup.h"
#include "service/selftest/trial_provider.h"

namespace winperf {
namespace {

using MadeSource = std::expected<std::unique_ptr<CounterSource>, SourceError>;

std::unique_ptr<CounterSource> make_provider_source(std::string service, std::size_t room) {
  auto machine = make_provider_machine();
  if (machine == nullptr) return nullptr;
  return std::make_unique<ProviderSource>(std::move(machine), std::move(service),
                                          QueryLimits{.max_bytes = room}, system_clocks());
}

std::unique_ptr<CounterSource> make_trial_source(std::string service, std::size_t room,
                                                 const std::filesystem::path& program) {
  return std::make_unique<ProviderSource>(
      selftest::trial_machine(program.parent_path(), make_provider_machine()), std::move(service),
      QueryLimits{.max_bytes = room}, system_clocks());
}

// Sources that are opened by name: another machine, or one of the providers that share this
// process.
worker::MakeNamedSource named_sources(const std::string& worker, std::size_t room) {
  if (worker.starts_with(kRemoteWorker))
    return [room](const std::string& machine) {
      return make_remote_source(machine, {.max_bytes = room});
    };
  if (worker == kSharedWorker)
    return [room](const std::string& service) -> MadeSource {
      if (auto source = make_provider_source(service, room)) return source;
      return std::unexpected(SourceError{.code = ErrorCode::kUnsupported, .text = "no providers"});
    };
  return {};
}

// Its providers run in workers of its own, so it needs no DLL but the system's.
worker::Diagnose doctor(const worker::WorkerOptions& origin) {
  load_system_dlls_only();
  return [origin](const std::string& question) { return answer_question(question, origin); };
}

// PDH is loaded with the first question.
worker::AskPdh pdh() {
  return [pdh = std::shared_ptr<PdhApi>()](
             const std::string& question) mutable -> std::expected<std::string, Error> {
    if (pdh == nullptr) {
      auto api = make_pdh_api();
      if (!api) return std::unexpected(api.error());
      pdh = *std::move(api);
    }
    return answer_pdh(*pdh, question);
  };
}

// Returns only without a parent.
int work(const std::string& name, const std::vector<std::string>& link_words,
         const worker::WorkerOptions& origin) {
  const auto link = worker::adopt_link(link_words);
  if (!link) return fail(link.error(), kExitUsage);
  const std::size_t room = (*link)->shared().size() - worker::kHeadBytes;
  std::unique_ptr<CounterSource> registry;
  std::unique_ptr<PerflibApi> perflib;
  std::unique_ptr<FactSource> facts;
  if (name == kRegistryWorker || name == kRestWorker)
    if (auto source = make_registry_source({.max_bytes = room})) registry = *std::move(source);
  if (name == kPerflibWorker || name.starts_with(kRemoteWorker))
    if (auto api = make_perflib_api()) perflib = *std::move(api);
  if (name == kFactsWorker) facts = make_fact_source();
  if (name.starts_with(kProviderWorker))
    registry = make_provider_source(name.substr(std::strlen(kProviderWorker)), room);
  if (name.starts_with(selftest::kTrialWorker))
    registry = make_trial_source(name.substr(std::strlen(selftest::kTrialWorker)), room,
                                 origin.executable);
  worker::WorkerService service(registry.get(), perflib.get(), facts.get(),
                                named_sources(name, room),
                                name == kDoctorWorker ? doctor(origin) : worker::Diagnose(),
                                name == kPdhWorker ? pdh() : worker::AskPdh());
  const bool was_requested = service.serve(**link);
  // Not by returning, which would run exit handlers of providers' DLLs.
  worker::end_now(was_requested ? kExitOk : kExitFailure);
}

}  // namespace

void add_worker(CLI::App& program, CommandRun& run) {
  struct Options {
    std::string name;
    std::vector<std::string> link_words;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command = *program.add_subcommand(
      kWorkerCommand, "Run queries for the process that starts this command");
  command.group("");  // not in the list of commands
  command
      .add_option("worker", options->name,
                  "what it reads: registry, rest, perflib, facts, remote, shared, doctor, pdh, or "
                  "provider: or trial: and a service's name")
      ->required();
  command.add_option("link", options->link_words, "how it is connected to its parent");
  command.callback(
      [options, &run] { run.exit_code = work(options->name, options->link_words, run.origin); });
}

}  // namespace winperf
