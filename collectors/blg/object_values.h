// Collects the values of one object in a sample: instances and counters in the order in which they
// occur, with a cell for each pair.
// Thread rule: one thread. Source: docs/blg.md, "Counters".
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

  // The instance's row, which is added if it doesn't exist yet.
  std::size_t row_of(const InstanceName& instance);
  // `multi_count`: the number of components of a multi counter, if known.
  void put(std::size_t row, const Column& column, const RawValue& value,
           std::optional<std::uint32_t> multi_count);

  // How many cells the object takes.
  std::size_t cells() const;
  // The object in the form of LoggedObject, with at most `max_rows` rows. `time`: the sample's.
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
