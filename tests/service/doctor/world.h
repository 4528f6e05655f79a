// A machine on which everything is as it should be, and the facts of one counterset on it: what a
// test spoils one thing of.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "service/doctor/rules.h"

namespace winperf::testing {

struct World {
  PlannedCounterset request;
  CountersetFacts facts;
  MachineFacts machine;

  Diagnosis diagnosis() const { return diagnose(request, facts, machine); }
  // As the cause or beside it.
  bool finds(Reason reason) const {
    const Diagnosis found = diagnosis();
    return found.cause.reason == reason ||
           std::ranges::find(found.also, reason, &Finding::reason) != found.also.end();
  }
  ProviderFacts& provider() { return machine.providers.front(); }
  DeliveredObject& object() { return *facts.trial->object; }

  // Nothing was delivered; with an error, the query failed.
  World& absent() {
    facts.trial->object.reset();
    return *this;
  }
  World& failed(ErrorCode code, std::uint32_t os_code = 0) {
    absent();
    facts.trial->error = Error{.code = code, .where = "query", .os_code = os_code};
    return *this;
  }
  // Another machine, which can be reached.
  TargetFacts& target() {
    if (!machine.target) machine.target = TargetFacts{.host = "SQL01"};
    return *machine.target;
  }
  // Connecting to it fails with this code of Windows.
  World& unreachable(std::uint32_t os_code) {
    absent();
    facts.trial.reset();
    target().connection =
        Error{.code = os_code == 5 ? ErrorCode::kAccessDenied : ErrorCode::kOsError,
              .where = "remote.connect",
              .os_code = os_code};
    return *this;
  }
  // The name is not in the name table.
  World& unknown() {
    facts.names.front().indices.clear();
    facts.names.front().text.clear();
    facts.trial.reset();
    return *this;
  }
  // Of a recording nothing but its files is known.
  World& replayed(const std::string& source = "replay:C:\\capture.zip") {
    machine = {.replay = true, .source = source, .name_tables = machine.name_tables};
    facts.trial->took.reset();
    return *this;
  }
};

inline constexpr ObjectIndex kThings{1850};

// "Things", index 1850, of the V1 provider "thingsvc".
World healthy_world();

// The reasons of all findings but notes, the cause first; without "healthy".
std::vector<Reason> reasons_of(const Diagnosis& diagnosis);

}  // namespace winperf::testing
