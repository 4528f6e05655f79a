// Completes samples cell by cell, row by row: what SampleChain is compared with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/model/sample.h"
#include "tests/collectors/sampling/cell_cooker.h"

namespace winperf::by_cell {

struct CellSample {
  std::shared_ptr<const CountersetSchema> schema;
  std::shared_ptr<const InstanceSet> instances;
  Clocks clocks;
  std::vector<Clocks> own_clocks;
  std::vector<std::uint64_t> raw, base, total, base_total;
  std::vector<double> cooked;
  std::vector<NoValue> reason;
  std::optional<std::uint64_t> owner{};

  std::size_t columns() const { return schema->counters.size(); }
  std::size_t rows() const { return schema->multi_instance ? instances->instances.size() : 1; }
  std::size_t cell(std::size_t row, std::size_t column) const { return row * columns() + column; }
  const Clocks& clocks_at(std::size_t cell) const {
    return own_clocks.empty() ? clocks : own_clocks[cell];
  }
};

// A copy of a sample that hasn't been completed.
std::shared_ptr<CellSample> cells_of(const CountersetSample& raw);

class CellChain {
 public:
  std::shared_ptr<const CellSample> append(std::shared_ptr<CellSample> sample, bool cap_percent);

 private:
  std::shared_ptr<const CellSample> previous_;
};

}  // namespace winperf::by_cell
