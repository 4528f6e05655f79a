// A V1 provider with one large object, "Bulk", which costs next to nothing to produce: what a query
// costs is then the cost of everything else. It has 100 instances, and half of the values change
// from one second to the next, as in the shapes of tests/bench.
#pragma once

#include "tests/simulator/machine.h"

namespace winperf::simulator {

inline constexpr std::uint32_t kBulkObject = 4000;
inline constexpr std::size_t kBulkInstances = 100;
// The indices of its names end below those of V2 countersets.
inline constexpr std::size_t kMostBulkValues = 200'000;

class BulkProvider final : public V1Provider {
 public:
  // As many values as `values` has full hundreds; at least 100, at most kMostBulkValues. `machine`
  // outlives the provider.
  BulkProvider(const Machine& machine, std::size_t values);

  std::uint32_t open(const char16_t* device_names) override;
  std::uint32_t collect(std::u16string_view query, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& object_types) override;
  std::uint32_t close() override;
  std::vector<std::pair<std::uint32_t, std::u16string>> names() const override;

 private:
  void move_to(std::int64_t second);

  const Machine& machine_;
  std::size_t counters_;
  testing::ByteVector object_;
  std::vector<std::size_t> offsets_;  // of each instance's first value in it
  std::int64_t second_ = 0;           // of the values, by the machine's clock
};

}  // namespace winperf::simulator
