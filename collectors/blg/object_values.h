// Puts the values of one object of a sample together: instances and counters in the order in which
// they come, with a cell for each pair of them.
// Thread rule: one thread. Source: docs/blg.md, "Values".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collectors/blg/log_layout.h"
#include "collectors/blg/sample_record.h"
#include "collectors/model/sample.h"

namespace winperf::blg {

class ObjectValues {
 public:
  using Column = LogLayout::Entry::Column;

  explicit ObjectValues(std::shared_ptr<const CountersetSchema> schema)
      : schema_(std::move(schema)) {}

  // The row of the instance, which is there from now on.
  std::size_t row_of(const InstanceName& instance);
  // `multi_count` is the number of components of a counter that has several, where it is known.
  void put(std::size_t row, const Column& column, const RawValue& value,
           std::optional<std::uint32_t> multi_count);

  // The cells that they take.
  std::size_t cells() const;
  // The object, as LoggedObject has it, with no more than the first rows. `time` is the sample's.
  std::shared_ptr<const CountersetSample> finish(Ticks100ns time, std::size_t max_rows) const;
  const CountersetSchema& schema() const { return *schema_; }

 private:
  struct Placed {
    std::size_t row;
    Column column;
    RawValue value;
    std::optional<std::uint32_t> multi_count;
  };

  std::shared_ptr<const CountersetSchema> schema_;
  std::vector<InstanceName> rows_;
  std::unordered_map<std::string, std::size_t> row_by_key_;
  std::vector<Placed> values_;
};

}  // namespace winperf::blg
