// What a trial takes from its two queries. posix/ has one with a real process.
#include "collectors/hosting/provider_host.h"

#include <gmock/gmock.h>

#include <deque>

#include "collectors/wire/v1_format.h"
#include "tests/collectors/worker/fake_worker_process.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

using Part = std::expected<std::vector<std::byte>, Error>;

testing::BuiltBlock block() {
  return BlockBuilder()
      .add(ObjectBuilder(2000).counter({.index = 2002}).single({1}))
      .add(ObjectBuilder(2010).counter({.index = 2012}).single({1}))
      .build();
}

class ProviderTrialTest : public worker::FakeWorkerTest {
 protected:
  // Of a provider that answers so.
  ProviderTrial trial(std::deque<Part> parts) {
    machine_.provider = [&](worker::FakeProcess& process, const worker::Request&) {
      process.reply({parts.front()});
      parts.pop_front();
    };
    worker::WorkerOptions options = machine_.options();
    options.limits.max_reply_bytes = 100'000;
    ProviderHost host("provider \"x\"", options, true);
    return try_provider(host);
  }
};

TEST_F(ProviderTrialTest, AsksTwiceForEverythingAndTakesTheSecondReply) {
  const Bytes second = block().bytes;
  const ProviderTrial result = trial({BlockBuilder().bytes(), second});
  EXPECT_EQ(result.error, std::nullopt);
  EXPECT_THAT(result.objects, ElementsAre(ObjectIndex{2000}, ObjectIndex{2010}));
  EXPECT_EQ(result.bytes, second.size());
  EXPECT_TRUE(result.second);
  EXPECT_LE(result.first, std::chrono::steady_clock::now().time_since_epoch());
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("Global", "Global"));
}

TEST_F(ProviderTrialTest, EndsWithAnErrorOfTheFirstQuery) {
  const ProviderTrial result = trial({std::unexpected(Error{.code = ErrorCode::kOsError})});
  EXPECT_EQ(result.error, (Error{.code = ErrorCode::kOsError, .where = "provider \"x\""}));
  EXPECT_THAT(result.objects, IsEmpty());
  EXPECT_EQ(result.bytes, 0U);
  EXPECT_FALSE(result.second);
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("Global"));
}

TEST_F(ProviderTrialTest, HasTheFirstReplyAndTheErrorOfTheSecondQuery) {
  const ProviderTrial result =
      trial({block().bytes, std::unexpected(Error{.code = ErrorCode::kOsError})});
  EXPECT_EQ(result.error, (Error{.code = ErrorCode::kOsError, .where = "provider \"x\""}));
  EXPECT_THAT(result.objects, ElementsAre(ObjectIndex{2000}, ObjectIndex{2010}));
  EXPECT_EQ(result.bytes, block().bytes.size());
  EXPECT_FALSE(result.second);
}

TEST_F(ProviderTrialTest, SaysWhatIsWrongWithTheReply) {
  const Bytes garbage(100);
  EXPECT_EQ(trial({garbage, garbage}).error->code, ErrorCode::kBadSignature);
  const auto spoilt = block().with(block().objects[1].offset + v1::object::kTotalByteLength, 8);
  const ProviderTrial result = trial({spoilt, spoilt});
  EXPECT_EQ(result.error->code, ErrorCode::kBadLength);
  EXPECT_THAT(result.objects, ElementsAre(ObjectIndex{2000})) << "those before it";
}

}  // namespace
}  // namespace winperf
