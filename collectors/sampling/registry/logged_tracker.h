// Follows one object of a log of counters from sample to sample: takes the selected part of its
// values, distinguishes processes and threads by the ids in the log, and has them matched and
// cooked (sample_chain.h). V1Tracker does the same for an object of a V1 block.
//
// As long as the log's schema and instances stay the same, those of the previous sample are shared.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/sample_chain.h"
#include "collectors/sampling/selected_instances.h"

namespace winperf {

class LoggedTracker {
 public:
  // `logged`: LoggedObject::values.
  [[nodiscard]] std::shared_ptr<const CountersetSample> update(
      const std::shared_ptr<const CountersetSample>& logged, const Selection& selection);

 private:
  // Columns of the log's schema.
  struct Layout {
    std::shared_ptr<const CountersetSchema> logged;
    std::shared_ptr<const CountersetSchema> schema;  // of the selected counters
    std::shared_ptr<const SampleLayout> layout;      // of `schema`
    std::vector<std::size_t> columns;                // in the order of `schema`
    Identity<std::size_t> identity;
  };

  void build_layout(std::shared_ptr<const CountersetSchema> logged, const Selection& selection);
  void select_instances(const CountersetSample& logged, const Selection& selection);

  Layout layout_;
  std::shared_ptr<const InstanceSet> logged_instances_;  // that instances_ were selected from
  std::vector<RawIdentity> identities_;                  // of them, if they have identity counters
  SelectedInstances instances_;
  SampleChain chain_;
};

}  // namespace winperf
