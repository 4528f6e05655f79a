// What one counter becomes on the metrics page: the name, type and help of a metric family, and how
// its value is computed from the arrays of a sample. Plain data; docs/metrics.md explains the rule.
//
// A family's name is stem + suffix ("winperf_cpu_interrupts" + "_total"), kept in two parts because
// a clash of names is resolved between them. Counters that are parts of one number share a family:
// each has the same name and key, and different labels. Thread rule: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/model/metric_profile.h"
#include "collectors/model/sample.h"
#include "exporter/profiles/profile.h"

namespace winperf {

enum class MetricType : std::uint8_t { kGauge, kCounter };
constexpr std::string_view name_of(MetricType type) {
  return type == MetricType::kCounter ? "counter" : "gauge";
}

// Which array of a CountersetSample holds the value.
enum class ValueSource : std::uint8_t {
  kRaw,        // raw
  kRawDouble,  // raw, as the bits of an IEEE double
  kTotal,      // total
  kBase,       // base
  kBaseTotal,  // base_total
  kRatio,      // raw / base
  kStartTime,  // raw as a point in time: seconds since 1970
  kCooked,     // perfmon's number
  kId,         // 1; raw is the value of the label `id_label`
  kRest,       // base - raw
  kState,      // 1 where raw is `state`, else 0
  kInstances,  // how many instances there are; no counter's
  kConstant,   // `offset`; no counter's
};
constexpr bool is_of_counter(ValueSource source) {
  return source != ValueSource::kInstances && source != ValueSource::kConstant;
}

struct ValueRule {
  std::size_t column = 0;
  ValueSource source = ValueSource::kRaw;
  TimeBase ticks_of =
      TimeBase::kNone;  // divided by this clock's frequency; for kStartTime, its clock
  double factor = 1;    // to the metric's unit
  double offset = 0;    // added after that
  // Another column's number from the same source, and what it does before both: '+' and '-' add and
  // subtract it, ':' says that it has the lower 32 bits.
  std::optional<std::size_t> other{};
  char operation = '+';
  std::uint64_t state = 0;  // of kState
};

// A label whose value is that of a counter, for any metric.
struct ValueLabel {
  std::string name;  // empty: there is none
  std::size_t column = 0;
  bool operator==(const ValueLabel&) const = default;
};

// Of HELP: what a counter is, and which it is.
struct HelpText {
  std::string lead;  // "Time in user mode": a sentence without its full stop
  // The rest of the system's text, and "[Processor\% User Time, PERF_100NSEC_TIMER, 238/142]".
  std::string origin;
};

struct FamilyMapping {
  std::string stem;
  std::string suffix;
  // "Processor\% User Time": identifies the counter, independent of its index. Of a family that
  // counters share: its name.
  std::string key;
  MetricType type = MetricType::kGauge;
  // Whether the name table knows the counter's object or the counter: it keeps its name if others
  // claim the same.
  bool well_known = false;
  HelpText text;
  std::string help;    // how the number was made of the counter's: "running total in bytes"
  std::string labels;  // on each series, as they are written: "mode=\"user\""; may be empty
  ValueLabel value_label{};
  ValueRule value{};
  // Of a metric by another exporter's name, which is never changed: what labels its instances.
  const ProfileBlock* block = nullptr;
};

class CustomBlocks;

struct MappingOptions {
  std::vector<MetricProfile> profiles{MetricProfile::kWinperf};
  bool total_instances = false;  // keep "_Total" in addition to the instances that it sums
  // Values that perfmon shows unchanged, such as sizes, are in all of them.
  MetricValues values = MetricValues::kBoth;
  bool created = false;  // in OpenMetrics, say since when a counter counts, where that is known
  bool exporter = true;  // the page has metrics about the exporter's process and server, too
  PageDetail detail = PageDetail::kFull;
  // With less detail: how many processes there are on the page, and the countersets, as
  // CountersetState::name, that the configuration has chosen instances or metrics of.
  std::size_t leading_processes = 10;
  std::vector<std::string> chosen{};
  // Of all countersets together: one for which there is no room has none.
  std::size_t max_series = 200'000;
  // Metrics by another exporter's names that facts serve, so that counters don't.
  std::vector<std::string_view> of_facts{};
  std::shared_ptr<const CustomBlocks> custom{};  // metrics with configured names; null: none
};

// All families of one object.
struct ObjectMapping {
  std::vector<FamilyMapping> families;
  std::vector<std::string> own_labels;  // the names of those that some families have, each once
  std::size_t unnamed = 0;      // counters that have no name: named by their index, or not shown
  std::size_t not_numeric = 0;  // counters that aren't numbers and have no family
};

// The number that a family shows for one row of a sample. If there is none (missing raw value, no
// base, no clock), the answer is nothing, never 0. So is that for ValueSource::kInstances, which
// isn't about a row. Thread rule: any thread.

// Whole numbers stay whole, because a double holds only 53 bits. An int64_t is below 0.
using MetricValue = std::variant<std::uint64_t, double, std::int64_t>;

std::optional<MetricValue> metric_value(const ValueRule& rule, const CountersetSample& sample,
                                        std::size_t row);

// A column whose numbers are on the page almost as they are in the sample. For the rows with a
// number, metric_value() gives the same one. Thread rule: a view of the sample.
struct PlainColumn {
  enum class Form : std::uint8_t {
    kNone,    // it isn't such a column
    kCount,   // whole numbers
    kSigned,  // the same, in two's complement
    kTicks,   // tenths of a microsecond, for seconds
    kCooked,  // doubles, times `factor`
  };
  Form form = Form::kNone;
  // By row.
  std::span<const std::uint64_t> counts{};
  std::span<const double> cooked{};
  std::span<const NoValue> reasons{};
  double factor = 1;

  bool has_number(std::size_t row) const {
    if (reasons[row] == NoValue::kNone) return true;
    if (form == Form::kCooked) return false;
    return has_raw(reasons[row]) && reasons[row] != NoValue::kMarkedUnknown;
  }
};
PlainColumn plain_column(const ValueRule& rule, const CountersetSample& sample);

// Text as it is written inside quotes and comments of both formats of the page. What isn't UTF-8
// becomes U+FFFD. Source: Prometheus documentation, "Exposition formats"; OpenMetrics 1.0. Thread
// rule: any thread.
void append_escaped(std::string& out, std::string_view text, bool quotes);

// "name=\"value\"", escaped.
void append_label(std::string& out, std::string_view name, std::string_view value);
// The same, after a comma if there are others before it.
void add_label(std::string& labels, std::string_view name, std::string_view value);

// What OpenMetrics calls the family of a metric: the name of a counter without its "_total".
std::string_view family_of(std::string_view name, std::string_view type);

}  // namespace winperf
