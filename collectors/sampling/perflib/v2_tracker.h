// Follows one V2 counterset from sample to sample: builds its schema from the registration, reads
// the values of each result, adds up instances where the provider leaves that to the consumer, and
// has them matched and cooked (sample_chain.h). V1Tracker does the same for an object of V1 blocks.
//
// If neither the instances nor the sizes of the values have changed, a sample shares the schema and
// instance set of the previous one. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/catalog/v2_catalog.h"
#include "collectors/model/error.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/known_instances.h"
#include "collectors/sampling/perflib/v2_layout.h"
#include "collectors/sampling/perflib/v2_rows.h"
#include "collectors/sampling/perflib/v2_table.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/sample_chain.h"
#include "collectors/sampling/selected_instances.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf {

class V2Tracker {
 public:
  V2Tracker(std::shared_ptr<const V2Counterset> counterset, Selection selection);

  // `result` answers `request`. The error: the provider isn't running, or the system's code.
  [[nodiscard]] ReadResult update(const v2::ResultView& result, const v2::CounterRequest& request,
                                  const Clocks& clocks);

  // The sample of a counterset that has instances when none of them exists, with the clocks of the
  // last sample.
  [[nodiscard]] std::shared_ptr<const CountersetSample> without_instances();
  bool has_instances() const { return layout_.schema->multi_instance; }

 private:
  // Of a result whose values lie as those of the result before; null if they don't.
  std::shared_ptr<const CountersetSample> sample_of_rows(const v2::ResultView& result,
                                                         const v2::CounterRequest& request);
  void learn_rows(const v2::ResultView& result, const v2::CounterRequest& request);
  bool read_row_instances();
  std::vector<InstanceSchema> all_instances() const;
  const CounterBlocks& selected_blocks();
  void read_column(CountersetSample& sample, std::size_t column, const CounterBlocks& blocks) const;
  void read_own_clocks(CountersetSample& sample, std::size_t column,
                       const CounterBlocks& blocks) const;
  void learn_sizes(const V2Table& table);
  void read_instances(const V2Table& table, const v2::CounterRequest& request);
  std::vector<InstanceSchema> all_instances(const V2Table& table,
                                            const v2::CounterRequest& request) const;
  std::shared_ptr<const CountersetSample> sample_of(const V2Table& table);

  std::shared_ptr<const V2Counterset> counterset_;
  Selection selection_;
  std::map<std::uint32_t, std::uint8_t> sizes_;  // by counter id
  V2Layout layout_;
  V2Aggregate aggregate_;
  V2Rows rows_;
  // Where the parts of a counter are in rows_, in the order of layout_.columns; and the identity.
  struct RowPlaces {
    std::optional<CounterDefinition> value, base, time, frequency;
  };
  std::vector<RowPlaces> places_;
  Identity<CounterDefinition> identity_;
  KnownInstances known_;
  std::vector<std::uint32_t> known_places_;  // of each row, in the list before
  SelectedInstances instances_;
  CounterBlocks some_;  // of the selected rows, if others are left out
  Clocks clocks_;       // of the last result
  SampleChain chain_;
};

}  // namespace winperf
