#include "collectors/blg/log_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::ByteVector;
using testing::counter_body;
using ::testing::ElementsAre;
using testing::instances_body;
using testing::sample_bytes;
using testing::with_field;

// "kind:size" of each item, and the error's name where the walk met one.
std::vector<std::string> items_of(const ByteVector& record) {
  auto walk = ItemWalk::over(record);
  if (!walk) return {std::string(name_of(walk.error().code))};
  std::vector<std::string> items;
  while (const auto item = walk->next()) {
    items.push_back(*item
                        ? std::to_string((*item)->kind) + ':' + std::to_string((*item)->body.size())
                        : std::string(name_of(item->error().code)) + " at " +
                              std::to_string(item->error().offset));
  }
  return items;
}

ByteView view_of(const ByteVector& body) { return ByteView(body, "body"); }

// PDH_CSTATUS_VALID_DATA and PDH_CSTATUS_NEW_DATA; PDH_CSTATUS_NO_MACHINE.
TEST(RawValue, CountsIfItIsValidOrNew) {
  EXPECT_TRUE(is_valid(0));
  EXPECT_TRUE(is_valid(1));
  EXPECT_FALSE(is_valid(2));
  EXPECT_FALSE(is_valid(0x8000'07D0));
}

const ByteVector kSample =
    sample_bytes({{1, ByteVector(40)}, {2, ByteVector(64)}, {5, ByteVector(100)}, {77, {}}});

TEST(SampleRecord, WalksItemsOfEveryKind) {
  EXPECT_THAT(items_of(kSample), ElementsAre("1:40", "2:64", "5:100", "77:0"));
  EXPECT_THAT(items_of(sample_bytes({})), ElementsAre());
}

TEST(SampleRecord, ToleratesPaddingAndNothingElseBehindTheItems) {
  ByteVector record = kSample;
  record.resize(kSample.size() + 7);
  EXPECT_THAT(items_of(record), ElementsAre("1:40", "2:64", "5:100", "77:0"));
  record.resize(kSample.size() + 8);
  EXPECT_THAT(items_of(record), ElementsAre("bad_length"));
}

TEST(SampleRecord, RefusesABadHeader) {
  EXPECT_THAT(items_of(ByteVector(7)), ElementsAre("truncated"));
  EXPECT_THAT(items_of(with_field(kSample, 0, 0x0503'4C42)), ElementsAre("bad_signature"));
  EXPECT_THAT(items_of(with_field(kSample, 0, 0x0004'4C42)), ElementsAre("bad_signature"));
  EXPECT_THAT(items_of(with_field(kSample, 4, 7)), ElementsAre("bad_length"));
  EXPECT_THAT(items_of(with_field(kSample, 4, 8)), ElementsAre("bad_length"));
  EXPECT_THAT(items_of(with_field(kSample, 4, 0xFFFFFFFF)), ElementsAre("bad_length"));
}

TEST(SampleRecord, EndsAtAnItemThatIsUnsound) {
  const std::size_t second = 8 + 48;
  EXPECT_THAT(items_of(with_field(kSample, second, 0x0202'4C42)),
              ElementsAre("1:40", "bad_signature at 56"));
  EXPECT_THAT(items_of(with_field(kSample, second + 4, 7)),
              ElementsAre("1:40", "bad_length at 56"));
  EXPECT_THAT(items_of(with_field(kSample, second + 4, 0)),
              ElementsAre("1:40", "bad_length at 56"));
  EXPECT_THAT(items_of(with_field(kSample, second + 4, 0xFFFFFFFF)),
              ElementsAre("1:40", "truncated at 64"));
  // One byte more than there is: into the last item.
  EXPECT_THAT(items_of(with_field(kSample, 8 + 48 + 72 + 4, 117)),
              ElementsAre("1:40", "2:64", "truncated at 136"));
}

TEST(CounterItem, ReadsItsFields) {
  const ByteVector body = counter_body({.status = 1, .first = 1ULL << 40, .second = 3}, 4, 5);
  const auto item = read_counter_item(view_of(body));
  ASSERT_TRUE(item);
  EXPECT_EQ(item->value.status, 1U);
  EXPECT_EQ(item->value.first, 1ULL << 40);
  EXPECT_EQ(item->value.second, 3U);
  EXPECT_EQ(item->time, 4U);
  EXPECT_EQ(item->multi_count, 5U);
}

TEST(CounterItem, IsWholeOrRefused) {
  EXPECT_TRUE(read_counter_item(view_of(ByteVector(36))));
  const auto item = read_counter_item(view_of(ByteVector(35)));
  ASSERT_FALSE(item);
  EXPECT_EQ(item.error().code, ErrorCode::kTruncated);
}

class InstancesItemTest : public ::testing::TestWithParam<bool> {
 protected:
  const ByteVector body_ = instances_body({{u"svchost", {.first = 10, .second = 11}},
                                           {u"", {.status = 7}},
                                           {u"\u20AC_Total", {.first = 1ULL << 60}}},
                                          99, GetParam());
};

INSTANTIATE_TEST_SUITE_P(OffsetsFromNamesAndFromBody, InstancesItemTest, ::testing::Bool());

ErrorCode refusal(const ByteVector& body) {
  const auto item = read_instances_item(view_of(body));
  return item ? ErrorCode::kOsError : item.error().code;
}

TEST_P(InstancesItemTest, ReadsNamesAndValues) {
  const auto item = read_instances_item(view_of(body_));
  ASSERT_TRUE(item) << describe(item.error());
  EXPECT_EQ(item->time, 99U);
  ASSERT_EQ(item->instances.size(), 3U);
  EXPECT_EQ(item->instances[0].name(), "svchost");
  EXPECT_EQ(item->instances[0].value.first, 10U);
  EXPECT_EQ(item->instances[0].value.second, 11U);
  EXPECT_EQ(item->instances[1].name(), "");
  EXPECT_EQ(item->instances[1].value.status, 7U);
  EXPECT_EQ(item->instances[2].name(), "\u20AC_Total");
  EXPECT_EQ(item->instances[2].value.first, 1ULL << 60);
}

TEST_P(InstancesItemTest, RefusesCountsThatTheBytesCannotHold) {
  EXPECT_EQ(refusal(with_field(body_, 4, 0xFFFFFFFF)), ErrorCode::kTruncated);
  EXPECT_EQ(refusal(with_field(body_, 4, 5)), ErrorCode::kTruncated);
  EXPECT_EQ(refusal(ByteVector(23)), ErrorCode::kTruncated);
}

TEST_P(InstancesItemTest, RefusesNamesThatAreNotThere) {
  EXPECT_EQ(refusal(with_field(body_, 48, 0xFFFFFFFF)), ErrorCode::kTruncated);
  EXPECT_EQ(refusal(with_field(body_, 24, 1)), ErrorCode::kBadOffset);
  ByteVector unterminated = body_;
  unterminated.resize(body_.size() - 2);
  EXPECT_EQ(refusal(unterminated), ErrorCode::kBadText);
}

TEST_P(InstancesItemTest, RefusesNamesThatShareTheirBytes) {
  // All three are the first one: 3 * 16 bytes of 16 + 2 + 16.
  ByteVector shared = body_;
  std::uint32_t first = 0;
  std::memcpy(&first, body_.data() + 24, sizeof first);
  shared = with_field(with_field(shared, 48, first), 72, first);
  EXPECT_EQ(refusal(shared), ErrorCode::kBadCount);
}

TEST_P(InstancesItemTest, MayBeEmpty) {
  const ByteVector empty = instances_body({}, 5, GetParam());
  const auto item = read_instances_item(view_of(empty));
  ASSERT_TRUE(item);
  EXPECT_TRUE(item->instances.empty());
  EXPECT_EQ(item->time, 5U);
}

TEST(WholeObject, IsCutToItsOwnLength) {
  const ByteVector block = testing::BlockBuilder().bytes();
  ByteVector body = block;
  body.resize(block.size() + 5);
  EXPECT_EQ(block_of(view_of(body)).size(), block.size());
}

TEST(WholeObject, IsPassedOnWholeWhereItIsNone) {
  const ByteVector block = testing::BlockBuilder().bytes();
  EXPECT_EQ(block_of(view_of(ByteVector(50))).size(), 50U);
  const ByteVector longer = with_field(block, 20, 1'000'000);
  EXPECT_EQ(block_of(view_of(longer)).size(), block.size());
}

}  // namespace
}  // namespace winperf::blg
