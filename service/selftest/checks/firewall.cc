// A rule of Windows' firewall, as the installer adds it.
#include <string>

#include "collectors/base/path_text.h"
#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/journal.h"
#include "service/selftest/service_trial.h"

namespace winperf::selftest {
namespace {

// Addresses for documentation (RFC 5737), which no machine has: so the rule admits none.
constexpr std::string_view kNobodysAddress = "192.0.2.1";
constexpr std::string_view kNobodysNetwork = "198.51.100.0/24";

std::expected<ProgramEnd, std::string> netsh(const CheckRun& run, std::vector<std::string> words,
                                             const StopToken& stop) {
  words.insert(words.begin(), {"advfirewall", "firewall"});
  return run_program(
      {.program = system_program("netsh.exe"), .words = std::move(words), .folder = run.folder},
      stop);
}

void add_netsh_finding(CheckReport& report, std::string sentence,
                       const std::expected<ProgramEnd, std::string>& end) {
  Finding finding{.sentence = std::move(sentence)};
  finding.details = {{"end", end ? describe(*end) : end.error()},
                     {"netsh", end ? end->output : std::string()}};
  add_finding(report, std::move(finding));
}

void add_and_show(const CheckRun& run, const std::string& rule, CheckReport& report) {
  const std::string program = path_text(run.program);
  const auto added =
      netsh(run,
            {"add", "rule", "name=" + rule, "dir=in", "action=allow", "protocol=TCP",
             "program=" + program,
             "remoteip=" + std::string(kNobodysAddress) + ',' + std::string(kNobodysNetwork)},
            run.stop);
  if (!added || added->exit_code != 0)
    return add_netsh_finding(report, "netsh adds no rule", added);
  const auto shown = netsh(run, {"show", "rule", "name=" + rule, "verbose"}, run.stop);
  for (const std::string_view part :
       {std::string_view(rule), std::string_view(program), kNobodysAddress, kNobodysNetwork})
    if (!shown || !shows_text(shown->output, part))
      return add_netsh_finding(report, "netsh does not show " + std::string(part) + " of the rule",
                               shown);
}

CheckReport try_firewall(CheckRun& run) {
  if (system_program("netsh.exe").empty())
    return report_of(Verdict::kAbsent, "this system has no netsh");
  CheckReport report;
  const std::string rule = name_in(run);
  const auto number = run.journal.begin({.kind = ChangeKind::kFirewallRule, .name = rule});
  if (!number) return report_of(Verdict::kBroken, number.error());
  add_and_show(run, rule, report);
  const auto removed = netsh(run, {"delete", "rule", "name=" + rule}, {});
  const auto shown = netsh(run, {"show", "rule", "name=" + rule}, {});
  if (!shown || shown->output.contains(rule))
    add_netsh_finding(report, "the rule is still there after it was deleted", removed);
  else
    run.journal.undone(*number);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  conclude(report, "a rule is added, shown and deleted");
  return report;
}

}  // namespace

SelfCheck firewall_check() {
  return {.id = "firewall",
          .title = "Windows Firewall",
          .does = "adds a rule with netsh as the installer does, looks at it, and deletes it",
          .changes =
              "a rule winperf_exporter_selftest_..., which admits no machine: its addresses "
              "are for documentation",
          .needs_administrator = true,
          .takes = std::chrono::seconds(15),
          .run = try_firewall};
}

}  // namespace winperf::selftest
