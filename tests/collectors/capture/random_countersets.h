// Samples of a random counterset, as one of the two interfaces could deliver it: counters of all
// types, processes and threads, parents, duplicate names, names in any script, missing values.
// Seeded, so that a failure can be repeated. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sampling/sample_chain.h"
#include "collectors/sampling/selected_instances.h"

namespace winperf::testing {

class RandomCounterset {
 public:
  RandomCounterset(unsigned seed, std::uint32_t number, bool is_v2, bool with_resets)
      : random_(seed), number_(number), is_v2_(is_v2), with_resets_(with_resets) {
    has_processes_ = one_in(2);
    has_threads_ = has_processes_ && one_in(2);
    has_owners_ = !has_processes_ && one_in(2);
    new_schema();
  }

  std::string name() const { return "Müll " + std::to_string(number_) + " \u03A9\u4E2D"; }

  std::shared_ptr<const CountersetSample> next(std::int64_t second) {
    if (step_ % 40 == 39) new_schema();
    ++step_;
    if (set_ == nullptr || one_in(4)) new_instances();
    auto sample = std::make_shared<CountersetSample>();
    prepare(*sample, schema_, layout_of(*schema_), schema_->multi_instance ? set_ : empty_,
            {.perf_time = {second * 1'000 + 3},
             .perf_frequency = {1'000},
             .time_100ns = {second * kTicks100nsPerSecond + 5}});
    if (!is_v2_) sample->clocks.object_time = {second * 10}, sample->clocks.object_frequency = {10};
    if (is_v2_ && has_own_clocks_) set_own_clocks(*sample, second);
    if (!schema_->multi_instance && has_owners_) sample->owner = 7;
    for (std::size_t row = 0; row < sample->rows(); ++row) fill(*sample, row);
    return chain_.append(std::move(sample), {});
  }

 private:
  static constexpr const char* kIdName = "ID Process";

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool one_in(std::size_t count) { return below(count) == 0; }

  static CounterType base_for(BaseKind kind) {
    switch (kind) {
      case BaseKind::kSample:
        return CounterType{0x40030401};
      case BaseKind::kAverage:
        return CounterType{0x40030402};
      case BaseKind::kMulti:
        return CounterType{0x42030500};
      default:
        return CounterType{0x40030403};
    }
  }

  // After a reload, for example: other counters of the same ones.
  void new_schema() {
    if (all_.counters.empty()) first_schema();
    auto schema = std::make_shared<CountersetSchema>(all_);
    std::erase_if(schema->counters, [&](const CounterSchema&) { return one_in(4); });
    if (schema->counters.empty()) schema->counters.push_back(all_.counters.front());
    read_by_names(*schema);
    schema_ = std::move(schema);
  }

  void first_schema() {
    all_.path = is_v2_ ? CounterPath::kPerflib : CounterPath::kRegistry;
    if (is_v2_)
      all_.guid = Guid{{static_cast<std::uint8_t>(number_ + 1), 9}};
    else
      all_.index = ObjectIndex{2'000 + 2 * number_},
      all_.help_index = HelpIndex{2'001 + 2 * number_};
    all_.name = name();
    all_.help = "What it is, \u00E9";
    all_.detail_level = 100 + number_;
    all_.multi_instance = !one_in(4);
    has_own_clocks_ = one_in(2);
    const auto types = known_counter_types();
    for (std::uint32_t i = 0; i < 14; ++i) add_counter(types[below(types.size())], i);
    if (has_processes_ && one_in(2)) add_id(kIdName, 784);
  }

  void add_counter(const CounterTypeInfo& info, std::uint32_t i) {
    // A base without a counter would belong to the one before it.
    // The start of a process is that of the instance.
    if (info.is_base || (has_processes_ && info.formula == Formula::kElapsed)) return;
    CounterSchema& counter = all_.counters.emplace_back();
    counter.index = CounterIndex{is_v2_ ? i + 1 : 3'000 + 100 * number_ + 2 * i};
    counter.name = "Größe \u03A9 " + std::to_string(i);
    if (one_in(2)) {
      counter.help = "Help " + std::to_string(i);
      if (!is_v2_) counter.help_index = HelpIndex{3'001 + 100 * number_ + 2 * i};
    }
    counter.type = info.type;
    counter.size = info.raw_bytes != 0 ? info.raw_bytes : 4;
    counter.default_scale = static_cast<std::int32_t>(below(7)) - 3;
    counter.detail_level = 100 * static_cast<std::uint32_t>(below(4));
    counter.has_base = info.base != BaseKind::kNone && !one_in(6);
    if (!counter.has_base) return;
    counter.base_type = base_for(info.base);
    counter.base_size = describe(counter.base_type).raw_bytes;
  }

  void add_id(const std::string& name, std::uint32_t index) {
    CounterSchema& counter = all_.counters.emplace_back();
    counter.index = CounterIndex{index};
    counter.name = name;
    counter.type = CounterType{0x00010000};
    counter.size = 4;
  }

  void new_instances() {
    constexpr std::array kNames{
        "svchost", "データ", "Ünïcode", "C:", "a/b#1", "0,1", "łódź (2)", "_Total"};
    std::vector<InstanceSchema> instances =
        set_ == nullptr ? std::vector<InstanceSchema>() : set_->instances;
    if (one_in(3)) std::ranges::shuffle(instances, random_);
    while (!instances.empty() && one_in(2))
      instances.erase(instances.begin() + static_cast<std::ptrdiff_t>(below(instances.size())));
    while (instances.size() < 5 || one_in(2)) instances.push_back(new_instance(kNames[below(8)]));
    std::vector<std::uint64_t> hashes;
    for (std::uint32_t row = 0; row < instances.size(); ++row) {
      instances[row].ordinal = row;
      hashes.push_back(name_hash(instances[row]));
    }
    number_duplicates(instances, hashes);
    auto set = std::make_shared<InstanceSet>();
    set->instances = std::move(instances);
    set_ = std::move(set);
  }

  InstanceSchema new_instance(const std::string& name) {
    InstanceSchema instance;
    instance.name = name;
    ++born_;
    if (is_v2_ || one_in(2)) instance.unique_id = static_cast<std::uint32_t>(born_);
    if (!is_v2_ && one_in(3)) instance.parent = one_in(2) ? "mother" : "père";
    if (has_owners_) instance.owner = 10 + below(3);
    if (has_processes_) {
      const bool is_idle = one_in(5);
      instance.process_id = is_idle ? 0 : 4 * born_;
      if (has_threads_) instance.thread_id = 4 * born_ + 1;
      if (!is_idle) instance.started = 1'000'000 + born_;
    }
    return instance;
  }

  void set_own_clocks(CountersetSample& sample, std::int64_t second) {
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      const CounterTypeInfo info = sample.schema->counters[column].info();
      const bool lacks_base =
          info.base != BaseKind::kNone && !sample.schema->counters[column].has_base;
      const bool has_clock = info.time_base == TimeBase::kObject && !lacks_base;
      for (std::size_t row = 0; row < sample.rows(); ++row) {
        Clocks& clocks = sample.own_clocks.emplace_back(sample.clocks);
        if (!has_clock) continue;
        clocks.object_time = {second * 10 + static_cast<std::int64_t>(row)};
        clocks.object_frequency = {10};
      }
    }
  }

  std::uint64_t value_of_counter(const CounterSchema& counter, std::uint32_t bytes) {
    std::uint64_t value =
        0x1000 + static_cast<std::uint64_t>(step_) * 40 + below(40) + value_of(counter.index) % 7;
    if (with_resets_) value += 0xFFFF'F000U;
    if (with_resets_ && one_in(40)) value = below(100);
    if (bytes == 8 && one_in(3)) value += std::uint64_t{1} << 40U;
    return bytes == 4 ? value & 0xFFFF'FFFFU : value;
  }

  // A V1 block may end before the last counters; PerfLib delivers any of them or not.
  void fill(CountersetSample& sample, std::size_t row) {
    const std::size_t end = !is_v2_ && one_in(10) ? below(sample.columns()) : sample.columns();
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      const CounterSchema& counter = sample.schema->counters[column];
      const std::size_t cell = sample.cell(row, column);
      sample.raw[cell] = 0;
      const auto bases = sample.more_column(sample.layout->columns[column].base);
      if (!bases.empty()) bases[row] = 0;
      if (counter.name == kIdName) {
        sample.raw[cell] = id_in(sample, row);
      } else if (!is_numeric(counter.type)) {
        sample.reason[cell] = NoValue::kNotNumeric;
      } else if (column >= end) {
        sample.reason[cell] = NoValue::kOutOfBlock;
      } else if (is_v2_ && one_in(20)) {
        sample.reason[cell] = one_in(2) ? NoValue::kNotDelivered : NoValue::kBadSize;
      } else {
        fill_cell(sample, row, counter, cell, bases);
      }
    }
  }

  void fill_cell(CountersetSample& sample, std::size_t row, const CounterSchema& counter,
                 std::size_t cell, std::span<std::uint64_t> bases) {
    sample.raw[cell] =
        counter.name == "ID Process" ? id_in(sample, row) : value_of_counter(counter, counter.size);
    if (bases.empty()) return;
    if (is_v2_ && one_in(20))
      sample.reason[cell] = NoValue::kNoBase;
    else
      bases[row] = value_of_counter(counter, counter.base_size);
  }

  std::uint64_t id_in(const CountersetSample& sample, std::size_t row) const {
    if (!sample.schema->multi_instance) return sample.owner.value_or(0);
    return sample.instances->instances[row].process_id.value_or(0);
  }

  std::mt19937 random_;
  std::uint32_t number_;
  bool is_v2_;
  bool with_resets_;
  bool has_processes_ = false;
  bool has_threads_ = false;
  bool has_owners_ = false;
  bool has_own_clocks_ = false;
  CountersetSchema all_;
  std::shared_ptr<const CountersetSchema> schema_;
  std::shared_ptr<const InstanceSet> set_;
  std::shared_ptr<const InstanceSet> empty_ = std::make_shared<InstanceSet>();
  std::uint64_t born_ = 0;
  std::size_t step_ = 0;
  SampleChain chain_;
};

}  // namespace winperf::testing
