#include "exporter/text/open_metrics_form.h"

#include <algorithm>
#include <array>

#include "exporter/text/exposition.h"

namespace winperf {
namespace {

constexpr std::string_view kCreated = "_created";

// The numbers that the format has for such a series.
bool fits(TextfileType type, const TextfileSeries& series) {
  const auto& steps = series.steps;
  switch (type) {
    case TextfileType::kCounter:
      return series.value >= 0;
    case TextfileType::kHistogram:
      return series.sum.value_or(-1) >= 0 && (steps.empty() || steps.begin()->first >= 0);
    case TextfileType::kSummary:
      return series.sum.value_or(0) >= 0 && std::ranges::all_of(steps, [](const auto& step) {
               return step.first >= 0 && step.first <= 1 && !(step.second < 0);
             });
    case TextfileType::kUntyped:
    case TextfileType::kGauge:
      break;
  }
  return true;
}

bool is_plain(TextfileType type) {
  return type == TextfileType::kGauge || type == TextfileType::kUntyped;
}

bool has_all(const TextfileFamily& family, const TextfileFamily& labels_of) {
  return std::ranges::all_of(
      labels_of.series, [&](const auto& series) { return family.series.contains(series.first); });
}

}  // namespace

bool OpenMetricsForms::is_occupied(std::string_view name) const {
  return families_.contains(name) || is_taken_(name);
}

OpenMetricsForm OpenMetricsForms::form_of(std::string_view name,
                                          const TextfileFamily& family) const {
  constexpr OpenMetricsForm kUnknown{.is_unknown = true};
  if (family.type == TextfileType::kUntyped) return kUnknown;
  if (family.type == TextfileType::kGauge) return {};
  if (family.type == TextfileType::kCounter) {
    const std::string_view stem = family_of(name, "counter");
    if (stem.empty() || stem == name || is_occupied(stem)) return kUnknown;
    name = stem;
  }
  const bool is_sound = std::ranges::all_of(
      family.series, [&](const auto& series) { return fits(family.type, series.second); });
  if (!is_sound) return kUnknown;
  const std::string created_name = std::string(name).append(kCreated);
  if (!is_occupied(created_name)) return {};
  const auto created = families_.find(created_name);
  const bool is_its_own = created != families_.end() && !is_taken_(created_name) &&
                          is_plain(created->second.type) && has_all(family, created->second);
  return is_its_own ? OpenMetricsForm{.created = &created->second} : kUnknown;
}

bool OpenMetricsForms::is_created_of_another(std::string_view name) const {
  if (!name.ends_with(kCreated)) return false;
  const std::string stem(name.substr(0, name.size() - kCreated.size()));
  const auto created = families_.find(name);
  return std::ranges::any_of(std::array{stem, stem + "_total"}, [&](const std::string& owner) {
    const auto found = families_.find(owner);
    return found != families_.end() && created != families_.end() &&
           !has_name(owner, found->second.type, is_taken_) &&
           form_of(owner, found->second).created == &created->second;
  });
}

bool has_name(std::string_view name, TextfileType type,
              const std::function<bool(std::string_view)>& is_one) {
  return is_one(name) ||
         (is_composed(type) && std::ranges::any_of(kLineKinds, [&](LineKind kind) {
            return has_lines(type, kind) && is_one(std::string(name).append(suffix_of(kind)));
          }));
}

}  // namespace winperf
