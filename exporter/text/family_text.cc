#include "exporter/text/family_text.h"

namespace winperf {
namespace {

LabelEnds ends_of(const std::string& labels) {
  if (labels.empty()) return {};
  return {.after_labels = ',' + labels + "} ", .alone = '{' + labels + "} "};
}

FamilyText text_of(const PageFamily& family, PageFormat format) {
  const bool is_unknown = family.is_unknown && format == PageFormat::kOpenMetrics;
  FamilyText text{.header = {},
                  .has_created = format == PageFormat::kOpenMetrics && !is_unknown &&
                                 family.type == MetricType::kCounter};
  for (const FamilySource& source : family.sources) text.ends.push_back(ends_of(source.labels));
  append_header(text.header, format, family.name, family.help,
                is_unknown ? "unknown" : name_of(family.type));
  return text;
}

}  // namespace

const std::vector<FamilyText>& FamilyTexts::of(const PagePlan& plan) {
  if (number_ == plan.number) return texts_;
  texts_.clear();
  texts_.reserve(plan.families.size());
  for (const PageFamily& family : plan.families) texts_.push_back(text_of(family, format_));
  number_ = plan.number;
  return texts_;
}

}  // namespace winperf
