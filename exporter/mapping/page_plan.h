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
#include <utility>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/mapping/object_mapping.h"

namespace winperf {

// The values of one family from one counter of one counterset of the sample.
struct FamilySource {
  std::size_t counterset = 0;  // position in Sample::countersets
  std::string labels;          // on each series, beside those of the instance; may be empty
  std::string id_label;        // of a ValueSource::kId
  ValueRule value;
  bool may_repeat = false;  // another source may have the same series
};

// A family has several sources if counters share it, or if several countersets request the same
// object; of their series with equal labels, the first one counts.
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
    MappingContext context;
    std::shared_ptr<const ObjectMapping> mapping;
  };
  // What a plan is built for.
  using Wanted = std::pair<const CountersetSchema*, std::chrono::milliseconds>;

  void map_objects(const Sample& sample);
  void build_plan();

  MappingOptions options_;
  std::unordered_map<const CountersetSchema*, CachedObject> cache_;
  std::vector<Wanted> planned_;
  PagePlan plan_;
};

}  // namespace winperf
