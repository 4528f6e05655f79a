// The registry source against a provider that the test steers.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "collectors/base/stop.h"
#include "collectors/sources/platform.h"
#include "collectors/sources/value_names.h"
#include "tests/collectors/sources/win/block_walk.h"
#include "tests/collectors/sources/win/test_provider.h"
#include "tests/support/win/wine.h"

namespace winperf {
namespace {

using testing::TestProvider;
using testing::WalkedBlock;
using testing::WalkedObject;

class ProviderQueryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::under_wine())
      GTEST_SKIP() << "NOT UNDER WINE: would register a provider on this machine";
    provider_.emplace();
    ASSERT_TRUE(provider_->registered()) << "can't write to HKLM";
    source_ = make_registry_source().value();
  }

  // Each object of the provider as it was written, whatever other objects the block holds.
  void expect_objects(const Bytes& bytes, const WalkedBlock& block) {
    const std::uint32_t size = TestProvider::kObjectBytes + provider_->padding_bytes;
    for (std::uint32_t i = 0; i < provider_->objects; ++i) {
      const WalkedObject* object = block.find(TestProvider::kFirstObject + 2 * i);
      ASSERT_NE(object, nullptr) << "object " << i;
      EXPECT_EQ(object->header.TotalByteLength, size);
      EXPECT_EQ(object->header.NumInstances, PERF_NO_INSTANCES);
      std::uint64_t value = 0;
      std::memcpy(&value, bytes.data() + object->offset + object->header.DefinitionLength + 8,
                  sizeof(value));
      EXPECT_EQ(value, static_cast<std::uint64_t>(provider_->collects));
      const auto padding =
          bytes.begin() + static_cast<std::ptrdiff_t>(object->offset) + TestProvider::kObjectBytes;
      EXPECT_TRUE(std::all_of(padding, padding + provider_->padding_bytes,
                              [](std::byte byte) { return byte == std::byte{0xA5}; }));
    }
  }

  void query_and_expect_objects(std::string_view value_name) {
    const std::expected<Reply, Error> reply = source_->query(value_name, {});
    const WalkedBlock block = testing::walk_reply(reply);
    ASSERT_FALSE(block.objects.empty());
    EXPECT_EQ(block.objects.front().offset, block.header.HeaderLength);
    expect_objects(reply->blocks[0], block);
  }

  std::optional<TestProvider> provider_;
  std::unique_ptr<CounterSource> source_;
};

TEST_F(ProviderQueryTest, ObjectsBeginWhereTheHeaderEnds) {
  query_and_expect_objects("Global");
  provider_->objects = 3;
  query_and_expect_objects("Global");
}

TEST_F(ProviderQueryTest, RepeatedQueriesGiveLaterValues) {
  for (int i = 0; i < 5; ++i) query_and_expect_objects("Global");
  EXPECT_EQ(provider_->collects, 5);
}

TEST_F(ProviderQueryTest, ValueNamesArriveAsTheyWereAsked) {
  const ObjectIndex objects[] = {ObjectIndex{TestProvider::kFirstObject}, ObjectIndex{2}};
  query_and_expect_objects(index_list(objects));
  query_and_expect_objects(listing_value_name({.metadata = true}));
  EXPECT_EQ(provider_->queries, (std::vector<std::wstring>{L"990000 2", L"MetadataGlobal"}));
}

TEST_F(ProviderQueryTest, TheBufferGrowsToWhatAProviderNeeds) {
  provider_->padding_bytes = 3U << 20;
  query_and_expect_objects("Global");
  EXPECT_GT(provider_->collects, 5);
  // The next query starts where this one ended.
  provider_->collects = 0;
  query_and_expect_objects("Global");
  EXPECT_EQ(provider_->collects, 1);
}

TEST_F(ProviderQueryTest, SeveralProvidersFollowOneAnother) {
  provider_.reset();
  provider_.emplace(3);
  ASSERT_TRUE(provider_->registered());
  provider_->objects = 2;
  const WalkedBlock block = testing::walk_reply(source_->query("Global", {}));
  EXPECT_EQ(provider_->collects, 3);
  ASSERT_GE(block.objects.size(), 6U);
  EXPECT_EQ(block.objects.front().offset, block.header.HeaderLength);
}

TEST_F(ProviderQueryTest, SeveralProvidersShareABufferWithoutLoss) {
  provider_.reset();
  provider_.emplace(2);
  ASSERT_TRUE(provider_->registered());
  for (std::uint32_t each = 32'768 - 256; each <= 32'768 + 64; each += 8) {
    SCOPED_TRACE(each);
    source_ = make_registry_source().value();
    provider_->padding_bytes = each - TestProvider::kObjectBytes;
    const WalkedBlock block = testing::walk_reply(source_->query("Global", {}));
    EXPECT_GE(block.objects.size(), 2U);
  }
}

// From the last sizes that fit the first buffer to the first ones that don't: none may write
// past the buffer, lose a byte, or fail.
TEST_F(ProviderQueryTest, EverySizeAroundTheBuffersEndIsDelivered) {
  for (std::uint32_t total = 65'536 - 512; total <= 65'536 + 128; total += 8) {
    SCOPED_TRACE(total);
    source_ = make_registry_source().value();  // without a remembered size
    provider_->padding_bytes = total - TestProvider::kObjectBytes;
    query_and_expect_objects("Global");
  }
}

TEST_F(ProviderQueryTest, StopEndsAQueryThatWouldGrow) {
  StopSource stop;
  provider_->padding_bytes = 3U << 20;
  provider_->on_collect = [&] { stop.request_stop(); };
  const auto reply = source_->query("Global", stop.token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(provider_->collects, 1);
}

TEST_F(ProviderQueryTest, ByteLimitEndsAQueryThatWouldGrow) {
  provider_->padding_bytes = 3U << 20;
  source_ = make_registry_source({.max_bytes = 1U << 20}).value();
  const auto reply = source_->query("Global", {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kBufferLimit);
  // The source goes on.
  provider_->padding_bytes = 0;
  query_and_expect_objects("Global");
}

TEST_F(ProviderQueryTest, ProvidersAreLoadedAgainAfterRelease) {
  query_and_expect_objects("Global");
  const int opens = provider_->opens;
  source_->release();
  query_and_expect_objects("Global");
  EXPECT_GT(provider_->opens, opens);
  source_.reset();
  EXPECT_EQ(provider_->closes, provider_->opens);
}

}  // namespace
}  // namespace winperf
