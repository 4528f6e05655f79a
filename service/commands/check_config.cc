#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

#include "collectors/diagnosis/deadline_source.h"
#include "exporter/http/http_server.h"
#include "service/commands/commands.h"
#include "service/commands/plan_report.h"
#include "service/console/exit_code.h"
#include "service/console/stop_signal.h"
#include "service/log/logging.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

PlanHead head_of(const std::string& file, const ListenConfig& listen) {
  return {.file = file, .listen = authority_of(listen.address, listen.port)};
}

int print(const CheckConfigOptions& options, const Config& config, const ResolvedPlan& plan) {
  const PlanHead head = head_of(options.common.config_file, config.listen);
  std::cout << (options.format == OutputFormat::kJson ? plan_to_json(head, plan)
                                                      : plan_to_text(head, plan))
            << std::flush;
  return kExitOk;
}

}  // namespace

int check_config(const CheckConfigOptions& options) {
  auto config = load_config(options.common.config_file);
  if (!config) return kExitUsage;
  const std::string& file = options.common.config_file;
  if (const auto wrong = refuse_log_file(config->log, folder_of(file))) {
    complain(file + ": log.file: " + *wrong);
    return kExitUsage;
  }
  if (options.file_alone)
    return print(options, *config, unresolved_plan(*config, "it was not asked (--file-alone)"));
  auto setup = open_sources(options.common, *config);
  if (!setup) {
    // Who names a capture wants to know what is in it; this machine's own counters are another's.
    const bool was_named = options.common.source != CommonOptions().source;
    const int printed = print(options, *config, unresolved_plan(*config, setup.error()));
    return was_named ? kExitFailure : printed;
  }

  const StopSignal stop;
  const DeadlineSource* watched = nullptr;
  if (!setup->is_replay) {
    auto source =
        std::make_unique<DeadlineSource>(std::move(setup->source), config->limits.query_timeout);
    watched = source.get();
    setup->source = std::move(source);
  }
  const ResolvedPlan plan =
      resolve_plan(sampler_sources(*setup), *config, setup->is_replay, stop.token());
  const int exit_code =
      stop.token().stop_requested() ? kExitFailure : print(options, *config, plan);
  if (watched != nullptr && watched->hung()) std::_Exit(exit_code);
  return exit_code;
}

}  // namespace winperf
