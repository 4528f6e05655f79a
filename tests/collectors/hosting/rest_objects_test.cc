#include "collectors/hosting/rest_objects.h"

#include <gmock/gmock.h>

#include "collectors/sources/value_names.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Tables = std::vector<std::expected<Bytes, Error>>;

constexpr Error kUnreadable{.code = ErrorCode::kAccessDenied, .where = "names"};

Tables names_of(const std::vector<std::uint32_t>& indices) {
  testing::FakeSource source;
  for (const std::uint32_t index : indices) source.names.emplace_back(index, u"name");
  return source.text_tables(TextTable::kCounter, Language::kEnglish);
}

Reply reply_with(const std::vector<std::uint32_t>& objects) {
  testing::BlockBuilder block;
  for (const std::uint32_t object : objects)
    block.add(testing::ObjectBuilder(object).counter({.index = 4}).single({1}));
  return {{block.bytes()}};
}

RestObjects with_names(RestObjects rest, const std::vector<std::uint32_t>& indices) {
  EXPECT_TRUE(rest.needs_names());
  EXPECT_TRUE(rest.take_names(names_of(indices)));
  EXPECT_FALSE(rest.needs_names());
  return rest;
}

const ProviderRegistration kList{.service = "list", .objects = {ObjectIndex{2}, ObjectIndex{40}}};
const ProviderRegistration kBoth{
    .service = "both", .titles = TitleRange{12, 16}, .objects = {ObjectIndex{12}}};
const ProviderRegistration kRange{.service = "range", .titles = TitleRange{20, 24}};

TEST(RestObjects, AreWhatNobodyElseHasRegistered) {
  const RestObjects rest = with_names({{kList, kBoth, kRange}, {}, false},
                                      {1, 2, 3, 4, 10, 12, 14, 16, 18, 20, 24, 25, 26});
  EXPECT_THAT(rest.lists().untried, ElementsAre("4 10 18 26"));
  EXPECT_THAT(rest.lists().known, IsEmpty());
}

TEST(RestObjects, OfProvidersWithoutAHostAreKnownByTheirLists) {
  const RestObjects rest = with_names({{}, {kList, kRange}, false}, {2, 4, 22});
  EXPECT_THAT(rest.lists().untried, ElementsAre("4 22"));
  EXPECT_THAT(rest.lists().known, ElementsAre("2 40"));
}

TEST(RestObjects, OfV1AloneAreThoseOfProvidersWithoutAHost) {
  EXPECT_FALSE(RestObjects({kRange}, {}, true).needs_names());
  EXPECT_FALSE(RestObjects({}, {kList}, true).needs_names());
  const RestObjects rest = with_names({{kBoth}, {kList, kRange}, true}, {2, 4, 12, 22, 26});
  EXPECT_THAT(rest.lists().untried, ElementsAre("22"));
  EXPECT_THAT(rest.lists().known, ElementsAre("2 40"));
}

TEST(RestObjects, AreAskedForInListsThatFitIntoAValueName) {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t index = 2000; index < 20'000; index += 2) indices.push_back(index);
  const RestObjects rest = with_names({{}, {}, false}, indices);
  const auto lists = rest.lists().untried;
  std::vector<std::uint32_t> asked;
  for (const std::string& list : lists) {
    EXPECT_LE(list.size(), RestObjects::kMaxListChars);
    const auto objects = indices_in(list).value();
    for (const ObjectIndex object : objects) asked.push_back(value_of(object));
  }
  EXPECT_EQ(asked, indices);
  EXPECT_EQ(lists.size(), 4U) << "no more than are necessary";
}

TEST(RestObjects, ThatWereInAReplyAreAskedForFromThenOn) {
  RestObjects rest = with_names({{kList}, {}, false}, {2, 4, 6, 8, 10});
  rest.learn("4 6 8 10", reply_with({6, 2, 10, 3000}));
  EXPECT_THAT(rest.lists().untried, IsEmpty());
  EXPECT_THAT(rest.lists().known, ElementsAre("6 10")) << "2 has a host, and 3000 no name";
  rest.learn("8", reply_with({8}));
  EXPECT_THAT(rest.lists().known, ElementsAre("6 8 10")) << "its provider runs now";
}

TEST(RestObjects, AreTriedAgainIfTheReplyHidesSome) {
  RestObjects rest = with_names({{}, {}, false}, {4, 6});
  Reply reply = reply_with({4});
  reply.blocks.push_back(Bytes(100));
  rest.learn("4 6", reply);
  EXPECT_THAT(rest.lists().untried, ElementsAre("4 6"));
  EXPECT_THAT(rest.lists().known, ElementsAre("4"));
}

TEST(RestObjects, NeedOneTableOfNames) {
  RestObjects rest({}, {}, false);
  const auto taken = rest.take_names(Tables{std::unexpected(kUnreadable)});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error(), kUnreadable);
  EXPECT_TRUE(rest.needs_names());
  Tables tables = names_of({4});
  tables.insert(tables.begin(), std::unexpected(kUnreadable));
  tables.push_back(names_of({6}).front());
  EXPECT_TRUE(rest.take_names(tables));
  EXPECT_THAT(rest.lists().untried, ElementsAre("4 6")) << "one fills the gaps of the other";
  RestObjects nothing({}, {}, false);
  EXPECT_TRUE(nothing.take_names({}));
}

}  // namespace
}  // namespace winperf
