// What machine this is: the facts without which the other checks can't be understood.
#include "service/console/machine_description.h"
#include "service/selftest/check.h"

namespace winperf::selftest {
namespace {

CheckReport describe_system(CheckRun&) {
  CheckReport report;
  const MachineDescription machine = describe_this_machine();
  if (machine.system.empty()) return report_of(Verdict::kBroken, "the system is unknown");
  report.summary = machine.system;
  report.data["system"] = machine.system;
  return report;
}

}  // namespace

SelfCheck system_check() {
  return {.id = "system",
          .title = "This machine",
          .does = "reads what this machine is: version, language, memory, processors, rights",
          .run = describe_system};
}

}  // namespace winperf::selftest
