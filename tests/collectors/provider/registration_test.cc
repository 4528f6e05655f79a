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

TEST(Registration, IsWhatTheValuesOfItsKeyMean) {
  const ProviderRegistration provider = registration_of({.service = "Things",
                                                         .library = "things.dll",
                                                         .open = "Open",
                                                         .collect = "Collect",
                                                         .close = "Close",
                                                         .first_counter = 10,
                                                         .last_counter = 20,
                                                         .object_list = "10 12",
                                                         .disable_performance_counters = 4,
                                                         .collect_supports_metadata = 1,
                                                         .keep_resident = 1,
                                                         .open_timeout_ms = 5,
                                                         .collect_timeout_ms = 0,
                                                         .has_validation_code = true});
  EXPECT_EQ(provider.service, "Things");
  EXPECT_EQ(provider.library, "things.dll");
  EXPECT_EQ(provider.open, "Open");
  EXPECT_EQ(provider.collect, "Collect");
  EXPECT_EQ(provider.close, "Close");
  ASSERT_TRUE(provider.titles);
  EXPECT_EQ(provider.titles->first, 10U);
  EXPECT_EQ(provider.titles->last, 20U);
  EXPECT_THAT(provider.objects, ElementsAre(object(10), object(12)));
  EXPECT_EQ(provider.devices, std::nullopt);
  EXPECT_TRUE(provider.disabled);
  EXPECT_EQ(provider.disable_value, 4U);
  EXPECT_TRUE(provider.supports_metadata);
  EXPECT_TRUE(provider.keep_resident);
  EXPECT_TRUE(provider.has_validation_code);
  EXPECT_EQ(provider.open_timeout, std::chrono::milliseconds(5));
  EXPECT_EQ(provider.collect_timeout, std::nullopt);
}

TEST(Registration, OfAKeyWithoutValuesSaysNothing) {
  const ProviderRegistration provider = registration_of({.service = "Things"});
  EXPECT_EQ(provider.library, "");
  EXPECT_EQ(provider.collect, "");
  EXPECT_FALSE(provider.titles);
  EXPECT_THAT(provider.objects, IsEmpty());
  EXPECT_FALSE(provider.disabled);
  EXPECT_EQ(provider.disable_value, std::nullopt);
  EXPECT_FALSE(provider.supports_metadata);
  EXPECT_FALSE(provider.keep_resident);
  EXPECT_FALSE(registration_of({.first_counter = 10}).titles) << "half a range";
  EXPECT_FALSE(registration_of({.last_counter = 10}).titles);
  EXPECT_FALSE(registration_of({.disable_performance_counters = 0}).disabled);
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
