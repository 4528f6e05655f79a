// The layout of the metrics page: which families it has, in which order, and where their values
// are.
//
// A Mapper keeps what it derived from a schema while samples refer to that schema, so that a sample
// with known schemas costs no mapping at all. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collectors/model/metric_profile.h"
#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"
#include "exporter/mapping/object_mapping.h"

namespace winperf {

// Metrics whose names the configuration chooses, as blocks of rows like those of another exporter's
// names. Thread rule: any thread.

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

// The labelled rows of one counterset of the sample, which many families share.
struct RowSet {
  std::size_t counterset = 0;           // position in Sample::countersets
  const ProfileBlock* block = nullptr;  // what labels them; null: the object's own rule
  bool is_whole = false;                // one row without labels serves all instances
  bool operator==(const RowSet&) const = default;
};

// The values of one family from one counter of one counterset of the sample.
struct FamilySource {
  std::size_t rows = 0;    // position in PagePlan::row_sets
  std::string labels;      // on each series, in addition to those of the instance; may be empty
  ValueLabel value_label;  // one more
  ValueRule value;
  bool may_repeat = false;  // another source may have the same series
};

// A family has several sources if counters share it, or if several countersets request the same
// object; of their series with equal labels, the first one counts.
struct PageFamily {
  std::string name;
  std::string help;
  MetricType type = MetricType::kGauge;
  // In OpenMetrics, where a counter must end in _total, and nothing else may have the rest of its
  // name: a counter by another exporter's name, of which this isn't true.
  bool is_unknown = false;
  std::vector<FamilySource> sources;
};

struct PagePlan {
  std::uint64_t number = 0;          // another one for each plan of a Mapper
  std::vector<PageFamily> families;  // sorted by name, each name once
  std::vector<RowSet> row_sets;      // each once
  std::vector<std::shared_ptr<const ObjectMapping>> objects;  // by counterset; null without sample
};

class Mapper {
 public:
  explicit Mapper(MappingOptions options) : options_(std::move(options)) {}

  // Valid until the next call.
  const PagePlan& plan(const Sample& sample);

 private:
  struct CachedObject {
    std::shared_ptr<const CountersetSchema> schema;  // keeps the key's address in use
    MappingContext context;
    const CustomBlocks::Block* custom = nullptr;
    std::shared_ptr<const ObjectMapping> mapping;
  };
  // What a plan is built for.
  using Wanted = std::pair<const CountersetSchema*, std::chrono::milliseconds>;

  void map_objects(const Sample& sample);
  void build_plan();
  std::size_t row_set(const RowSet& wanted);

  MappingOptions options_;
  std::unordered_map<const CountersetSchema*, CachedObject> cache_;
  std::vector<Wanted> planned_;
  PagePlan plan_;
};

}  // namespace winperf
