// What the lines of a page have besides its numbers, in one format: kept from sample to sample
// while the plan stays the same, so that HELP texts and labels are escaped once. Thread rule: one
// thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exporter/mapping/page_plan.h"
#include "exporter/text/page_format.h"

namespace winperf {

// What follows the labels of a row, with the blank before the number, in a family that has labels.
struct LabelEnds {
  std::string after_labels;  // ",mode=\"user\"} "
  std::string alone;         // the same if the row has none: "{mode=\"user\"} "

  bool has_labels() const { return !alone.empty(); }
};

struct FamilyText {
  std::string header;
  std::vector<LabelEnds> ends{};  // by source; without labels whose values are a counter's
  bool has_created = false;       // its series may say since when they count
};

class FamilyTexts {
 public:
  explicit FamilyTexts(PageFormat format) : format_(format) {}

  // In the order of the plan's families.
  const std::vector<FamilyText>& of(const PagePlan& plan);

 private:
  PageFormat format_;
  std::optional<std::uint64_t> number_;  // of the plan
  std::vector<FamilyText> texts_;
};

}  // namespace winperf
