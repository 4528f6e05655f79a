#include "collectors/worker/worker_source.h"

#include <gmock/gmock.h>

#include "collectors/base/os_code.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

using Buffer = std::vector<std::byte>;
using Places = std::vector<ResultPlace>;

constexpr Guid kAskedCounterset{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
constexpr Error kNotOpen{.code = ErrorCode::kOsError,
                         .where = "perflib.query_counter_data",
                         .os_code = value_of(OsCode::kInvalidHandle)};
constexpr Error kNotRunning{
    .code = ErrorCode::kNotRunning, .where = "perflib.add_counters", .os_code = 4'201};

std::vector<v2::CounterRequest> counters(std::initializer_list<std::uint32_t> ids) {
  std::vector<v2::CounterRequest> requests;
  for (const std::uint32_t id : ids)
    requests.push_back({.counterset = kAskedCounterset, .counter_id = id, .instance_name = u"*"});
  return requests;
}

// As it lies in the memory.
Buffer frames_of(const Places& places) {
  Buffer memory(kHeadBytes + 10'000);
  ReplyWriter writer(memory, 1);
  write_places(writer, places);
  writer.finish();
  const auto reply = read_reply(memory, 1);
  return {reply->parts.at(0)->begin(), reply->parts.at(0)->end()};
}

class WorkerPerflibTest : public FakeWorkerTest {
 protected:
  void answer_with(std::expected<Buffer, Error> part) {
    machine_.provider = [part = std::move(part)](FakeProcess& process, const Request& request) {
      if (request.operation == Operation::kCloseSet) return process.reply({});
      process.reply({part});
    };
  }
  std::expected<Places, Error> open(std::initializer_list<std::uint32_t> ids, PerflibSet set,
                                    const Places& places) {
    answer_with(frames_of(places));
    return perflib_.open(set, counters(ids));
  }
  // Each at its place.
  void open(std::initializer_list<std::uint32_t> ids, PerflibSet set) {
    Places places;
    for (std::size_t i = 0; i < ids.size(); ++i) places.emplace_back(static_cast<unsigned>(i));
    EXPECT_EQ(open(ids, set, places), places);
  }
  void lose(PerflibSet set) {
    crash();
    EXPECT_EQ(perflib_.collect(set).error().code, ErrorCode::kWorkerCrashed);
  }
  // Whether collecting the set rests, since that is the same call as one that was lost.
  bool rests(PerflibSet set) {
    const std::size_t before = machine_.asked.size();
    answer_with(bytes(4));
    const auto collected = perflib_.collect(set);
    EXPECT_EQ(collected.has_value(), machine_.asked.size() > before);
    return !collected;
  }
  const Request& last() const { return machine_.asked.back(); }

  WorkerPerflib perflib_{machine_.options()};
  const PerflibSet one_ = perflib_.new_set(), two_ = perflib_.new_set();
};

TEST_F(WorkerPerflibTest, Countersets_AreWholeGuids) {
  answer_with(bytes(16));
  EXPECT_THAT(perflib_.countersets().value(), ElementsAre(kAskedCounterset));
  EXPECT_EQ(last().operation, Operation::kEnumerateCountersets);
  EXPECT_EQ(last().whose, "");
  answer_with(Buffer{});
  EXPECT_THAT(perflib_.countersets().value(), SizeIs(0));
  answer_with(bytes(33));
  EXPECT_EQ(perflib_.countersets().error(), (Error{.code = ErrorCode::kWorkerReply,
                                                   .where = "perflib.enumerate_countersets",
                                                   .actual = 33,
                                                   .limit = 32}));
}

TEST_F(WorkerPerflibTest, InstancesAndRegistrations_AreTheBytes) {
  answer_with(bytes(11));
  EXPECT_EQ(perflib_.instances(kAskedCounterset), bytes(11));
  EXPECT_EQ(last().operation, Operation::kEnumerateInstances);
  EXPECT_EQ(last().guid, kAskedCounterset);
  EXPECT_EQ(perflib_.registration(kAskedCounterset, RegistrationInfo::kCountersetName, 1'033),
            bytes(11));
  EXPECT_EQ(last().operation, Operation::kQueryRegistration);
  EXPECT_EQ(last().guid, kAskedCounterset);
  EXPECT_THAT(last().numbers, ElementsAre(3, 1'033));
}

TEST_F(WorkerPerflibTest, Errors_AreThoseOfTheWorkersPerflib) {
  const Error denied{.code = ErrorCode::kAccessDenied, .where = "perflib.here", .os_code = 5};
  answer_with(std::unexpected(denied));
  EXPECT_EQ(perflib_.countersets().error(), denied);
  EXPECT_EQ(perflib_.instances(kAskedCounterset).error(), denied);
  EXPECT_EQ(perflib_.registration(kAskedCounterset, RegistrationInfo::kCounter).error(), denied);
  EXPECT_EQ(perflib_.open(one_, counters({1})).error(), denied);
  EXPECT_EQ(perflib_.collect(one_).error(), denied);
}

TEST_F(WorkerPerflibTest, AReplyWithoutThePart_CostsTheProcess) {
  for (const bool has_two : {false, true}) {
    WorkerPerflib perflib(machine_.options());
    machine_.provider = [has_two](FakeProcess& process, const Request&) {
      if (has_two) return process.reply({bytes(1), bytes(1)});
      process.reply({});
    };
    EXPECT_EQ(perflib.countersets().error().code, ErrorCode::kWorkerReply);
    EXPECT_EQ(perflib.instances(kAskedCounterset).error().code, ErrorCode::kWorkerReply);
    EXPECT_EQ(perflib.registration(kAskedCounterset, RegistrationInfo::kCounter).error().code,
              ErrorCode::kWorkerReply);
    EXPECT_EQ(perflib.open(one_, counters({1})).error().code, ErrorCode::kWorkerReply);
    EXPECT_EQ(perflib.collect(one_).error().code, ErrorCode::kWorkerReply);
    EXPECT_EQ(perflib.worker()->state().starts, 6U);
  }
}

TEST_F(WorkerPerflibTest, ASet_IsOpenedWithAPlaceForEachRequest) {
  const Places places{2U, std::unexpected(kNotRunning), std::nullopt};
  EXPECT_EQ(open({1, 2, 3}, one_, places), places);
  EXPECT_EQ(last().operation, Operation::kOpenSet);
  EXPECT_EQ(last().numbers[0], static_cast<std::uint32_t>(one_));
  const auto asked = v2::parse_identifiers(std::as_bytes(std::span(last().text)));
  ASSERT_THAT(asked.all, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(asked.all[i].request, counters({1, 2, 3})[i]) << "in their order";
}

TEST_F(WorkerPerflibTest, ASet_IsCollectedAndClosedByItsName) {
  open({1}, two_);
  answer_with(bytes(9));
  EXPECT_EQ(perflib_.collect(two_), bytes(9));
  EXPECT_EQ(last().operation, Operation::kCollectSet);
  EXPECT_EQ(last().numbers[0], static_cast<std::uint32_t>(two_));
  perflib_.close(two_);
  EXPECT_EQ(last().operation, Operation::kCloseSet);
  EXPECT_EQ(last().numbers[0], static_cast<std::uint32_t>(two_));
}

TEST_F(WorkerPerflibTest, NoTwoSetsOfAWorker_HaveTheSameName) {
  const auto worker = std::make_shared<Worker>(machine_.options());
  WorkerPerflib a(std::make_shared<WorkerLink>(worker, "a"));
  WorkerPerflib same(std::make_shared<WorkerLink>(worker, "a"));
  EXPECT_NE(a.new_set(), same.new_set());
  EXPECT_NE(one_, two_);
}

TEST_F(WorkerPerflibTest, AnotherMachines_NamesItAndItsWorkerIsNotItsOwn) {
  WorkerPerflib other(
      std::make_shared<WorkerLink>(std::make_shared<Worker>(machine_.options()), "server"));
  EXPECT_EQ(other.worker(), nullptr);
  answer_with(bytes(16));
  ASSERT_TRUE(other.countersets());
  EXPECT_EQ(last().whose, "server");
  crash();
  EXPECT_EQ(other.instances(kAskedCounterset).error().code, ErrorCode::kWorkerCrashed);
  answer_with(bytes(16));
  EXPECT_EQ(other.countersets().error(), (Error{.code = ErrorCode::kWorkerCrashed,
                                                .where = "perflib.enumerate_countersets",
                                                .os_code = 11}))
      << "in the same round";
  other.set_stop({});
  EXPECT_TRUE(other.countersets());
}

TEST_F(WorkerPerflibTest, Places_AreReadOnlyIfEachIsOne) {
  const Places places{2U, std::unexpected(kNotRunning)};
  const Buffer frames = frames_of(places);
  EXPECT_EQ(read_places(frames, 2), places);
  const auto code = [](const Buffer& part, std::size_t count) {
    const auto read = read_places(part, count);
    EXPECT_FALSE(read);
    if (read) return ErrorCode::kOsError;
    EXPECT_STREQ(read.error().where, "perflib.open_query");
    return read.error().code;
  };
  EXPECT_EQ(code(frames, 1), ErrorCode::kWorkerReply);
  EXPECT_EQ(code(frames, 3), ErrorCode::kWorkerReply);
  EXPECT_EQ(code(Buffer(frames.size() - 1), 2), ErrorCode::kWorkerReply);
  Buffer no_state = frames;
  no_state[0] = std::byte{3};
  EXPECT_EQ(code(no_state, 2), ErrorCode::kWorkerReply);
  Buffer no_code = frames;
  no_code[frames.size() / 2 + 8] = std::byte{0xFF};  // of the error
  EXPECT_EQ(code(no_code, 2), ErrorCode::kWorkerReply);
  EXPECT_EQ(read_places({}, 0), Places{});
}

TEST_F(WorkerPerflibTest, ALoss_IsTheErrorOfTheCall) {
  crash(9);
  EXPECT_EQ(perflib_.instances(kAskedCounterset).error(),
            (Error{.code = ErrorCode::kWorkerCrashed,
                   .where = "perflib.enumerate_instances",
                   .os_code = 9}));
  EXPECT_EQ(perflib_.worker()->state().ends.at(0), 1U);
}

TEST_F(WorkerPerflibTest, ACall_RestsByItsOperation) {
  crash();
  EXPECT_FALSE(perflib_.instances(kAskedCounterset));
  answer_with(bytes(16));
  EXPECT_FALSE(perflib_.instances(kAskedCounterset));
  EXPECT_TRUE(perflib_.registration(kAskedCounterset, RegistrationInfo::kCounter));
  EXPECT_TRUE(perflib_.countersets());
}

TEST_F(WorkerPerflibTest, AStop_EndsACall) {
  StopSource stop;
  perflib_.set_stop(stop.token());
  open({1}, one_);
  stop.request_stop();
  EXPECT_EQ(perflib_.collect(one_).error().code, ErrorCode::kCancelled);
}

TEST_F(WorkerPerflibTest, InTheNextProcess_ASetIsNotOpen) {
  open({1}, one_);
  lose(one_);
  open({2}, two_);
  answer_with(std::unexpected(kNotOpen));
  EXPECT_TRUE(is_not_open(perflib_.collect(two_).error()));
}

TEST_F(WorkerPerflibTest, ClosingASet_StartsNoProcess) {
  perflib_.close(one_);
  EXPECT_THAT(machine_.started, SizeIs(0));
  StopSource stop;
  perflib_.set_stop(stop.token());
  open({1}, one_);
  machine_.provider = [&](FakeProcess&, const Request&) { stop.request_stop(); };
  EXPECT_EQ(perflib_.collect(one_).error().code, ErrorCode::kCancelled);
  perflib_.set_stop({});
  perflib_.close(one_);
  EXPECT_THAT(machine_.started, SizeIs(1));
}

TEST_F(WorkerPerflibTest, TheSameSet_IsTheSameCallInTheNextProcess) {
  open({1, 2}, one_);
  lose(one_);
  open({1}, two_);
  EXPECT_FALSE(rests(two_));
  open({2, 1}, two_);
  EXPECT_TRUE(rests(two_)) << "in whatever order";
  open({1, 2, 3}, two_);
  EXPECT_FALSE(rests(two_));
  open({1, 2}, two_);
  EXPECT_TRUE(rests(two_));
}

TEST_F(WorkerPerflibTest, OpeningASet_RestsAsThatSet) {
  crash();
  EXPECT_FALSE(perflib_.open(one_, counters({1})));
  answer_with(frames_of({0U}));
  EXPECT_EQ(perflib_.open(two_, counters({1})).error().code, ErrorCode::kWorkerCrashed);
  EXPECT_TRUE(perflib_.open(two_, counters({2})));
}

}  // namespace
}  // namespace winperf::worker
