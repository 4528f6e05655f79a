#include "collectors/provider/registration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ObjectIndex object(std::uint32_t index) { return ObjectIndex{index}; }

TEST(ObjectList, HasTheNumbersBetweenBlanks) {
  EXPECT_THAT(parse_object_list(""), IsEmpty());
  EXPECT_THAT(parse_object_list("2"), ElementsAre(object(2)));
  EXPECT_THAT(parse_object_list("2 238"), ElementsAre(object(2), object(238)));
  EXPECT_THAT(parse_object_list("  2  4294967295 "), ElementsAre(object(2), object(4294967295)));
}

TEST(ObjectList, WhatIsNoNumberIsLeftOut) {
  EXPECT_THAT(parse_object_list("x 2 3y -4 4294967296 5"), ElementsAre(object(2), object(5)));
}

TEST(Supplies, WhatItsListHas) {
  const ProviderRegistration lister{.titles = TitleRange{10, 20},
                                    .objects = {object(2), object(4)}};
  EXPECT_TRUE(supplies(lister, object(2)));
  EXPECT_TRUE(supplies(lister, object(4)));
  EXPECT_FALSE(supplies(lister, object(3)));
  EXPECT_FALSE(supplies(lister, object(10))) << "the list says it all";
}

TEST(Supplies, WithoutAListWhatItsTitlesInclude) {
  const ProviderRegistration ranged{.titles = TitleRange{10, 20}};
  EXPECT_FALSE(supplies(ranged, object(9)));
  EXPECT_TRUE(supplies(ranged, object(10)));
  EXPECT_TRUE(supplies(ranged, object(20)));
  EXPECT_FALSE(supplies(ranged, object(21)));
}

TEST(CallTimeout, IsANumberOfMilliseconds) {
  using std::chrono::milliseconds;
  EXPECT_EQ(call_timeout(std::nullopt), std::nullopt);
  EXPECT_EQ(call_timeout(0), std::nullopt) << "no time at all";
  EXPECT_EQ(call_timeout(1), milliseconds(1));
  EXPECT_EQ(call_timeout(0xFFFF'FFFF), milliseconds(4'294'967'295));
}

TEST(Registration, SaysNothingAtFirst) {
  EXPECT_EQ(TitleRange{}.first, 0U);
  EXPECT_EQ(TitleRange{}.last, 0U);
  EXPECT_FALSE(ProviderRegistration{}.disabled);
  EXPECT_FALSE(ProviderRegistration{}.supports_metadata);
  EXPECT_FALSE(ProviderRegistration{}.keep_resident);
  EXPECT_FALSE(ProviderRegistration{}.has_validation_code);
}

TEST(Supplies, NothingIfNothingIsRegistered) { EXPECT_FALSE(supplies({}, object(0))); }

}  // namespace
}  // namespace winperf
