#include "collectors/worker/worker_perflib.h"

#include <gmock/gmock.h>

#include "collectors/base/os_code.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Buffer = std::vector<std::byte>;

constexpr Guid kCounterset{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
constexpr std::uint32_t kLost = value_of(OsCode::kProcessAborted);
constexpr std::uint32_t kNoSuchHandle = value_of(OsCode::kInvalidHandle);
constexpr std::uint32_t kMoreRoom = value_of(OsCode::kNotEnoughMemory);

std::string text_of(std::u16string_view text) {
  return {reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char16_t)};
}

std::uint64_t value(PerflibHandle query) { return static_cast<std::uint64_t>(query); }

class WorkerPerflibTest : public FakeWorkerTest {
 protected:
  // Without a part if there are no bytes.
  void answer_with(std::uint64_t number, std::uint32_t code,
                   const std::optional<Buffer>& part = {}) {
    machine_.provider = [=](FakeProcess& process, const Request&) {
      if (!part) return process.reply_with(number, code, {});
      process.reply_with(number, code, {*part});
    };
  }
  PerflibHandle open(std::uint64_t number = 7) {
    answer_with(number, 0);
    PerflibHandle query{};
    EXPECT_EQ(perflib_.open_query(u"", query), 0U);
    return query;
  }
  void add(PerflibHandle query, Buffer identifiers, std::uint32_t code = 0) {
    answer_with(0, code, bytes(identifiers.size(), 100));
    EXPECT_EQ(perflib_.add_counters(query, identifiers), code);
  }
  void remove(PerflibHandle query, Buffer identifiers, std::uint32_t code = 0) {
    answer_with(0, code, bytes(identifiers.size(), 100));
    EXPECT_EQ(perflib_.delete_counters(query, identifiers), code);
  }
  void lose_data(PerflibHandle query) {
    crash();
    EXPECT_EQ(perflib_.query_counter_data(query, buffer_, actual_), kLost);
  }
  // Whether the call for this query's data rests, since it is the same as one that was lost.
  bool rests(PerflibHandle query) {
    const std::size_t before = machine_.asked.size();
    answer_with(4, 0, bytes(4));
    const std::uint32_t code = perflib_.query_counter_data(query, buffer_, actual_);
    EXPECT_EQ(code, machine_.asked.size() > before ? 0U : kLost);
    return code == kLost;
  }
  const Request& last() const { return machine_.asked.back(); }

  Buffer buffer_ = Buffer(20);
  std::uint32_t actual_ = 999;
  WorkerPerflib perflib_{machine_.options()};
};

TEST_F(WorkerPerflibTest, EnumerateCountersets_GivesTheGuids) {
  std::vector<Guid> guids(2);
  answer_with(1, 0, bytes(16));
  EXPECT_EQ(perflib_.enumerate_countersets(u"server", guids, actual_), 0U);
  EXPECT_EQ(actual_, 1U);
  EXPECT_THAT(guids, ElementsAre(kCounterset, Guid{}));
  EXPECT_EQ(last().operation, Operation::kEnumerateCountersets);
  EXPECT_EQ(last().room, 32U);
  EXPECT_EQ(last().text, text_of(u"server"));
}

TEST_F(WorkerPerflibTest, EnumerateInstances_GivesTheBytes) {
  answer_with(11, 0, bytes(11));
  EXPECT_EQ(perflib_.enumerate_instances(u"\u20ac", kCounterset, buffer_, actual_), 0U);
  EXPECT_EQ(actual_, 11U);
  Buffer expected = bytes(11);
  expected.resize(20);
  EXPECT_EQ(buffer_, expected) << "and no more";
  EXPECT_EQ(last().operation, Operation::kEnumerateInstances);
  EXPECT_EQ(last().room, 20U);
  EXPECT_EQ(last().guid, kCounterset);
  EXPECT_EQ(last().text, text_of(u"\u20ac"));
}

TEST_F(WorkerPerflibTest, QueryRegistration_GivesTheBytes) {
  answer_with(20, 0, bytes(20));
  EXPECT_EQ(perflib_.query_registration(u"a", kCounterset, RegistrationInfo::kCountersetName, 1'033,
                                        buffer_, actual_),
            0U);
  EXPECT_EQ(actual_, 20U);
  EXPECT_EQ(buffer_, bytes(20));
  EXPECT_EQ(last().operation, Operation::kQueryRegistration);
  EXPECT_EQ(last().room, 20U);
  EXPECT_THAT(last().numbers, ElementsAre(3, 1'033));
  EXPECT_EQ(last().guid, kCounterset);
  EXPECT_EQ(last().text, text_of(u"a"));
}

TEST_F(WorkerPerflibTest, OpenQuery_GivesAHandleOfThisProcess) {
  answer_with(7, 0);
  PerflibHandle query{};
  EXPECT_EQ(perflib_.open_query(u"server", query), 0U);
  EXPECT_EQ(value(query), 0x0000'0001'0000'0007U);
  EXPECT_EQ(last().operation, Operation::kOpenQuery);
  EXPECT_EQ(last().room, 0U);
  EXPECT_EQ(last().text, text_of(u"server"));
  EXPECT_EQ(value(open(0xFFFF'FFFF)), 0x0000'0001'FFFF'FFFFU);
}

TEST_F(WorkerPerflibTest, OpenQuery_ThatFailsGivesAHandleOfNoQuery) {
  answer_with(0, 5);
  PerflibHandle query{};
  EXPECT_EQ(perflib_.open_query(u"", query), 5U);
  EXPECT_EQ(perflib_.take_loss(), std::nullopt);
  crash();
  EXPECT_EQ(perflib_.open_query(u"", query), kLost);
  EXPECT_EQ(value(query), 0x0000'0002'0000'0000U) << "workers count from 1";
}

TEST_F(WorkerPerflibTest, QueryCounterInfo_AsksForTheQuery) {
  const PerflibHandle query = open();
  answer_with(3, 0, bytes(3));
  EXPECT_EQ(perflib_.query_counter_info(query, buffer_, actual_), 0U);
  EXPECT_EQ(actual_, 3U);
  EXPECT_EQ(buffer_[2], std::byte{3});
  EXPECT_EQ(last().operation, Operation::kQueryCounterInfo);
  EXPECT_EQ(last().handle, 7U);
  EXPECT_EQ(last().room, 20U);
}

TEST_F(WorkerPerflibTest, QueryCounterData_AsksForTheQuery) {
  const PerflibHandle query = open();
  answer_with(3, 0, bytes(3));
  EXPECT_EQ(perflib_.query_counter_data(query, buffer_, actual_), 0U);
  EXPECT_EQ(actual_, 3U);
  EXPECT_EQ(buffer_[2], std::byte{3});
  EXPECT_EQ(last().operation, Operation::kQueryCounterData);
  EXPECT_EQ(last().handle, 7U);
  EXPECT_EQ(last().room, 20U);
}

TEST_F(WorkerPerflibTest, AddAndDeleteCounters_WriteTheStatus) {
  const PerflibHandle query = open();
  Buffer identifiers = bytes(4);
  answer_with(0, 0, bytes(4, 50));
  EXPECT_EQ(perflib_.add_counters(query, identifiers), 0U);
  EXPECT_EQ(identifiers, bytes(4, 50));
  EXPECT_EQ(last().operation, Operation::kAddCounters);
  EXPECT_EQ(last().handle, 7U);
  EXPECT_EQ(last().whose, "\1\2\3\4");
  answer_with(0, 0, bytes(4, 90));
  EXPECT_EQ(perflib_.delete_counters(query, identifiers), 0U);
  EXPECT_EQ(identifiers, bytes(4, 90));
  EXPECT_EQ(last().operation, Operation::kDeleteCounters);
  EXPECT_EQ(last().handle, 7U);
  EXPECT_EQ(last().whose, "2345");
}

TEST_F(WorkerPerflibTest, CloseQuery_ClosesTheQuery) {
  const PerflibHandle query = open();
  answer_with(0, 0);
  EXPECT_EQ(perflib_.close_query(query), 0U);
  EXPECT_EQ(last().operation, Operation::kCloseQuery);
  EXPECT_EQ(last().handle, 7U);
  EXPECT_EQ(last().room, 0U);
}

TEST_F(WorkerPerflibTest, PerflibsErrors_ComeWithTheSizeAndWithoutBytes) {
  answer_with(5'000, kMoreRoom, bytes(3));
  EXPECT_EQ(perflib_.enumerate_instances(u"", kCounterset, buffer_, actual_), kMoreRoom);
  EXPECT_EQ(actual_, 5'000U);
  EXPECT_EQ(buffer_, Buffer(20));
  answer_with(6'000, kMoreRoom);
  EXPECT_EQ(perflib_.enumerate_instances(u"", kCounterset, buffer_, actual_), kMoreRoom);
  EXPECT_EQ(actual_, 6'000U);
  EXPECT_EQ(perflib_.take_loss(), std::nullopt);
}

TEST_F(WorkerPerflibTest, WithoutABufferThereAreNoBytes) {
  answer_with(9, 0);
  EXPECT_EQ(perflib_.enumerate_instances(u"", kCounterset, {}, actual_), 0U);
  EXPECT_EQ(actual_, 9U);
}

TEST_F(WorkerPerflibTest, ALoss_IsTakenOnce) {
  crash(9);
  EXPECT_EQ(perflib_.enumerate_instances(u"", kCounterset, buffer_, actual_), kLost);
  EXPECT_EQ(actual_, 999U);
  EXPECT_EQ(perflib_.take_loss(), (Error{.code = ErrorCode::kWorkerCrashed,
                                         .where = "perflib.enumerate_instances",
                                         .os_code = 9}));
  EXPECT_EQ(perflib_.take_loss(), std::nullopt);
  EXPECT_EQ(perflib_.worker()->state().ends.at(0), 1U);
}

TEST_F(WorkerPerflibTest, ALoss_IsOfTheLastCall) {
  crash();
  EXPECT_EQ(perflib_.enumerate_instances(u"", kCounterset, buffer_, actual_), kLost);
  const PerflibHandle query = open();
  EXPECT_EQ(perflib_.take_loss(), std::nullopt);
  lose_data(query);
  EXPECT_EQ(perflib_.query_counter_data(query, buffer_, actual_), kNoSuchHandle);
  EXPECT_EQ(perflib_.take_loss(), std::nullopt) << "nothing was asked";
}

TEST_F(WorkerPerflibTest, ACall_RestsByItsFunction) {
  crash();
  EXPECT_EQ(perflib_.enumerate_instances(u"", kCounterset, buffer_, actual_), kLost);
  answer_with(0, 0, Buffer{});
  EXPECT_EQ(perflib_.enumerate_instances(u"", kCounterset, buffer_, actual_), kLost);
  EXPECT_EQ(perflib_.query_registration(u"", kCounterset, RegistrationInfo::kCounter, 0, buffer_,
                                        actual_),
            0U);
  std::vector<Guid> guids(1);
  EXPECT_EQ(perflib_.enumerate_countersets(u"", guids, actual_), 0U);
}

TEST_F(WorkerPerflibTest, AStop_EndsACall) {
  StopSource stop;
  perflib_.set_stop(stop.token());
  const PerflibHandle query = open();
  stop.request_stop();
  EXPECT_EQ(perflib_.query_counter_data(query, buffer_, actual_), kLost);
  EXPECT_EQ(perflib_.take_loss()->code, ErrorCode::kCancelled);
}

TEST_F(WorkerPerflibTest, AHandle_EndsWithItsProcess) {
  const PerflibHandle query = open();
  lose_data(query);
  const std::size_t asked = machine_.asked.size();
  EXPECT_EQ(perflib_.query_counter_info(query, buffer_, actual_), kNoSuchHandle);
  EXPECT_EQ(perflib_.query_counter_data(query, buffer_, actual_), kNoSuchHandle);
  EXPECT_EQ(perflib_.add_counters(query, buffer_), kNoSuchHandle);
  EXPECT_EQ(perflib_.delete_counters(query, buffer_), kNoSuchHandle);
  EXPECT_EQ(perflib_.close_query(query), kNoSuchHandle);
  EXPECT_THAT(machine_.asked, SizeIs(asked));
  EXPECT_EQ(value(open()), 0x0000'0002'0000'0007U);
}

TEST_F(WorkerPerflibTest, AHandle_NeedsItsProcessToRun) {
  StopSource stop;
  perflib_.set_stop(stop.token());
  const PerflibHandle query = open();
  machine_.provider = [&](FakeProcess&, const Request&) { stop.request_stop(); };
  EXPECT_EQ(perflib_.query_counter_data(query, buffer_, actual_), kLost);
  perflib_.set_stop({});
  EXPECT_EQ(perflib_.query_counter_data(query, buffer_, actual_), kNoSuchHandle);
  EXPECT_THAT(machine_.started, SizeIs(1));
}

// A query gets another handle in the next process, but what it asks for is the same.
TEST_F(WorkerPerflibTest, Wishes_MakeACallTheSameInTheNextProcess) {
  const PerflibHandle first = open(1);
  add(first, bytes(8, 1));
  add(first, bytes(8, 60));
  lose_data(first);
  const PerflibHandle next = open(2);
  EXPECT_FALSE(rests(next));
  add(next, bytes(8, 60));
  EXPECT_FALSE(rests(next));
  add(next, bytes(8, 1));
  EXPECT_TRUE(rests(next)) << "in whatever order they were added";
  add(next, bytes(8, 30));
  EXPECT_FALSE(rests(next));
  remove(next, bytes(8, 30));
  EXPECT_TRUE(rests(next));
  remove(next, bytes(8, 1));
  EXPECT_FALSE(rests(next));
}

TEST_F(WorkerPerflibTest, Wishes_CountOnlyIfTheyWereGranted) {
  const PerflibHandle first = open(1);
  add(first, bytes(8, 1));
  lose_data(first);
  const PerflibHandle next = open(2);
  add(next, bytes(8, 1));
  add(next, bytes(8, 60), 5);
  EXPECT_TRUE(rests(next));
  remove(next, bytes(8, 1), 5);
  EXPECT_TRUE(rests(next));
}

TEST_F(WorkerPerflibTest, Wishes_AreOfEachQuery) {
  const PerflibHandle first = open(1);
  add(first, bytes(8, 1));
  const PerflibHandle second = open(2);
  lose_data(first);
  EXPECT_FALSE(rests(open(3)));
  EXPECT_NE(first, second);
}

TEST_F(WorkerPerflibTest, Wishes_AreNoneInANewQuery) {
  add(open(1), bytes(8, 1));
  lose_data(open(1));
  EXPECT_TRUE(rests(open(2)));
}

TEST_F(WorkerPerflibTest, Wishes_EndWithTheirQuery) {
  const PerflibHandle query = open(1);
  add(query, bytes(8, 1));
  answer_with(0, 0);
  EXPECT_EQ(perflib_.close_query(query), 0U);
  lose_data(query);
  EXPECT_TRUE(rests(open(2)));
}

}  // namespace
}  // namespace winperf::worker
