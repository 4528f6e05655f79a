// The definitions of the exporter's own families: each is defined once, by an OwnFamily. The
// numbers are in a prometheus::Registry (exporter_registry.h), or are those of a state
// (own_metrics.h). Both reach the page as OwnMetrics, which are prometheus-cpp's Collectable.
// Thread rule: any thread.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "exporter/counters/own_counters.h"
#include "exporter/text/page_format.h"
#include "exporter/text/page_selection.h"

namespace winperf {

struct OwnFamily {
  const char* name;
  const char* help;
  prometheus::MetricType type = prometheus::MetricType::Gauge;  // or Counter
  std::array<const char*, 5> label_names{};                     // then null
  bool moves = false;  // without a new sample and new facts, from scrape to scrape

  std::span<const char* const> labels() const {
    return {label_names.begin(), std::ranges::find(label_names, nullptr)};
  }
  bool counts() const { return type == prometheus::MetricType::Counter; }
  constexpr OwnFamily moving() const {
    OwnFamily family = *this;
    family.moves = true;
    return family;
  }
};

// A page has what moves in one place, so that the rest can be kept.
enum class OwnShare : std::uint8_t { kAll, kKept, kMoving };

// Of a metric whose number is one of the exporter's own counters, too.
consteval const char* help_of_row(const char* metric) {
  return own::row_of_metric(metric)->english.help;
}

constexpr OwnFamily own_gauge(const char* name, const char* help,
                              std::array<const char*, 5> labels = {}) {
  return {.name = name, .help = help, .label_names = labels};
}
constexpr OwnFamily own_counter(const char* name, const char* help,
                                std::array<const char*, 5> labels = {}) {
  return {
      .name = name, .help = help, .type = prometheus::MetricType::Counter, .label_names = labels};
}

// With the help of its row.
consteval OwnFamily own_gauge(const char* name) { return own_gauge(name, help_of_row(name)); }
consteval OwnFamily own_counter(const char* name) { return own_counter(name, help_of_row(name)); }

// Labels that several families have, perhaps with a further one.
struct OwnLabels {
  std::array<const char*, 5> names;

  constexpr OwnFamily gauge(const char* name, const char* help,
                            const char* further = nullptr) const {
    OwnFamily family = own_gauge(name, help, names);
    *std::ranges::find(family.label_names, nullptr) = further;
    return family;
  }
  constexpr OwnFamily counter(const char* name, const char* help,
                              const char* further = nullptr) const {
    OwnFamily family = gauge(name, help, further);
    family.type = prometheus::MetricType::Counter;
    return family;
  }
};

// Takes the series of what is selected: family by family, and in the same order each time.
class SeriesSink {
 public:
  explicit SeriesSink(const PageSelection& selection, OwnShare share = OwnShare::kAll)
      : selection_(selection), share_(share) {}
  virtual ~SeriesSink() = default;
  SeriesSink(const SeriesSink&) = delete;
  SeriesSink& operator=(const SeriesSink&) = delete;

  const PageSelection& selection() const { return selection_; }
  bool wants(const OwnFamily& family) const {
    const bool is_in_share =
        share_ == OwnShare::kAll || family.moves == (share_ == OwnShare::kMoving);
    return is_in_share && selection_.has_name(family.name);
  }
  // `labels`: the values of the family's labels; one without data (nullptr) leaves its label out.
  void add(const OwnFamily& family, std::span<const std::string_view> labels, double value) {
    if (wants(family)) take(family, labels, value);
  }
  void add(const OwnFamily& family, std::initializer_list<std::string_view> labels, double value) {
    add(family, std::span(labels.begin(), labels.size()), value);
  }

 private:
  virtual void take(const OwnFamily& family, std::span<const std::string_view> labels,
                    double value) = 0;

  const PageSelection& selection_;
  const OwnShare share_;
};

// The data that it reads must outlive it.
class OwnMetrics final : public prometheus::Collectable {
 public:
  using Visit = std::function<void(SeriesSink&)>;

  // `counts_since`: of all its counters, in seconds since 1970, if that is one moment; OpenMetrics
  // has a place for it.
  explicit OwnMetrics(Visit visit, std::optional<double> counts_since = {})
      : visit_(std::move(visit)), counts_since_(counts_since) {}

  void visit(SeriesSink& sink) const { visit_(sink); }
  std::optional<double> counts_since() const { return counts_since_; }
  std::vector<prometheus::MetricFamily> Collect() const override { return collect({}); }
  // Those that are selected; without families that have no series.
  std::vector<prometheus::MetricFamily> collect(const PageSelection& selection,
                                                OwnShare share = OwnShare::kAll) const;

 private:
  Visit visit_;
  std::optional<double> counts_since_;
};

// A number or a flag, which may be missing.
template <class Value>
constexpr std::optional<double> own_value(const Value& value) {
  return static_cast<double>(value);
}
template <class Value>
constexpr std::optional<double> own_value(const std::optional<Value>& value) {
  return value ? own_value(*value) : std::nullopt;
}

// A number that each item of a list has; it has no series if there is none.
template <class Item>
struct OwnNumber {
  // `read`: a lambda of the item that captures nothing.
  template <class Read>
    requires std::is_empty_v<Read>
  constexpr OwnNumber(const OwnFamily& its, Read)
      : family(its), value([](const Item& item) { return own_value(Read{}(item)); }) {}

  OwnFamily family;
  std::optional<double> (*value)(const Item&);
};

// `numbers`: OwnNumbers. `labels_of(item)`: an array of the values of the labels, which all these
// families have.
void add_numbers(SeriesSink& sink, const auto& numbers, auto&& items, const auto& labels_of) {
  for (const auto& number : numbers) {
    if (!sink.wants(number.family)) continue;
    for (const auto& item : items)
      if (const auto value = number.value(item)) sink.add(number.family, labels_of(item), *value);
  }
}

// Writes what is selected. prometheus-cpp's own serializer neither escapes HELP nor spells NaN as
// the format does; OpenMetrics has a place for the time since when counters count.
void append_own(std::string& out, PageFormat format, const OwnMetrics& metrics,
                const PageSelection& selection = {}, OwnShare share = OwnShare::kAll);

// Most numbers change with each scrape, but the set of series rarely does. So the text around the
// numbers is kept, and Collect() is called again only for an unknown series.
class OwnText {
 public:
  explicit OwnText(PageFormat format, OwnShare share = OwnShare::kAll)
      : format_(format), share_(share) {}

  // `metrics`: the same parts each time. What isn't selected isn't written.
  void append(std::string& out, std::span<const OwnMetrics> metrics,
              const PageSelection& selection);

 private:
  struct Line {
    std::vector<std::string> labels;  // their values
    std::string before;               // the number
    std::string after;
  };
  struct Family {
    std::string name;
    std::string header;
    std::vector<Line> lines;
  };
  class Writer;

  bool append_known(std::string& out, std::span<const OwnMetrics> metrics,
                    const PageSelection& selection) const;
  void collect(std::span<const OwnMetrics> metrics);

  const PageFormat format_;
  const OwnShare share_;
  std::mutex mutex_;
  std::vector<Family> families_;  // in the order in which they are visited, as their lines are
};

}  // namespace winperf
