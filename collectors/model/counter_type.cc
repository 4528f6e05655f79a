#include "collectors/model/counter_type.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace winperf {
namespace {

// Bit fields of a counter type (winperf.h).
constexpr std::uint32_t kSizeMask = 0x0000'0300;
constexpr std::uint32_t kSizeLarge = 0x100, kSizeZero = 0x200;
constexpr std::uint32_t kKindMask = 0x0000'0C00;
constexpr std::uint32_t kKindNumber = 0x000, kKindCounter = 0x400;
constexpr std::uint32_t kSubtypeMask = 0x000F'0000;
constexpr std::uint32_t kTimerMask = 0x0030'0000;
constexpr std::uint32_t kTimer100ns = 0x10'0000, kTimerObject = 0x20'0000;
constexpr std::uint32_t kDelta = 0x0040'0000, kDeltaBase = 0x0080'0000;
constexpr std::uint32_t kInverse = 0x0100'0000, kMulti = 0x0200'0000;
constexpr std::uint32_t kDisplayMask = 0xF000'0000;
constexpr std::uint32_t kPerSecond = 0x1000'0000, kPercent = 0x2000'0000, kSeconds = 0x3000'0000;

// Subtypes of the kind COUNTER.
constexpr std::uint32_t kValue = 0x0'0000, kRateType = 0x1'0000, kFraction = 0x2'0000,
                        kBase = 0x3'0000, kElapsedType = 0x4'0000, kQueue = 0x5'0000,
                        kPrecisionType = 0x7'0000;

struct Row {
  std::uint32_t value;
  std::string_view name;
  Formula formula;
  TimeBase clock = TimeBase::kNone;
  BaseKind base = BaseKind::kNone;
  Exposition exposition = Exposition::kNone;
  RawUnit unit = RawUnit::kNumber;
};

using enum Exposition;
constexpr auto kTicks = RawUnit::kTicksOfTimeBase;

constexpr std::array kRows{
    Row{0x00000000, "PERF_COUNTER_RAWCOUNT_HEX", Formula::kRaw, TimeBase::kNone, BaseKind::kNone,
        kGauge},
    Row{0x00000100, "PERF_COUNTER_LARGE_RAWCOUNT_HEX", Formula::kRaw, TimeBase::kNone,
        BaseKind::kNone, kGauge},
    Row{0x00000B00, "PERF_COUNTER_TEXT", Formula::kNone},
    Row{0x00010000, "PERF_COUNTER_RAWCOUNT", Formula::kRaw, TimeBase::kNone, BaseKind::kNone,
        kGauge},
    Row{0x00010100, "PERF_COUNTER_LARGE_RAWCOUNT", Formula::kRaw, TimeBase::kNone, BaseKind::kNone,
        kGauge},
    Row{0x00012000, "PERF_DOUBLE_RAW", Formula::kDouble, TimeBase::kNone, BaseKind::kNone, kGauge},
    Row{0x00400400, "PERF_COUNTER_DELTA", Formula::kDelta, TimeBase::kNone, BaseKind::kNone,
        kCounter},
    Row{0x00400500, "PERF_COUNTER_LARGE_DELTA", Formula::kDelta, TimeBase::kNone, BaseKind::kNone,
        kCounter},
    Row{0x00410400, "PERF_SAMPLE_COUNTER", Formula::kRate, TimeBase::kPerf, BaseKind::kNone,
        kCounter},
    Row{0x00450400, "PERF_COUNTER_QUEUELEN_TYPE", Formula::kQueueLength, TimeBase::kPerf,
        BaseKind::kNone, kCounter, kTicks},
    Row{0x00450500, "PERF_COUNTER_LARGE_QUEUELEN_TYPE", Formula::kQueueLength, TimeBase::kPerf,
        BaseKind::kNone, kCounter, kTicks},
    Row{0x00550500, "PERF_COUNTER_100NS_QUEUELEN_TYPE", Formula::kQueueLength, TimeBase::k100ns,
        BaseKind::kNone, kCounter, kTicks},
    Row{0x00650500, "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", Formula::kQueueLength, TimeBase::kObject,
        BaseKind::kNone, kCounter, kTicks},
    Row{0x10410400, "PERF_COUNTER_COUNTER", Formula::kRate, TimeBase::kPerf, BaseKind::kNone,
        kCounter},
    Row{0x10410500, "PERF_COUNTER_BULK_COUNT", Formula::kRate, TimeBase::kPerf, BaseKind::kNone,
        kCounter},
    Row{0x20020400, "PERF_RAW_FRACTION", Formula::kRawFraction, TimeBase::kNone, BaseKind::kRaw,
        kGauge, RawUnit::kRatio},
    Row{0x20020500, "PERF_LARGE_RAW_FRACTION", Formula::kRawFraction, TimeBase::kNone,
        BaseKind::kRaw, kGauge, RawUnit::kRatio},
    Row{0x20410500, "PERF_COUNTER_TIMER", Formula::kTimer, TimeBase::kPerf, BaseKind::kNone,
        kCounter, kTicks},
    Row{0x20470500, "PERF_PRECISION_SYSTEM_TIMER", Formula::kPrecision, TimeBase::kPerf,
        BaseKind::kRaw, kCounter, kTicks},
    Row{0x20510500, "PERF_100NSEC_TIMER", Formula::kTimer, TimeBase::k100ns, BaseKind::kNone,
        kCounter, kTicks},
    Row{0x20570500, "PERF_PRECISION_100NS_TIMER", Formula::kPrecision, TimeBase::k100ns,
        BaseKind::kRaw, kCounter, kTicks},
    Row{0x20610500, "PERF_OBJ_TIME_TIMER", Formula::kTimer, TimeBase::kObject, BaseKind::kNone,
        kCounter, kTicks},
    Row{0x20670500, "PERF_PRECISION_OBJECT_TIMER", Formula::kPrecision, TimeBase::kObject,
        BaseKind::kRaw, kCounter, kTicks},
    Row{0x20C20400, "PERF_SAMPLE_FRACTION", Formula::kSampleFraction, TimeBase::kNone,
        BaseKind::kSample, kCounter},
    Row{0x21410500, "PERF_COUNTER_TIMER_INV", Formula::kTimerInverse, TimeBase::kPerf,
        BaseKind::kNone, kCounter, kTicks},
    Row{0x21510500, "PERF_100NSEC_TIMER_INV", Formula::kTimerInverse, TimeBase::k100ns,
        BaseKind::kNone, kCounter, kTicks},
    Row{0x22410500, "PERF_COUNTER_MULTI_TIMER", Formula::kMultiTimer, TimeBase::kPerf,
        BaseKind::kMulti, kCounter, kTicks},
    Row{0x22510500, "PERF_100NSEC_MULTI_TIMER", Formula::kMultiTimer, TimeBase::k100ns,
        BaseKind::kMulti, kCounter, kTicks},
    Row{0x23410500, "PERF_COUNTER_MULTI_TIMER_INV", Formula::kMultiTimerInverse, TimeBase::kPerf,
        BaseKind::kMulti, kCounter, kTicks},
    Row{0x23510500, "PERF_100NSEC_MULTI_TIMER_INV", Formula::kMultiTimerInverse, TimeBase::k100ns,
        BaseKind::kMulti, kCounter, kTicks},
    Row{0x30020400, "PERF_AVERAGE_TIMER", Formula::kAverageTimer, TimeBase::kPerf,
        BaseKind::kAverage, kCounter, RawUnit::kPerfTicks},
    Row{0x30240500, "PERF_ELAPSED_TIME", Formula::kElapsed, TimeBase::kObject, BaseKind::kNone,
        kGauge, RawUnit::kStartTime},
    Row{0x40000200, "PERF_COUNTER_NODATA", Formula::kNone},
    Row{0x40020500, "PERF_AVERAGE_BULK", Formula::kAverageBulk, TimeBase::kNone, BaseKind::kAverage,
        kCounter},
    Row{0x40030401, "PERF_SAMPLE_BASE", Formula::kNone},
    Row{0x40030402, "PERF_AVERAGE_BASE", Formula::kNone},
    Row{0x40030403, "PERF_RAW_BASE", Formula::kNone},
    Row{0x40030500, "PERF_LARGE_RAW_BASE", Formula::kNone},
    Row{0x40030503, "PERF_LARGE_RAW_BASE", Formula::kNone},
    Row{0x42030500, "PERF_COUNTER_MULTI_BASE", Formula::kNone},
    Row{0x80000000, "PERF_COUNTER_HISTOGRAM_TYPE", Formula::kNone},
};

TimeBase clock_bits(std::uint32_t bits) {
  if ((bits & kTimerMask) == kTimer100ns) return TimeBase::k100ns;
  if ((bits & kTimerMask) == kTimerObject) return TimeBase::kObject;
  return TimeBase::kPerf;
}

bool is_base_bits(std::uint32_t bits) {
  return (bits & (kKindMask | kSubtypeMask)) == (kKindCounter | kBase);
}

std::uint8_t size_bits(std::uint32_t bits) {
  if ((bits & kSizeMask) >= kSizeZero) return 0;
  return (bits & kSizeMask) == kSizeLarge ? 8 : 4;
}

// What a percentage that counts time is by its modifiers.
Formula timer_bits(std::uint32_t bits) {
  const bool inverse = (bits & kInverse) != 0;
  if ((bits & kMulti) != 0) return inverse ? Formula::kMultiTimerInverse : Formula::kMultiTimer;
  return inverse ? Formula::kTimerInverse : Formula::kTimer;
}

// The meaning of a type that winperf.h does not name. Where the bits do not say how to cook it, the
// raw value is still a number to show.
Row decode(std::uint32_t bits) {
  Row row{.value = bits, .name = {}, .formula = Formula::kNone};
  if (size_bits(bits) == 0 || is_base_bits(bits)) return row;
  row.exposition = kGauge;
  const bool delta = (bits & kDelta) != 0;
  if ((bits & kKindMask) == kKindNumber && !delta) row.formula = Formula::kRaw;
  if ((bits & kKindMask) != kKindCounter) return row;

  const std::uint32_t subtype = bits & kSubtypeMask;
  const bool percent = (bits & kDisplayMask) == kPercent;
  const auto set = [&](Formula formula, TimeBase clock, BaseKind base, Exposition exposition,
                       RawUnit unit) {
    row.formula = formula;
    row.clock = clock;
    row.base = base;
    row.exposition = exposition;
    row.unit = unit;
  };
  if (subtype == kValue && delta)
    set(Formula::kDelta, TimeBase::kNone, BaseKind::kNone, kCounter, RawUnit::kNumber);
  if (subtype == kRateType && delta && !percent)
    set(Formula::kRate, clock_bits(bits), BaseKind::kNone, kCounter, RawUnit::kNumber);
  if (subtype == kRateType && delta && percent)
    set(timer_bits(bits), clock_bits(bits),
        (bits & kMulti) != 0 ? BaseKind::kMulti : BaseKind::kNone, kCounter, kTicks);
  if (subtype == kQueue && delta)
    set(Formula::kQueueLength, clock_bits(bits), BaseKind::kNone, kCounter, kTicks);
  if (subtype == kFraction && !delta && percent)
    set(Formula::kRawFraction, TimeBase::kNone, BaseKind::kRaw, kGauge, RawUnit::kRatio);
  if (subtype == kFraction && delta && (bits & kDeltaBase) != 0)
    set(Formula::kSampleFraction, TimeBase::kNone, BaseKind::kSample, kCounter, RawUnit::kNumber);
  if (subtype == kElapsedType)
    set(Formula::kElapsed, clock_bits(bits), BaseKind::kNone, kGauge, RawUnit::kStartTime);
  if (subtype == kPrecisionType && delta)
    set(Formula::kPrecision, clock_bits(bits), BaseKind::kRaw, kCounter, kTicks);
  return row;
}

std::string_view suffix_bits(std::uint32_t bits) {
  if ((bits & kDisplayMask) == kPerSecond) return "/sec";
  if ((bits & kDisplayMask) == kPercent) return "%";
  return (bits & kDisplayMask) == kSeconds ? "secs" : "";
}

// The average types compare two samples although they do not carry the DELTA flag.
bool compares_samples(const Row& row) {
  return (row.value & kDelta) != 0 || row.formula == Formula::kAverageTimer ||
         row.formula == Formula::kAverageBulk;
}

CounterTypeInfo info_of(const Row& row) {
  const bool cooked = row.formula != Formula::kNone;
  return {.type = CounterType{row.value},
          .name = row.name,
          .raw_bytes = row.formula == Formula::kDouble ? std::uint8_t{8} : size_bits(row.value),
          .formula = row.formula,
          .time_base = row.clock,
          .base = row.base,
          .is_base = is_base_bits(row.value),
          .needs_previous = cooked && compares_samples(row),
          .percent = (row.value & kDisplayMask) == kPercent,
          .inverse = (row.value & kInverse) != 0,
          .multi = (row.value & kMulti) != 0,
          .suffix = suffix_bits(row.value),
          .exposition = row.exposition,
          .unit = row.unit};
}

const Row* find(std::uint32_t value) {
  const auto row = std::ranges::lower_bound(kRows, value, {}, &Row::value);
  return row != kRows.end() && row->value == value ? &*row : nullptr;
}

static_assert(std::ranges::is_sorted(kRows, {}, &Row::value));

}  // namespace

std::span<const CounterTypeInfo> known_counter_types() {
  static const auto kInfos = [] {
    std::array<CounterTypeInfo, kRows.size()> infos;
    std::ranges::transform(kRows, infos.begin(), info_of);
    return infos;
  }();
  return kInfos;
}

CounterTypeInfo describe(CounterType type) {
  const Row* const row = find(value_of(type));
  return info_of(row != nullptr ? *row : decode(value_of(type)));
}

std::string to_string(CounterType type) {
  if (const Row* const row = find(value_of(type))) return std::string(row->name);
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", value_of(type));
  return text;
}

bool is_base_of(BaseKind needed, CounterType base) {
  const std::uint32_t bits = value_of(base);
  if (needed == BaseKind::kNone || !is_base_bits(bits)) return false;
  const std::uint32_t ordinal = bits & 0xFF;
  const bool multi = (bits & kMulti) != 0;
  if (needed == BaseKind::kMulti) return multi;
  if (multi) return false;
  if (needed == BaseKind::kSample) return ordinal == 1;
  if (needed == BaseKind::kAverage) return ordinal == 2;
  // PERF_LARGE_RAW_BASE is in circulation with the ordinal 0 and with 3.
  return ordinal == 3 || (ordinal == 0 && (bits & kSizeMask) == kSizeLarge);
}

}  // namespace winperf
