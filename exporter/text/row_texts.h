// The labels of a sample's rows, as they are written on the page.
//
// They are kept from sample to sample while schemas and instances stay the same. Thread rule: one
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/page_plan.h"

namespace winperf {

struct RowText {
  std::size_t row = 0;            // in the sample's arrays
  std::string text = " ";         // between a name and a number: "{volume=\"C:\"} ", or a blank
  std::optional<double> started;  // when the instance was, in seconds since 1970

  RowText(std::size_t its_row, const std::string& labels) : row(its_row) {
    if (!labels.empty()) text = '{' + labels + "} ";
  }
  // "{volume=\"C:\"", and the same without the brace; empty if it has no labels.
  std::string_view open_labels() const {
    return std::string_view(text).substr(0, text.size() < 2 ? 0 : text.size() - 2);
  }
  std::string_view labels() const { return open_labels().substr(text.size() < 2 ? 0 : 1); }
};

// Of one row set.
struct RowTexts {
  std::shared_ptr<const CountersetSchema> schema;  // both keep the key's addresses in use
  std::shared_ptr<const InstanceSet> instances;
  std::vector<RowText> rows;
  // Of another exporter's names: instances for which they have no place (ProfileRows).
  std::uint64_t unplaced = 0;
  std::uint64_t instance_count = 0;  // of the row set that serves all instances
  std::size_t text_bytes = 0;        // of all rows
};

class RowTextCache {
 public:
  explicit RowTextCache(const MappingOptions& options) : options_(options) {}

  // By row set of the plan; null for countersets without a sample, and for those that are stale.
  // `stale`: by counterset; empty: none.
  using Selected = std::vector<std::shared_ptr<const RowTexts>>;
  const Selected& select(const Sample& sample, const PagePlan& plan,
                         const std::vector<bool>& stale);

 private:
  std::shared_ptr<const RowTexts> known(const RowSet& wanted, const CountersetSample& sample) const;

  MappingOptions options_;
  std::vector<RowSet> sets_;  // of the plan before
  Selected rows_;
};

}  // namespace winperf
