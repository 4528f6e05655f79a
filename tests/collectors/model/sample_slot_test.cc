#include "collectors/model/sample.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace winperf {
namespace {

TEST(SampleSlot, HasTheLastSampleThatWasPublished) {
  SampleSlot slot;
  EXPECT_EQ(slot.latest(), nullptr);
  for (int i = 0; i < 2; ++i) {
    const auto sample = std::make_shared<const Sample>();
    slot.publish(sample);
    EXPECT_EQ(slot.latest(), sample);
  }
}

TEST(SampleSlot, LeavesAReaderTheSampleThatItHas) {
  SampleSlot slot;
  auto first = std::make_shared<Sample>();
  first->sequence = 1;
  slot.publish(std::move(first));
  const auto held = slot.latest();
  slot.publish(std::make_shared<const Sample>());
  EXPECT_EQ(held->sequence, 1U);
}

}  // namespace
}  // namespace winperf
