// From facts to a diagnosis: a pure function over one table of rules; and the output of `doctor`.
//
// Every rule examines all facts and returns a finding or none. The diagnosis' cause is the worst
// finding and, among equals, that of the most specific rule; the others are reported with it. A
// finding that would explain an absence is a failure if the object is absent. If it is delivered
// nevertheless, the finding is a warning: the next time providers are loaded, it may not be.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "service/console/look.h"

namespace winperf {

// The doctor's report on one counterset: whether it can be read, why not, and the repair.

// Why a counterset can't be read, or not properly: one reason per rule.
enum class Reason : std::uint8_t {
#define RULE(reason, function) reason,
#include "service/doctor/rule_list.inc"
};

inline constexpr std::size_t kReasonCount = static_cast<std::size_t>(Reason::kHealthy) + 1;

// The stable snake_case name in JSON's "reason".
std::string_view name_of(Reason reason);

// kNote is only information. With kAbsent, the machine doesn't have the counterset and need not
// have it. With kWarning, the counterset can be read, but something is wrong.
enum class Severity : std::uint8_t { kOk, kNote, kAbsent, kWarning, kFailed };

// "ok", "note", "absent", "warning", "failed".
std::string_view name_of(Severity severity);

// One step. If it isn't a command, such as a change of this program's configuration, it has only
// the text.
struct RepairStep {
  std::string command;  // ready to paste into an elevated prompt
  std::string text;     // what it does, side effects included
  bool operator==(const RepairStep&) const = default;
};

using Repair = std::vector<RepairStep>;

struct Finding {
  Reason reason = Reason::kHealthy;
  Severity severity = Severity::kOk;
  std::string sentence{};  // lower case, no full stop
  Repair repair{};
  std::vector<std::string> evidence{};
};

// Of one counterset, or of another subject.
struct Assessment {
  Severity status = Severity::kOk;  // not kNote
  Finding cause{};                  // kHealthy if status is kOk
  std::vector<Finding> also{};      // everything else that was found, most specific first
};

struct Diagnosis : Assessment {
  std::string counterset{};  // as configured
  std::string machine{};     // of --target, or if a recording has several; empty otherwise
  std::string object{};      // the name that was examined
  std::optional<ObjectIndex> index{};  // if it is known, and one of Windows'
  std::string service{};               // of the provider that owns the index; empty if unknown
};

// Of what the exporter needs besides countersets (checks.h).
struct CheckResult : Assessment {
  std::string check{};    // "account", "address", "scrapes", "protection", "counters", "facts"
  std::string subject{};  // the account, the address, the road or the topic
};

[[nodiscard]] Diagnosis diagnose(const PlannedCounterset& request, const CountersetFacts& facts,
                                 const MachineFacts& machine);

// The output of `doctor`, as text or JSON.
//
// docs/command-json.md has the document's keys, and docs/doctor.md the reasons. "checks" is missing
// if only countersets were examined; the summary doesn't count them.
std::string diagnoses_to_text(std::span<const Diagnosis> diagnoses, const Look& look = {});
// `source`: the document's.
std::string diagnoses_to_json(std::span<const Diagnosis> diagnoses, std::string_view source,
                              std::span<const CheckResult> checks = {});
// An entry for each, and a last line with their number.
std::string checks_to_text(std::span<const CheckResult> checks, const Look& look = {});

// Why another machine can't be read, by the error of connecting to it. A Windows code rarely has a
// single reason: with 53 the machine may be off, or not serve its registry. The rules therefore
// also use the other facts.
enum class TargetCause : std::uint8_t {
  kUnsupported,  // not on this platform
  kHung,         // no response in time
  kUnreachable,  // not found, off, or blocked by a firewall
  kNotServed,    // it responds but does not serve its registry
  kLogonFailed,
  kAccessDenied,
  kOther,
};

TargetCause cause_of(const Error& error);

// `host can't be read: ...; "winperf_exporter doctor --target host" ...`.
std::string unreachable_message(const TargetFacts& target);

}  // namespace winperf
