#include <algorithm>
#include <iostream>
#include <memory>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "collectors/diagnosis/facts.h"
#include "collectors/diagnosis/trial.h"
#include "config/patterns.h"
#include "service/commands/command.h"
#include "service/commands/counter_repair.h"
#include "service/commands/examination.h"
#include "service/commands/listing.h"
#include "service/commands/named_metrics.h"
#include "service/console/look.h"
#include "service/console/progress_line.h"
#include "service/doctor/rules.h"
#include "service/log/logging.h"
#include "service/plan/plan.h"
#include "service/run/discovery.h"

namespace winperf {
namespace {

struct DoctorOptions {
  SetupOptions setup;
  std::vector<std::string> names;  // empty: the configured countersets
  OutputFormat format = OutputFormat::kTable;
  bool wide = false;
  bool repairs_counters = false;
  bool is_confirmed = false;
};

// The configured countersets, or the named ones, with their configuration if they have one.
std::vector<CountersetConfig> wanted_countersets(const std::vector<std::string>& names,
                                                 const Config& config) {
  if (names.empty()) return config.countersets;
  std::vector<CountersetConfig> wanted;
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(config.countersets, [&](const CountersetConfig& entry) {
      return equal_names(entry.label, name) ||
             std::ranges::any_of(entry.names, [&](const std::string& alternative) {
               return equal_names(alternative, name);
             });
    });
    wanted.push_back(found != config.countersets.end() ? *found : counterset_named(name, config));
  }
  return wanted;
}

Expanded plan_of(const DoctorOptions& options, Config config) {
  config.countersets = wanted_countersets(options.names, config);
  return plan_to_examine(options.setup, config,
                         [](const std::string& sentence) { complain(sentence); });
}

// The whole target is unreadable, so the names don't matter.
std::vector<Diagnosis> diagnose_unreachable(const Setup& setup, TargetFacts target) {
  constexpr char kEverything[] = "every counterset";
  probe_target(target);
  PlannedCounterset everything;
  everything.label = kEverything;
  everything.names = {kEverything};
  CountersetFacts facts;
  facts.names = {{.name = kEverything, .indices = {ObjectIndex{}}}};
  MachineFacts machine;
  machine.target = std::move(target);
  return diagnose_all({&everything, 1}, {&facts, 1}, machine, setup.target);
}

// Another machine, through its registry.
std::vector<Diagnosis> examine_counters_of(const Setup& setup, TargetFacts target,
                                           const std::vector<PlannedCounterset>& countersets) {
  if (setup.perflib != nullptr) try_target_perflib(*setup.perflib, target);
  MachineFacts machine;
  machine.target = std::move(target);
  note_name_tables(machine, *setup.source);
  const CatalogKeeper catalog(*setup.source, name_language(setup.config), {});
  ProgressLine progress("reading " + setup.target);
  const auto facts = try_each(*setup.source, catalog, countersets,
                              [&](const std::string& text) { progress.show(text); });
  return diagnose_all(countersets, facts, machine, setup.target);
}

TargetFacts meet_target(const Setup& setup) {
  TargetFacts target = try_target(*setup.source, setup.target);
  const AccountFacts account = read_account();
  target.account = account.name;
  target.identity = account.identity;
  return target;
}

// Returns the exit code. `checks`: of everything but countersets, if that was examined.
int show(const std::vector<Diagnosis>& diagnoses, const DoctorOptions& options,
         std::string_view source, const std::vector<CheckResult>& checks = {}) {
  const Look look = output_look(options.wide);
  if (options.format == OutputFormat::kJson)
    std::cout << diagnoses_to_json(diagnoses, source, checks);
  else
    std::cout << diagnoses_to_text(diagnoses, look)
              << (checks.empty() ? "" : checks_to_text(checks, look));
  std::cout << std::flush;
  const auto has_failed = [](const Assessment& assessment) {
    return assessment.status == Severity::kFailed;
  };
  return std::ranges::any_of(diagnoses, has_failed) || std::ranges::any_of(checks, has_failed)
             ? kExitFailure
             : kExitOk;
}

// What can be read may still not be on the page: says why, for paths.
void explain_absence(const Setup& setup, const DoctorOptions& options,
                     const std::vector<Diagnosis>& diagnoses) {
  const auto is_good = [](const Diagnosis& one) { return one.status == Severity::kOk; };
  const auto is_path = [](const std::string& name) { return name.starts_with('\\'); };
  if (setup.is_replay || options.format == OutputFormat::kJson ||
      !std::ranges::all_of(diagnoses, is_good) || std::ranges::none_of(options.names, is_path))
    return;
  ListOptions whole{.names = options.names, .instances = true};
  whole.whole_objects = true;
  const auto listing = make_listing(setup, whole);
  if (!listing) return;
  const auto metrics = named_metrics(list_metrics(*listing, setup.config, setup.source->is_live()),
                                     *listing, options.names);
  for (const std::string& reason :
       reasons_without_metric(metrics, *listing, setup.config, options.names))
    complain(reason);
}

// A configured counterset may appear later; one named on the command line must exist.
int with_missing_names(const DoctorOptions& options, const Expanded& plan, int exit_code) {
  return options.names.empty() || plan.unmatched.empty() ? exit_code : kExitFailure;
}

int examine_target(const Setup& setup, const DoctorOptions& options) {
  TargetFacts target = meet_target(setup);
  if (target.connection)
    return show(diagnose_unreachable(setup, std::move(target)), options, "target");
  const Expanded plan = plan_of(options, setup.config);
  const auto diagnoses = examine_counters_of(setup, std::move(target), make_plan(plan.config));
  return with_missing_names(options, plan, show(diagnoses, options, "target"));
}

Examination examine_with_progress(const DoctorOptions& options, const Setup& setup,
                                  const Config& planned, bool is_complete) {
  ProgressLine progress("reading the registrations");
  return examine(options.setup, setup, planned, is_complete,
                 [&](const std::string& text) { progress.show(text); });
}

int examine_counters(const DoctorOptions& options) {
  auto setup = open_setup(options.setup);
  if (!setup) {
    complain(setup.error());
    return setup.error().exit_code;
  }
  for (const std::string& notice : setup->notices) complain(printable(notice));
  if (!setup->target.empty()) return examine_target(*setup, options);
  // What the service needs besides countersets is another question than one counterset.
  const bool is_complete = options.names.empty() && !setup->is_replay;
  if (is_complete)
    if (const auto notice = log_file_notice(setup->config->log, options.setup.config_file))
      complain(printable(*notice));
  const Expanded plan = plan_of(options, setup->config);
  const Examination found = examine_with_progress(options, *setup, plan.config, is_complete);
  const int exit_code =
      show(found.countersets, options, setup->is_replay ? "replay" : "registry", found.checks);
  explain_absence(*setup, options, found.countersets);
  return with_missing_names(options, plan, exit_code);
}

}  // namespace

void add_doctor(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<DoctorOptions>();
  // Isolated, because the doctor checks for harmful providers.
  options->setup.always_isolated = true;
  options->setup.target_by_perflib = true;
  CLI::App& command = *program.add_subcommand("doctor",
                                              "Check countersets, facts, addresses, certificates "
                                              "and scrapes; show the cause and the remedy of "
                                              "each problem");
  add_setup(command, options->setup, run);
  add_target(command, options->setup);
  add_names(command, options->names, "COUNTERSET",
            "countersets by name or index, or counter paths (default: the configured countersets)");
  add_format(command, options->format);
  add_wide(command, options->wide);
  CLI::Option& repair = add_choice<bool>(
      command, "--repair", options->repairs_counters, {{"counters", true}},
      "register the exporter's own counters again, as the configuration of the installed service "
      "says, instead of checking; requires administrator rights");
  command.add_flag("--yes", options->is_confirmed, "repair without asking")->needs(&repair);
  command.callback([options, &run] {
    if (options->repairs_counters) {
      run.exit_code = repair_counters(options->is_confirmed);
      return;
    }
    run.exit_code = on_named_machine(options->names, options->setup,
                                     [&] { return examine_counters(*options); });
  });
}

}  // namespace winperf
