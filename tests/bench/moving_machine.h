// A machine of a shape whose values move: its answers on both paths, second by second. Thread rule:
// one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/catalog/v2_catalog.h"
#include "collectors/model/clock.h"
#include "tests/bench/shapes.h"
#include "tests/simulator/definitions.h"
#include "tests/support/block_builder.h"

namespace winperf::testing {

class MovingMachine {
 public:
  // `churn`: how many of a hundred instances are replaced by others each second.
  MovingMachine(Shape shape, unsigned churn);

  // A second passes, in which half of the values change.
  void advance();

  const Shape& shape() const { return shape_; }
  // The names of all objects and counters.
  Catalog catalog() const;
  // The block with all objects.
  BuiltBlock block() const;
  // The counterset of each object, its result, and the clocks of all results.
  std::vector<std::shared_ptr<const V2Counterset>> countersets() const;
  std::vector<ByteVector> results() const;
  Clocks clocks() const;

 private:
  struct Object {
    simulator::CountersetDefinition definition;
    std::vector<simulator::InstanceValues> rows;  // one if there are no instances
    std::size_t next_replaced = 0;
  };

  simulator::InstanceValues new_row(const ObjectShape& shape, std::size_t place);
  void replace(const ObjectShape& shape, Object& object);
  void move(const ObjectShape& shape, Object& object) const;

  Shape shape_;
  unsigned churn_;
  std::vector<Object> objects_;  // in the order of the shape
  std::uint32_t last_id_ = 0;
  std::uint32_t second_ = 0;
};

}  // namespace winperf::testing
