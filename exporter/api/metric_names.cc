#include "exporter/api/metric_names.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "exporter/text/page_format.h"

namespace winperf::api {
namespace {

constexpr std::string_view kPlaceOfLabels = "$labels";

MappingOptions with_full_detail(MappingOptions options) {
  options.detail = PageDetail::kFull;
  return options;
}

bool is_base(ValueSource source) {
  return source == ValueSource::kBase || source == ValueSource::kBaseTotal;
}

// The series of an instance.
std::string series_of(const std::string& name) {
  return name + '{' + std::string(kPlaceOfLabels) + '}';
}

std::string of_total(const CounterTypeInfo& type, const std::string& series,
                     const std::string& base) {
  const std::string rate = "rate(" + series + "[5m])";
  const std::string percent = type.percent ? "100 * " : "";
  switch (type.formula) {
    case Formula::kDelta:
      return "increase(" + series + "[5m])";
    case Formula::kTimer:
    case Formula::kPrecision:
      return "100 * " + rate;
    case Formula::kTimerInverse:
      return "100 * (1 - " + rate + ')';
    case Formula::kMultiTimer:
      return base.empty() ? "" : "100 * " + rate + " / " + base;
    case Formula::kMultiTimerInverse:
      return base.empty() ? "" : "100 * (" + base + " - " + rate + ')';
    case Formula::kSampleFraction:
    case Formula::kAverageTimer:
    case Formula::kAverageBulk:
      return base.empty() ? "" : percent + rate + " / rate(" + base + "[5m])";
    default:
      return rate;
  }
}

// `base`: the series of the counter's base; empty if it has none.
std::string promql_of(const CounterTypeInfo& type, const ValueRule& value, MetricType metric,
                      const std::string& series, const std::string& base) {
  if (is_base(value.source)) return {};
  if (value.source == ValueSource::kStartTime) return "time() - " + series;
  if (value.source == ValueSource::kRatio) return (type.percent ? "100 * " : "") + series;
  return metric == MetricType::kCounter ? of_total(type, series, base) : series;
}

// A family's source of the counterset, and what tells it from others.
struct Found {
  const PageFamily* family = nullptr;
  const FamilySource* source = nullptr;

  auto key() const {
    return std::tuple(std::string_view(family->name), source->value.column,
                      std::string_view(source->labels));
  }
};

std::vector<Found> sources_of(const PagePlan& plan, std::size_t place) {
  std::vector<Found> found;
  for (const PageFamily& family : plan.families)
    for (const FamilySource& source : family.sources)
      if (plan.row_sets[source.rows].counterset == place && is_of_counter(source.value.source))
        found.push_back({&family, &source});
  return found;
}

// The series of the base that belongs to a metric: of the same counter, by the same table of names.
std::string base_of(const std::vector<Found>& all, const Found& one) {
  const auto base = std::ranges::find_if(all, [&](const Found& other) {
    return is_base(other.source->value.source) &&
           other.source->value.column == one.source->value.column &&
           other.source->rows == one.source->rows;
  });
  return base == all.end() ? std::string() : series_of(base->family->name);
}

}  // namespace

MetricNames::MetricNames(const MappingOptions& options)
    : page_(options), full_(with_full_detail(options)), rows_(options) {}

std::vector<std::vector<NamedMetric>> MetricNames::of(const Sample& sample, std::size_t place) {
  const CountersetSchema& schema = *sample.countersets[place].sample->schema;
  std::vector<std::vector<NamedMetric>> names(schema.counters.size());
  const std::lock_guard lock(mutex_);
  std::set<decltype(Found().key())> on_page;
  for (const Found& found : sources_of(page_.plan(sample), place)) on_page.insert(found.key());
  const PagePlan& plan = full_.plan(sample);
  const auto& rows = rows_.select(sample, plan, {});
  const auto all = sources_of(plan, place);
  for (const Found& found : all) {
    const PageFamily& family = *found.family;
    const std::size_t column = found.source->value.column;
    const auto& labelled = rows[found.source->rows];
    names[column].push_back(
        {.name = family.name,
         .type = family.type,
         .unit = std::string(unit_of(family_of(family.name, name_of(family.type)))),
         .labels = found.source->labels,
         .on_page = on_page.contains(found.key()),
         .promql = promql_of(schema.counters[column].info(), found.source->value, family.type,
                             series_of(family.name), base_of(all, found)),
         .rows = labelled == nullptr ? std::vector<RowText>() : labelled->rows});
  }
  return names;
}

std::string with_labels(const NamedMetric& metric, std::string_view labels) {
  std::string all(labels);
  if (!metric.labels.empty()) all += (all.empty() ? "" : ",") + metric.labels;
  const std::string place = '{' + std::string(kPlaceOfLabels) + '}';
  std::string text = metric.promql;
  for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos;) {
    const std::string shown = all.empty() ? "" : '{' + all + '}';
    text.replace(at, place.size(), shown);
    at += shown.size();
  }
  return text;
}

}  // namespace winperf::api
