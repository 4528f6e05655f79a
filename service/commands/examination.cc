#include "service/commands/examination.h"

#include <algorithm>
#include <exception>
#include <expected>
#include <iterator>
#include <utility>

#include "collectors/base/printable.h"
#include "collectors/base/system_text.h"
#include "collectors/diagnosis/trial.h"
#include "config/patterns.h"
#include "service/commands/doctor_checks.h"
#include "service/doctor/checks.h"
#include "service/plan/plan.h"
#include "service/run/machine_diagnosis.h"
#include "service/run/overrides.h"

namespace winperf {

Expanded plan_to_examine(const SetupOptions& options, const Config& config,
                         const std::function<void(const std::string&)>& complain) {
  auto concrete = discover_and_expand(options, config, {});
  if (!concrete) {
    complain(concrete.error());
    return {.config = expanded(config, {})};
  }
  if (!concrete->gap.empty()) complain(printable(concrete->gap));
  for (const std::string& pattern : concrete->unmatched) complain(unmatched_message(pattern));
  return *std::move(concrete);
}

std::vector<Diagnosis> diagnose_all(std::span<const PlannedCounterset> countersets,
                                    std::span<const CountersetFacts> facts,
                                    const MachineFacts& machine, const std::string& name) {
  std::vector<Diagnosis> diagnoses;
  for (std::size_t i = 0; i < countersets.size(); ++i) {
    diagnoses.push_back(diagnose(countersets[i], facts[i], machine));
    diagnoses.back().machine = name;
  }
  return diagnoses;
}

std::vector<CountersetFacts> try_each(CounterSource& source, const CatalogKeeper& catalog,
                                      std::span<const PlannedCounterset> countersets,
                                      const ShowProgress& progress) {
  std::vector<CountersetFacts> facts;
  for (std::size_t i = 0; i < countersets.size(); ++i) {
    progress("reading " + countersets[i].label);
    std::ranges::move(try_countersets(source, catalog, countersets.subspan(i, 1)),
                      std::back_inserter(facts));
  }
  return facts;
}

namespace {

// One machine: this one, or one of a recording.
std::vector<Diagnosis> examine_machine(CounterSource& source, PerflibSource* perflib,
                                       const SourceChoice& choice, const Config& config,
                                       const std::vector<PlannedCounterset>& countersets,
                                       MachineFacts machine, const ShowProgress& progress) {
  const bool is_replay = choice.is_recorded();
  progress("reading the registrations");
  machine.replay = is_replay;
  machine.source = choice.text;
  note_name_tables(machine, source);
  const CatalogKeeper catalog(source, name_language(config), {});
  auto facts = is_replay ? try_capture(source, catalog, countersets)
                         : try_each(source, catalog, countersets, progress);
  progress("reading through PerfLib");
  if (perflib != nullptr)
    try_v2_countersets(*perflib, name_language(config), countersets, machine, facts);
  return diagnose_all(countersets, facts, machine, source.machine());
}

std::vector<CheckResult> check_everything_else(const Config& config, const SetupOptions& setup,
                                               const TokenFacts& token, CounterSource& source) {
  std::vector<CheckResult> checks;
  for (const CheckSubject& subject :
       check_subjects(config, setup.config_file, setup.origin, token, source))
    checks.push_back(check(subject));
  return checks;
}

// The setup of the running service; its providers run in workers of this process.
std::expected<std::pair<SetupOptions, Setup>, std::string> open_asked(
    const DiagnosisQuestion& question, const worker::WorkerOptions& origin) {
  SetupOptions options{.config_file = question.config_file, .source = {}};
  options.always_isolated = true;
  options.origin = origin;
  auto loaded = load_config(question.config_file);
  if (!loaded) return std::unexpected(loaded.error().message);
  auto used = with_overrides(*std::move(loaded), question.overrides);
  if (!used) return std::unexpected(used.error());
  auto setup = open_sources(options, std::move(used->config));
  if (!setup) return std::unexpected(setup.error());
  return std::pair(std::move(options), *std::move(setup));
}

}  // namespace

Examination examine(const SetupOptions& options, const Setup& setup, const Config& planned,
                    bool is_complete, const ShowProgress& progress) {
  auto countersets = make_plan(planned);
  // A configured counterset may be meant for other machines; one named on the command line must
  // exist.
  if (is_complete)
    for (PlannedCounterset& counterset : countersets) counterset.absence = Absence::kFailureIfKnown;
  MachineFacts machine;
  if (!setup.is_replay) machine = read_machine_facts();
  const TokenFacts token = machine.token;
  Examination examination;
  examination.countersets =
      examine_machine(*setup.source, setup.perflib.get(), options.source, setup.config, countersets,
                      std::move(machine), progress);
  for (const auto& other : setup.other_machines)
    std::ranges::move(examine_machine(*other, nullptr, options.source, setup.config, countersets,
                                      MachineFacts(), progress),
                      std::back_inserter(examination.countersets));
  if (!is_complete) return examination;
  progress("reading facts, and asking the configured addresses");
  examination.checks = check_everything_else(setup.config, options, token, *setup.source);
  return examination;
}

worker::DiagnosisAnswer answer_question(const std::string& question,
                                        const worker::WorkerOptions& origin) try {
  const auto refused = [](std::string why) {
    return worker::DiagnosisAnswer{.outcome = worker::DiagnosisOutcome::kRefused,
                                   .text = std::move(why)};
  };
  const auto parsed = parse_question(question);
  if (!parsed) return refused("the question is not one");
  const auto opened = open_asked(*parsed, origin);
  if (!opened) return refused(opened.error());
  const auto& [options, setup] = *opened;
  const Expanded plan = plan_to_examine(options, setup.config, [](const std::string&) {});
  const Examination found = examine(options, setup, plan.config, true, [](const std::string&) {});
  return {.text = diagnoses_to_json(found.countersets, "registry", found.checks)};
} catch (const std::exception& error) {
  return {.outcome = worker::DiagnosisOutcome::kRefused, .text = exception_text(error)};
}

}  // namespace winperf
