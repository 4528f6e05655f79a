#include "collectors/sampling/known_instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class KnownInstancesTest : public ::testing::Test {
 protected:
  // Each character is a definition. Returns whether the list is the one before.
  bool take(std::string_view list) {
    known_.begin(false);
    places_.clear();
    for (std::size_t i = 0; i < list.size(); ++i)
      places_.push_back(known_.add(std::as_bytes(std::span(list.substr(i, 1))), nullptr));
    return known_.end();
  }

  KnownInstances known_;
  std::vector<std::uint32_t> places_;  // of the last list
};

TEST_F(KnownInstancesTest, TheSameListIsKnown) {
  EXPECT_FALSE(take("abc"));
  EXPECT_TRUE(take("abc"));
  EXPECT_TRUE(take("abc"));
}

TEST_F(KnownInstancesTest, NothingIsTheListBeforeTheFirst) {
  EXPECT_TRUE(take(""));
  EXPECT_FALSE(take("a"));
  EXPECT_THAT(places_, ElementsAre(kNewInstance));
  EXPECT_FALSE(take(""));
  EXPECT_THAT(places_, IsEmpty());
}

TEST_F(KnownInstancesTest, OthersAreFoundWhereTheyWere) {
  take("abcdef");
  EXPECT_FALSE(take("acdxef")) << "one has gone, and one has come";
  EXPECT_THAT(places_, ElementsAre(0, 2, 3, kNewInstance, 4, 5));
  EXPECT_FALSE(take("acdxefz"));
  EXPECT_THAT(places_, ElementsAre(0, 1, 2, 3, 4, 5, kNewInstance));
  EXPECT_FALSE(take("acdx")) << "the last have gone";
  EXPECT_THAT(places_, ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(take("acdx"));
}

TEST_F(KnownInstancesTest, EachPlaceIsUsedOnce) {
  take("aab");
  EXPECT_FALSE(take("aaab"));
  EXPECT_THAT(places_, ElementsAre(0, 1, kNewInstance, 2));
}

TEST_F(KnownInstancesTest, AnotherIdentityIsAnotherInstance) {
  const std::byte definition{7};
  const auto take = [&](std::uint64_t process) {
    const RawIdentity identity{.process_id = process};
    known_.begin(true);
    const std::uint32_t place = known_.add(std::span(&definition, 1), &identity);
    known_.end();
    return place;
  };
  EXPECT_EQ(take(1), kNewInstance);
  EXPECT_EQ(take(1), 0U);
  EXPECT_EQ(take(2), kNewInstance);
}

TEST_F(KnownInstancesTest, AForgottenListIsNotKnown) {
  take("ab");
  known_.forget();
  EXPECT_FALSE(take("ab"));
  EXPECT_THAT(places_, ElementsAre(kNewInstance, kNewInstance));
  known_.forget();
  EXPECT_FALSE(take("")) << "nor is one without instances";
  EXPECT_TRUE(take(""));
}

}  // namespace
}  // namespace winperf
