// How long a provider is waited for, what changes that, and whose answer it is, in simulated time.
#include "collectors/hosting/provider_host.h"

#include <gmock/gmock.h>

#include "tests/collectors/worker/fake_worker_process.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using worker::FakeProcess;
using worker::Request;

constexpr const char* kName = "provider \"x\"";
constexpr nanoseconds kOne{1};
// The deadlines of the fake machine's workers: of a call that is known to be fast, and of others.
constexpr milliseconds kDeadline{1'000};
constexpr milliseconds kFirstDeadline{10'000};
constexpr milliseconds kTrusted{100};
constexpr unsigned kEnough = 10;

class ProviderHostTest : public worker::FakeWorkerTest {
 protected:
  static std::expected<Reply, Error> query(ProviderHost& host, std::string_view name = "2",
                                           const StopToken& stop = {}) {
    host.begin(name, stop);
    return host.finish(stop);
  }
  static ErrorCode failure(ProviderHost& host, std::string_view name = "2") {
    const auto reply = query(host, name);
    EXPECT_FALSE(reply);
    return reply ? ErrorCode::kOsError : reply.error().code;
  }
  // How long it is waited for when it hangs, which it did not so far.
  nanoseconds patience(ProviderHost& host) {
    hang();
    const auto before = machine_.now;
    EXPECT_FALSE(query(host));
    return machine_.now - before;
  }
  // An answer after that time is waited for, and no later one.
  void expect_patience(ProviderHost& host, nanoseconds time) {
    answer(time);
    EXPECT_TRUE(query(host));
    answer(time + kOne);
    EXPECT_EQ(failure(host), ErrorCode::kPending);
  }
  void fail(const Error& error, nanoseconds after = {}) {
    machine_.provider = [error, after](FakeProcess& process, const Request&) {
      process.reply({std::unexpected(error)}, after);
    };
  }
  // The answer has as many bytes as the value name says.
  void answer_in_bytes(nanoseconds after) {
    machine_.provider = [after](FakeProcess& process, const Request& request) {
      process.reply({worker::bytes(std::stoul(request.text))}, after);
    };
  }
  // It crashes, and has rested then.
  void lose(ProviderHost& host) {
    crash();
    EXPECT_EQ(failure(host), ErrorCode::kWorkerCrashed);
    pass(std::chrono::minutes(2));
  }
  void succeed(ProviderHost& host, unsigned times) {
    answer();
    for (unsigned i = 0; i < times; ++i) EXPECT_TRUE(query(host));
  }

  const worker::WorkerOptions options_ = machine_.options();
};

TEST_F(ProviderHostTest, OfWhichNothingIsKnown_IsWaitedFor200Milliseconds) {
  ProviderHost host(kName, options_);
  EXPECT_EQ(patience(host), milliseconds(200));
  ProviderHost in_time(kName, options_);
  answer(milliseconds(200));
  EXPECT_TRUE(query(in_time));
  ProviderHost late(kName, options_);
  answer(milliseconds(200) + kOne);
  EXPECT_EQ(failure(late), ErrorCode::kPending);
}

TEST_F(ProviderHostTest, ThatIsPendingSaysHowLong) {
  ProviderHost host(kName, options_);
  hang();
  EXPECT_EQ(query(host).error(),
            (Error{.code = ErrorCode::kPending, .where = kName, .actual = 200, .limit = 10'000}));
  pass(milliseconds(100));
  EXPECT_EQ(query(host).error().actual, 300U);
}

TEST_F(ProviderHostTest, ThatHasAnswered_IsWaitedFor100Milliseconds) {
  ProviderHost host(kName, options_);
  succeed(host, 1);
  expect_patience(host, milliseconds(100));
}

TEST_F(ProviderHostTest, NobodyWaitsTwiceForTheSameAnswer) {
  ProviderHost host(kName, options_);
  succeed(host, 1);
  EXPECT_EQ(patience(host), kTrusted);
  EXPECT_EQ(patience(host), milliseconds(0));
  pass(milliseconds(500));
  EXPECT_EQ(patience(host), milliseconds(0));
}

TEST_F(ProviderHostTest, ThatMissesItsDeadlineIsLostToWhoLooksNext) {
  ProviderHost host(kName, options_);
  succeed(host, 1);
  EXPECT_EQ(patience(host), kTrusted);
  pass(kDeadline - kTrusted - kOne);
  EXPECT_EQ(failure(host), ErrorCode::kPending);
  pass(kOne);
  EXPECT_EQ(failure(host), ErrorCode::kTimedOut);
  EXPECT_EQ(host.state().standing, ProviderStanding::kQuarantine);
}

TEST_F(ProviderHostTest, ThatWasLost_IsWaitedFor50Milliseconds) {
  for (const unsigned before : {0U, 1U, 2 * kEnough}) {
    ProviderHost host(kName, options_);
    succeed(host, before);
    lose(host);
    EXPECT_EQ(patience(host), milliseconds(50)) << before;
  }
  ProviderHost in_time(kName, options_);
  lose(in_time);
  expect_patience(in_time, milliseconds(50));
}

TEST_F(ProviderHostTest, IsLostInEachOfThreeWays) {
  ProviderHost hanging(kName, options_);
  succeed(hanging, 1);
  hang();
  EXPECT_EQ(failure(hanging), ErrorCode::kPending);
  pass(kDeadline);
  EXPECT_EQ(failure(hanging), ErrorCode::kTimedOut);
  pass(std::chrono::minutes(2));
  EXPECT_EQ(patience(hanging), milliseconds(50));

  ProviderHost senseless(kName, options_);
  machine_.provider = [](FakeProcess& process, const Request&) { process.reply({}); };
  EXPECT_EQ(failure(senseless), ErrorCode::kWorkerReply);
  pass(std::chrono::minutes(2));
  EXPECT_EQ(patience(senseless), milliseconds(50));

  ProviderHost late(kName, options_);
  fail({.code = ErrorCode::kTimedOut});
  EXPECT_EQ(failure(late), ErrorCode::kTimedOut);
  EXPECT_EQ(patience(late), milliseconds(50)) << "the provider's own time";
}

TEST_F(ProviderHostTest, IsTrustedAgainAfterTenRepliesInARow) {
  for (const bool was_trusted : {false, true}) {
    ProviderHost nine(kName, options_);
    succeed(nine, was_trusted ? 2 * kEnough : 0);
    lose(nine);
    succeed(nine, kEnough - 1);
    EXPECT_EQ(patience(nine), milliseconds(50));
    ProviderHost ten(kName, options_);
    succeed(ten, was_trusted ? 2 * kEnough : 0);
    lose(ten);
    succeed(ten, kEnough);
    EXPECT_EQ(patience(ten), kTrusted);
  }
}

TEST_F(ProviderHostTest, WithAnotherLossBeginsAnew) {
  ProviderHost host(kName, options_);
  lose(host);
  succeed(host, kEnough - 1);
  lose(host);
  succeed(host, kEnough - 1);
  EXPECT_EQ(patience(host), milliseconds(50));
}

TEST_F(ProviderHostTest, ThatIsPendingKeepsItsReplies) {
  for (const unsigned more : {1U, 2U}) {
    ProviderHost host(kName, options_);
    lose(host);
    succeed(host, kEnough - 3);
    answer(milliseconds(70));
    EXPECT_EQ(failure(host), ErrorCode::kPending);
    pass(milliseconds(20));
    EXPECT_TRUE(query(host)) << "the eighth";
    succeed(host, more);
    EXPECT_EQ(patience(host), more == 2 ? kTrusted : milliseconds(50));
  }
}

TEST_F(ProviderHostTest, ThatReportsAnErrorHasAnswered) {
  for (const ErrorCode code : {ErrorCode::kOsError, ErrorCode::kNotRegistered,
                               ErrorCode::kBufferLimit, ErrorCode::kBadLength}) {
    ProviderHost host(kName, options_);
    fail({.code = code});
    EXPECT_EQ(failure(host), code);
    EXPECT_EQ(patience(host), kTrusted) << name_of(code);
  }
}

TEST_F(ProviderHostTest, OfWhichNothingIsKnownStaysSoWithoutAnAnswer) {
  for (const ErrorCode code : {ErrorCode::kBusy, ErrorCode::kCancelled}) {
    ProviderHost host(kName, options_);
    fail({.code = code});
    EXPECT_EQ(failure(host), code);
    EXPECT_EQ(patience(host), milliseconds(200)) << name_of(code);
    host.release();
    EXPECT_EQ(patience(host), milliseconds(200)) << "once more, in a new process";
  }
}

TEST_F(ProviderHostTest, ThatWasStoppedIsJudgedByNothing) {
  ProviderHost host(kName, options_);
  StopSource stop;
  machine_.provider = [&](FakeProcess&, const Request&) { stop.request_stop(); };
  EXPECT_EQ(query(host, "2", stop.token()).error(),
            (Error{.code = ErrorCode::kCancelled, .where = kName}));
  EXPECT_EQ(patience(host), milliseconds(200));
}

TEST_F(ProviderHostTest, ThatCannotBeStartedHasNotAnswered) {
  const Error no_start{.code = ErrorCode::kWorkerStart, .where = "worker", .os_code = 2};
  ProviderHost host(kName, options_);
  machine_.no_start = no_start;
  EXPECT_EQ(query(host).error(),
            (Error{.code = ErrorCode::kWorkerStart, .where = kName, .os_code = 2}));
  pass(kDeadline);
  machine_.no_start.reset();
  // A process that ends before it begins is replaced, which fails.
  machine_.provider = [&](FakeProcess& process, const Request&) {
    machine_.no_start = no_start;
    process.crash(11);
  };
  EXPECT_EQ(failure(host), ErrorCode::kWorkerStart);
  pass(kDeadline);
  machine_.no_start.reset();
  EXPECT_EQ(patience(host), milliseconds(200));
}

TEST_F(ProviderHostTest, ThatIsPatientIsAlwaysWaitedFor) {
  ProviderHost host(kName, options_, true);
  EXPECT_EQ(patience(host), kFirstDeadline);
  pass(std::chrono::minutes(2));
  EXPECT_EQ(patience(host), kFirstDeadline / 2);
}

TEST_F(ProviderHostTest, TakesALateAnswerToTheSameQuestion) {
  ProviderHost host(kName, options_);
  answer_in_bytes(milliseconds(300));
  EXPECT_EQ(failure(host, "7"), ErrorCode::kPending);
  pass(milliseconds(100));
  const auto reply = query(host, "7");
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->blocks, ElementsAre(SizeIs(7)));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("7"));
}

TEST_F(ProviderHostTest, DropsALateAnswerToAnotherQuestionAndAsksAgain) {
  ProviderHost host(kName, options_);
  answer_in_bytes(milliseconds(300));
  EXPECT_EQ(failure(host, "100"), ErrorCode::kPending);
  pass(milliseconds(100));
  answer_in_bytes({});
  const auto reply = query(host, "50");
  ASSERT_TRUE(reply);
  ASSERT_THAT(reply->blocks, ElementsAre(SizeIs(50)));
  EXPECT_EQ(reply->blocks[0].capacity(), 100U) << "where the dropped one was";
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("100", "50"));
}

TEST_F(ProviderHostTest, TakesALateAnswerToALargerQuestion) {
  ProviderHost host(kName, options_);
  machine_.provider = [](FakeProcess& process, const Request&) {
    const auto object = [](std::uint32_t index) {
      return testing::ObjectBuilder(index).counter({.index = 8}).single({index});
    };
    process.reply({testing::BlockBuilder().add(object(2)).add(object(4)).bytes()},
                  milliseconds(300));
  };
  EXPECT_EQ(failure(host, "Global"), ErrorCode::kPending);
  pass(milliseconds(300));
  EXPECT_TRUE(query(host, "4"));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("Global"));
  EXPECT_EQ(failure(host, "Global"), ErrorCode::kPending);
  pass(milliseconds(300));
  EXPECT_EQ(failure(host, "6"), ErrorCode::kPending) << "the object may be costly";
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("Global", "Global", "6"));
}

TEST_F(ProviderHostTest, DropsALateErrorToAnotherQuestion) {
  ProviderHost host(kName, options_);
  fail({.code = ErrorCode::kBufferLimit}, milliseconds(300));
  EXPECT_EQ(failure(host, "Global"), ErrorCode::kPending);
  pass(milliseconds(100));
  answer();
  EXPECT_TRUE(query(host, "2"));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("Global", "2"));
}

TEST_F(ProviderHostTest, ALossOfAnotherQuestionIsItsOwn) {
  ProviderHost host(kName, options_);
  crash(11, milliseconds(300));
  EXPECT_EQ(failure(host, "4"), ErrorCode::kPending);
  pass(milliseconds(100));
  EXPECT_EQ(failure(host, "2"), ErrorCode::kWorkerCrashed);
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("4"));
}

TEST_F(ProviderHostTest, StillWithAnotherQuestionIsPendingForThisOne) {
  ProviderHost host(kName, options_);
  hang();
  EXPECT_EQ(failure(host, "4"), ErrorCode::kPending);
  EXPECT_EQ(failure(host, "2"), ErrorCode::kPending);
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("4"));
}

TEST_F(ProviderHostTest, AsksAgainWithinTheSamePatience) {
  ProviderHost host(kName, options_);
  lose(host);
  answer(milliseconds(60));
  EXPECT_EQ(failure(host, "4"), ErrorCode::kPending);
  pass(milliseconds(10));
  const auto before = machine_.now;
  EXPECT_EQ(failure(host, "2"), ErrorCode::kPending);
  EXPECT_EQ(machine_.now, before);
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("2", "4", "2"));
  pass(milliseconds(60));
  EXPECT_TRUE(query(host, "2"));
}

TEST_F(ProviderHostTest, WhileItRestsItsQueriesFailAtOnce) {
  ProviderHost host(kName, options_);
  crash();
  const auto before = machine_.now;
  for (const char* const name : {"2", "2", "4", "Global"})
    EXPECT_EQ(query(host, name).error(),
              (Error{.code = ErrorCode::kWorkerCrashed, .where = kName, .os_code = 11}));
  EXPECT_EQ(machine_.now, before);
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("2"));
  pass(std::chrono::seconds(1));
  answer();
  EXPECT_TRUE(query(host, "4"));
}

TEST_F(ProviderHostTest, NamesItselfInErrors) {
  struct Row {
    const char* where;
    const char* named;
  };
  for (const Row& row : {Row{"provider.collect.data", "provider \"x\" in collect.data"},
                         Row{"provider.open", "provider \"x\" in open"}, Row{"provider", kName},
                         Row{"registry.query", kName}, Row{"", kName}}) {
    ProviderHost host(kName, options_);
    Error error{.code = ErrorCode::kOsError,
                .where = row.where,
                .offset = 1,
                .actual = 2,
                .limit = 3,
                .os_code = 4};
    fail(error);
    const auto reply = query(host);
    ASSERT_FALSE(reply);
    error.where = row.named;
    EXPECT_EQ(reply.error(), error);
  }
}

TEST_F(ProviderHostTest, HasNoNameThatIsNotPrintable) {
  ProviderHost host("provider \"\xC3\xA4\"", options_);
  fail({.code = ErrorCode::kOsError, .where = "provider.open"});
  EXPECT_STREQ(query(host).error().where, "provider in open");
  fail({.code = ErrorCode::kOsError, .where = "registry.query"});
  EXPECT_STREQ(query(host).error().where, "provider");
}

TEST_F(ProviderHostTest, ThatCouldNotBeOpenedIsTriedInANewProcessAfterAWhile) {
  for (const Error& error : {Error{.code = ErrorCode::kOsError, .where = "provider.load"},
                             Error{.code = ErrorCode::kOsError, .where = "provider.open"},
                             Error{.code = ErrorCode::kNoProcedure, .where = "provider.collect"}}) {
    SCOPED_TRACE(error.where);
    ProviderHost host(kName, options_);
    fail(error);
    EXPECT_FALSE(query(host));
    const auto process = [&] { return host.workers()[0]->state().process_id; };
    const auto first = process();
    for (const int seconds : {5, 10, 20, 40, 60, 60}) {
      const auto before = process();
      pass(std::chrono::seconds(seconds) - kOne);
      EXPECT_FALSE(query(host));
      EXPECT_EQ(process(), before) << seconds;
      pass(kOne);
      EXPECT_FALSE(query(host));
      EXPECT_NE(process(), before) << seconds;
    }
    EXPECT_NE(process(), first);
    pass(std::chrono::seconds(60));
    succeed(host, 1);
    const auto opened = process();
    pass(std::chrono::minutes(5));
    succeed(host, 1);
    EXPECT_EQ(process(), opened);
    fail(error);
    EXPECT_FALSE(query(host));
    pass(std::chrono::seconds(5));
    EXPECT_FALSE(query(host));
    EXPECT_NE(process(), opened) << "the first time is short again";
  }
}

TEST_F(ProviderHostTest, ThatFailsOtherwiseKeepsItsProcess) {
  ProviderHost host(kName, options_);
  fail({.code = ErrorCode::kOsError, .where = "provider.collect"});
  EXPECT_FALSE(query(host));
  const auto process = host.workers()[0]->state().process_id;
  pass(std::chrono::minutes(5));
  EXPECT_FALSE(query(host));
  EXPECT_EQ(host.workers()[0]->state().process_id, process);
}

TEST_F(ProviderHostTest, ShowsWhetherItIsTrusted) {
  ProviderHost host(kName, options_);
  EXPECT_EQ(host.state().standing, ProviderStanding::kNew);
  hang();
  EXPECT_EQ(failure(host), ErrorCode::kPending);
  EXPECT_EQ(host.state().standing, ProviderStanding::kNew);
  host.release();
  succeed(host, 1);
  EXPECT_EQ(host.state().standing, ProviderStanding::kTrusted);
  crash();
  EXPECT_FALSE(query(host));
  EXPECT_EQ(host.state().standing, ProviderStanding::kQuarantine);
  EXPECT_DOUBLE_EQ(host.state().quarantine_seconds, 1);
  pass(milliseconds(400));
  EXPECT_DOUBLE_EQ(host.state().quarantine_seconds, 0.6);
  pass(milliseconds(600));
  EXPECT_EQ(host.state().quarantine_seconds, 0);
  EXPECT_EQ(host.state().standing, ProviderStanding::kProbation);
  succeed(host, kEnough - 1);
  EXPECT_EQ(host.state().standing, ProviderStanding::kProbation);
  succeed(host, 1);
  EXPECT_EQ(host.state().standing, ProviderStanding::kTrusted);
}

TEST_F(ProviderHostTest, CountsItsQueriesAndThoseThatGaveNothing) {
  ProviderHost host(kName, options_);
  const auto counts = [&] { return std::pair(host.state().queries, host.state().failures); };
  EXPECT_EQ(counts(), (std::pair<std::uint64_t, std::uint64_t>(0, 0)));
  succeed(host, 2);
  EXPECT_EQ(counts(), (std::pair<std::uint64_t, std::uint64_t>(2, 0)));
  crash();
  EXPECT_FALSE(query(host));
  EXPECT_FALSE(query(host)) << "in quarantine";
  EXPECT_EQ(counts(), (std::pair<std::uint64_t, std::uint64_t>(4, 2)));
  pass(std::chrono::minutes(2));
  StopSource stop;
  machine_.provider = [&](FakeProcess&, const Request&) { stop.request_stop(); };
  EXPECT_FALSE(query(host, "2", stop.token()));
  EXPECT_EQ(counts(), (std::pair<std::uint64_t, std::uint64_t>(4, 2))) << "a stop is no failure";
  answer(milliseconds(60));
  EXPECT_EQ(failure(host), ErrorCode::kPending);
  EXPECT_EQ(counts(), (std::pair<std::uint64_t, std::uint64_t>(4, 2))) << "its answer will come";
  pass(milliseconds(10));
  EXPECT_TRUE(query(host));
  EXPECT_EQ(counts(), (std::pair<std::uint64_t, std::uint64_t>(5, 2)));
}

TEST_F(ProviderHostTest, ShowsWhyItsLastQueryGaveNothing) {
  ProviderHost host(kName, options_);
  EXPECT_EQ(host.state().error, std::nullopt);
  fail({.code = ErrorCode::kOsError, .where = "provider.open", .os_code = 5});
  EXPECT_FALSE(query(host));
  EXPECT_EQ(host.state().error,
            (Error{.code = ErrorCode::kOsError, .where = "provider \"x\" in open", .os_code = 5}));
  succeed(host, 1);
  EXPECT_EQ(host.state().error, std::nullopt);
}

TEST_F(ProviderHostTest, ShowsTheCostOfItsLastQuery) {
  ProviderHost host(kName, options_);
  EXPECT_EQ(host.state().query_seconds, std::nullopt);
  EXPECT_EQ(host.state().reply_bytes, std::nullopt);
  answer_in_bytes(milliseconds(20));
  ASSERT_TRUE(query(host, "100"));
  EXPECT_DOUBLE_EQ(host.state().query_seconds.value(), 0.02);
  EXPECT_EQ(host.state().reply_bytes, 100U);
  answer_in_bytes(milliseconds(10));
  ASSERT_TRUE(query(host, "7"));
  EXPECT_DOUBLE_EQ(host.state().query_seconds.value(), 0.01);
  EXPECT_EQ(host.state().reply_bytes, 7U);
  crash(11, milliseconds(30));
  EXPECT_FALSE(query(host));
  EXPECT_DOUBLE_EQ(host.state().query_seconds.value(), 0.03);
  EXPECT_EQ(host.state().reply_bytes, 7U) << "of the last reply";
  EXPECT_FALSE(query(host)) << "in quarantine";
  EXPECT_DOUBLE_EQ(host.state().query_seconds.value(), 0.03) << "it wasn't asked";
}

TEST_F(ProviderHostTest, ThatIsPendingHasNoCostYet) {
  ProviderHost host(kName, options_);
  answer(milliseconds(300));
  EXPECT_EQ(failure(host), ErrorCode::kPending);
  EXPECT_EQ(host.state().query_seconds, std::nullopt);
  pass(milliseconds(500));
  EXPECT_TRUE(query(host));
  EXPECT_DOUBLE_EQ(host.state().query_seconds.value(), 0.3) << "not until somebody looked";
}

TEST_F(ProviderHostTest, ShowsTheNameOfItsWorker) {
  auto options = options_;
  options.name = "provider:x";
  EXPECT_EQ(ProviderHost(kName, options).state().worker, "provider:x");
}

TEST_F(ProviderHostTest, UsesMemoryThatWasTakenBack) {
  ProviderHost host(kName, options_);
  answer_in_bytes({});
  auto first = query(host, "100");
  ASSERT_TRUE(first);
  host.take_back(*std::move(first));
  const auto second = query(host, "50");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->blocks.at(0).capacity(), 100U);
}

TEST_F(ProviderHostTest, ReleasedEndsItsProcess) {
  ProviderHost host(kName, options_);
  EXPECT_THAT(machine_.started, IsEmpty());
  succeed(host, 1);
  ASSERT_THAT(host.workers(), SizeIs(1));
  EXPECT_EQ(host.workers()[0]->state().process_id, 101U);
  host.release();
  EXPECT_EQ(host.workers()[0]->state().process_id, 0U);
  EXPECT_THAT(machine_.end_requests, SizeIs(1));
}

TEST_F(ProviderHostTest, ReleasedWhilePendingIsAskedAnew) {
  ProviderHost host(kName, options_);
  hang();
  EXPECT_EQ(failure(host), ErrorCode::kPending);
  host.release();
  EXPECT_THAT(machine_.end_requests, IsEmpty());
  answer();
  EXPECT_TRUE(query(host));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("2", "2"));
}

}  // namespace
}  // namespace winperf
