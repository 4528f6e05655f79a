#include "collectors/model/counter_type.h"

#include <algorithm>
#include <array>
#include <functional>

#include "collectors/base/hex.h"

namespace winperf {
namespace {

// Bit fields of a counter type (winperf.h).
constexpr std::uint32_t kOrdinalMask = 0x0000'00FF;
constexpr std::uint32_t kSizeMask = 0x0000'0300, kSizeLarge = 0x100, kSizeZero = 0x200;
constexpr std::uint32_t kKindMask = 0x0000'0C00, kKindCounter = 0x400, kKindText = 0x800;
constexpr std::uint32_t kSubtypeMask = 0x000F'0000, kSubtypeBase = 0x3'0000;
constexpr std::uint32_t kTimerMask = 0x0030'0000;
constexpr std::uint32_t kInverse = 0x0100'0000, kMulti = 0x0200'0000;
constexpr std::uint32_t kDisplayMask = 0xF000'0000;

// The properties of a formula, shared by all types cooked with it.
struct FormulaInfo {
  Formula formula;
  std::string_view text;
  bool two_samples = false;
  bool percent = false;
  bool uses_clock = false;  // selected by the type's timer bits
  BaseKind base = BaseKind::kNone;
  Exposition exposition = Exposition::kGauge;
  RawUnit unit = RawUnit::kNumber;
};

// A percentage of the time between two samples.
constexpr FormulaInfo share_of_time(Formula formula, std::string_view text,
                                    BaseKind base = BaseKind::kNone) {
  return {.formula = formula,
          .text = text,
          .two_samples = true,
          .percent = true,
          .uses_clock = true,
          .base = base,
          .exposition = Exposition::kCounter,
          .unit = RawUnit::kTicksOfTimeBase};
}

constexpr std::array kFormulas{
    FormulaInfo{.formula = Formula::kNone, .text = "", .exposition = Exposition::kNone},
    FormulaInfo{.formula = Formula::kRaw, .text = "N1"},
    FormulaInfo{.formula = Formula::kDouble, .text = "N1 as IEEE 754 double"},
    FormulaInfo{.formula = Formula::kDelta,
                .text = "N1-N0",
                .two_samples = true,
                .exposition = Exposition::kCounter},
    FormulaInfo{.formula = Formula::kRate,
                .text = "(N1-N0) / ((T1-T0)/F)",
                .two_samples = true,
                .uses_clock = true,
                .exposition = Exposition::kCounter},
    FormulaInfo{.formula = Formula::kQueueLength,
                .text = "(N1-N0) / (T1-T0)",
                .two_samples = true,
                .uses_clock = true,
                .exposition = Exposition::kCounter,
                .unit = RawUnit::kTicksOfTimeBase},
    FormulaInfo{.formula = Formula::kRawFraction,
                .text = "100 * N1/B1",
                .percent = true,
                .base = BaseKind::kRaw,
                .unit = RawUnit::kRatio},
    FormulaInfo{.formula = Formula::kSampleFraction,
                .text = "100 * (N1-N0)/(B1-B0)",
                .two_samples = true,
                .percent = true,
                .base = BaseKind::kSample,
                .exposition = Exposition::kCounter},
    share_of_time(Formula::kTimer, "100 * (N1-N0)/(T1-T0)"),
    share_of_time(Formula::kTimerInverse, "100 * (1 - (N1-N0)/(T1-T0))"),
    share_of_time(Formula::kMultiTimer, "100 * ((N1-N0)/(T1-T0)) / B1", BaseKind::kMulti),
    share_of_time(Formula::kMultiTimerInverse, "100 * (B1 - (N1-N0)/(T1-T0))", BaseKind::kMulti),
    FormulaInfo{.formula = Formula::kAverageTimer,
                .text = "((N1-N0)/F) / (B1-B0)",
                .two_samples = true,
                .uses_clock = true,
                .base = BaseKind::kAverage,
                .exposition = Exposition::kCounter,
                .unit = RawUnit::kPerfTicks},
    FormulaInfo{.formula = Formula::kAverageBulk,
                .text = "(N1-N0) / (B1-B0)",
                .two_samples = true,
                .base = BaseKind::kAverage,
                .exposition = Exposition::kCounter},
    FormulaInfo{.formula = Formula::kElapsed,
                .text = "(T1-N1) / F",
                .uses_clock = true,
                .unit = RawUnit::kStartTime},
    share_of_time(Formula::kPrecision, "100 * (N1-N0)/(B1-B0)", BaseKind::kRaw),
};

static_assert(kFormulas.size() == kFormulaCount &&
              std::ranges::adjacent_find(kFormulas, std::ranges::greater_equal{},
                                         &FormulaInfo::formula) == kFormulas.end());

// The types that winperf.h names. Their formula and bits imply everything else.
struct Row {
  std::uint32_t value;
  std::string_view name;
  Formula formula;
};

constexpr std::array kRows{
    Row{0x00000000, "PERF_COUNTER_RAWCOUNT_HEX", Formula::kRaw},
    Row{0x00000100, "PERF_COUNTER_LARGE_RAWCOUNT_HEX", Formula::kRaw},
    Row{0x00000B00, "PERF_COUNTER_TEXT", Formula::kNone},
    Row{0x00010000, "PERF_COUNTER_RAWCOUNT", Formula::kRaw},
    Row{0x00010100, "PERF_COUNTER_LARGE_RAWCOUNT", Formula::kRaw},
    Row{0x00012000, "PERF_DOUBLE_RAW", Formula::kDouble},
    Row{0x00400400, "PERF_COUNTER_DELTA", Formula::kDelta},
    Row{0x00400500, "PERF_COUNTER_LARGE_DELTA", Formula::kDelta},
    Row{0x00410400, "PERF_SAMPLE_COUNTER", Formula::kRate},
    Row{0x00450400, "PERF_COUNTER_QUEUELEN_TYPE", Formula::kQueueLength},
    Row{0x00450500, "PERF_COUNTER_LARGE_QUEUELEN_TYPE", Formula::kQueueLength},
    Row{0x00550500, "PERF_COUNTER_100NS_QUEUELEN_TYPE", Formula::kQueueLength},
    Row{0x00650500, "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", Formula::kQueueLength},
    Row{0x10410400, "PERF_COUNTER_COUNTER", Formula::kRate},
    Row{0x10410500, "PERF_COUNTER_BULK_COUNT", Formula::kRate},
    Row{0x20020400, "PERF_RAW_FRACTION", Formula::kRawFraction},
    Row{0x20020500, "PERF_LARGE_RAW_FRACTION", Formula::kRawFraction},
    Row{0x20410500, "PERF_COUNTER_TIMER", Formula::kTimer},
    Row{0x20470500, "PERF_PRECISION_SYSTEM_TIMER", Formula::kPrecision},
    Row{0x20510500, "PERF_100NSEC_TIMER", Formula::kTimer},
    Row{0x20570500, "PERF_PRECISION_100NS_TIMER", Formula::kPrecision},
    Row{0x20610500, "PERF_OBJ_TIME_TIMER", Formula::kTimer},
    Row{0x20670500, "PERF_PRECISION_OBJECT_TIMER", Formula::kPrecision},
    Row{0x20C20400, "PERF_SAMPLE_FRACTION", Formula::kSampleFraction},
    Row{0x21410500, "PERF_COUNTER_TIMER_INV", Formula::kTimerInverse},
    Row{0x21510500, "PERF_100NSEC_TIMER_INV", Formula::kTimerInverse},
    Row{0x22410500, "PERF_COUNTER_MULTI_TIMER", Formula::kMultiTimer},
    Row{0x22510500, "PERF_100NSEC_MULTI_TIMER", Formula::kMultiTimer},
    Row{0x23410500, "PERF_COUNTER_MULTI_TIMER_INV", Formula::kMultiTimerInverse},
    Row{0x23510500, "PERF_100NSEC_MULTI_TIMER_INV", Formula::kMultiTimerInverse},
    Row{0x30020400, "PERF_AVERAGE_TIMER", Formula::kAverageTimer},
    Row{0x30240500, "PERF_ELAPSED_TIME", Formula::kElapsed},
    Row{0x40000200, "PERF_COUNTER_NODATA", Formula::kNone},
    Row{0x40020500, "PERF_AVERAGE_BULK", Formula::kAverageBulk},
    Row{0x40030401, "PERF_SAMPLE_BASE", Formula::kNone},
    Row{0x40030402, "PERF_AVERAGE_BASE", Formula::kNone},
    Row{0x40030403, "PERF_RAW_BASE", Formula::kNone},
    Row{0x40030500, "PERF_LARGE_RAW_BASE", Formula::kNone},  // also PERF_PRECISION_TIMESTAMP
    Row{0x40030503, "PERF_LARGE_RAW_BASE", Formula::kNone},  // its value in WMI's documentation
    Row{0x42030500, "PERF_COUNTER_MULTI_BASE", Formula::kNone},
    Row{0x80000000, "PERF_COUNTER_HISTOGRAM_TYPE", Formula::kNone},
};
static_assert(std::ranges::adjacent_find(kRows, std::ranges::greater_equal{}, &Row::value) ==
              kRows.end());

// Indexed by the bit fields' values; clock 3 is undefined, and displays above 3 have no suffix.
constexpr std::array kClocks{TimeBase::kPerf, TimeBase::k100ns, TimeBase::kObject, TimeBase::kNone};
constexpr std::array<std::string_view, 4> kSuffixes{"", "/sec", "%", "secs"};

constexpr TimeBase clock_bits(std::uint32_t bits) { return kClocks[(bits & kTimerMask) >> 20]; }

constexpr std::string_view suffix_bits(std::uint32_t bits) {
  const std::uint32_t display = (bits & kDisplayMask) >> 28;
  return display < kSuffixes.size() ? kSuffixes[display] : std::string_view{};
}

constexpr std::uint8_t size_bits(std::uint32_t bits) {
  if ((bits & kSizeMask) >= kSizeZero) return 0;
  return (bits & kSizeMask) == kSizeLarge ? 8 : 4;
}

constexpr bool is_base_bits(std::uint32_t bits) {
  return (bits & (kKindMask | kSubtypeMask)) == (kKindCounter | kSubtypeBase);
}

constexpr CounterTypeInfo make_info(std::uint32_t bits, std::string_view name, Formula cooked_by) {
  const FormulaInfo& formula = kFormulas[static_cast<std::size_t>(cooked_by)];
  return {.type = CounterType{bits},
          .name = name,
          .raw_bytes = cooked_by == Formula::kDouble ? std::uint8_t{8} : size_bits(bits),
          .formula = cooked_by,
          .time_base = formula.uses_clock ? clock_bits(bits) : TimeBase::kNone,
          .base = formula.base,
          .is_base = is_base_bits(bits),
          .needs_previous = formula.two_samples,
          .percent = formula.percent,
          .inverse = (bits & kInverse) != 0,
          .multi = (bits & kMulti) != 0,
          .suffix = suffix_bits(bits),
          .exposition = formula.exposition,
          .unit = formula.unit};
}

constexpr auto kTable = [] {
  std::array<CounterTypeInfo, kRows.size()> infos;
  for (std::size_t i = 0; i < infos.size(); ++i)
    infos[i] = make_info(kRows[i].value, kRows[i].name, kRows[i].formula);
  return infos;
}();

const CounterTypeInfo* find(CounterType type) {
  const auto row = std::ranges::lower_bound(kTable, type, {}, &CounterTypeInfo::type);
  return row != kTable.end() && row->type == type ? &*row : nullptr;
}

// Whether the formula can use the clock in the timer bits. PERF_AVERAGE_TIMER counts in ticks of
// PerfTime, and types without a clock have no timer bits.
bool takes_clock(const CounterTypeInfo& row, std::uint32_t bits) {
  if (row.time_base == TimeBase::kNone || row.unit == RawUnit::kPerfTicks)
    return clock_bits(bits) == TimeBase::kPerf;
  return clock_bits(bits) != TimeBase::kNone;
}

// The formula of the type that differs from an unknown one only in size and clock or, failing that,
// in size, clock and display.
Formula formula_bits(std::uint32_t bits) {
  constexpr std::uint32_t kMeaning = ~(kSizeMask | kTimerMask);
  for (const std::uint32_t mask : {kMeaning, kMeaning & ~kDisplayMask}) {
    for (const CounterTypeInfo& row : kTable) {
      const bool alike = row.raw_bytes != 0 && ((value_of(row.type) ^ bits) & mask) == 0;
      if (alike && takes_clock(row, bits)) return row.formula;
    }
  }
  return Formula::kNone;
}

// The meaning of a type that winperf.h doesn't name. If the bits don't define a formula, the raw
// value is still shown.
CounterTypeInfo decode(std::uint32_t bits) {
  const bool numeric = size_bits(bits) != 0 && (bits & kKindMask) < kKindText;
  if (!numeric || is_base_bits(bits)) return make_info(bits, {}, Formula::kNone);
  CounterTypeInfo info = make_info(bits, {}, formula_bits(bits));
  if (info.formula == Formula::kNone) info.exposition = Exposition::kGauge;
  return info;
}

}  // namespace

std::span<const CounterTypeInfo> known_counter_types() { return kTable; }

CounterTypeInfo describe(CounterType type) {
  const CounterTypeInfo* const row = find(type);
  return row != nullptr ? *row : decode(value_of(type));
}

std::string to_string(CounterType type) {
  if (const CounterTypeInfo* const row = find(type)) return std::string(row->name);
  return hex(value_of(type));
}

std::string_view text_of(Formula formula) {
  return kFormulas.at(static_cast<std::size_t>(formula)).text;
}

bool is_base_of(BaseKind needed, CounterType base) {
  const std::uint32_t bits = value_of(base);
  if (needed == BaseKind::kNone || !is_base_bits(bits)) return false;
  const bool multi = (bits & kMulti) != 0;
  if (multi || needed == BaseKind::kMulti) return multi && needed == BaseKind::kMulti;
  const std::uint32_t ordinal = bits & kOrdinalMask;
  if (needed == BaseKind::kSample) return ordinal == 1;
  if (needed == BaseKind::kAverage) return ordinal == 2;
  // PERF_LARGE_RAW_BASE is in use with the ordinals 0 and 3.
  return ordinal == 3 || (ordinal == 0 && (bits & kSizeMask) == kSizeLarge);
}

}  // namespace winperf
