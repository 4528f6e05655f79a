#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

#include <utility>

namespace winperf::testing {

std::vector<std::uint32_t> metric_types() {
  std::vector<std::uint32_t> types;
  for (const CounterTypeInfo& info : known_counter_types()) {
    if (info.exposition != Exposition::kNone) types.push_back(value_of(info.type));
  }
  return types;
}

CounterSchema counter(std::string name, std::uint32_t type, std::uint32_t index) {
  CounterSchema schema;
  schema.index = CounterIndex{index};
  schema.name = std::move(name);
  schema.help = "What it is.";
  schema.type = CounterType{type};
  schema.size = 8;
  schema.has_base = schema.info().base != BaseKind::kNone;
  if (schema.has_base) schema.base_type = CounterType{0x40030402};
  schema.base_size = schema.has_base ? 8 : 0;
  return schema;
}

CountersetSchema object(std::string name, std::vector<CounterSchema> counters, bool multi_instance,
                        std::uint32_t index) {
  CountersetSchema schema;
  schema.index = ObjectIndex{index};
  schema.name = std::move(name);
  schema.multi_instance = multi_instance;
  schema.counters = std::move(counters);
  return schema;
}

InstanceSchema instance(std::string name, std::uint32_t ordinal, std::uint32_t duplicate) {
  InstanceSchema schema;
  schema.name = std::move(name);
  schema.ordinal = ordinal;
  schema.duplicate = duplicate;
  return schema;
}

CountersetSample values(CountersetSchema schema, std::vector<InstanceSchema> instances) {
  CountersetSample sample;
  auto counters = std::make_shared<const CountersetSchema>(std::move(schema));
  auto layout = layout_of(*counters);
  prepare(sample, std::move(counters), std::move(layout),
          std::make_shared<const InstanceSet>(InstanceSet{std::move(instances)}),
          {.perf_frequency = Frequency{1000}, .time_100ns = kSampledAt});
  give_all_arrays(sample);
  return sample;
}

CountersetState state(std::string name, CountersetSample sample) {
  CountersetState result;
  result.name = std::move(name);
  result.sample = std::make_shared<const CountersetSample>(std::move(sample));
  result.success = true;
  result.duration_seconds = 0.25;
  result.bytes = 4096;
  result.sampled_at = {kTaken, kSampledAt};
  result.stale_after = std::chrono::seconds(10);
  result.attempts = 3;
  result.failures = 1;
  return result;
}

std::shared_ptr<Sample> sample(std::uint64_t sequence, std::vector<CountersetState> states) {
  auto result = std::make_shared<Sample>();
  result->sequence = sequence;
  result->published_at = kSampledAt;
  result->countersets = std::move(states);
  return result;
}

std::shared_ptr<Sample> typical_sample(std::uint64_t sequence) {
  CountersetSample processor = values(object("Processor",
                                             {counter("% Processor Time", k100nsTimerInverse, 6),
                                              counter("Interrupts/sec", kCounterCounter, 148)},
                                             true, 238),
                                      {instance("0", 0), instance("1", 1), instance("_Total", 2)});
  processor.raw =
      by_rows<std::uint64_t>(processor, {25'000'000, 7, 10'000'000, 9007199254740993, 1, 2});
  std::ranges::copy(processor.raw, totals(processor).begin());
  processor.cooked = by_rows<double>(processor, {75, 1.5, 50, 2.5, 0, 0});
  CountersetSample memory = values(object(
      "Memory",
      {counter("Available Bytes", kLargeRawCount, 24), counter("Page Faults/sec", kBulkCount, 28)},
      false, 4));
  memory.raw = {18446744073709551614U, 12};
  set_rows(memory, totals(memory), memory.raw);
  memory.reason = {NoValue::kNone, NoValue::kFirstSample};
  auto result = sample(sequence, {state("Processor", processor), state("Memory", memory)});
  Error last;
  last.code = ErrorCode::kTruncated;
  result->problems.push_back({"Processor", ErrorCode::kTruncated, 2, last});
  return result;
}

}  // namespace winperf::testing
