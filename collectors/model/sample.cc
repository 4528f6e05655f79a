#include "collectors/model/sample.h"

#include "collectors/base/ascii.h"

namespace winperf {

bool has_counter(const CountersetSchema& schema, std::string_view name) {
  return std::ranges::any_of(schema.counters, [&](const CounterSchema& counter) {
    return equal_names(counter.name, name);
  });
}

void read_by_names(CountersetSchema& schema) {
  for (CounterSchema& counter : schema.counters)
    counter.reading = reading_of(schema.name, counter.name, counter.size);
}

namespace {

// Memory that was needed for a much larger sample is given back.
template <class Cell>
void fit(std::vector<Cell>& cells, std::size_t count) {
  constexpr std::size_t kFew = 4096;
  if (cells.capacity() > kFew && cells.capacity() / 4 > count) std::vector<Cell>().swap(cells);
  cells.resize(count);
}

// A total of 8 bytes always equals the raw value: it doesn't wrap, and starts again from it after a
// reset.
bool has_own_total(const CounterTypeInfo& type, std::uint32_t bytes) {
  return type.exposition == Exposition::kCounter && bytes == sizeof(std::uint32_t);
}

}  // namespace

std::shared_ptr<const SampleLayout> layout_of(const CountersetSchema& schema) {
  auto layout = std::make_shared<SampleLayout>();
  layout->columns.reserve(schema.counters.size());
  for (const CounterSchema& counter : schema.counters) {
    SampleLayout::Column& column = layout->columns.emplace_back();
    column.type = counter.info();
    const bool is_summed = column.type.formula == Formula::kDelta;
    if (is_summed || has_own_total(column.type, counter.size)) column.total = layout->more++;
    if (!counter.has_base) continue;
    column.base = layout->more++;
    if (has_own_total(column.type, counter.base_size)) column.base_total = layout->more++;
  }
  return layout;
}

void prepare(CountersetSample& sample, std::shared_ptr<const CountersetSchema> schema,
             std::shared_ptr<const SampleLayout> layout,
             std::shared_ptr<const InstanceSet> instances, const Clocks& clocks) {
  sample.schema = std::move(schema);
  sample.layout = std::move(layout);
  sample.instances = std::move(instances);
  sample.clocks = clocks;
  fit(sample.own_clocks, 0);
  sample.owner.reset();
  sample.instances_left_out = 0;
  sample.damage.reset();
  const std::size_t cells = sample.rows() * sample.columns();
  fit(sample.raw, cells);
  fit(sample.cooked, cells);
  fit(sample.reason, cells);
  std::ranges::fill(sample.reason, NoValue::kNone);
  fit(sample.more, sample.rows() * sample.layout->more);
}

std::optional<std::int64_t> negative_of(const CounterSchema& counter, std::uint64_t raw) {
  return negative_of(counter.info(), counter.reading, raw, counter.size);
}

std::string raw_text(const CounterSchema& counter, std::uint64_t raw) {
  const auto negative = negative_of(counter, raw);
  return negative ? std::to_string(*negative) : std::to_string(raw);
}

bool is_called(const CounterSchema& counter, std::string_view name) {
  return equal_names(counter.name, name) ||
         (!counter.local_name.empty() && equal_names(counter.local_name, name));
}

bool is_idle(const InstanceSchema& instance) {
  const std::string_view process = instance.parent.empty() ? instance.name : instance.parent;
  return instance.process_id == 0 && (equal_names(process, "Idle") || process == "Idle:0");
}

bool is_total(const InstanceSchema& instance) {
  constexpr std::string_view kTotal = "_Total";
  const std::string_view name = instance.name;
  if (equal_names(name, kTotal) || equal_names(instance.parent, kTotal)) return true;
  const std::size_t comma = name.find(',');
  const bool has_two_parts = comma != std::string_view::npos && comma == name.rfind(',');
  return has_two_parts && (equal_names(name.substr(0, comma), kTotal) ||
                           equal_names(name.substr(comma + 1), kTotal));
}

std::string display_name(const InstanceSchema& instance) {
  std::string text;
  if (!instance.parent.empty()) text = instance.parent + '/';
  text += instance.name;
  if (instance.duplicate != 0) text += '#' + std::to_string(instance.duplicate);
  return text;
}

std::string describe_failure(const CountersetState& state) {
  if (!state.error) return "was not read yet";
  std::string text = describe(*state.error);
  if (!state.nearest.empty()) text += "; did you mean \"" + state.nearest + "\"?";
  return text;
}

}  // namespace winperf
