#include "exporter/mapping/family.h"

#include <algorithm>
#include <bit>

#include "collectors/base/utf8.h"

namespace winperf {
namespace {

std::optional<Frequency> frequency_of(TimeBase clock, const Clocks& clocks) {
  Frequency frequency;
  if (clock == TimeBase::kPerf) frequency = clocks.perf_frequency;
  if (clock == TimeBase::k100ns) frequency = k100nsFrequency;
  if (clock == TimeBase::kObject) frequency = clocks.object_frequency;
  if (!frequency.valid()) return std::nullopt;
  return frequency;
}

std::int64_t now_of(TimeBase clock, const Clocks& clocks) {
  if (clock == TimeBase::kPerf) return clocks.perf_time.ticks;
  if (clock == TimeBase::k100ns) return clocks.time_100ns.ticks;
  return clocks.object_time.ticks;
}

double unix_seconds(double ticks_100ns) {
  return (ticks_100ns - static_cast<double>(kUnixEpoch100ns)) / 1e7;
}

// An object clock of 10 MHz that agrees with the wall clock to within a day counts from 1601, as
// the wall clock does. The frequency alone doesn't tell: many machines' performance counter has the
// same.
bool is_wall_clock(TimeBase clock, const Clocks& clocks) {
  constexpr double kDay = 86400e7;
  if (clock == TimeBase::k100ns) return true;
  if (clock != TimeBase::kObject || clocks.object_frequency != k100nsFrequency) return false;
  const double difference =
      static_cast<double>(clocks.object_time.ticks) - static_cast<double>(clocks.time_100ns.ticks);
  return difference > -kDay && difference < kDay;
}

// The exact microsecond: a double of 100 ns ticks since 1601 would be off by several of them.
double exact_unix_seconds(std::uint64_t ticks_100ns) {
  const auto ticks = static_cast<std::int64_t>(ticks_100ns);
  return ticks < 0 ? unix_seconds(static_cast<double>(ticks_100ns))
                   : static_cast<double>(ticks - kUnixEpoch100ns) / 1e7;
}

std::optional<MetricValue> start_time(TimeBase clock, std::uint64_t started, const Clocks& clocks) {
  if (started == 0) return std::nullopt;
  if (is_wall_clock(clock, clocks)) return exact_unix_seconds(started);
  const auto frequency = frequency_of(clock, clocks);
  if (!frequency) return std::nullopt;
  const double elapsed =
      (static_cast<double>(now_of(clock, clocks)) - static_cast<double>(started)) /
      static_cast<double>(frequency->ticks_per_second);
  return unix_seconds(static_cast<double>(clocks.time_100ns.ticks)) - elapsed;
}

template <class Number>  // a whole one
std::optional<MetricValue> scaled(Number value, const ValueRule& rule, const Clocks& clocks) {
  if (rule.ticks_of == TimeBase::kNone) {
    if (rule.factor == 1) return value;
    return static_cast<double>(value) * rule.factor;
  }
  const auto frequency = frequency_of(rule.ticks_of, clocks);
  if (!frequency) return std::nullopt;
  return static_cast<double>(value) / static_cast<double>(frequency->ticks_per_second) *
         rule.factor;
}

double as_double(const MetricValue& value) {
  return std::visit([](auto number) { return static_cast<double>(number); }, value);
}

// Whole numbers are added as such.
MetricValue combined(const MetricValue& first, const MetricValue& second, char operation) {
  const auto* const a = std::get_if<std::uint64_t>(&first);
  const auto* const b = std::get_if<std::uint64_t>(&second);
  const bool are_whole = a != nullptr && b != nullptr;
  if (operation == '-') return as_double(first) - as_double(second);
  if (operation == ':' && are_whole) return *a << 32U | (*b & 0xFFFF'FFFFU);
  if (are_whole) return *a + *b;
  return as_double(first) + as_double(second);
}

// With the sign of the counter's numbers.
std::optional<MetricValue> scaled_count(std::uint64_t value, const CounterTypeInfo& type,
                                        const CounterSchema& counter, const ValueRule& rule,
                                        const Clocks& clocks) {
  const auto negative = negative_of(type, counter.reading, value, counter.size);
  return negative ? scaled(*negative, rule, clocks) : scaled(value, rule, clocks);
}

// Of one column.
std::optional<MetricValue> value_in(std::size_t column, const ValueRule& rule,
                                    const CountersetSample& sample, std::size_t row) {
  const std::size_t cell = sample.cell(row, column);
  const NoValue reason = sample.reason[cell];
  if (!has_raw(reason) || reason == NoValue::kMarkedUnknown) return std::nullopt;
  const CounterSchema& counter = sample.schema->counters[column];
  const CounterTypeInfo& type = sample.layout->columns[column].type;
  const Clocks& clocks = sample.clocks_at(cell);
  switch (rule.source) {
    case ValueSource::kRaw:
      return scaled_count(sample.raw[cell], type, counter, rule, clocks);
    case ValueSource::kRawDouble:
      return std::bit_cast<double>(sample.raw[cell]) * rule.factor;
    case ValueSource::kTotal:
      return scaled_count(sample.total_at(cell), type, counter, rule, clocks);
    case ValueSource::kBase:
      if (reason == NoValue::kNoBase) return std::nullopt;
      return scaled(sample.base_at(cell), rule, clocks);
    case ValueSource::kBaseTotal:
      if (reason == NoValue::kNoBase) return std::nullopt;
      return scaled(sample.base_total_at(cell), rule, clocks);
    case ValueSource::kRatio:
      if (reason == NoValue::kNoBase || sample.base_at(cell) == 0) return std::nullopt;
      return static_cast<double>(sample.raw[cell]) / static_cast<double>(sample.base_at(cell)) *
             rule.factor;
    case ValueSource::kStartTime:
      return start_time(rule.ticks_of, sample.raw[cell], clocks);
    case ValueSource::kCooked:
      if (reason != NoValue::kNone) return std::nullopt;
      return sample.cooked[cell] * rule.factor;
    case ValueSource::kId:
      return std::uint64_t{1};
    case ValueSource::kRest:
      if (reason == NoValue::kNoBase) return std::nullopt;
      return (static_cast<double>(sample.base_at(cell)) - static_cast<double>(sample.raw[cell])) *
             rule.factor;
    case ValueSource::kState:
      return std::uint64_t{sample.raw[cell] == rule.state};
    case ValueSource::kInstances:
    case ValueSource::kConstant:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<MetricValue> metric_value(const ValueRule& rule, const CountersetSample& sample,
                                        std::size_t row) {
  if (rule.source == ValueSource::kConstant) return rule.offset;
  if (!is_of_counter(rule.source)) return std::nullopt;
  auto value = value_in(rule.column, rule, sample, row);
  if (value && rule.other) {
    const auto other = value_in(*rule.other, rule, sample, row);
    if (!other) return std::nullopt;
    value = combined(*value, *other, rule.operation);
  }
  if (value && rule.offset != 0) value = as_double(*value) + rule.offset;
  return value;
}

namespace {

using Form = PlainColumn::Form;

Form form_of_counts(const ValueRule& rule, const CountersetSample& sample) {
  const CounterSchema& counter = sample.schema->counters[rule.column];
  if (rule.factor != 1) return Form::kNone;
  const CounterTypeInfo& type = sample.layout->columns[rule.column].type;
  const bool is_signed = winperf::is_signed(type, counter.reading, counter.size);
  if (rule.ticks_of == TimeBase::kNone) {
    if (!is_signed) return Form::kCount;
    return counter.size == sizeof(std::int64_t) ? Form::kSigned : Form::kNone;
  }
  const bool are_ticks = !is_signed && sample.own_clocks.empty() &&
                         frequency_of(rule.ticks_of, sample.clocks) == k100nsFrequency;
  return are_ticks ? Form::kTicks : Form::kNone;
}

}  // namespace

PlainColumn plain_column(const ValueRule& rule, const CountersetSample& sample) {
  PlainColumn column;
  if (!is_of_counter(rule.source) || rule.other || rule.offset != 0) return column;
  const std::size_t rows = sample.rows();
  const std::size_t first = rule.column * rows;
  if (rule.source == ValueSource::kRaw || rule.source == ValueSource::kTotal) {
    column.form = form_of_counts(rule, sample);
    column.counts = std::span(sample.raw).subspan(first, rows);
    const std::uint32_t total = sample.layout->columns[rule.column].total;
    if (rule.source == ValueSource::kTotal && total != SampleLayout::kNone)
      column.counts = sample.more_column(total);
  } else if (rule.source == ValueSource::kCooked) {
    column.form = Form::kCooked;
    column.cooked = std::span(sample.cooked).subspan(first, rows);
    column.factor = rule.factor;
  }
  column.reasons = std::span(sample.reason).subspan(first, rows);
  return column;
}

namespace {

// Most texts have no other characters, so that they are copied at once.
constexpr bool is_written_as_it_is(char c) {
  return c != '\\' && c != '"' && c != '\n' && static_cast<unsigned char>(c) < 0x80;
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, bool quotes) {
  while (true) {
    const auto plain = static_cast<std::size_t>(
        std::ranges::find_if_not(text, is_written_as_it_is) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Utf8Step step = next_character(text);
    const char c = text.front();
    if (!step.valid) {
      out += kReplacementCharacter;
    } else if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (quotes && c == '"') {
      out += "\\\"";
    } else {
      out += text.substr(0, step.bytes);
    }
    text.remove_prefix(step.bytes);
  }
}

void append_label(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += "=\"";
  append_escaped(out, value, true);
  out += '"';
}

void add_label(std::string& labels, std::string_view name, std::string_view value) {
  if (!labels.empty()) labels += ',';
  append_label(labels, name, value);
}

std::string_view family_of(std::string_view name, std::string_view type) {
  constexpr std::string_view kCounterEnd = "_total";
  if (type == "counter" && name.ends_with(kCounterEnd)) name.remove_suffix(kCounterEnd.size());
  return name;
}

}  // namespace winperf
