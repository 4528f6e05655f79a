// Samples of random counters whose instances come, go, change places and start anew, with wraps,
// resets, missing values and bases, and clocks that stand still or run back. Seeded, so that a
// failure can be repeated. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/sampling/raw_sample.h"

namespace winperf::testing {

class RandomSamples {
 public:
  explicit RandomSamples(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool one_in(std::size_t count) { return below(count) == 0; }

  void new_schema() {
    auto schema = std::make_shared<CountersetSchema>();
    schema->multi_instance = !one_in(8);
    const auto types = known_counter_types();
    for (std::size_t i = below(12); i < 12; ++i) {
      CounterSchema& counter = schema->counters.emplace_back();
      counter.index = CounterIndex{static_cast<std::uint32_t>(below(20))};
      counter.name = "c" + std::to_string(schema->counters.size() - 1);
      counter.type = types[below(types.size())].type;
      const CounterTypeInfo info = counter.info();
      counter.size = one_in(6) ? 4 + 4 * static_cast<std::uint32_t>(below(2))
                               : std::max<std::uint32_t>(4, info.raw_bytes);
      counter.has_base = info.base != BaseKind::kNone ? !one_in(10) : one_in(10);
      if (counter.has_base) counter.base_size = one_in(2) ? 4 : 8;
      if (one_in(5)) counter.reading.is_signed = true;
      if (one_in(5)) counter.reading.unknown = {7, 0xFFFF'FFFF};
    }
    schema_ = std::move(schema);
    has_own_clocks_ = one_in(4);
  }

  void new_instances() {
    if (one_in(3)) std::ranges::shuffle(names_, random_);
    while (!names_.empty() && one_in(2)) names_.erase(names_.begin() + below_size());
    while (names_.size() < 6 || one_in(2)) names_.push_back("i" + std::to_string(below(15)));
    auto set = std::make_shared<InstanceSet>();
    for (const std::string& name : names_) {
      InstanceSchema& instance = set->instances.emplace_back();
      instance.name = name;
      if (one_in(4)) instance.owner = below(3);
    }
    set_ = std::move(set);
  }

  std::shared_ptr<CountersetSample> next() {
    if (schema_ == nullptr || one_in(12)) new_schema();
    if (set_ == nullptr || one_in(4)) new_instances();
    if (!one_in(15)) now_ += static_cast<std::int64_t>(below(4)) - one_in(20) * 3;
    auto sample = make_raw_sample(schema_, set_, at_second(now_));
    if (one_in(10)) sample->clocks.perf_frequency = {0};
    if (has_own_clocks_)
      for (std::size_t cell = 0; cell < sample->reason.size(); ++cell)
        sample->own_clocks.push_back(at_second(now_ + static_cast<std::int64_t>(below(3))));
    if (one_in(4)) sample->owner = below(3);
    for (std::size_t column = 0; column < sample->columns(); ++column) fill(*sample, column);
    return sample;
  }

 private:
  std::ptrdiff_t below_size() { return static_cast<std::ptrdiff_t>(below(names_.size())); }

  // Mostly growing, near the end of 32 bits, now and then near another limit, and anything.
  std::uint64_t number(std::uint32_t bytes) {
    std::uint64_t value = 0xFFFF'FF00U + static_cast<std::uint64_t>(step_) * 40 + below(60);
    if (one_in(12)) value = below(100);
    if (one_in(20)) value = (std::uint64_t{random_()} << 32U) | random_();
    if (one_in(40)) value = (std::uint64_t{1} << 52U) - 50 + below(100);
    if (one_in(40)) value = ~std::uint64_t{0} - below(60);
    return bytes == 4 ? value & 0xFFFF'FFFFU : value;
  }

  void fill(CountersetSample& sample, std::size_t column) {
    ++step_;
    const CounterSchema& counter = sample.schema->counters[column];
    const auto bases = sample.more_column(sample.layout->columns[column].base);
    for (std::size_t row = 0; row < sample.rows(); ++row) {
      const std::size_t cell = sample.cell(row, column);
      if (one_in(25)) {
        sample.reason[cell] = one_in(2) ? NoValue::kOutOfBlock : NoValue::kNotNumeric;
        continue;
      }
      sample.raw[cell] = number(counter.size);
      if (bases.empty()) continue;
      if (one_in(15))
        sample.reason[cell] = NoValue::kNoBase;
      else
        bases[row] = number(counter.base_size);
    }
  }

  std::mt19937 random_;
  std::shared_ptr<const CountersetSchema> schema_;
  std::shared_ptr<const InstanceSet> set_;
  std::vector<std::string> names_;
  bool has_own_clocks_ = false;
  std::int64_t now_ = 1'000;
  std::size_t step_ = 0;
};

}  // namespace winperf::testing
