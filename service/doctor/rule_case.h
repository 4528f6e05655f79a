// What the rules examine for one counterset, and the rules themselves. Internal to this room.
// Thread rule: any thread.
#pragma once

#include <optional>
#include <string>

#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "service/doctor/rules.h"

namespace winperf {

// Views of the facts, which must outlive it.
struct Case {
  Case(const PlannedCounterset& planned, const CountersetFacts& counterset,
       const MachineFacts& machine_facts);

  const PlannedCounterset& request;
  const CountersetFacts& facts;
  const MachineFacts& machine;
  const NameFacts* name;                    // the alternative that is judged
  std::optional<ObjectIndex> index;         // delivered; else owned by a provider; else the first
  const ProviderFacts* provider = nullptr;  // owns the index
  const V2CountersetFacts* v2 = nullptr;    // of the same name
  const DeliveredObject* object = nullptr;  // null if nothing was delivered

  bool name_known() const { return index.has_value() || v2 != nullptr; }
  // The severity of a finding that would explain an absence.
  Severity blocking() const { return object != nullptr ? Severity::kWarning : Severity::kFailed; }
  // The index, if it is one of Windows': a V2 counterset may have none, and a recording its own.
  std::optional<ObjectIndex> shown_index() const;
  // `"Process" (index 230)`, without the index if there is none to show.
  std::string quoted() const;
  // `the provider of "Process" (index 230), service "PerfProc",`, if there is one.
  std::string supplier() const;
  // The trial's error, if it has this code.
  const Error* trial_error(ErrorCode code) const;
};

// Whether the provider lists the index, or has it between First and Last Counter.
bool lists(const ProviderFacts& provider, ObjectIndex index);
bool has_in_range(const ProviderFacts& provider, ObjectIndex index);

// A finding that would explain why the counterset is absent.
Finding blocking_finding(const Case& c, std::string sentence, Repair repair = {},
                         std::vector<std::string> evidence = {});

using MaybeFinding = std::optional<Finding>;

#define RULE(reason, function) MaybeFinding function(const Case& c);
#include "service/doctor/rule_list.inc"

}  // namespace winperf
