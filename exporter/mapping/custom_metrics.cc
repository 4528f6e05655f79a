#include "exporter/mapping/custom_metrics.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "exporter/mapping/family.h"
#include "exporter/mapping/object_mapping.h"

namespace winperf {

struct CustomBlocks::Block {
  CustomObject object;
  std::string instance;        // "{instance}"
  std::string_view instances;  // the same
  std::vector<std::string> labels;
  std::vector<ProfileRow> rows;
  ProfileBlock block{};
};

namespace {

constexpr std::string_view kHelp = "Under the name that the configuration gives it.";

// What windows_exporter takes for a counter, whatever the number does.
bool only_grows(std::uint32_t type) {
  constexpr std::uint32_t kTypes[] = {0x00400400,   // PERF_COUNTER_DELTA
                                      0x10410400,   // PERF_COUNTER_COUNTER
                                      0x10410500,   // PERF_COUNTER_BULK_COUNT
                                      0x20510500,   // PERF_100NSEC_TIMER
                                      0x20570500,   // PERF_PRECISION_100NS_TIMER
                                      0x21510500};  // PERF_100NSEC_TIMER_INV
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}
constexpr std::uint32_t kInverseTimer = 0x21510500;

std::unique_ptr<CustomBlocks::Block> block_of(CustomObject object) {
  auto made = std::make_unique<CustomBlocks::Block>();
  CustomBlocks::Block& block = *made;
  block.object = std::move(object);
  block.instance = '{' + block.object.instance_label + '}';
  block.instances = block.instance;
  for (const CustomMetric& metric : block.object.metrics) {
    std::string& text = block.labels.emplace_back();
    for (const FixedLabel& label : metric.labels) add_label(text, label.name, label.value);
  }
  for (std::size_t i = 0; i < block.object.metrics.size(); ++i) {
    const CustomMetric& metric = block.object.metrics[i];
    ProfileRow& row = block.rows.emplace_back();
    row.metric = metric.name;
    row.is_counter = metric.type == CustomType::kCounter;
    row.counter = metric.counter;
    row.value =
        metric.value == CustomValue::kCooked ? ProfileValue::kCooked : ProfileValue::kAsRead;
    row.labels = block.labels[i];
  }
  block.block.instances = {&block.instances, 1};
  block.block.total_instances = block.object.total_instances;
  block.block.rows = block.rows;
  return made;
}

}  // namespace

CustomBlocks::CustomBlocks(std::vector<CustomObject> objects) {
  for (CustomObject& object : objects) blocks_.push_back(block_of(std::move(object)));
}

CustomBlocks::~CustomBlocks() = default;

const CustomBlocks::Block* CustomBlocks::find(std::string_view counterset) const {
  const auto found = std::ranges::find_if(
      blocks_, [&](const auto& block) { return block->object.counterset == counterset; });
  return found == blocks_.end() ? nullptr : found->get();
}

std::vector<FamilyMapping> map_custom(const CountersetSchema& schema,
                                      const CustomBlocks::Block& block) {
  std::vector<FamilyMapping> families;
  for (std::size_t i = 0; i < block.rows.size(); ++i) {
    auto family = map_row(schema, block.block, block.rows[i]);
    if (!family) continue;
    const std::uint32_t type = value_of(schema.counters[family->value.column].type);
    // As windows_exporter has it: neither in seconds nor of what is used.
    if (type == kInverseTimer && family->value.source != ValueSource::kCooked)
      family->value.ticks_of = TimeBase::kNone;
    const CustomMetric& metric = block.object.metrics[i];
    if (metric.type == CustomType::kByCounter && metric.value == CustomValue::kRaw)
      family->type = only_grows(type) ? MetricType::kCounter : MetricType::kGauge;
    family->help = kHelp;
    families.push_back(*std::move(family));
  }
  return families;
}

}  // namespace winperf
