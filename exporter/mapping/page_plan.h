// The layout of the metrics page: which families it has, in which order, and where their values
// are.
//
// A Mapper keeps what it derived from a schema while samples refer to that schema, so that a sample
// with known schemas costs no mapping at all. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/mapping/instance_labels.h"

namespace winperf {

// The values of one family from one counterset of the sample.
struct FamilySource {
  std::size_t counterset = 0;  // position in Sample::countersets
  ValueRule value;
};

// A family has several sources if several countersets request the same object; of their series with
// equal labels, the first one counts.
struct PageFamily {
  std::string name;
  std::string help;
  MetricType type = MetricType::kGauge;
  std::vector<FamilySource> sources;
};

struct PagePlan {
  std::vector<PageFamily> families;                           // sorted by name, each name once
  std::vector<std::shared_ptr<const ObjectMapping>> objects;  // by counterset; null without sample
};

class Mapper {
 public:
  explicit Mapper(MappingOptions options) : options_(options) {}

  // Valid until the next call.
  const PagePlan& plan(const Sample& sample);

 private:
  struct CachedObject {
    std::shared_ptr<const CountersetSchema> schema;  // keeps the key's address in use
    std::shared_ptr<const ObjectMapping> mapping;
  };

  void map_objects(const Sample& sample);
  void build_plan();

  MappingOptions options_;
  std::unordered_map<const CountersetSchema*, CachedObject> cache_;
  std::vector<const CountersetSchema*> planned_;  // what plan_ was built for
  PagePlan plan_;
};

}  // namespace winperf
