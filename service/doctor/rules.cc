#include "service/doctor/rules.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

enum class RuleKind : std::uint8_t { kAny, kLastResort, kTarget };

struct Rule {
  Reason reason;
  std::string_view name;
  MaybeFinding (*find)(const Case&);
  RuleKind kind;
};

// In the order of Reason.
constexpr Rule kRules[] = {
#define RULE(reason, function) {Reason::reason, #function, function, RuleKind::kAny},
#define LAST_RESORT(reason, function) {Reason::reason, #function, function, RuleKind::kLastResort},
#define TARGET_RULE(reason, function) {Reason::reason, #function, function, RuleKind::kTarget},
#include "service/doctor/rule_list.inc"
};
static_assert(std::size(kRules) == kReasonCount);

std::vector<Finding> findings_of(const Case& c) {
  const bool is_unreachable = c.machine.target && c.machine.target->connection;
  std::vector<Finding> findings;
  for (const Rule& rule : kRules) {
    if (is_unreachable && rule.kind != RuleKind::kTarget) continue;
    const bool explained = std::ranges::any_of(findings, [](const Finding& finding) {
      return finding.severity == Severity::kFailed || finding.severity == Severity::kAbsent;
    });
    if (rule.kind == RuleKind::kLastResort && explained) continue;
    MaybeFinding finding = rule.find(c);
    if (!finding) continue;
    finding->reason = rule.reason;
    findings.push_back(*std::move(finding));
  }
  return findings;
}

// The worst finding, the first among equals. A note is never the cause.
std::size_t cause_of(const std::vector<Finding>& findings) {
  const auto weight = [](const Finding& finding) {
    return finding.severity == Severity::kNote ? -1 : static_cast<int>(finding.severity);
  };
  return static_cast<std::size_t>(std::ranges::max_element(findings, {}, weight) -
                                  findings.begin());
}

}  // namespace

std::string_view name_of(Reason reason) { return kRules[static_cast<std::size_t>(reason)].name; }

std::string_view name_of(Severity severity) {
  constexpr std::string_view kNames[] = {"ok", "note", "absent", "warning", "failed"};
  return kNames[static_cast<std::size_t>(severity)];
}

Diagnosis diagnose(const PlannedCounterset& request, const CountersetFacts& facts,
                   const MachineFacts& machine) {
  const Case c(request, facts, machine);
  std::vector<Finding> findings = findings_of(c);
  const std::size_t cause = cause_of(findings);
  Diagnosis diagnosis{.counterset = request.label,
                      .object = c.name->name,
                      .index = c.shown_index(),
                      .service = c.provider != nullptr ? c.provider->service : "",
                      .status = findings[cause].severity,
                      .cause = std::move(findings[cause])};
  findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(cause));
  std::erase_if(findings, [](const Finding& f) { return f.reason == Reason::kHealthy; });
  diagnosis.also = std::move(findings);
  return diagnosis;
}

}  // namespace winperf
