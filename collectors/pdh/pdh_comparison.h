// Compares one counterset as we read it with what PDH says, at two moments at least a second apart.
//
// At each moment there are three readings, as close together as possible: ours, PDH's collection,
// ours again. Every counter of every instance is compared: type, default scale and time base; which
// side has it; raw values, bases, clocks and time stamps; statuses; and numbers (pdh_cell.h).
// Instances are compared by the name that perfmon shows ("parent/child#1"); one counts as missing
// if one side lacks it throughout a moment, and one that is another process after PDH's collection
// than before isn't compared. Not compared: a SecondValue and MultiCount that a type doesn't use,
// the instances that PDH lists without their values, which may come from its cache, unless the
// object has none, and names in the machine's language. What differs of the processes that read is
// known (pdh_known.h). A difference names the counter's type as documentation does. PDH's data is
// not trusted: whatever it is, there is a result. Thread rule: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/pdh/pdh_cell.h"
#include "collectors/pdh/pdh_known.h"
#include "collectors/pdh/pdh_record.h"

namespace winperf {

// Our two readings of a moment.
struct OurMoment {
  const CountersetSample& before;
  const CountersetSample& after;
};

struct PdhDifference {
  std::string instance{};  // display name; empty if there are none, or it concerns all
  std::string counter{};   // empty if it concerns the whole counterset
  std::string type{};      // "PERF_COUNTER_BULK_COUNT", or a number that documentation doesn't name
  // "type", "default scale", "time base", "time base's status", "definition's status", "counter
  // only here", "counter only in PDH", "counter not listed by PDH", "counter twice", "instances",
  // "instances listed", "instance only here", "instance only in PDH", "instance twice",
  // "status", "raw value", "base", "clock", "multi count", "time stamp", "number missing",
  // "number's status", "number is not finite", "number" before it can be one, "number of PDH's raw
  // values", by our formula, and "number of the same seconds", by ours
  std::string what{};
  std::string ours{};  // as text; empty if there is none
  std::string pdh{};
  // The raw values of both sides; empty if it isn't about an instance.
  std::vector<CellMoment> evidence{};
};

// Values that differ for a known reason (pdh_known.h).
struct PdhKnown {
  std::string type;
  std::string reason;
  std::size_t values = 0;
};

struct PdhComparison {
  std::vector<PdhDifference> differences{};
  std::vector<PdhKnown> known{};  // by type, then reason
  std::size_t compared = 0;       // values
  std::size_t moving = 0;         // values that changed between two readings of ours
};

// What PDH is asked for: each counter of the schema that its name alone identifies; and the widths
// of these counters.
struct PdhPlan {
  PdhQuery query{};
  std::vector<PdhWidths> widths{};
};
[[nodiscard]] PdhPlan pdh_plan(const CountersetSchema& schema);

[[nodiscard]] PdhComparison compare_with_pdh(const OurMoment& first, const OurMoment& second,
                                             const PdhRecord& pdh,
                                             const ReadingProcesses& readers = {});

}  // namespace winperf
