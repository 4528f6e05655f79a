// What machine this is: the facts without which the other checks can't be understood. What keeps
// the program from its work is a finding (judge_system).
#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/system_facts.h"

namespace winperf::selftest {
namespace {

CheckReport describe_system(CheckRun&) {
  CheckReport report;
  const SystemFacts facts = read_system_facts();
  report.data = json_of(facts);
  for (Finding& finding : judge_system(facts)) add_finding(report, std::move(finding));
  conclude(report, summary_of(facts));
  return report;
}

}  // namespace

SelfCheck system_check() {
  return {.id = "system",
          .title = "This machine",
          .does =
              "reads what this machine is: version, language, memory, processors, rights, and "
              "policies that bear on the program",
          .takes = std::chrono::seconds(5),
          .run = describe_system};
}

}  // namespace winperf::selftest
