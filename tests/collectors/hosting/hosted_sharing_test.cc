// When isolated providers share a process again, which ones do not, and whose harm it was, in
// simulated time.
#include <gmock/gmock.h>

#include "tests/collectors/hosting/hosts_fixture.h"

namespace winperf {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Error kLate{
    .code = ErrorCode::kTimedOut, .where = "registry.query", .actual = 3'000, .limit = 3'000};

// The worker of all providers, as far as its traces matter.
class FakeView final : public WorkerView {
 public:
  const WorkerState& state() const override { return state_; }
  std::vector<WorkerEvent> take_events() override { return {}; }
  std::vector<WorkerTrace> take_traces() override { return std::exchange(traces, {}); }
  std::vector<WorkerTrace> traces;

 private:
  WorkerState state_;
};

class HostsSharing : public HostsTest {
 protected:
  HostsSharing() {
    views_ = {&view_};
    every_reply_ = Reply{};
  }
  HostedSource source(Isolation isolation = Isolation::kAuto) {
    return HostsTest::source(isolation);
  }
  // The whole process is lost with this query.
  std::vector<std::string> lose(HostedSource& all, const Error& error,
                                std::vector<std::string> modules = {}) {
    whole_->every_reply.reset();
    whole_->replies["2 6"] = {std::unexpected(error)};
    if (!modules.empty()) view_.traces = {{.modules = std::move(modules), .error = error}};
    const auto answers = ask(all);
    whole_->every_reply = Reply{};
    return answers;
  }
  // B does harm again and again, and the others share a process.
  void share_without_b(HostedSource& all) {
    lose(all, kCrash, {"b.dll"});
    pass(minutes(30));
    crashing_ = {"B"};
    ask(all);
    pass(minutes(31));
    ask(all);
  }
  static std::vector<std::string> ask(HostedSource& all) {
    const auto reply = all.query("2 6", {});
    return reply ? texts(*reply) : std::vector{describe(reply.error())};
  }
  void pass(std::chrono::nanoseconds time) { machine_.now += time; }
  static ProviderState state_of(HostedSource& all, const std::string& provider) {
    for (ProviderState& state : all.provider_states())
      if (state.provider == provider) return state;
    return {};
  }

  FakeView view_;
};

TEST_F(HostsSharing, BeginsAgainAfterAnHourWithoutALoss) {
  HostedSource all = source();
  EXPECT_THAT(lose(all, kCrash), ElementsAre("A: 2", "B: 6"));
  pass(hours(1) - seconds(1));
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6"));
  EXPECT_THAT(all.workers(), SizeIs(3));
  EXPECT_THAT(news(all), SizeIs(1));
  pass(seconds(1));
  EXPECT_THAT(ask(all), IsEmpty()) << "all together answer";
  EXPECT_THAT(all.workers(), SizeIs(1)) << "their processes have ended";
  EXPECT_THAT(news(all), ElementsAre("together: all of them share one worker again"));
}

TEST_F(HostsSharing, BeginsAgainWithoutTheGuilty) {
  HostedSource all = source();
  lose(all, kCrash);
  pass(minutes(30));
  crashing_ = {"B"};
  EXPECT_THAT(ask(all), ElementsAre("A: 2"));
  crashing_ = {};
  news(all);
  pass(hours(1) - minutes(2));
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6")) << "an hour after the last accusation";
  pass(minutes(1));
  crashing_ = {"B"};
  EXPECT_THAT(ask(all), ElementsAre("A: 2")) << "once more, which delays nobody else";
  crashing_ = {};
  pass(minutes(2));
  EXPECT_THAT(ask(all), ElementsAre("shared/A: 2", "B: 6"));
  EXPECT_THAT(news(all),
              ElementsAre("together: those that caused no fault share one worker again"));
  EXPECT_EQ(made_.back(), "shared");
  EXPECT_EQ(state_of(all, "B").harms, 2U);
  EXPECT_GT(state_of(all, "B").apart_seconds, 3'400);
  pass(hours(1));
  EXPECT_THAT(ask(all), IsEmpty()) << "it has served its term";
  EXPECT_EQ(state_of(all, "B").apart_seconds, 0);
  EXPECT_EQ(state_of(all, "B").standing, ProviderStanding::kShared);
}

TEST_F(HostsSharing, ThatDoesNotLastBeginsAgainLater) {
  HostedSource all = source();
  lose(all, kCrash);
  for (const int quiet : {1, 2, 4, 8, 16, 24, 24}) {
    pass(hours(quiet) - seconds(1));
    EXPECT_THAT(ask(all), SizeIs(2)) << quiet;
    pass(seconds(1));
    EXPECT_THAT(ask(all), IsEmpty()) << quiet;
    lose(all, kCrash);
  }
  pass(hours(24));
  EXPECT_THAT(ask(all), IsEmpty());
  pass(hours(24));
  lose(all, kCrash);
  pass(hours(1));
  EXPECT_THAT(ask(all), IsEmpty()) << "a day without is as if there had been nothing";
}

TEST_F(HostsSharing, NeverBeginsIfHostsAreWanted) {
  HostedSource all = source(Isolation::kHosts);
  ask(all);
  pass(hours(1'000));
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6"));
  EXPECT_THAT(news(all), IsEmpty());
}

// A machine that is overloaded for a moment.
TEST_F(HostsSharing, IsNotEndedByOneTimeoutThatHasNoName) {
  HostedSource all = source();
  whole_->every_reply.reset();
  whole_->replies["2 6"] = {std::unexpected(kLate), testing::BlockBuilder().bytes()};
  EXPECT_THAT(all.query("2 6", {}).value().blocks, SizeIs(1));
  EXPECT_THAT(whole_->asked, ElementsAre("2 6", "2 6"));
  EXPECT_EQ(whole_->forgotten, 1) << "it doesn't rest first";
  EXPECT_THAT(made_, IsEmpty());
  EXPECT_THAT(news(all), IsEmpty());
  pass(hours(1) - seconds(1));
  whole_->replies["2 6"] = {std::unexpected(kLate), testing::BlockBuilder().bytes()};
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6")) << "two within an hour are too many";
}

TEST_F(HostsSharing, IsEndedByATimeoutThatIsRepeated) {
  HostedSource all = source();
  EXPECT_THAT(lose(all, kLate), ElementsAre("A: 2", "B: 6"));
  EXPECT_THAT(whole_->asked, SizeIs(2));
}

TEST_F(HostsSharing, IsNotEndedByASlowStart) {
  HostedSource all = source();
  whole_->every_reply.reset();
  for (const ErrorCode code :
       {ErrorCode::kWorkerStarting, ErrorCode::kWorkerStart, ErrorCode::kWorkerStartLate}) {
    whole_->replies["2 6"] = {std::unexpected(Error{.code = code, .where = "registry.query"})};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(all.query("2 6", {}).error().code, code);
  }
  EXPECT_THAT(made_, IsEmpty());
}

TEST_F(HostsSharing, IsEndedAtOnceByATimeoutInAProvidersLibrary) {
  HostedSource all = source();
  EXPECT_THAT(lose(all, kLate, {"ntdll.dll", "a.dll", "advapi32.dll"}),
              ElementsAre("A: 2", "B: 6"));
  EXPECT_THAT(whole_->asked, SizeIs(1));
  EXPECT_THAT(
      news(all),
      ElementsAre("A: registry.query timed out: 3000 against 3000 in ntdll.dll, called by a.dll, "
                  "advapi32.dll",
                  "parted: registry.query timed out: 3000 against 3000 in a.dll (provider \"A\")"));
  EXPECT_EQ(state_of(all, "A").harms, 1U);
}

TEST_F(HostsSharing, BeginsAgainWithoutWhoWasNamedAndBehavesInItsHost) {
  HostedSource all = source();
  lose(all, kCrash, {"b.dll"});
  EXPECT_EQ(state_of(all, "B").last_harm,
            "registry.query crashed its worker process (signal 11) in b.dll");
  EXPECT_EQ(state_of(all, "B").standing, ProviderStanding::kTrusted);
  pass(hours(1) - seconds(1));
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6"));
  EXPECT_EQ(state_of(all, "A").harms, 0U);
}

TEST_F(HostsSharing, IsEndedByACrashInALibraryWhileNobodyAsks) {
  HostedSource all = source();
  view_.traces = {{.modules = {"A.dll"}, .error = kCrash}};
  EXPECT_THAT(ask(all), IsEmpty()) << "the reply is good all the same";
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6"));
  EXPECT_THAT(news(all), SizeIs(2));
}

TEST_F(HostsSharing, KeepsWhoIsNamedIfTheRegistryIsWanted) {
  HostedSource all = source(Isolation::kRegistry);
  lose(all, kCrash, {"b.dll"});
  EXPECT_THAT(news(all),
              ElementsAre("B: registry.query crashed its worker process (signal 11) in b.dll"));
  EXPECT_EQ(state_of(all, "B").standing, ProviderStanding::kShared);
  EXPECT_THAT(made_, IsEmpty());
}

TEST_F(HostsSharing, NamesAllWhoseLibraryItIs) {
  HostedSource all = source();
  registry_->all[1].library = "a.dll";
  lose(all, kCrash, {"a.dll"});
  EXPECT_EQ(state_of(all, "A").harms, 1U);
  EXPECT_EQ(state_of(all, "B").harms, 1U);
}

// It is known whose call it was.
TEST_F(HostsSharing, OfTheInnocentLosesOnlyWhoDoesHarm) {
  HostedSource all = source();
  registry_->all.push_back(registration("C", {ObjectIndex{8}}));
  share_without_b(all);
  crashing_ = {"B", "shared/A"};
  whole_->replies["2 8"] = {};
  EXPECT_THAT(texts(all.query("2 8", {}).value()), ElementsAre("shared/C: 8"));
  EXPECT_EQ(state_of(all, "A").harms, 1U);
  pass(minutes(1));
  EXPECT_THAT(texts(all.query("2 8", {}).value()), ElementsAre("A: 2", "shared/C: 8"));
}

TEST_F(HostsSharing, OfTheInnocentEndsForWhoIsSlow) {
  HostedSource all = source();
  lose(all, kCrash, {"b.dll"});
  pass(minutes(30));
  crashing_ = {"B"};
  ask(all);
  crashing_ = {};
  pass(minutes(31));
  answers_after_ = milliseconds(151);
  for (int i = 0; i < 4; ++i) {  // the first one loads and opens it
    pass(seconds(1));
    EXPECT_EQ(state_of(all, "A").harms, 0U);
    EXPECT_THAT(texts(all.query("2", {}).value()), ElementsAre("shared/A: 2"));
  }
  EXPECT_EQ(state_of(all, "A").last_harm, "it delays the others");
  answers_after_ = milliseconds(1);
  EXPECT_THAT(texts(all.query("2", {}).value()), ElementsAre("A: 2"));
}

// A provider was asked when the process was lost, in a thread of another one's.
TEST_F(HostsSharing, OfTheInnocentAccusesNobodyForAnothersHarm) {
  HostedSource all = source();
  registry_->all.push_back(registration("C", {ObjectIndex{8}}));
  share_without_b(all);
  modules_of_crash_ = {"b.dll"};
  crashing_ = {"B", "shared/A"};
  EXPECT_THAT(objects(all.query("2 8", {}).value().missing), ElementsAre(2));
  crashing_ = {"B"};
  for (int i = 0; i < 3; ++i)  // the call of A rests
    EXPECT_THAT(objects(all.query("2 8", {}).value().missing), ElementsAre(2));
  EXPECT_EQ(state_of(all, "A").harms, 0U);
  pass(minutes(1));
  EXPECT_THAT(texts(all.query("2 8", {}).value()), ElementsAre("shared/A: 2", "shared/C: 8"));
}

// The data is good, and the process lives; but what runs there next is harmed.
TEST_F(HostsSharing, EndsWhereSomethingIsLeftOver) {
  HostedSource all = source();
  whole_->side_effects = "left a changed floating-point unit";
  EXPECT_THAT(ask(all), IsEmpty()) << "all together answer";
  EXPECT_THAT(news(all), ElementsAre("parted: one of them left a changed floating-point unit"));
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6"));
}

TEST_F(HostsSharing, IsNotEndedByWhatALostCallLeftLongAgo) {
  HostedSource all = source();
  whole_->side_effects = "left a damaged heap";
  lose(all, kCrash);
  pass(hours(1));
  EXPECT_THAT(ask(all), IsEmpty());
  EXPECT_THAT(ask(all), IsEmpty()) << "all together answer";
}

TEST_F(HostsSharing, NamesTheLibraryIfNothingElseDoes) {
  HostedSource all = source();
  crashing_ = {"A"};
  lose(all, kCrash);
  EXPECT_THAT(news(all), ::testing::Contains(::testing::EndsWith("; its library is a.dll")));
}

TEST_F(HostsSharing, NamesWhoCrashesWhereItIsClosed) {
  HostedSource all = source();
  crashing_in_close_ = {"B"};
  EXPECT_THAT(lose(all, kCrash), ElementsAre("A: 2", "B: 6"));
  EXPECT_THAT(ask(all), SizeIs(2)) << "its data is good all the same";
  EXPECT_EQ(state_of(all, "B").last_harm,
            "provider B in close crashed its worker process (signal 11)");
  EXPECT_EQ(state_of(all, "A").harms, 0U);
}

TEST_F(HostsSharing, NamesWhoIsSlowWhereItIsClosed) {
  HostedSource all = source();
  closes_after_ = milliseconds(151);
  lose(all, kCrash);
  for (int i = 0; i < 5; ++i) {
    pass(milliseconds(100));
    ask(all);
  }
  EXPECT_EQ(state_of(all, "A").last_harm, "provider A took 151 ms to close");
  EXPECT_THAT(ask(all), ElementsAre("A: 2", "B: 6"));
}

}  // namespace
}  // namespace winperf
