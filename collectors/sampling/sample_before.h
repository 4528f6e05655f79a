// The sample before, as the current one continues it: with the current instances in their order,
// and the place of each current counter. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/selected_instances.h"

namespace winperf {

// What a sample has before it is cooked, column by column. Lifetime: that of the sample.
struct RawSample {
  const SampleLayout* layout = nullptr;
  std::size_t rows = 0;
  const Clocks* clocks = nullptr;
  std::span<const std::uint64_t> raw;
  std::span<const std::uint64_t> more;
  std::span<const NoValue> reason;
  std::span<const Clocks> own_clocks;

  static RawSample of(const CountersetSample& sample);
  RawColumn column(std::size_t column) const;
  // A column of CountersetSample::more; empty if `column` is SampleLayout::kNone.
  std::span<const std::uint64_t> more_column(std::uint32_t column) const;
};

class SampleBefore {
 public:
  void set(std::shared_ptr<const CountersetSample> sample) { sample_ = std::move(sample); }
  const std::shared_ptr<const CountersetSample>& get() const { return sample_; }

  // Finds out what `now` continues. `instances`: whose set() it has; null: not known.
  void match(const CountersetSample& now, const SelectedInstances* instances);

  // Where a counter of `now` is.
  struct Place {
    std::uint32_t column = SampleLayout::kNone;  // kNone: nowhere
    bool type_changed = false;                   // the counter is there, but with another type
  };
  Place place_of(std::size_t column) const;
  // Only if place_of() of a counter has a column. A row that is new has the reason kNotDelivered.
  const RawSample& rows() const { return *matched_; }

 private:
  void give_memory_back();

  std::shared_ptr<const CountersetSample> sample_;
  std::optional<RawSample> matched_;  // empty: no row continues
  bool same_columns_ = false;         // each counter is where it was
  std::vector<Place> places_;         // otherwise
  // Of matched_, if instances have come, gone or moved.
  std::vector<std::uint64_t> raw_;
  std::vector<std::uint64_t> more_;
  std::vector<NoValue> reason_;
  std::vector<Clocks> own_clocks_;
};

}  // namespace winperf
