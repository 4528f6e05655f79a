#include "exporter/mapping/page_plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/counter_name.h"
#include "exporter/mapping/name_table.h"

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

constexpr std::string_view kCustomHelp = "served under its name in the configuration";

// What windows_exporter treats as a counter, regardless of the number's behaviour.
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
    family->help = kCustomHelp;
    families.push_back(*std::move(family));
  }
  return families;
}

namespace {

MappingContext context_of(const CountersetState& state, const Sample& sample) {
  const std::string_view newer = object_row(state.sample->schema->name).newer;
  const auto is_newer = [&](const CountersetState& other) {
    return other.sample != nullptr && other.machine == state.machine &&
           equal_names(other.sample->schema->name, newer);
  };
  return {.interval = state.interval,
          .newer_is_sampled = !newer.empty() && std::ranges::any_of(sample.countersets, is_newer)};
}

// What the metric is, how it was computed, and the origin of all values. If intervals differ, so
// does the computation.
std::string help_of(const std::vector<const FamilyMapping*>& family) {
  std::string help;
  std::string beginning;
  std::vector<std::string_view> told;
  for (const FamilyMapping* mapping : family) {
    if (std::ranges::find(told, mapping->text.origin) != told.end()) continue;
    if (mapping->block != nullptr && !told.empty()) return help + " And further counters.";
    told.push_back(mapping->text.origin);
    std::string own = mapping->text.lead;
    if (!mapping->help.empty()) own += " (" + mapping->help + ')';
    if (own != beginning) {
      beginning = std::move(own);
      if (!help.empty()) help += ' ';
      help += beginning + '.';
    }
    help += ' ' + mapping->text.origin;
  }
  return help;
}

void find_repeats(std::vector<FamilySource>& sources) {
  for (FamilySource& source : sources)
    source.may_repeat = std::ranges::count(sources, source.labels, &FamilySource::labels) > 1;
}

bool lacks_total(const std::string& name) { return !name.ends_with("_total"); }

// The object's families by the names of all profiles that are wanted.
ObjectMapping map_all(const CountersetSchema& schema, const MappingOptions& options,
                      const MappingContext& context, const CustomBlocks::Block* custom) {
  ObjectMapping mapping = map_object(schema, options, context);
  const auto& profiles = options.profiles;
  if (std::ranges::find(profiles, MetricProfile::kWinperf) == profiles.end())
    mapping.families.clear();
  const auto is_of_facts = [&](const FamilyMapping& family) {
    return std::ranges::find(options.of_facts, family.stem) != options.of_facts.end();
  };
  for (const MetricProfile profile : profiles) {
    auto families = map_profile(schema, profile);
    std::erase_if(families, is_of_facts);
    std::ranges::move(families, std::back_inserter(mapping.families));
  }
  if (custom != nullptr)
    std::ranges::move(map_custom(schema, *custom), std::back_inserter(mapping.families));
  return mapping;
}

}  // namespace

const PagePlan& Mapper::plan(const Sample& sample) {
  std::vector<Wanted> wanted;
  for (const CountersetState& state : sample.countersets)
    wanted.emplace_back(state.sample ? state.sample->schema.get() : nullptr, state.interval);
  if (wanted == planned_) return plan_;
  planned_ = std::move(wanted);
  map_objects(sample);
  build_plan();
  return plan_;
}

// Keeps the mappings of known schemas, and forgets schemas that no counterset has any more.
void Mapper::map_objects(const Sample& sample) {
  std::unordered_map<const CountersetSchema*, CachedObject> current;
  plan_.objects.clear();
  for (const CountersetState& state : sample.countersets) {
    if (state.sample == nullptr) {
      plan_.objects.push_back(nullptr);
      continue;
    }
    const auto& schema = state.sample->schema;
    CachedObject& object = current[schema.get()];
    const CustomBlocks::Block* const custom =
        options_.custom ? options_.custom->find(state.name) : nullptr;
    // Countersets may share a schema, but not what the configuration says about one of them.
    if (object.mapping == nullptr || object.custom != custom) {
      const MappingContext context = context_of(state, sample);
      const auto known = cache_.find(schema.get());
      if (known != cache_.end() && known->second.context == context &&
          known->second.custom == custom)
        object = known->second;
      else
        object = {
            schema, context, custom,
            std::make_shared<const ObjectMapping>(map_all(*schema, options_, context, custom))};
    }
    plan_.objects.push_back(object.mapping);
  }
  cache_ = std::move(current);
}

void Mapper::build_plan() {
  std::vector<const FamilyMapping*> families;
  std::vector<std::size_t> counterset_of;
  for (std::size_t i = 0; i < plan_.objects.size(); ++i) {
    if (plan_.objects[i] == nullptr) continue;
    for (const FamilyMapping& family : plan_.objects[i]->families) {
      families.push_back(&family);
      counterset_of.push_back(i);
    }
  }
  const std::vector<std::string> names = resolve_name_clashes(families);

  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < families.size(); ++i) by_name[names[i]].push_back(i);
  ++plan_.number;
  plan_.families.clear();
  plan_.row_sets.clear();
  for (const auto& [name, members] : by_name) {
    PageFamily& family = plan_.families.emplace_back();
    std::vector<const FamilyMapping*> mappings;
    for (const std::size_t member : members) {
      const FamilyMapping& mapping = *mappings.emplace_back(families[member]);
      const RowSet rows{counterset_of[member], mapping.block, !is_of_counter(mapping.value.source)};
      family.sources.push_back(
          {row_set(rows), mapping.labels, mapping.value_label, mapping.value, false});
    }
    family.name = name;
    family.help = help_of(mappings);
    family.type = mappings.front()->type;
    family.is_unknown = family.type == MetricType::kCounter && mappings.front()->block != nullptr &&
                        (lacks_total(name) || by_name.contains(name.substr(0, name.rfind('_'))));
    find_repeats(family.sources);
  }
}

std::size_t Mapper::row_set(const RowSet& wanted) {
  const auto found = std::ranges::find(plan_.row_sets, wanted);
  const auto position = static_cast<std::size_t>(found - plan_.row_sets.begin());
  if (found == plan_.row_sets.end()) plan_.row_sets.push_back(wanted);
  return position;
}

}  // namespace winperf
