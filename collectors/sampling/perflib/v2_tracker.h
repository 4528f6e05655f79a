// Follows one V2 counterset from sample to sample: builds its schema from the registration, reads
// the values of each result, adds instances up where that is the consumer's part, and has them
// matched and cooked (sample_chain.h).
//
// When neither the instances nor the sizes of the values have changed, schema and instance set of
// the previous sample are shared. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collectors/catalog/v2_catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/perflib/v2_aggregate.h"
#include "collectors/sampling/perflib/v2_layout.h"
#include "collectors/sampling/perflib/v2_table.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/sample_chain.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf {

class V2Tracker {
 public:
  V2Tracker(std::shared_ptr<const V2Counterset> counterset, Selection selection);

  // `request`: what the result answers. Problems are appended. The error says why there is no
  // sample: the provider is not running, or the system's reason.
  std::expected<std::shared_ptr<const CountersetSample>, Error> update(
      const v2::ResultView& result, const v2::CounterRequest& request, const Clocks& clocks,
      std::vector<Error>& problems);

  // The sample of a counterset with instances of which none is there, on the clocks of the last
  // one.
  std::shared_ptr<const CountersetSample> without_instances();
  bool has_instances() const { return layout_.schema->multi_instance; }

 private:
  void learn_sizes(const V2Table& table);
  void read_instances(const V2Table& table, const v2::CounterRequest& request);
  std::vector<InstanceSchema> all_instances(const V2Table& table,
                                            const v2::CounterRequest& request) const;
  std::vector<std::byte> fingerprint_of(const V2Table& table) const;

  std::shared_ptr<const V2Counterset> counterset_;
  Selection selection_;
  std::map<std::uint32_t, std::uint8_t> sizes_;  // by counter id
  V2Layout layout_;
  V2Aggregate aggregate_;
  std::vector<std::byte> fingerprint_;   // of the rows that set_ was built from
  std::vector<std::uint32_t> selected_;  // positions in the table of the rows of set_
  std::shared_ptr<const InstanceSet> set_ = std::make_shared<InstanceSet>();
  Clocks clocks_;  // of the last result
  SampleChain chain_;
};

}  // namespace winperf
