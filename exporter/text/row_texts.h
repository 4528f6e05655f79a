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
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/page_plan.h"

namespace winperf {

struct RowText {
  std::size_t row = 0;            // in the sample's arrays
  std::string labels;             // "volume=\"C:\""; may be empty
  std::optional<double> started;  // when the instance was, in seconds since 1970
};

// Of one row set.
struct RowTexts {
  std::shared_ptr<const CountersetSchema> schema;  // both keep the key's addresses in use
  std::shared_ptr<const InstanceSet> instances;
  std::vector<RowText> rows;
  // Of another exporter's names: instances for which they have no place (ProfileRows).
  std::uint64_t unplaced = 0;
  std::uint64_t instance_count = 0;  // of the row set that serves all instances
  std::size_t label_bytes = 0;       // of all rows
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
