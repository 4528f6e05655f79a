#include "collectors/pdh/pdh_cell.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "collectors/formula/cook.h"
#include "collectors/pdh/pdh_cook.h"
#include "collectors/pdh/pdh_known.h"
#include "collectors/pdh/pdh_status.h"

namespace winperf {
namespace {

// One of a cell's values, at all times.
struct ValueSpan {
  std::uint32_t bytes = 0;
  bool grows = false;
  double (*number)(const CounterSchema&, std::uint64_t);  // what it stands for
  std::array<std::uint64_t, 4> ours{};                    // before and after, of both moments
};

double number_of_base(const CounterSchema&, std::uint64_t raw) { return static_cast<double>(raw); }

double number_of_value(const CounterSchema& counter, std::uint64_t raw) {
  if (counter.info().formula == Formula::kDouble) return std::bit_cast<double>(raw);
  const auto negative = negative_of(counter, raw);
  return negative ? static_cast<double>(*negative) : static_cast<double>(raw);
}

std::string number_text(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  return {digits, end.ptr};
}

// A raw value of ours as PDH says it: as a signed number of 64 bits.
std::string signed_text(std::uint64_t raw) {
  return std::to_string(static_cast<std::int64_t>(raw));
}

std::string without_number(NoValue reason) { return "none (" + std::string(name_of(reason)) + ')'; }

enum class SpanVerdict : std::uint8_t { kSame, kMoving, kDifferent };

// `moment`: 0 or 1.
SpanVerdict judge_span(const CounterSchema& counter, const ValueSpan& span, std::size_t moment,
                       std::int64_t pdh) {
  const std::uint64_t before = span.ours[2 * moment];
  const std::uint64_t after = span.ours[2 * moment + 1];
  const auto value = static_cast<std::uint64_t>(pdh);
  const bool is_narrow = span.bytes == sizeof(std::uint32_t);
  if (is_narrow && value != static_cast<std::uint32_t>(value)) return SpanVerdict::kDifferent;
  if (before == after) return value == before ? SpanVerdict::kSame : SpanVerdict::kDifferent;
  const auto grown = growth(before, after, span.bytes, NoValue::kCounterReset);
  if (span.grows && grown) {
    const std::uint64_t step =
        is_narrow ? static_cast<std::uint32_t>(value - before) : value - before;
    return step <= *grown ? SpanVerdict::kSame : SpanVerdict::kDifferent;
  }
  std::array<double, 4> ours{};
  std::ranges::transform(span.ours, ours.begin(),
                         [&](std::uint64_t raw) { return span.number(counter, raw); });
  const auto [low, high] = std::ranges::minmax(ours);
  const double number = span.number(counter, value);
  const double room = high - low;
  const bool is_near = number >= low - room && number <= high + room;
  return is_near ? SpanVerdict::kMoving : SpanVerdict::kDifferent;
}

// Whether a stamp in local time lies between two times in UTC.
bool is_stamp_between(std::int64_t before, std::int64_t local, std::int64_t after) {
  constexpr std::int64_t kSlack = kTicks100nsPerSecond / 2;
  constexpr std::int64_t kZone = 15 * 60 * kTicks100nsPerSecond;  // zones differ by multiples of it
  constexpr std::int64_t kZones = 4 * 15;                         // the furthest are 14 hours away
  if (local < 0 || before < 0) return false;
  const std::int64_t away = local - before;
  const std::int64_t nearest = (away + (away < 0 ? -kZone : kZone) / 2) / kZone;
  for (std::int64_t zone = nearest - 1; zone <= nearest + 1; ++zone) {
    if (zone < -kZones || zone > kZones) continue;
    const std::int64_t in_zone = local - zone * kZone;
    if (in_zone >= before - kSlack && in_zone <= after + kSlack) return true;
  }
  return false;
}

class CellJudge {
 public:
  explicit CellJudge(const PdhCell& cell) : cell_(cell), type_(cell.counter.info()) {}

  CellVerdict run() {
    for (std::size_t moment = 0; moment < cell_.moments.size(); ++moment)
      sound_[moment] = judge_raw(moment);
    for (std::size_t moment = 0; moment < cell_.moments.size(); ++moment) judge_number(moment);
    return std::move(verdict_);
  }

 private:
  const CellMoment& at(std::size_t moment) const { return cell_.moments[moment]; }

  void found(const char* what, std::string ours, std::string pdh) {
    verdict_.findings.push_back({what, std::move(ours), std::move(pdh)});
  }

  bool has_ours(std::size_t moment) const {
    return at(moment).before && at(moment).after && has_raw(at(moment).before->reason) &&
           has_raw(at(moment).after->reason);
  }

  // Whether both sides have values at the moment.
  bool judge_raw(std::size_t moment) {
    const CellMoment& now = at(moment);
    if (!now.before || !now.after || !now.raw) return false;
    if (has_raw(now.before->reason) != has_raw(now.after->reason)) return false;
    const bool is_valid = is_valid_pdh(now.raw->status);
    if (!has_ours(moment)) {
      if (is_valid) judge_surplus(now.before->reason, now.raw->status);
      return false;
    }
    if (!is_valid) {
      found("status", "a value", pdh_status_text(now.raw->status));
      return false;
    }
    judge_value(moment);
    judge_second(moment);
    judge_stamp(now);
    return true;
  }

  // PDH has a value that we haven't.
  void judge_surplus(NoValue reason, std::uint32_t status) {
    if (reason == NoValue::kNotNumeric)
      verdict_.known.push_back("texts, labels and histograms are not numbers");
    else
      found("status", without_number(reason), pdh_status_text(status));
  }

  template <class Part>
  ValueSpan span_of(Part OurReading::* part, std::uint32_t bytes, bool grows,
                    double (*number)(const CounterSchema&, std::uint64_t)) const {
    ValueSpan span{.bytes = bytes, .grows = grows, .number = number};
    for (std::size_t i = 0; i < span.ours.size(); ++i) {
      const CellMoment& moment = cell_.moments[i / 2];
      const auto& reading = i % 2 == 0 ? moment.before : moment.after;
      // Of a moment that we have nothing of, the other one counts.
      span.ours[i] = reading && has_raw(reading->reason) ? (*reading).*part : any_of(part);
    }
    return span;
  }

  template <class Part>
  std::uint64_t any_of(Part OurReading::* part) const {
    for (const CellMoment& moment : cell_.moments)
      for (const auto& reading : {moment.before, moment.after})
        if (reading && has_raw(reading->reason)) return (*reading).*part;
    return 0;
  }

  void note(const char* what, SpanVerdict verdict, const std::string& before,
            const std::string& after, const std::string& pdh) {
    ++verdict_.compared;
    if (verdict == SpanVerdict::kMoving) ++verdict_.moving;
    if (verdict == SpanVerdict::kDifferent) found(what, span_text(before, after), pdh);
  }

  bool grows() const { return type_.exposition == Exposition::kCounter; }

  void judge_value(std::size_t moment) {
    const CellMoment& now = at(moment);
    const ValueSpan span =
        span_of(&OurReading::value, cell_.widths.bytes, grows(), number_of_value);
    note("raw value", judge_span(cell_.counter, span, moment, now.raw->first),
         signed_text(now.before->value), signed_text(now.after->value),
         std::to_string(now.raw->first));
  }

  void judge_base(const char* what, std::size_t moment, bool base_grows, std::int64_t pdh) {
    const CellMoment& now = at(moment);
    const ValueSpan span =
        span_of(&OurReading::base, cell_.widths.base_bytes, base_grows, number_of_base);
    note(what, judge_span(cell_.counter, span, moment, pdh), signed_text(now.before->base),
         signed_text(now.after->base), std::to_string(pdh));
  }

  void judge_second(std::size_t moment) {
    const CellMoment& now = at(moment);
    if (type_.base != BaseKind::kNone && cell_.widths.base_bytes == 0)
      return verdict_.known.push_back("the definition has no base that the type may use");
    if (type_.base == BaseKind::kMulti)
      judge_base("multi count", moment, false, now.raw->multi_count);
    switch (second_value_of(type_)) {
      case SecondValue::kNothing:
        return;
      case SecondValue::kBase:
        return judge_base("base", moment, grows(), now.raw->second);
      case SecondValue::kTime:
        break;
    }
    const std::int64_t before = time_on(type_.time_base, now.before->clocks);
    const std::int64_t after = time_on(type_.time_base, now.after->clocks);
    const bool is_between = now.raw->second >= before && now.raw->second <= after;
    note("clock", is_between ? SpanVerdict::kSame : SpanVerdict::kDifferent, std::to_string(before),
         std::to_string(after), std::to_string(now.raw->second));
  }

  void judge_stamp(const CellMoment& now) {
    const std::int64_t before = now.before->clocks.time_100ns.ticks;
    const std::int64_t after = now.after->clocks.time_100ns.ticks;
    if (before == 0 || after < before) return;  // nothing to compare with
    const bool is_between = is_stamp_between(before, now.raw->local_time, after);
    note("time stamp", is_between ? SpanVerdict::kSame : SpanVerdict::kDifferent,
         std::to_string(before), std::to_string(after), std::to_string(now.raw->local_time));
  }

  void judge_number(std::size_t moment) {
    const CellMoment& now = at(moment);
    if (!now.number) return;
    const bool is_valid = is_valid_pdh(now.number->status);
    if (is_valid && !std::isfinite(now.number->value))
      return found("number is not finite", "a number", number_text(now.number->value));
    if (type_.needs_previous && moment == 0) {
      // As in tests/collectors/formula/pdh_rows_test.cc.
      if (is_valid)
        found("number", without_number(NoValue::kFirstSample), number_text(now.number->value));
      return;
    }
    if (!sound_[moment] || (type_.needs_previous && !sound_[0])) return;
    const CounterPoint newer = point_at(moment);
    const CounterPoint older = point_at(0);
    const auto ours = cook_point(type_, cell_.widths,
                                 type_.needs_previous ? std::optional(older) : std::nullopt, newer);
    ++verdict_.compared;
    if (fell(type_, older, newer) && !agrees(ours, *now.number, newer.base))
      return verdict_.known.push_back(kKnownFall);
    if (const auto known = ours ? known_below_zero(type_, *ours, newer, *now.number) : std::nullopt)
      return verdict_.known.push_back(*known);
    if (!is_valid) {
      if (ours) found("number's status", number_text(*ours), pdh_status_text(now.number->status));
      return;
    }
    if (!ours) return judge_without_ours(ours.error(), now.number->value);
    if (agrees(ours, *now.number, newer.base)) return judge_range(moment);
    if (const auto known = known_number(type_, *ours, newer, now.number->value))
      return verdict_.known.push_back(*known);
    found(kNumberOfPdhRaw, number_text(*ours), number_text(now.number->value));
  }

  CounterPoint point_at(std::size_t moment) const {
    return point_of(
        type_, *at(moment).raw,
        cell_.time_base.value_or(frequency_of(type_.time_base, at(moment).after->clocks)),
        cell_.widths);
  }

  bool agrees(const CookedPoint& ours, const PdhNumber& pdh, std::uint64_t base) const {
    return ours && is_valid_pdh(pdh.status) &&
           std::abs(*ours - pdh.value) <= tolerance_of(type_, *ours, base);
  }

  void judge_without_ours(NoValue reason, double pdh) {
    if (const auto known = known_without_ours(reason, pdh))
      verdict_.known.push_back(*known);
    else
      found(kNumberOfPdhRaw, without_number(reason), number_text(pdh));
  }

  // Whether a formula's values at the moment can't have been anything else in between.
  bool is_bounded(std::size_t moment) const {
    const CellMoment& now = at(moment);
    if (!now.before || !now.after) return false;
    const bool values_stand = now.before->value == now.after->value;
    const bool bases_stand = now.before->base == now.after->base;
    if (type_.base == BaseKind::kMulti && !bases_stand) return false;
    return grows() || (values_stand && bases_stand);
  }

  void judge_range(std::size_t moment) {
    if (second_value_of(type_) == SecondValue::kNothing) return;  // the raw value says it all
    if (!is_bounded(moment) || (type_.needs_previous && !is_bounded(0))) return;
    const auto points = [](const CellMoment& of) {
      const auto point = [](const OurReading& reading) {
        return CounterPoint{reading.value, reading.base, reading.clocks};
      };
      return std::array{point(*of.before), point(*of.after)};
    };
    const auto newer = points(at(moment));
    const auto older = type_.needs_previous ? points(at(0)) : newer;
    const auto range = range_of(type_, cell_.widths, older, newer);
    if (!range) return;
    ++verdict_.compared;
    const double pdh = at(moment).number->value;
    const double room =
        tolerance_of(type_, std::max(std::abs(range->low), std::abs(range->high)), newer[1].base);
    if (pdh < range->low - room || pdh > range->high + room)
      found("number of the same seconds",
            span_text(number_text(range->low), number_text(range->high)), number_text(pdh));
  }

  const PdhCell& cell_;
  const CounterTypeInfo type_;
  std::array<bool, 2> sound_{};  // whether both sides have values
  CellVerdict verdict_;
};

}  // namespace

CellVerdict judge_cell(const PdhCell& cell) { return CellJudge(cell).run(); }

std::string span_text(const std::string& before, const std::string& after) {
  return before == after ? before : before + " to " + after;
}

}  // namespace winperf
