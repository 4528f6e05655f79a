// The facts that rules examine for one counterset, the repairs that they suggest, and the rules.
// Internal to this folder. Thread rule: any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/diagnosis/facts.h"
#include "collectors/sampling/plan.h"
#include "service/doctor/checks.h"
#include "service/doctor/rules.h"

namespace winperf {

// Views; the facts must outlive it.
struct Case {
  Case(const PlannedCounterset& planned, const CountersetFacts& counterset,
       const MachineFacts& machine_facts);

  const PlannedCounterset& request;
  const CountersetFacts& facts;
  const MachineFacts& machine;
  const NameFacts* name;                    // the alternative that is examined
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

// Repairs that several rules suggest, and lines of evidence that show values of the registry.

inline constexpr std::string_view kPerflibKey =
    "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib";
inline constexpr std::string_view kDisableValue = "Disable Performance Counters";
std::string performance_key(const ProviderFacts& provider);

// To a repair, or to lines of evidence.
template <class Item>
void append(std::vector<Item>& list, std::vector<Item> more) {
  std::ranges::move(more, std::back_inserter(list));
}

// A step without a command.
RepairStep advice(std::string text);

// Installing the provider's program again, or removing its registration.
Repair reinstall(const ProviderFacts& provider);
// Windows' view of the provider.
RepairStep query_provider(const ProviderFacts& provider);
// Enabling or disabling a provider for every program.
Repair enable_provider(const ProviderFacts& provider);
Repair disable_provider(const ProviderFacts& provider);
RepairStep delete_perflib_value(std::string_view value, std::string text);
// Restarting the program, because providers are loaded by its first query.
RepairStep restart_exporter();
RepairStep read_event_log(std::string text);
// Adding the account to Performance Monitor Users, by SID.
RepairStep join_monitor_users(const TokenFacts& token);
// `winperf_exporter list` for the machine or recording that was examined.
RepairStep list_countersets(const MachineFacts& machine, std::string_view arguments,
                            std::string text);

// `key: value = number`, or that the value is not set.
std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::uint32_t>& number);
std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::string>& text);

// The registered Library, and the file that it resolves to.
std::string library_line(const ProviderFacts& provider);

// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
std::string quoted_list(const std::vector<std::string>& names);

// Whether the account is known to be in none of the groups that may read counters.
bool lacks_privilege(const TokenFacts& token);
// The account and its groups.
std::string account_line(const TokenFacts& token);

// The worst of at least one finding is the cause, the first among equals. A note is never the
// cause.
Assessment assessment_of(std::vector<Finding> findings);

using MaybeFinding = std::optional<Finding>;

#define RULE(reason, function) MaybeFinding function(const Case& c);
#define CHECK_RULE(reason, function) MaybeFinding function(const CheckSubject& subject);
#include "service/doctor/rule_list.inc"

}  // namespace winperf
