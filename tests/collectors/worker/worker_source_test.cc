#include "collectors/worker/worker_source.h"

#include <gmock/gmock.h>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Error kRegistryFailure{.code = ErrorCode::kOsError,
                                 .where = "registry.query",
                                 .offset = 1,
                                 .actual = 2,
                                 .limit = 3,
                                 .os_code = 4};

class WorkerSourceTest : public FakeWorkerTest {
 protected:
  WorkerSourceTest() {
    auto plain = std::make_unique<winperf::testing::FakeSource>();
    plain_ = plain.get();
    source_ = std::make_unique<WorkerSource>(std::move(plain), machine_.options());
  }
  // A reply whose block has so many bytes.
  winperf::Reply reply_of(std::size_t size) {
    machine_.provider = [size](FakeProcess& process, const Request&) {
      process.reply({bytes(size)});
    };
    auto reply = source_->query("2", {});
    EXPECT_TRUE(reply);
    EXPECT_THAT(reply->blocks, SizeIs(1));
    EXPECT_EQ(reply->blocks.at(0), bytes(size));
    return *std::move(reply);
  }
  // How many bytes there is room for where the next block, a small one, is put.
  std::size_t next_room() { return reply_of(1).blocks[0].capacity(); }

  winperf::testing::FakeSource* plain_ = nullptr;
  std::unique_ptr<WorkerSource> source_;
};

TEST_F(WorkerSourceTest, IsThePlainOneForOrdinaryValues) {
  EXPECT_FALSE(source_->is_live());
  EXPECT_EQ(source_->machine(), "");
  EXPECT_EQ(source_->provider_generation(), 0U);
  EXPECT_FALSE(source_->supports_metadata());
  plain_->live = true;
  plain_->named = "server";
  plain_->providers = 7;
  EXPECT_TRUE(source_->is_live());
  EXPECT_EQ(source_->machine(), "server");
  EXPECT_EQ(source_->provider_generation(), 7U);
  EXPECT_THAT(machine_.started, IsEmpty()) << "they need no worker";
}

TEST_F(WorkerSourceTest, Query_GivesTheBlockOfTheWorker) {
  const auto reply = source_->query("238 2", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->blocks, ElementsAre(bytes(3)));
  EXPECT_THAT(reply->logged, IsEmpty());
  EXPECT_EQ(reply->time, std::nullopt);
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("238 2"));
  EXPECT_EQ(machine_.asked[0].operation, Operation::kQuery);
  EXPECT_THAT(plain_->asked, IsEmpty());
}

TEST_F(WorkerSourceTest, Query_MayGiveNoBytes) { EXPECT_THAT(reply_of(0).blocks[0], IsEmpty()); }

TEST_F(WorkerSourceTest, Query_GivesTheErrorOfTheSourceInTheWorker) {
  machine_.provider = [](FakeProcess& process, const Request&) {
    process.reply({std::unexpected(kRegistryFailure)});
  };
  const auto reply = source_->query("238", {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), kRegistryFailure);
}

TEST_F(WorkerSourceTest, Query_GivesTheErrorOfALossAndRestsByItsName) {
  crash();
  const Error expected{.code = ErrorCode::kWorkerCrashed, .where = "registry.query", .os_code = 11};
  EXPECT_EQ(source_->query("238", {}).error(), expected);
  answer();
  EXPECT_EQ(source_->query("238", {}).error(), expected);
  EXPECT_TRUE(source_->query("230", {}));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("238", "230"));
}

TEST_F(WorkerSourceTest, Query_IsEndedByItsOwnStop) {
  StopSource stop;
  stop.request_stop();
  source_->set_stop(stop.token());
  EXPECT_TRUE(source_->query("238", {}));
  EXPECT_EQ(source_->query("238", stop.token()).error().code, ErrorCode::kCancelled);
}

TEST_F(WorkerSourceTest, TextTables_GivesEachCandidate) {
  machine_.provider = [](FakeProcess& process, const Request&) {
    process.reply({bytes(3), std::unexpected(kRegistryFailure), bytes(0)});
  };
  const auto tables = source_->text_tables(TextTable::kHelp, Language::kMachine);
  ASSERT_THAT(tables, SizeIs(3));
  EXPECT_EQ(tables[0].value(), bytes(3));
  EXPECT_EQ(tables[1].error(), kRegistryFailure);
  EXPECT_THAT(tables[2].value(), IsEmpty());
  ASSERT_THAT(machine_.asked, SizeIs(1));
  EXPECT_EQ(machine_.asked[0].operation, Operation::kTextTables);
  EXPECT_THAT(machine_.asked[0].numbers, ElementsAre(1, 1));
  static_cast<void>(source_->text_tables(TextTable::kHelp, Language::kEnglish));
  EXPECT_THAT(machine_.asked[1].numbers, ElementsAre(1, 0));
}

TEST_F(WorkerSourceTest, TextTables_MayBeNone) {
  machine_.provider = [](FakeProcess& process, const Request&) { process.reply({}); };
  EXPECT_THAT(source_->text_tables(TextTable::kCounter, Language::kEnglish), IsEmpty());
}

TEST_F(WorkerSourceTest, TextTables_GivesTheErrorOfALossAndRestsAsOneCall) {
  crash();
  for (const Language language : {Language::kEnglish, Language::kMachine}) {
    const auto tables = source_->text_tables(TextTable::kCounter, language);
    ASSERT_THAT(tables, SizeIs(1));
    EXPECT_EQ(
        tables[0].error(),
        (Error{.code = ErrorCode::kWorkerCrashed, .where = "registry.text_tables", .os_code = 11}));
  }
  EXPECT_THAT(machine_.asked, SizeIs(1));
  answer();
  EXPECT_TRUE(source_->query("238", {}));
}

TEST_F(WorkerSourceTest, TextTables_IsEndedByTheSourcesStop) {
  StopSource stop;
  stop.request_stop();
  source_->set_stop(stop.token());
  const auto tables = source_->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_THAT(tables, SizeIs(1));
  EXPECT_EQ(tables[0].error().code, ErrorCode::kCancelled);
}

TEST_F(WorkerSourceTest, Release_EndsTheProcess) {
  source_->release();
  ASSERT_TRUE(source_->query("2", {}));
  EXPECT_EQ(source_->workers().front()->state().process_id, 101U);
  source_->release();
  EXPECT_EQ(source_->workers().front()->state().process_id, 0U);
  EXPECT_THAT(machine_.end_requests, SizeIs(1));
  ASSERT_TRUE(source_->query("2", {}));
  EXPECT_EQ(source_->workers().front()->state().process_id, 102U);
  EXPECT_EQ(source_->workers().front()->state().name, "registry");
}

TEST_F(WorkerSourceTest, Memory_IsFreshUnlessItWasTakenBack) {
  const winperf::Reply first = reply_of(100);
  const winperf::Reply second = reply_of(40);
  EXPECT_NE(second.blocks[0].data(), first.blocks[0].data());
  EXPECT_EQ(second.blocks[0].capacity(), 40U);
}

TEST_F(WorkerSourceTest, Memory_ThatWasTakenBackIsUsedOnce) {
  for (const std::size_t size : {99U, 100U}) {
    winperf::Reply first = reply_of(100);
    const std::byte* const place = first.blocks[0].data();
    source_->take_back(std::move(first));
    const winperf::Reply second = reply_of(size);
    EXPECT_EQ(second.blocks[0].data(), place);
    EXPECT_NE(reply_of(size).blocks[0].data(), place);
  }
}

TEST_F(WorkerSourceTest, Memory_GrowsWhereItIsTooSmall) {
  source_->take_back(reply_of(10));
  EXPECT_THAT(reply_of(100).blocks, SizeIs(1));
}

TEST_F(WorkerSourceTest, Memory_FourTimesTooLargeIsKeptAndNotLarger) {
  struct Row {
    std::size_t used;
    std::size_t room;
  };
  for (const Row& row : {Row{26, 100}, Row{25, 100}, Row{24, 1}, Row{1, 1}, Row{0, 1}}) {
    source_->take_back(reply_of(100));
    source_->take_back(reply_of(row.used));
    EXPECT_EQ(next_room(), row.room) << row.used;
  }
}

TEST_F(WorkerSourceTest, Memory_OfTheLargestBlockIsKept) {
  for (const bool larger_first : {false, true}) {
    winperf::Reply small = reply_of(50);
    winperf::Reply large = reply_of(100);
    source_->take_back(std::move(larger_first ? large : small));
    source_->take_back(std::move(larger_first ? small : large));
    EXPECT_EQ(next_room(), 100U);
    source_->take_back({{bytes(50), bytes(100), bytes(60)}});
    EXPECT_EQ(next_room(), 100U);
  }
}

TEST_F(WorkerSourceTest, Memory_ThatIsAsLargeStays) {
  winperf::Reply first = reply_of(100);
  winperf::Reply second = reply_of(100);
  const std::byte* const place = first.blocks[0].data();
  source_->take_back(std::move(first));
  source_->take_back(std::move(second));
  EXPECT_EQ(reply_of(100).blocks[0].data(), place);
}

TEST_F(WorkerSourceTest, Memory_OfAReplyWithoutBlocksIsNone) {
  source_->take_back({});
  EXPECT_EQ(next_room(), 1U);
}

}  // namespace
}  // namespace winperf::worker
