#include "service/doctor/rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

struct Rule {
  Reason reason;
  std::string_view name;
  MaybeFinding (*find)(const Case&);
  // Says what is left when nothing else explains a failure.
  bool last_resort = false;
};

// In the order of Reason, which is the order of precedence; a test holds one against the other.
constexpr std::array<Rule, kReasonCount> kRules{{
    {Reason::kNameUnknown, "name_unknown", name_unknown},
    {Reason::kNameTableUnreadable, "name_table_unreadable", name_table_unreadable},
    {Reason::kNameTableCorrupt, "name_table_corrupt", name_table_corrupt},
    {Reason::kNameTableGap, "name_table_gap", name_table_gap},
    {Reason::kAllV1Disabled, "all_v1_disabled", all_v1_disabled},
    {Reason::kProviderDisabled, "provider_disabled", provider_disabled},
    {Reason::kLibraryMissing, "library_missing", library_missing},
    {Reason::kLibraryUnusable, "library_unusable", library_unusable},
    {Reason::kLibraryWrongBitness, "library_wrong_bitness", library_wrong_bitness},
    {Reason::kProceduresMissing, "procedures_missing", procedures_missing},
    {Reason::kProceduresNotExported, "procedures_not_exported", procedures_not_exported},
    {Reason::kAccessDenied, "access_denied", access_denied},
    {Reason::kNotPrivileged, "not_privileged", not_privileged},
    {Reason::kObjectCostly, "object_costly", object_costly},
    {Reason::kConfigurationFlagsSet, "configuration_flags_set", configuration_flags_set},
    {Reason::kTestLevelSet, "test_level_set", test_level_set},
    {Reason::kStaleRegistration, "stale_registration", stale_registration},
    {Reason::kMetadataUnsupported, "metadata_unsupported", metadata_unsupported},
    {Reason::kReplaced, "replaced", replaced},
    {Reason::kV2ProviderNotRunning, "v2_provider_not_running", v2_provider_not_running},
    {Reason::kNoInstances, "no_instances", no_instances},
    {Reason::kInstanceFilterMatchesNothing, "instance_filter_matches_nothing",
     instance_filter_matches_nothing},
    {Reason::kCounterFilterMatchesNothing, "counter_filter_matches_nothing",
     counter_filter_matches_nothing},
    {Reason::kDeliveredCorrupt, "delivered_corrupt", delivered_corrupt},
    {Reason::kTimedOut, "timed_out", timed_out},
    {Reason::kNotTried, "not_tried", not_tried},
    {Reason::kLibraryBusy, "library_busy", library_busy},
    {Reason::kReplyTooLarge, "reply_too_large", reply_too_large},
    {Reason::kQueryFailed, "query_failed", query_failed},
    {Reason::kNotInCapture, "not_in_capture", not_in_capture, true},
    {Reason::kProviderFailed, "provider_failed", provider_failed, true},
    {Reason::kNotDelivered, "not_delivered", not_delivered, true},
    {Reason::kHealthy, "healthy", healthy},
}};

std::vector<Finding> findings_of(const Case& c) {
  std::vector<Finding> findings;
  for (const Rule& rule : kRules) {
    const bool explained =
        std::ranges::find(findings, Severity::kFailed, &Finding::severity) != findings.end();
    if (rule.last_resort && explained) continue;
    MaybeFinding finding = rule.find(c);
    if (!finding) continue;
    finding->reason = rule.reason;
    findings.push_back(*std::move(finding));
  }
  return findings;
}

// The worst finding; the first among equals. A note is no cause.
std::size_t cause_of(const std::vector<Finding>& findings) {
  const auto weight = [](const Finding& finding) {
    return finding.severity == Severity::kNote ? -1 : static_cast<int>(finding.severity);
  };
  return static_cast<std::size_t>(std::ranges::max_element(findings, {}, weight) -
                                  findings.begin());
}

}  // namespace

std::string_view name_of(Reason reason) { return kRules.at(static_cast<std::size_t>(reason)).name; }

std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 4> kNames{"ok", "note", "warning", "failed"};
  return kNames.at(static_cast<std::size_t>(severity));
}

Diagnosis diagnose(const PlannedCounterset& request, const CountersetFacts& facts,
                   const MachineFacts& machine) {
  const Case c(request, facts, machine);
  std::vector<Finding> findings = findings_of(c);
  const std::size_t cause = cause_of(findings);
  Diagnosis diagnosis;
  diagnosis.counterset = request.label;
  diagnosis.object = c.name->name;
  diagnosis.index = c.shown_index();
  if (c.provider != nullptr) diagnosis.service = c.provider->service;
  diagnosis.cause = std::move(findings[cause]);
  diagnosis.status = diagnosis.cause.severity;
  findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(cause));
  std::erase_if(findings, [](const Finding& f) { return f.reason == Reason::kHealthy; });
  diagnosis.also = std::move(findings);
  return diagnosis;
}

}  // namespace winperf
