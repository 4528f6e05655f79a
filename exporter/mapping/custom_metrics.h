// Metrics whose names the configuration chooses, as blocks of rows like those of another exporter's
// names. Thread rule: any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/metric_profile.h"
#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// Of one counterset.
struct CustomObject {
  std::string counterset;  // as CountersetState::name
  std::string instance_label = "instance";
  bool total_instances = false;
  std::vector<CustomMetric> metrics{};
};

// Never changed, so that the blocks keep their places. Mappings refer to them.
class CustomBlocks {
 public:
  explicit CustomBlocks(std::vector<CustomObject> objects);
  CustomBlocks(const CustomBlocks&) = delete;
  CustomBlocks& operator=(const CustomBlocks&) = delete;
  ~CustomBlocks();

  struct Block;
  // Null if the counterset has none.
  const Block* find(std::string_view counterset) const;

 private:
  std::vector<std::unique_ptr<Block>> blocks_;
};

// A metric whose counter the counterset lacks has no family.
std::vector<FamilyMapping> map_custom(const CountersetSchema& schema,
                                      const CustomBlocks::Block& block);

}  // namespace winperf
