#include "collectors/sampling/sample_pool.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "tests/collectors/sampling/raw_sample.h"

namespace winperf {
namespace {

TEST(SamplePool, ASampleThatIsLetGoIsUsedAgain) {
  SamplePool pool;
  auto first = pool.take();
  const CountersetSample* const place = first.get();
  first->raw.assign(100, 7);
  const std::uint64_t* const cells = first->raw.data();
  first.reset();
  const auto second = pool.take();
  EXPECT_EQ(second.get(), place);
  EXPECT_EQ(second->raw.data(), cells) << "with its memory";
}

TEST(SamplePool, ASampleInUseIsNot) {
  SamplePool pool;
  const auto first = pool.take();
  const std::shared_ptr<const CountersetSample> reader = first;
  EXPECT_NE(pool.take(), first);
}

TEST(SamplePool, DoesNotKeepWhatSamplesShare) {
  SamplePool pool;
  const auto schema = testing::schema_of({{.index = 1}}, true);
  auto sample = pool.take();
  prepare(*sample, schema, layout_of(*schema), testing::instances_named({"a"}), {});
  const std::weak_ptr<const InstanceSet> instances = sample->instances;
  sample.reset();
  EXPECT_TRUE(instances.expired());
  EXPECT_EQ(schema.use_count(), 1);
}

TEST(SamplePool, MayEndBeforeItsSamples) {
  std::shared_ptr<CountersetSample> sample;
  {
    SamplePool pool;
    sample = pool.take();
  }
  sample->raw.assign(10, 1);
  EXPECT_EQ(sample->raw.size(), 10U);
}

// Readers let samples go on their own threads.
TEST(SamplePool, TakesSamplesBackFromAnyThread) {
  SamplePool pool;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 200; ++i) {
    auto sample = pool.take();
    sample->raw.assign(50, static_cast<std::uint64_t>(i));
    readers.emplace_back([sample = std::shared_ptr<const CountersetSample>(std::move(sample)), i] {
      EXPECT_EQ(sample->raw.at(49), static_cast<std::uint64_t>(i));
    });
    if (readers.size() > 4) readers.erase(readers.begin());
  }
}

}  // namespace
}  // namespace winperf
