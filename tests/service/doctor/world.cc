#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

ProviderFacts healthy_provider() {
  ProviderFacts provider;
  provider.service = "thingsvc";
  provider.access = Access::kReadable;
  provider.library = "%SystemRoot%\\System32\\things.dll";
  provider.library_path = "C:\\Windows\\System32\\things.dll";
  provider.file = {
      .access = Access::kReadable,
      .machine = PeMachine::kX64,
      .exports = {{.names = {"CloseThings", "CollectThings", "OpenThings"}}},
  };
  provider.open = "OpenThings";
  provider.collect = "CollectThings";
  provider.close = "CloseThings";
  provider.first_counter = 1850;
  provider.last_counter = 1860;
  provider.object_list = "1850";
  provider.collect_supports_metadata = 1;
  provider.named = 6;
  return provider;
}

DeliveredObject healthy_object() {
  DeliveredObject object;
  object.index = kThings;
  object.name = "Things";
  object.multi_instance = true;
  object.counters = object.matching_counters = 5;
  object.instances = object.matching_instances = 2;
  object.counter_names = {"Red", "Green"};
  object.instance_names = {"one", "_Total"};
  return object;
}

}  // namespace

World healthy_world() {
  World world;
  world.request.label = "Things";
  world.request.names = {"Things"};
  NameFacts name;
  name.name = name.text = "Things";
  name.indices = {kThings};
  world.facts.names = {name};
  world.facts.trial.emplace();
  world.facts.trial->object = healthy_object();
  world.facts.trial->took = std::chrono::milliseconds(3);
  MachineFacts& machine = world.machine;
  machine.registry_known = true;
  machine.perflib.access = Access::kReadable;
  machine.perflib.last_counter = 1860;
  machine.perflib.supports_metadata = 1;
  machine.providers = {healthy_provider()};
  machine.token = {.account = "HOST\\someone",
                   .administrator = false,
                   .performance_monitor_users = true,
                   .performance_log_users = false};
  machine.process_machine = PeMachine::kX64;
  NameTableFacts table;
  table.names = 900;
  table.highest_index = 1860;
  machine.name_tables = {table};
  machine.base_last_index = 1847;
  return world;
}

std::vector<Reason> reasons_of(const Diagnosis& diagnosis) {
  std::vector<Reason> reasons;
  if (diagnosis.status != Severity::kOk) reasons.push_back(diagnosis.cause.reason);
  for (const Finding& finding : diagnosis.also)
    if (finding.severity != Severity::kNote) reasons.push_back(finding.reason);
  return reasons;
}

}  // namespace winperf::testing
