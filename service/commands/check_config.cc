#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "config/log_files.h"
#include "exporter/http/http_server.h"
#include "service/commands/command.h"
#include "service/commands/plan_report.h"
#include "service/console/look.h"
#include "service/console/progress_line.h"
#include "service/console/stop_signal.h"
#include "service/log/logging.h"
#include "service/run/capture_files.h"
#include "service/run/discovery.h"
#include "service/run/protection.h"

namespace winperf {
namespace {

struct CheckConfigOptions {
  SetupOptions setup;           // with a file
  std::string web_config_file;  // to be checked alone; empty: there is none
  bool file_alone = false;      // no counters are read
  bool strict = false;          // anything missing on this machine is a failure
  OutputFormat format = OutputFormat::kTable;
  bool wide = false;
};

PlanHead head_of(const std::string& file, const Config& config) {
  PlanHead head{.file = file, .listen = {}, .targets = config.targets};
  for (const ListenConfig& listen : config.listen)
    head.listen.push_back(authority_of(listen.address, listen.port));
  return head;
}

void print(const CheckConfigOptions& options, const Config& config, const ResolvedPlan& plan) {
  const PlanHead head = head_of(options.setup.config_file, config);
  std::cout << (options.format == OutputFormat::kJson
                    ? plan_to_json(head, plan)
                    : plan_to_text(head, plan, output_look(options.wide)))
            << std::flush;
}

std::chrono::sys_seconds seconds_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

// Includes certificates and keys. Warnings go to standard error.
std::expected<void, std::string> check_web(const WebConfig& web, const std::string& name,
                                           const std::string& written_in) {
  const auto protection = protection_of(web);
  if (!protection) return std::unexpected(name + ": " + protection.error());
  for (const std::string& notice : protection_notices(web, written_in))
    complain(printable(name + ": " + notice));
  for (const std::string& notice : validity_notices(*protection, seconds_now()))
    complain(printable(name + ": " + notice));
  return {};
}

int check_web_file(const std::string& file) {
  const auto web = load_web_config(path_of(file));
  if (!web) {
    for (const ConfigError& error : web.error()) complain(printable(describe(error)));
    return kExitUsage;
  }
  if (const auto good = check_web(*web, file, file); !good) return fail(good.error(), kExitUsage);
  std::cout << file << ": valid\n";
  return kExitOk;
}

// With --strict, reports what the machine lacks.
int judge(const CheckConfigOptions& options, const ResolvedPlan& plan, const Config& config,
          bool has_facts) {
  if (!options.strict) return kExitOk;
  const std::vector<std::string> missing = missing_names(plan, config, has_facts);
  for (const std::string& one : missing) fail(printable(one));
  return missing.empty() ? kExitOk : kExitMissing;
}

int check_on_machine(const CheckConfigOptions& options, const Config& config) {
  auto setup = open_sources(options.setup, config);
  if (!setup) {
    // Fails only if a recording was named or --strict was given: the file may be for another
    // machine.
    const bool matters = options.strict || options.setup.source.text != SourceChoice().text;
    print(options, config, unresolved_plan(config, setup.error()));
    return matters ? kExitFailure : kExitOk;
  }

  for (const std::string& notice : setup->notices) complain(printable(notice));
  const StopSignal stop;
  auto concrete = discover_and_expand(options.setup, config, stop.token());
  if (!concrete) return fail(concrete.error());
  if (!concrete->gap.empty()) complain(printable(concrete->gap));
  ResolvedPlan plan = [&] {
    const ProgressLine progress("reading " +
                                counted(concrete->config.countersets.size(), "counterset"));
    return resolve_plan(sampler_sources(*setup), concrete->config, setup->is_replay, stop.token());
  }();
  plan.unmatched = std::move(concrete->unmatched);
  plan.empty_sets = std::move(concrete->empty_sets);
  plan.repeated = std::move(concrete->repeated);
  if (stop.token().stop_requested()) return kExitFailure;
  print(options, config, plan);
  return judge(options, plan, concrete->config, !setup->is_replay);
}

int check_config(const CheckConfigOptions& options) {
  if (!options.web_config_file.empty()) return check_web_file(options.web_config_file);
  const auto config = load_or_complain(options.setup.config_file);
  if (!config) return config.error();
  const std::string& file = options.setup.config_file;
  for (const ListenConfig& where : config->listen) {
    const std::string name =
        where.web_file.empty() ? authority_of(where.address, where.port) : where.web_file;
    const std::string& written_in = where.web_file.empty() ? file : where.web_file;
    if (const auto good = check_web(where.web, name, written_in); !good)
      return fail(good.error(), kExitUsage);
  }
  if (const auto wrong = refuse_log_file(config->log, file)) return fail(*wrong, kExitUsage);
  if (const auto notice = log_file_notice(config->log, file)) complain(printable(*notice));
  if (const auto& captures = config->recorder.captures; captures.is_on())
    if (const auto notice = capture_folder_notice(captures_folder_of(captures, path_of(file))))
      complain(printable(*notice));
  if (options.file_alone) {
    print(options, *config, unresolved_plan(*config, "--file-alone was given"));
    return kExitOk;
  }
  return check_on_machine(options, *config);
}

}  // namespace

void add_check_config(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<CheckConfigOptions>();
  options->setup.always_isolated = true;
  CLI::App& command = *program.add_subcommand(
      "check-config", "Check a configuration file and show what it selects on this machine");
  CLI::Option* const file = add_config_file(command, options->setup.config_file)->required(false);
  CLI::Option* const web =
      add_text(
          command, "--web.config.file", options->web_config_file, "FILE",
          "check only this web configuration file (TLS and passwords in exporter-toolkit's format)")
          ->excludes(file);
  add_source(command, options->setup, run);
  CLI::Option* const file_alone =
      command.add_flag("--file-alone", options->file_alone,
                       "check only the file; do not read the machine's counters");
  command
      .add_flag("--strict", options->strict,
                "exit with code 3 if the file is valid but names something that this machine lacks")
      ->excludes(file_alone)
      ->excludes(web);
  add_format(command, options->format);
  add_wide(command, options->wide);
  command.callback([options, file, web, &run] {
    if (file->count() + web->count() == 0) throw CLI::RequiredError(file->get_name());
    run.exit_code = check_config(*options);
  });
}

}  // namespace winperf
