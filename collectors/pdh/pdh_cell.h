// Compares one counter of one instance at two moments: what we read before and after PDH's
// collection, and PDH's raw values and numbers.
//
// Raw values: a counter that grows lies between our two readings, as its width wraps; any other
// equals them if they are the same. If they aren't, it is moving: it is counted, and may be as far
// away as our four readings differ. The same goes for bases, for the base of several components
// (MultiCount), and for the time on the type's clock. The time stamp lies between our readings,
// give or take half a second, in some time zone. A value of 4 bytes is zero-extended.
// Numbers: one that PDH calls valid is what our formula makes of PDH's own raw values, and lies
// between what it makes of our readings; what may differ is in pdh_known.h. One that PDH calls
// invalid has no number by our formula either. Thread rule: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/sample.h"
#include "collectors/pdh/pdh_api.h"
#include "collectors/pdh/pdh_record.h"

namespace winperf {

// A reading of ours.
struct OurReading {
  NoValue reason = NoValue::kNone;
  std::uint64_t value = 0;
  std::uint64_t base = 0;
  Clocks clocks{};
};

struct CellMoment {
  std::optional<OurReading> before{};
  std::optional<OurReading> after{};
  std::optional<PdhRaw> raw{};
  std::optional<PdhNumber> number{};
};

struct PdhCell {
  const CounterSchema& counter;
  PdhWidths widths;
  std::optional<std::int64_t> time_base;  // PDH's
  std::array<CellMoment, 2> moments;
};

struct CellFinding {
  const char* what;
  std::string ours;
  std::string pdh;
};

// What our formula makes of PDH's raw values, beside PDH's number.
inline constexpr char kNumberOfPdhRaw[] = "number of PDH's raw values";

struct CellVerdict {
  std::vector<CellFinding> findings{};
  std::vector<std::string_view> known{};  // reasons
  std::size_t compared = 0;               // values
  std::size_t moving = 0;
};

[[nodiscard]] CellVerdict judge_cell(const PdhCell& cell);

// "1500" or "1500 to 1510".
std::string span_text(const std::string& before, const std::string& after);

}  // namespace winperf
