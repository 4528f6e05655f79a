// What `doctor` examines on this machine or in a recording, and the same for the worker that makes
// diagnoses for the API. Nothing here prints. Thread rule: one thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "collectors/sources/source.h"
#include "collectors/worker/worker_diagnosis.h"
#include "config/config.h"
#include "service/doctor/rules.h"
#include "service/plan/setup.h"
#include "service/run/discovery.h"

namespace winperf {

// Gets what is being done, such as "reading Memory".
using ShowProgress = std::function<void(const std::string&)>;

// The configuration with its patterns expanded. Without discovery, everything but the patterns can
// still be diagnosed. `complain` gets sentences about that, and about patterns without a match.
[[nodiscard]] Expanded plan_to_examine(const SetupOptions& options, const Config& config,
                                       const std::function<void(const std::string&)>& complain);

// One after the other, with the name of the one that is being read.
std::vector<CountersetFacts> try_each(CounterSource& source, const CatalogKeeper& catalog,
                                      std::span<const PlannedCounterset> countersets,
                                      const ShowProgress& progress);

// `name`: of the machine, if it is another one or one of several.
std::vector<Diagnosis> diagnose_all(std::span<const PlannedCounterset> countersets,
                                    std::span<const CountersetFacts> facts,
                                    const MachineFacts& machine, const std::string& name);

struct Examination {
  std::vector<Diagnosis> countersets{};
  std::vector<CheckResult> checks{};  // of everything else; empty if only countersets were examined
};

// This machine, or those of a recording. `planned`: the countersets, without patterns.
// `is_complete`: they are all of the configuration, and everything else that the service needs is
// checked, too.
[[nodiscard]] Examination examine(const SetupOptions& options, const Setup& setup,
                                  const Config& planned, bool is_complete,
                                  const ShowProgress& progress);

// What the worker answers: a complete examination as `doctor --format json` prints it, or why there
// is none, as a sentence or one line for each error of a file. `question`: as
// service/run/machine_diagnosis.h has it. `origin`: of the worker's own workers.
[[nodiscard]] worker::DiagnosisAnswer answer_question(const std::string& question,
                                                      const worker::WorkerOptions& origin);

}  // namespace winperf
