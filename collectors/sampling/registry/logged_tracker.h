// Follows one object of a log of counters from sample to sample: takes what is selected of its
// values, tells processes and threads apart by the ids that the log has, and has them matched and
// cooked (sample_chain.h).
//
// Instances are selected by their name without perfmon's "#1", as everywhere else: a log has it in
// the name. As long as the log's schema and instances stay the same, those of the previous sample
// are shared. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/sample_chain.h"

namespace winperf {

// The name of an instance that filters are applied to.
std::string_view name_to_select(const CountersetSchema& schema, const InstanceSchema& instance);

class LoggedTracker {
 public:
  // `logged` as LoggedObject has it.
  std::shared_ptr<const CountersetSample> update(
      const std::shared_ptr<const CountersetSample>& logged, const Selection& selection);

 private:
  // Columns of the log's schema.
  struct Layout {
    std::shared_ptr<const CountersetSchema> logged;
    std::shared_ptr<const CountersetSchema> schema;  // of what is selected
    std::vector<std::size_t> columns;                // in the order of `schema`
    std::optional<std::size_t> process_id, thread_id, started;
  };

  void build_layout(std::shared_ptr<const CountersetSchema> logged, const Selection& selection);
  // The rows that are selected; set_ are their instances.
  std::vector<std::size_t> select_rows(const CountersetSample& logged, const Selection& selection);
  InstanceSchema identified(const CountersetSample& logged, std::size_t row) const;

  Layout layout_;
  std::shared_ptr<const InstanceSet> set_ = std::make_shared<InstanceSet>();
  SampleChain chain_;
};

}  // namespace winperf
