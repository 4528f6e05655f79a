#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/diagnosis/fact_reader.h"
#include "collectors/diagnosis/trial.h"
#include "config/patterns.h"
#include "config/perfmon_path.h"
#include "service/commands/command.h"
#include "service/doctor/doctor_report.h"
#include "service/doctor/rules.h"
#include "service/run/discovery.h"
#include "service/run/plan.h"
#include "service/run/protection.h"

namespace winperf {
namespace {

struct DoctorOptions {
  SetupOptions setup;
  std::vector<std::string> names;  // empty: the configured countersets
  OutputFormat format = OutputFormat::kTable;
};

// The configured countersets, or those that were named, as configured if they are.
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

// Whatever can be found out without what patterns stand for is still worth knowing.
Expanded plan_of(const DoctorOptions& options, Config config) {
  config.countersets = wanted_countersets(options.names, config);
  auto concrete = look_and_expand(options.setup, config, {});
  if (!concrete) {
    complain(concrete.error());
    return {.config = expanded(config, {})};
  }
  for (const std::string& pattern : concrete->unmatched) complain(unmatched_message(pattern));
  return *std::move(concrete);
}

// One machine: this one, or one of a recording.
std::vector<Diagnosis> examine(CounterSource& source, PerflibApi* perflib,
                               const SourceChoice& choice, const Config& config,
                               const std::vector<PlannedCounterset>& countersets) {
  const bool is_replay = choice.is_recorded();
  MachineFacts machine;
  if (!is_replay) machine = read_machine_facts();
  machine.replay = is_replay;
  machine.source = choice.text;
  note_name_tables(machine, source);
  const CatalogKeeper catalog(source, name_language(config), {});
  auto facts = is_replay ? try_capture(source, catalog, countersets)
                         : try_countersets(source, catalog, countersets);
  if (perflib != nullptr)
    try_v2_countersets(*perflib, name_language(config), countersets, machine, facts);
  std::vector<Diagnosis> diagnoses;
  for (std::size_t i = 0; i < countersets.size(); ++i) {
    diagnoses.push_back(diagnose(countersets[i], facts[i], machine));
    diagnoses.back().machine = source.machine();
  }
  return diagnoses;
}

// Of how the configured addresses are protected, such as a key that everyone can read.
void tell_notices(const Config& config, const std::string& file) {
  for (const ListenConfig& where : config.listen)
    for (const std::string& notice :
         protection_notices(where.web, where.web_file.empty() ? file : where.web_file))
      complain(authority_of(where.address, where.port) + ": " + notice);
}

int examine_counters(const DoctorOptions& options) {
  auto setup = open_or_complain(options.setup);
  if (!setup) return setup.error();
  if (options.names.empty()) tell_notices(setup->config, options.setup.config_file);
  const Expanded plan = plan_of(options, setup->config);
  const auto countersets = make_plan(plan.config);
  auto diagnoses = examine(*setup->source, setup->perflib.get(), options.setup.source,
                           setup->config, countersets);
  for (const auto& other : setup->other_machines)
    std::ranges::move(examine(*other, nullptr, options.setup.source, setup->config, countersets),
                      std::back_inserter(diagnoses));
  std::cout << (options.format == OutputFormat::kJson
                    ? diagnoses_to_json(diagnoses, setup->is_replay)
                    : diagnoses_to_text(diagnoses))
            << std::flush;
  const bool failed =
      std::ranges::find(diagnoses, Severity::kFailed, &Diagnosis::status) != diagnoses.end();
  // What is configured may come later; what somebody names must exist.
  const bool is_missing = !options.names.empty() && !plan.unmatched.empty();
  return failed || is_missing ? kExitFailure : kExitOk;
}

}  // namespace

void add_doctor(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<DoctorOptions>();
  // A provider that does harm is what the doctor looks for.
  options->setup.always_isolated = true;
  CLI::App& command = *program.add_subcommand(
      "doctor", "check whether each counterset can be read; if not, explain why and how to fix it");
  add_setup(command, options->setup);
  add_names(command, options->names, "COUNTERSET",
            "countersets by name or index, or perfmon's paths; without any, the configured ones");
  add_format(command, options->format);
  command.callback([options, &exit_code] { exit_code = examine_counters(*options); });
}

}  // namespace winperf
