#include "collectors/wire/v2/identifier.h"

#include <gtest/gtest.h>

#include "tests/support/block_builder.h"

namespace winperf::v2 {
namespace {

const Guid kSet = *parse_guid("b4fc721a-0378-476f-89ba-a5a79f810b36");

std::size_t size_with(std::u16string name) {
  const CounterRequest request{.counterset = kSet, .instance_name = std::move(name)};
  return build_identifiers({&request, 1}).size();
}

TEST(V2Identifier, HasTheDocumentedSizes) {
  EXPECT_EQ(size_with(u""), 40u);
  EXPECT_EQ(size_with(u"*"), 48u);
  EXPECT_EQ(size_with(u"_Total"), 56u);
  EXPECT_EQ(size_with(u"0,0"), 48u);
  EXPECT_EQ(size_with(std::u16string(5'000, u'x')), 40u + 2 * 1'025 + 6);
}

TEST(V2Identifier, HasANameOfUpTo1024Characters) {
  for (const std::size_t length : {1'023U, 1'024U, 1'025U}) {
    const CounterRequest request{.counterset = kSet, .instance_name = std::u16string(length, u'x')};
    const Identifiers back = parse_identifiers(build_identifiers({&request, 1}));
    EXPECT_EQ(back.all.at(0).request.instance_name.size(), std::min<std::size_t>(length, 1'024));
  }
}

TEST(V2Identifier, ComesBackAsItWasBuilt) {
  const std::vector<CounterRequest> requests{
      {.counterset = kSet, .counter_id = 26, .instance_id = 3, .instance_name = u"0,*"},
      {.counterset = kSet},
  };
  auto bytes = build_identifiers(requests);
  bytes = testing::with_field(std::move(bytes), 16, 183);
  bytes = testing::with_field(std::move(bytes), 32, 7);
  const Identifiers back = parse_identifiers(bytes);
  EXPECT_EQ(back.problem, std::nullopt);
  ASSERT_EQ(back.all.size(), 2u);
  EXPECT_EQ(back.all[0].request, requests[0]);
  EXPECT_EQ(back.all[1].request, requests[1]);
  EXPECT_EQ(back.all[0].status, 183u);
  EXPECT_EQ(back.all[0].index, 7u);
}

TEST(V2Identifier, ABadSizeEndsTheListBehindTheGoodOnes) {
  const std::vector<CounterRequest> requests(3, {.counterset = kSet});
  for (const std::uint32_t size : {0u, 39u, 41u, 88u, 0xFFFFFFF8u}) {
    const Identifiers back =
        parse_identifiers(testing::with_field(build_identifiers(requests), 40 + 20, size));
    EXPECT_EQ(back.all.size(), 1u) << size;
    ASSERT_TRUE(back.problem.has_value()) << size;
    EXPECT_EQ(back.problem->offset, 40u) << size;
  }
}

TEST(Guid, IsReadAndWrittenAsWindowsDoes) {
  EXPECT_EQ(kSet.bytes[0], 0x1A);
  EXPECT_EQ(kSet.bytes[15], 0x36);
  EXPECT_EQ(to_string(kSet), "{b4fc721a-0378-476f-89ba-a5a79f810b36}");
  EXPECT_EQ(parse_guid("{B4FC721A-0378-476F-89BA-A5A79F810B36}"), kSet);
  for (const char* const text :
       {"", "b4fc721a", "b4fc721a-0378-476f-89ba-a5a79f810b3",
        "b4fc721a-0378-476f-89ba-a5a79f810b3g", "b4fc721a+0378-476f-89ba-a5a79f810b36",
        "{b4fc721a-0378-476f-89ba-a5a79f810b36", "[b4fc721a-0378-476f-89ba-a5a79f810b36]",
        "b4fc721a-0378-476f-89ba-a5a79f810b366"})
    EXPECT_EQ(parse_guid(text), std::nullopt) << text;
}

}  // namespace
}  // namespace winperf::v2
