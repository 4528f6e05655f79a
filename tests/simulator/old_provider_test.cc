// V1 providers as the older documents allow them: without Open and Close, and with replies that are
// a multiple of 4 bytes and not of 8. The product reads their counters like any others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/simulator/codes.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/registry_face.h"

namespace winperf::simulator {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::uint32_t kLargeRawCount = 0x00010100;

// "Gate" has an odd number of DWORDs, so that "Road" after it begins at 4 modulo 8.
testing::ObjectBuilder gate() {
  return testing::ObjectBuilder(3000).counter({.index = 3002}).single({7}).slack(4);
}

testing::ObjectBuilder road() {
  return testing::ObjectBuilder(3010)
      .counter({.index = 3012, .type = kLargeRawCount, .size = 8})
      .counter({.index = 3014})
      .instance({.name = u"north", .values = {0x1122334455667788, 11}})
      .instance({.name = u"south", .values = {0x99AABBCCDDEEFF00, 12}});
}

// Whichever is asked for brings the other, as Thread brings Process.
class OldProvider final : public V1Provider {
 public:
  OldProvider()
      : V1Provider({.service = u"Old", .open = {}, .close = {}, .object_list = {3000, 3010}}) {
    exports = {"Collect"};
  }
  std::uint32_t open(const char16_t*) override { return kNotFound; }
  std::uint32_t close() override { return kNotFound; }
  std::uint32_t collect(std::u16string_view, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& objects) override {
    testing::ByteVector reply = object_bytes(gate());
    const testing::ByteVector second = object_bytes(road());
    reply.insert(reply.end(), second.begin(), second.end());
    const std::uint32_t room = bytes;
    bytes = objects = 0;
    if (reply.size() > room) return kMoreData;
    data = std::ranges::copy(reply, data).out;
    bytes = static_cast<std::uint32_t>(reply.size());
    objects = 2;
    return kSuccess;
  }
  std::vector<std::pair<std::uint32_t, std::u16string>> names() const override {
    return {
        {3000, u"Gate"}, {3002, u"Passed"}, {3010, u"Road"}, {3012, u"Length"}, {3014, u"Lanes"}};
  }
};

TEST(OldProviders, AnObjectThatBeginsAtFourModuloEightIsReadRight) {
  ASSERT_EQ(object_bytes(gate()).size() % 8, 4u);
  Machine machine;
  machine.add(std::make_shared<OldProvider>());
  SimulatedSampler sampler(machine, {planned("Gate"), planned("Road")});
  sampler.round();
  ASSERT_TRUE(sampler.state(0).success) << sampler.all_problems();
  ASSERT_TRUE(sampler.state(1).success) << sampler.all_problems();
  EXPECT_THAT(sampler.state(0).sample->raw, ElementsAre(7u));
  const CountersetSample& roads = *sampler.state(1).sample;
  ASSERT_THAT(roads.instances->instances, SizeIs(2));
  EXPECT_EQ(roads.instances->instances[0].name, "north");
  EXPECT_EQ(roads.instances->instances[1].name, "south");
  EXPECT_THAT(roads.raw, ElementsAre(0x1122334455667788, 0x99AABBCCDDEEFF00, 11u, 12u));
  EXPECT_EQ(sampler.all_problems(), "");
}

}  // namespace
}  // namespace winperf::simulator
