// What the doctor says of one counterset: whether it can be read, why not, and the repair.
// Thread rule: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/ids.h"

namespace winperf {

// Why a counterset can't be read, or not as it should be: one reason per rule.
enum class Reason : std::uint8_t {
#define RULE(reason, function) reason,
#include "service/doctor/rule_list.inc"
};

inline constexpr std::size_t kReasonCount = static_cast<std::size_t>(Reason::kHealthy) + 1;

// Stable snake_case name, as in JSON's "reason".
std::string_view name_of(Reason reason);

// kNote is good to know; with a warning the counterset can be read, but not as it should be.
enum class Severity : std::uint8_t { kOk, kNote, kWarning, kFailed };

// "ok", "note", "warning", "failed".
std::string_view name_of(Severity severity);

// One thing to do. A step that is not a command (a setting of this program's configuration, an
// installation) has only the text.
struct RepairStep {
  std::string command;  // exactly as it is typed in an elevated prompt
  std::string text;     // what it does, side effects included
  bool operator==(const RepairStep&) const = default;
};

struct Finding {
  Reason reason = Reason::kHealthy;
  Severity severity = Severity::kOk;
  std::string sentence;  // lower case, no full stop
  std::vector<RepairStep> repair;
  std::vector<std::string> evidence;
};

struct Diagnosis {
  std::string counterset;            // as configured
  std::string machine;               // where a recording is of several; empty otherwise
  std::string object;                // the name that was judged
  std::optional<ObjectIndex> index;  // where the name is known
  std::string service;               // of the provider that owns the index; empty where not known
  Severity status = Severity::kOk;   // kOk, kWarning or kFailed
  Finding cause;                     // kHealthy where status is kOk
  std::vector<Finding> also;         // whatever else was found, most specific first
};

}  // namespace winperf
