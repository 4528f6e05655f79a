// Random samples: each cell is what it is if it is completed alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "collectors/sampling/known_instances.h"
#include "collectors/sampling/sample_chain.h"
#include "collectors/sampling/selected_instances.h"
#include "tests/collectors/sampling/cell_chain.h"
#include "tests/collectors/sampling/random_samples.h"

namespace winperf {
namespace {

using testing::RandomSamples;

void expect_same(const CountersetSample& ours, const by_cell::CellSample& expected) {
  for (std::size_t row = 0; row < ours.rows(); ++row) {
    for (std::size_t column = 0; column < ours.columns(); ++column) {
      const std::size_t cell = ours.cell(row, column);
      const std::size_t by = expected.cell(row, column);
      SCOPED_TRACE(to_string(ours.schema->counters[column].type) + ", row " + std::to_string(row));
      ASSERT_EQ(name_of(ours.reason[cell]), name_of(expected.reason[by]));
      ASSERT_EQ(ours.raw[cell], expected.raw[by]);
      ASSERT_EQ(ours.base_at(cell), expected.base[by]);
      ASSERT_EQ(ours.total_at(cell), expected.total[by]);
      ASSERT_EQ(ours.base_total_at(cell), expected.base_total[by]);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(ours.cooked[cell]),
                std::bit_cast<std::uint64_t>(expected.cooked[by]));
    }
  }
}

TEST(SampleChain_OfRandomSamples, CompletesEachCellAsIfItWereAlone) {
  std::size_t cooked = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSamples samples(seed);
    SampleChain chain;
    by_cell::CellChain oracle;
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE("sample " + std::to_string(i));
      auto raw = samples.next();
      const bool cap = samples.one_in(3);
      const auto expected = oracle.append(by_cell::cells_of(*raw), cap);
      const auto ours = chain.append(std::move(raw), {.cook = {.cap_percent = cap}});
      expect_same(*ours, *expected);
      if (::testing::Test::HasFatalFailure()) return;
      cooked += static_cast<std::size_t>(std::ranges::count(ours->reason, NoValue::kNone));
    }
  }
  EXPECT_GT(cooked, 50'000u);
}

// With the instances as a tracker has them, which finds most of them by their bytes, where they
// were.
TEST(SampleChain_OfRandomLists, ContinuesWhatMatchingByNameContinues) {
  std::size_t continued = 0;
  for (unsigned seed = 100; seed < 160; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomSamples samples(seed);
    KnownInstances known;
    SelectedInstances selected;
    SampleChain chain;
    by_cell::CellChain oracle;
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE("sample " + std::to_string(i));
      auto raw = samples.next();
      if (raw->schema->multi_instance) {
        if (samples.one_in(10)) known.forget();
        known.begin(true);
        std::vector<std::uint32_t> places;
        for (const InstanceSchema& instance : raw->instances->instances) {
          const RawIdentity identity{.owner = instance.owner};
          places.push_back(known.add(std::as_bytes(std::span(instance.name)), &identity));
        }
        if (!known.end()) selected.select(raw->instances->instances, *raw->schema, {}, places);
        raw->instances = selected.set();
      }
      const auto expected = oracle.append(by_cell::cells_of(*raw), false);
      const auto ours = chain.append(std::move(raw), {}, &selected);
      expect_same(*ours, *expected);
      if (::testing::Test::HasFatalFailure()) return;
      continued += static_cast<std::size_t>(std::ranges::count(ours->reason, NoValue::kNone));
    }
  }
  EXPECT_GT(continued, 50'000u);
}

}  // namespace
}  // namespace winperf
