// When providers are parted, who is asked for what, and what a reply is made of, in simulated time.
// Each host answers with its name and what it was asked for. posix/ has the real processes.
#include "collectors/hosting/hosted_source.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/collectors/hosting/hosts_fixture.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(HostsTest, ArePartedByALossAndWhatMayBeOnesFault) {
  const std::set<ErrorCode> harmful{ErrorCode::kTimedOut,     ErrorCode::kWorkerCrashed,
                                    ErrorCode::kWorkerExited, ErrorCode::kWorkerLimit,
                                    ErrorCode::kWorkerReply,  ErrorCode::kBufferLimit};
  for (std::size_t number = 0; number < kErrorCodeCount; ++number) {
    const auto code = static_cast<ErrorCode>(number);
    EXPECT_EQ(is_harm(std::unexpected(Error{.code = code})),
              harmful.contains(code) || kind_of(code) == ErrorKind::kCorrupt)
        << name_of(code);
  }
}

// It has had a deadline already.
TEST_F(HostsTest, ThatAreLateAfterATimeoutOfAllTogetherAreLost) {
  const Error late{
      .code = ErrorCode::kTimedOut, .where = "registry.query", .actual = 3'000, .limit = 2'000};
  const Error crashed{.code = ErrorCode::kWorkerCrashed, .where = "registry.query", .os_code = 11};
  hanging_ = {"A"};
  for (const Error& loss : {late, crashed}) {
    HostedSource all = source(Isolation::kAuto);
    whole_->every_reply.reset();
    whole_->replies["2 6"] = {std::unexpected(loss)};
    const auto reply = all.query("2 6", {});
    EXPECT_THAT(texts(reply.value()), ElementsAre("B: 6"));
    const Error& reason = reply->missing.at(0).reason;
    EXPECT_STREQ(reason.where, "provider A");
    EXPECT_EQ(reason.code, loss == late ? ErrorCode::kTimedOut : ErrorCode::kPending);
    if (loss == late) {
      EXPECT_EQ(reason.actual, late.actual);
      EXPECT_EQ(reason.limit, late.limit);
    }

    HostedSource alone = source(Isolation::kAuto);
    whole_->replies["2"] = {std::unexpected(loss)};
    EXPECT_EQ(alone.query("2", {}).error().code, reason.code);
  }
}

TEST_F(HostsTest, ArePartedByABlockWhoseObjectsCannotBeToldApart) {
  EXPECT_TRUE(is_harm(Bytes(100)));
  EXPECT_FALSE(is_harm(testing::BlockBuilder().bytes()));
}

TEST_F(HostsTest, SayOnceWhyTheyWereParted) {
  HostedSource all = source(Isolation::kAuto);
  EXPECT_THAT(news(all), IsEmpty());
  whole_->replies["2"] = {std::unexpected(kCrash)};
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(all.query("2", {}));
  EXPECT_THAT(news(all),
              ElementsAre("parted: registry.query crashed its worker process (signal 11)"));
  EXPECT_THAT(news(all), IsEmpty());
  HostedSource unsound = source(Isolation::kAuto);
  whole_->replies["2"] = {Bytes(100)};
  EXPECT_TRUE(unsound.query("2", {}));
  EXPECT_THAT(news(unsound), ElementsAre("parted: the objects of a reply cannot be separated"));
  HostedSource wanted = source(Isolation::kHosts);
  EXPECT_TRUE(wanted.query("2", {}));
  EXPECT_THAT(news(wanted), IsEmpty()) << "nothing has happened";
}

TEST_F(HostsTest, ArePartedByOneQueryThatIsSlowThreeTimesInARow) {
  HostedSource all = source(Isolation::kAuto);
  whole_->every_reply = Reply{};
  const auto ask = [&](const char* objects, milliseconds takes) {
    takes_ = takes;
    return texts(all.query(objects, {}).value());
  };
  constexpr milliseconds kSlow{151};
  constexpr milliseconds kQuick{150};
  for (int i = 0; i < 2; ++i) ask("2 6", kSlow);
  for (int i = 0; i < 5; ++i) ask("2 6", kQuick);
  for (int i = 0; i < 2; ++i) ask("2 6", kSlow);
  for (int i = 0; i < 2; ++i) ask("4 6", kSlow);
  ask("2 4 6", kQuick);
  EXPECT_THAT(made_, IsEmpty());
  EXPECT_EQ(whole_->releases, 0);
  EXPECT_THAT(ask("2 6", kSlow), IsEmpty()) << "its reply is good all the same";
  EXPECT_EQ(whole_->releases, 1);
  EXPECT_THAT(news(all), ElementsAre("parted: one of them is slow and delays the others"));
  EXPECT_THAT(ask("2 6", {}), ElementsAre("A: 2", "B: 6"));
}

TEST_F(HostsTest, AreNotPartedForWhatNobodyElseWaitsFor) {
  takes_ = std::chrono::seconds(1);
  HostedSource all = source(Isolation::kAuto);
  whole_->every_reply = Reply{};
  for (const char* const name : {"2 4", "6", "9 10", "Global"})
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(all.query(name, {})) << name;
  HostedSource registry = source(Isolation::kRegistry);
  whole_->every_reply = Reply{};
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(registry.query("2 6", {}));
  EXPECT_THAT(made_, IsEmpty());
}

// It remembers 64 of them.
TEST_F(HostsTest, ArePartedHoweverManyQueriesAreSlow) {
  takes_ = std::chrono::seconds(1);
  HostedSource all = source(Isolation::kAuto);
  whole_->every_reply = Reply{};
  for (int i = 0; i < 2; ++i)
    for (int other = 10; other < 10 + 64; ++other)
      EXPECT_TRUE(all.query("2 " + std::to_string(other), {}));
  EXPECT_TRUE(all.query("2 74", {})) << "which makes it forget the others";
  EXPECT_TRUE(all.query("2 10", {}));
  EXPECT_THAT(made_, IsEmpty());
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(all.query("2 10", {}));
  EXPECT_TRUE(all.query("2", {}));
  EXPECT_THAT(made_, ElementsAre("A"));
}

TEST_F(HostsTest, StayPartedOnceTheyAre) {
  HostedSource all = source(Isolation::kAuto);
  whole_->replies["2"] = {std::unexpected(kCrash)};
  whole_->replies["4"] = {testing::BlockBuilder().bytes()};
  EXPECT_EQ(all.query("4", {})->blocks.at(0), testing::BlockBuilder().bytes());
  ASSERT_TRUE(all.query("2", {}));
  EXPECT_THAT(texts(*all.query("4", {})), ElementsAre("A: 4"));
  EXPECT_THAT(whole_->asked, ElementsAre("4", "2"));
  EXPECT_EQ(whole_->releases, 1);
}

TEST_F(HostsTest, AreNeverPartedIfTheRegistryIsWanted) {
  HostedSource all = source(Isolation::kRegistry);
  whole_->replies["2"] = {std::unexpected(Error{.code = ErrorCode::kTimedOut})};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(all.query("2", {}).error().code, ErrorCode::kTimedOut);
  EXPECT_THAT(made_, IsEmpty());
  EXPECT_EQ(whole_->releases, 0);
}

TEST_F(HostsTest, ArePartedFromTheStartIfHostsAreWanted) {
  HostedSource all = source(Isolation::kHosts);
  EXPECT_THAT(texts(*all.query("2", {})), ElementsAre("A: 2"));
  EXPECT_THAT(whole_->asked, IsEmpty());
}

TEST_F(HostsTest, GetTheirOwnObjectsInOneQuestion) {
  HostedSource all = source(Isolation::kHosts);
  const auto reply = all.query("4 6 2 4", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(texts(*reply), ElementsAre("A: 4 2", "B: 6"));
  EXPECT_THAT(reply->missing, IsEmpty());
  EXPECT_THAT(texts(*all.query("6 4", {})), ElementsAre("B: 6", "A: 4"));
  EXPECT_THAT(made_, ElementsAre("A", "B")) << "once";
}

TEST_F(HostsTest, AreNotMadeForWhoIsLeftOut) {
  for (const Isolation isolation : {Isolation::kAuto, Isolation::kHosts}) {
    made_.clear();
    HostedSource all = source(isolation, {"nobody", "a"});
    const auto reply = all.query("2 6 4 9", {});
    ASSERT_TRUE(reply);
    EXPECT_THAT(texts(*reply), ElementsAre("B: 6", "rest: 9")) << "names of services have no case";
    EXPECT_THAT(objects(reply->missing), ElementsAre(2U, 4U));
    for (const MissingObject& one : reply->missing)
      EXPECT_EQ(one.reason, (Error{.code = ErrorCode::kLeftOut, .where = "provider \"A\""}));
    EXPECT_THAT(texts(*all.query("Global", {})), ElementsAre("B: Global"));
    EXPECT_EQ(all.query("4", {}).error().code, ErrorCode::kLeftOut);
    EXPECT_THAT(whole_->asked, IsEmpty()) << "it would be loaded with all others";
    EXPECT_THAT(made_, ElementsAre("B", "rest"));
  }
}

TEST_F(HostsTest, ThatAreNotMadeMissTheirObjectsEachForItsOwnReason) {
  HostedSource all = source(Isolation::kHosts, {"A", "B"});
  const auto reply = all.query("2 6 9", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(objects(reply->missing), ElementsAre(2U, 6U));
  EXPECT_STREQ(reply->missing[0].reason.where, "provider \"A\"");
  EXPECT_STREQ(reply->missing[1].reason.where, "provider \"B\"");
}

TEST_F(HostsTest, AreMadeForThoseWhoseObjectsAreAskedFor) {
  HostedSource all = source(Isolation::kHosts);
  EXPECT_THAT(texts(*all.query("6", {})), ElementsAre("B: 6"));
  EXPECT_THAT(made_, ElementsAre("B"));
}

TEST_F(HostsTest, ShareWhatNobodyHasRegistered) {
  HostedSource all = source(Isolation::kHosts);
  EXPECT_THAT(texts(*all.query("9 2 8", {})), ElementsAre("rest: 9 8", "A: 2"));
}

TEST_F(HostsTest, BelongToTheFirstWhoSuppliesAnObject) {
  HostedSource all = source(Isolation::kHosts);
  registry_->all.push_back(registration("C", {ObjectIndex{6}, ObjectIndex{8}}));
  EXPECT_THAT(texts(*all.query("6 8", {})), ElementsAre("B: 6", "C: 8"));
}

TEST_F(HostsTest, BelongToWhoListsAnObjectBeforeWhoseTitlesIncludeIt) {
  HostedSource all = source(Isolation::kHosts);
  registry_->all.insert(registry_->all.begin(), {.service = "Range", .titles = TitleRange{1, 5}});
  EXPECT_THAT(texts(all.query("2 3", {}).value()), ElementsAre("A: 2", "Range: 3"));
}

TEST_F(HostsTest, AreNotMadeForWhoIsDisabled) {
  HostedSource all = source(Isolation::kHosts);
  registry_->all[0].disabled = true;
  EXPECT_THAT(texts(*all.query("2 6", {})), ElementsAre("rest: 2", "B: 6"));
  EXPECT_THAT(texts(*all.query("Global", {})), ElementsAre("B: Global"));
}

TEST_F(HostsTest, AreNotMadeForWhoHas32Bits) {
  HostedSource all = source(Isolation::kHosts);
  registry_->libraries["A"].machine = PeMachine::kX86;
  registry_->libraries["B"].machine = PeMachine::kX64;
  EXPECT_THAT(texts(*all.query("2 6", {})), ElementsAre("rest: 2", "B: 6"));
  EXPECT_THAT(texts(*all.query("9 4", {})), ElementsAre("rest: 9 4"));
  EXPECT_EQ(registry_->calls.heads, 2) << "of each library once";
  all.release();
  registry_->libraries.clear();
  EXPECT_THAT(texts(*all.query("2", {})), ElementsAre("A: 2")) << "there is another one now";
}

TEST_F(HostsTest, AreNotMadeForListingsOfWhoHas32Bits) {
  HostedSource all = source(Isolation::kHosts);
  registry_->libraries["A"].machine = PeMachine::kArm;
  EXPECT_THAT(texts(*all.query("OLD_Global", {})), ElementsAre("B: OLD_Global", "rest: 2 4"));
  EXPECT_THAT(texts(*all.query("Costly", {})), ElementsAre("B: Costly")) << "not both times";
  registry_->libraries["A"].machine.reset();
  registry_->libraries["B"].machine = PeMachine::kX86;
  registry_->all[1].objects.clear();
  all.release();
  EXPECT_THAT(texts(*all.query("OLD_Global", {})), ElementsAre("A: OLD_Global"))
      << "nothing is known of B";
  registry_->all[1].titles = TitleRange{6, 9};
  whole_->names = {{6, u"B6"}, {8, u"B8"}, {10, u"V2"}};
  all.release();
  EXPECT_THAT(texts(*all.query("OLD_Global", {})), ElementsAre("A: OLD_Global", "rest: 6 8"));
}

TEST_F(HostsTest, AreAllAskedForAListing) {
  HostedSource all = source(Isolation::kHosts);
  whole_->names = {{2, u"A2"}, {6, u"B6"}, {8, u"V2"}, {9, u"help"}, {10, u"V2 counter"}};
  EXPECT_THAT(texts(*all.query("OLD_Global", {})), ElementsAre("A: OLD_Global", "B: OLD_Global"));
  EXPECT_THAT(texts(*all.query("Costly", {})), ElementsAre("A: Costly", "B: Costly"));
  for (const char* const name : {"Global", "MetadataGlobal"}) {
    const std::string asked = name;
    EXPECT_THAT(texts(*all.query(name, {})),
                ElementsAre("A: " + asked, "B: " + asked, "rest: 8 10"))
        << "what the system translates from V2 is nobody's";
  }
  EXPECT_EQ(whole_->table_loads, 1);
}

TEST_F(HostsTest, LearnWhichTitlesThatNobodyHasAreObjects) {
  HostedSource all = source(Isolation::kHosts);
  whole_->names = {{8, u"V2"}, {10, u"V2 counter"}, {12, u"Another"}, {14, u"Its counter"}};
  blocks_["8 10 12 14"] = testing::BlockBuilder()
                              .add(testing::ObjectBuilder(8).counter({.index = 10}).single({1}))
                              .bytes();
  EXPECT_EQ(all.query("Global", {})->blocks.at(2), blocks_.begin()->second);
  EXPECT_THAT(texts(*all.query("Global", {})), ElementsAre("A: Global", "B: Global", "rest: 8"));
  blocks_["12"] = testing::BlockBuilder()
                      .add(testing::ObjectBuilder(12).counter({.index = 14}).single({1}))
                      .bytes();
  ASSERT_TRUE(all.query("12", {}));
  EXPECT_THAT(texts(*all.query("Global", {})), ElementsAre("A: Global", "B: Global", "rest: 8 12"))
      << "its provider runs now";
  all.release();
  EXPECT_EQ(all.query("Global", {})->blocks.at(2), blocks_["8 10 12 14"]) << "all may be different";
}

// The same host answers one after the other.
TEST_F(HostsTest, TryTheTitlesThatNobodyHasInListsThatFit) {
  HostedSource all = source(Isolation::kHosts);
  for (std::uint32_t index = 2000; index < 9000; index += 2)
    whole_->names.emplace_back(index, u"?");
  RestObjects same({}, {}, false);
  ASSERT_TRUE(same.take_names(whole_->text_tables(TextTable::kCounter, Language::kEnglish)));
  const auto lists = same.lists().untried;
  ASSERT_THAT(lists, SizeIs(2));
  for (const std::string& list : lists) blocks_[list] = bytes_of("part of it, which is no block");
  EXPECT_THAT(all.query("Global", {})->blocks,
              ElementsAre(bytes_of("A: Global"), bytes_of("B: Global"), blocks_[lists[0]],
                          blocks_[lists[1]]));
  failing_ = {"rest"};
  const auto reply = all.query("Global", {});
  EXPECT_THAT(texts(*reply), ElementsAre("A: Global", "B: Global"));
  EXPECT_THAT(objects(reply->missing), ElementsAre(0U)) << "one reason is enough";
  EXPECT_STREQ(reply->missing[0].reason.where, "provider rest in open");
}

TEST_F(HostsTest, MissWhatNobodyHasIfTheNamesCannotBeRead) {
  HostedSource all = source(Isolation::kHosts);
  whole_->table_error = Error{.code = ErrorCode::kAccessDenied, .where = "names"};
  const auto reply = all.query("MetadataGlobal", {});
  EXPECT_THAT(texts(*reply), ElementsAre("A: MetadataGlobal", "B: MetadataGlobal"));
  ASSERT_THAT(reply->missing, SizeIs(1));
  EXPECT_EQ(reply->missing[0].reason, *whole_->table_error);
  whole_->table_error.reset();
  whole_->names = {{8, u"V2"}};
  EXPECT_THAT(texts(*all.query("Global", {})), ElementsAre("A: Global", "B: Global", "rest: 8"));
}

// Every query of all providers together calls those that have no list of their objects.
TEST_F(HostsTest, AreNotAskedTogetherIfThatLoadsWhoIsLeftOut) {
  HostedSource all = source(Isolation::kHosts, {"A"});
  whole_->names = {{2, u"A2"}, {8, u"V2"}};
  EXPECT_THAT(texts(*all.query("Global", {})), ElementsAre("B: Global", "rest: 8"));
  registry_->all[0] = {.service = "A", .titles = TitleRange{2, 4}};
  all.release();
  for (const char* const name : {"Global", "6 8"}) {
    const auto reply = all.query(name, {});
    EXPECT_THAT(texts(*reply), ElementsAre(std::string("B: ") + (*name == 'G' ? name : "6")));
    ASSERT_THAT(reply->missing, SizeIs(1));
    EXPECT_EQ(reply->missing[0].reason,
              (Error{.code = ErrorCode::kLeftOut, .where = "provider \"A\""}));
  }
  registry_->all[0].disabled = true;
  all.release();
  EXPECT_THAT(texts(*all.query("8", {})), ElementsAre("rest: 8")) << "Windows doesn't call it";
}

TEST_F(HostsTest, MayBeNone) {
  HostedSource all = source(Isolation::kHosts);
  registry_->all.clear();
  const auto reply = all.query("Global", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->blocks, IsEmpty());
  EXPECT_THAT(reply->missing, IsEmpty());
}

TEST_F(HostsTest, WorkAtTheSameTime) {
  HostedSource all = source(Isolation::kHosts);
  const auto before = machine_.now;
  EXPECT_THAT(all.query("2 6 9", {})->blocks, SizeIs(3));
  EXPECT_EQ(machine_.now - before, milliseconds(90));
}

// A call may take 10 s there.
TEST_F(HostsTest, ThatStartForLongerThanAQueryMayTakeAreNotBlamed) {
  machine_.start_takes = std::chrono::seconds(25);
  HostedSource all = source(Isolation::kHosts);
  std::set<ErrorCode> reasons;
  std::expected<Reply, Error> reply = std::unexpected(Error{});
  for (int looks = 0; looks < 300 && (!reply || !reply->missing.empty()); ++looks) {
    reply = all.query("2 6", {});
    if (!reply) reasons.insert(reply.error().code);
    for (const ProviderState& state : all.provider_states()) {
      EXPECT_THAT(state.standing,
                  ::testing::AnyOf(ProviderStanding::kNew, ProviderStanding::kTrusted));
      EXPECT_EQ(state.failures, 0U);
      EXPECT_EQ(state.harms, 0U);
    }
    machine_.now += milliseconds(100);
  }
  EXPECT_THAT(texts(reply.value()), ElementsAre("A: 2", "B: 6"));
  EXPECT_EQ(reasons, (std::set{ErrorCode::kPending, ErrorCode::kWorkerStarting}));
  EXPECT_THAT(machine_.started, SizeIs(2)) << "they start at the same time, once";
  EXPECT_THAT(news(all), IsEmpty());
}

// Nothing is known of what it would have done with that deadline.
TEST_F(HostsTest, ThatAreStillStartingAfterATimeoutOfAllTogetherArePending) {
  machine_.start_takes = std::chrono::seconds(1);
  HostedSource all = source(Isolation::kAuto);
  whole_->replies["2 6"] = {
      std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "registry.query"})};
  EXPECT_EQ(all.query("2 6", {}).error().code, ErrorCode::kPending);
}

TEST_F(HostsTest, ThatFailMissTheirObjects) {
  HostedSource all = source(Isolation::kHosts);
  failing_ = {"A"};
  const auto reply = all.query("2 6 4", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(texts(*reply), ElementsAre("B: 6"));
  EXPECT_THAT(objects(reply->missing), ElementsAre(2U, 4U));
  for (const MissingObject& one : reply->missing)
    EXPECT_EQ(one.reason, (Error{.code = ErrorCode::kOsError, .where = "provider A in open"}));
}

TEST_F(HostsTest, ThatFailMissWhateverTheyHaveOfAListing) {
  HostedSource all = source(Isolation::kHosts);
  failing_ = {"B"};
  const auto reply = all.query("Global", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(texts(*reply), ElementsAre("A: Global"));
  EXPECT_THAT(objects(reply->missing), ElementsAre(0U));
  EXPECT_STREQ(reply->missing[0].reason.where, "provider B in open");
}

TEST_F(HostsTest, ThatAllFailAreAnError) {
  HostedSource all = source(Isolation::kHosts);
  failing_ = {"A", "B"};
  for (const char* const name : {"2 6", "Global"})
    EXPECT_EQ(all.query(name, {}).error(),
              (Error{.code = ErrorCode::kOsError, .where = "provider B in open"}));
}

TEST_F(HostsTest, AreAtMost64) {
  HostedSource all = source(Isolation::kHosts);
  register_many(66);
  EXPECT_THAT(all.query(list(64), {})->missing, IsEmpty());
  const auto reply = all.query("65 3 66", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(texts(*reply), ElementsAre("P3: 3")) << "those that there are still answer";
  EXPECT_THAT(objects(reply->missing), ElementsAre(65U, 66U));
  for (const MissingObject& one : reply->missing)
    EXPECT_EQ(one.reason, (Error{.code = ErrorCode::kLimitExceeded,
                                 .where = "provider hosts",
                                 .actual = 65,
                                 .limit = 64}));
  EXPECT_THAT(made_, SizeIs(64));
}

TEST_F(HostsTest, ThatAreTooManyMissAListing) {
  HostedSource all = source(Isolation::kHosts);
  register_many(66);
  const auto reply = all.query("Global", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->blocks, SizeIs(64));
  EXPECT_THAT(objects(reply->missing), ElementsAre(0U, 0U));
}

TEST_F(HostsTest, ThatAreStoppedHaveNoReply) {
  StopSource stop;
  HostedSource all = source(Isolation::kHosts);  // looks at its workers when it ends, too
  machine_.during_a_look = [&] { stop.request_stop(); };
  hanging_ = {"B"};
  const auto reply = all.query("2 6 8", stop.token());
  ASSERT_FALSE(reply) << "although A has answered";
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
}

TEST_F(HostsTest, GetNothingBack) {
  HostedSource all = source(Isolation::kAuto);
  whole_->every_reply = Reply{};
  all.take_back(*all.query("2", {}));
  EXPECT_EQ(whole_->taken_back, 1);
  HostedSource parted = source(Isolation::kHosts);
  parted.take_back(*parted.query("2", {}));
  EXPECT_EQ(whole_->taken_back, 0);
}

TEST_F(HostsTest, ReleasedEndAndReadTheRegistrationsAgain) {
  HostedSource all = source(Isolation::kHosts);
  ASSERT_TRUE(all.query("2 6", {}));
  registry_->all = {registration("C", {ObjectIndex{2}})};
  EXPECT_THAT(texts(*all.query("2", {})), ElementsAre("A: 2"));
  all.release();
  EXPECT_EQ(whole_->releases, 1);
  EXPECT_THAT(machine_.end_requests, SizeIs(2));
  EXPECT_THAT(texts(*all.query("2", {})), ElementsAre("C: 2"));
}

TEST_F(HostsTest, AreWorkersAfterThatOfAllTogether) {
  worker::Worker together(machine_.options());
  HostedSource all = source(Isolation::kHosts);
  whole_->views = {&together};
  EXPECT_THAT(all.workers(), ElementsAre(&together));
  ASSERT_TRUE(all.query("9 6 2", {}));
  std::vector<std::string> names;
  for (WorkerView* const worker : all.workers()) names.push_back(worker->state().name);
  EXPECT_THAT(names, ElementsAre("registry", "rest", "A", "B"));
}

TEST_F(HostsTest, AreSeenWithTheirProvidersButNotWhatIsLeft) {
  HostedSource all = source(Isolation::kHosts);
  EXPECT_THAT(all.provider_states(), IsEmpty());
  failing_ = {"B"};
  ASSERT_TRUE(all.query("9 6 2", {}));
  const auto states = all.provider_states();
  ASSERT_THAT(states, SizeIs(2));
  EXPECT_EQ(states[0].provider, "A");
  EXPECT_EQ(states[0].worker, "A");
  EXPECT_EQ(states[0].error, std::nullopt);
  EXPECT_EQ(states[1].provider, "B");
  EXPECT_STREQ(states[1].error.value().where, "provider B in open");
}

TEST_F(HostsTest, HaveTheSuppliersNamesPartedOrNot) {
  for (const Isolation isolation : {Isolation::kAuto, Isolation::kHosts}) {
    HostedSource all = source(isolation);
    EXPECT_STREQ(all.supplier_of(ObjectIndex{4}), "provider \"A\"");
    EXPECT_STREQ(all.supplier_of(ObjectIndex{6}), "provider \"B\"");
    EXPECT_EQ(all.supplier_of(ObjectIndex{9}), nullptr);
    registry_->all = {registration("\xC3\xA4", {ObjectIndex{4}})};
    all.release();
    EXPECT_EQ(all.supplier_of(ObjectIndex{4}), nullptr) << "not printable";
  }
}

TEST_F(HostsTest, AreNotAskedForWhatIsTheMachines) {
  HostedSource all = source(Isolation::kHosts);
  EXPECT_FALSE(all.is_live());
  whole_->live = true;
  whole_->named = "server";
  whole_->providers = 7;
  EXPECT_TRUE(all.is_live());
  EXPECT_EQ(all.machine(), "server");
  EXPECT_EQ(all.provider_generation(), 7U);
  EXPECT_FALSE(all.supports_metadata());
  EXPECT_THAT(all.text_tables(TextTable::kCounter, Language::kEnglish), SizeIs(1));
  EXPECT_THAT(all.text_tables(TextTable::kHelp, Language::kEnglish), IsEmpty());
  StopSource stop;
  stop.request_stop();
  all.set_stop(stop.token());
  EXPECT_TRUE(whole_->stop.stop_requested());
  EXPECT_THAT(made_, IsEmpty());
}

}  // namespace
}  // namespace winperf
