#include "service/run/counterset_advice.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "service/doctor/rules.h"

namespace winperf {
namespace {

// No counterset that is known has such an error.
bool is_unknown_name(ErrorCode code) {
  return code == ErrorCode::kNoSuchName || code == ErrorCode::kNotRegistered ||
         code == ErrorCode::kUnknownIndex;
}

// Not of a provider or the configuration: waiting is all that helps.
bool passes_by_itself(ErrorCode code) {
  return code == ErrorCode::kEndOfCapture || code == ErrorCode::kCancelled ||
         code == ErrorCode::kPending || is_of_start(code);
}

std::vector<std::string> names_of(const CountersetState& state, const Config& config) {
  const auto entry = std::ranges::find(config.countersets, state.name, &CountersetConfig::label);
  return entry == config.countersets.end() ? std::vector<std::string>{state.name} : entry->names;
}

// Its last index, if it was ever read through the registry; otherwise that it is known, without a
// number.
ObjectIndex index_of(const CountersetState& state) {
  return state.sample != nullptr ? state.sample->schema->index : ObjectIndex{};
}

std::vector<NameFacts> name_facts(const CountersetState& state,
                                  const std::vector<std::string>& names) {
  const bool is_known = !is_unknown_name(state.error->code);
  std::vector<NameFacts> facts;
  for (const std::string& name : names) {
    NameFacts& one = facts.emplace_back(NameFacts{.name = name});
    if (is_known) {
      one.indices = {index_of(state)};
      one.text = name;
    } else if (facts.size() == 1) {
      one.nearest = state.nearest;
    }
  }
  return facts;
}

TrialFacts trial_facts(const CountersetState& state) {
  TrialFacts trial;
  const ErrorCode code = state.error->code;
  // The rules know these two as a trial without an object.
  if (code != ErrorCode::kNoSuchObject && code != ErrorCode::kNotRunning) trial.error = state.error;
  return trial;
}

MachineFacts machine_facts(const CountersetState& state, const std::string& name,
                           const SourceChoice& source) {
  MachineFacts machine;
  machine.replay = source.is_recorded();
  machine.source = source.text;
  // The service has read a name table, or its error would be that one. The rules only want to know
  // that it has names.
  machine.name_tables = {{.names = 1}};
  if (state.error->code == ErrorCode::kNotRunning) {
    V2CountersetFacts& v2 = machine.v2.emplace().emplace_back();
    v2.name = name;
    v2.running = false;
    if (state.sample != nullptr) v2.guid = state.sample->schema->guid;
  }
  return machine;
}

}  // namespace

api::Advice advice_on(const CountersetState& state, const Config& config,
                      const SourceChoice& source) {
  if (!state.error || passes_by_itself(state.error->code)) return {};
  PlannedCounterset planned;
  planned.label = state.name;
  planned.names = names_of(state, config);
  planned.interval = state.interval;
  planned.absence = state.is_absent ? Absence::kNoFailure : Absence::kFailure;
  CountersetFacts facts;
  facts.names = name_facts(state, planned.names);
  if (!is_unknown_name(state.error->code)) facts.trial = trial_facts(state);
  const Diagnosis diagnosis =
      diagnose(planned, facts, machine_facts(state, planned.names.front(), source));
  api::Advice advice{.sentence = diagnosis.cause.sentence};
  for (const RepairStep& step : diagnosis.cause.repair)
    advice.repair.push_back({.command = step.command, .text = step.text});
  return advice;
}

}  // namespace winperf
