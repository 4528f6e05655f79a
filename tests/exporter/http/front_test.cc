// Each limit of the front is seen to bind, by what clients see on their connections. No test
// depends on how long anything takes: where a limit is a time, it is either over at once or never.
#include "exporter/http/front.h"

#include <gmock/gmock.h>

#include <memory>
#include <set>
#include <string>

#include "tests/exporter/support/front_fixture.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using testing::FrontTest;
using ::testing::HasSubstr;
using testing::HeldAnswers;
using testing::kAtOnce;
using testing::kDone;
using testing::kGet;
using testing::kHold;
using testing::kLong;
using testing::kNever;
using testing::kOwn;
using testing::kPost;
using testing::RawConnection;
using ::testing::StartsWith;

TEST_F(FrontTest, ItsLoad_IsToldAndGoesBackToNothing) {
  options_.threads = 2;
  start();
  [[maybe_unused]] const auto held = {sending(kHold), sending(kHold)};
  answers_.wait_for(2);
  [[maybe_unused]] const auto queued = {sending(kHold), sending(kHold), sending(kHold)};
  observer_.wait_for_queue(3);
  EXPECT_EQ(observer_.load().connections, 5);
  EXPECT_EQ(observer_.load().threads, 3) << "one for the connections";
  answers_.let_go();
  observer_.wait_for_queue(0);
  front_->stop(kNever);
  EXPECT_EQ(observer_.load().connections, 0);
  EXPECT_EQ(observer_.load().queue, 0);
  EXPECT_EQ(observer_.load().threads, 0);
}

TEST_F(FrontTest, ARequestInPieces_IsAnswered) {
  start();
  RawConnection connection(port_);
  for (const char c : std::string(kGet)) connection.send(std::string(1, c));
  EXPECT_THAT(connection.receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, RequestsAtOnce_AreAnsweredInTheirOrder) {
  start();
  const auto connection = sending(std::string(kGet) + kGet + "GET / HTTP/1.0\r\n\r\n");
  const std::string one = std::string("HTTP/1.1 200 OK\r\n\r\n") + kDone;
  EXPECT_EQ(connection->receive_all(), one + one + one);
}

TEST_F(FrontTest, AClientThatHalfCloses_GetsItsWholeAnswer) {
  start();
  const auto connection = sending(kLong);
  connection->finish_sending();
  EXPECT_THAT(connection->receive_all(), ::testing::EndsWith(kDone));
}

TEST_F(FrontTest, Threads_AreNotHeldByClients) {
  options_.threads = 1;
  start();
  const auto reader = sending(kLong);
  EXPECT_THAT(reader->receive_until("HTTP"), StartsWith("HTTP"));
  const auto half = sending("GET /");
  const auto waiting = idle();
  EXPECT_THAT(sending(kGet)->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, TheQueue_HoldsSoManyRequestsAndNoMore) {
  options_.threads = 1;
  options_.queue = 2;
  start();
  std::vector<std::unique_ptr<RawConnection>> held;
  held.push_back(sending(kHold));
  answers_.wait_for(1);
  while (held.size() < 1 + options_.queue) held.push_back(sending(kHold));
  while (front_->counts().requests < held.size()) std::this_thread::yield();
  EXPECT_EQ(sending(kGet)->receive_all(), "HTTP/1.1 503\r\n\r\n");
  EXPECT_THAT(shed(), ElementsAre("queue"));
  answers_.let_go();
  for (const auto& connection : held)
    EXPECT_THAT(connection->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, ForANewConnection_TheLongestIdleOneMakesRoom) {
  options_.connections = 3;
  start();
  const auto held = sending(kHold);
  answers_.wait_for(1);
  const auto first = idle();
  const auto second = idle();
  EXPECT_THAT(sending(kGet)->receive_until(kDone), HasSubstr(kDone));
  EXPECT_EQ(first->receive_all(), "");
  EXPECT_THAT(shed(), ElementsAre("connections"));
  answers_.let_go();
  EXPECT_THAT(held->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, AnAddress_HasSoManyConnectionsAndNoMore) {
  options_.connections_per_address = 1;
  start();
  const auto first = idle();
  const auto second = idle();
  EXPECT_EQ(first->receive_all(), "");
  EXPECT_THAT(shed(), ElementsAre("address_connections"));
}

TEST_F(FrontTest, HalfARequest_MakesRoomToo) {
  options_.connections = 1;
  start();
  const auto half = sending("GET /");
  while (front_->counts().connections < 1) std::this_thread::yield();
  EXPECT_THAT(sending(kGet)->receive_until(kDone), HasSubstr(kDone));
  EXPECT_EQ(half->receive_all(), "");
}

TEST_F(FrontTest, IfEveryConnectionIsBeingAnswered_ANewOneIsRefused) {
  options_.connections = 1;
  start();
  const auto held = sending(kHold);
  answers_.wait_for(1);
  EXPECT_EQ(RawConnection(port_).receive_all(), "HTTP/1.1 503\r\n\r\n");
  EXPECT_THAT(shed(), ElementsAre("no_room"));
  answers_.let_go();
  EXPECT_THAT(held->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, AnAnswerThatIsNotTaken_MakesRoomIfNoOtherCan) {
  options_.connections = 1;
  options_.stalled_time = kAtOnce;
  start();
  const auto deaf = sending(kLong);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  EXPECT_THAT(sending(kGet)->receive_until(kDone), HasSubstr(kDone));
  EXPECT_THAT(shed(), ElementsAre("stalled_answer"));
}

// A scraper that was idle for long is not stalled: its answer has only just begun.
TEST_F(FrontTest, AnAnswerThatHasJustBegun_MakesNoRoom) {
  options_.connections = 1;
  options_.stalled_time = kNever;
  start();
  const auto held = idle();
  held->send(kHold);
  answers_.wait_for(1);
  EXPECT_EQ(sending(kGet)->receive_all(), "HTTP/1.1 503\r\n\r\n");
  answers_.let_go();
  EXPECT_THAT(held->receive_until(kDone), HasSubstr(kDone));
}

// Were each of them kept for its answer, they would be without a bound.
TEST_F(FrontTest, ConnectionsThatAreTurnedAway_AreNotHeldAndMakeNoRoom) {
  options_.connections = 1;
  start();
  const auto held = sending(kHold);
  answers_.wait_for(1);
  std::vector<std::unique_ptr<RawConnection>> others;
  for (int i = 0; i < 5; ++i) others.push_back(sending(kHold));
  for (const auto& other : others) EXPECT_EQ(other->receive_all(), "HTTP/1.1 503\r\n\r\n");
  while (front_->counts().requests == 0) std::this_thread::yield();  // they may be told sooner
  EXPECT_EQ(front_->counts().connections, 1U);
  EXPECT_THAT(shed(), ::testing::Each("no_room"));
  EXPECT_EQ(shed().size(), 5U);
}

TEST(MostConnections, AreWhatTheProcessMayHaveBesidesOthersOrWhatIsWanted) {
  FrontOptions one;
  one.connections = 100;
  EXPECT_EQ(most_connections(one, 1000), 100U);
  EXPECT_EQ(most_connections(one, 64 + 101), 100U);
  EXPECT_EQ(most_connections(one, 64 + 99), 99U);
  for (const std::size_t sockets : {0U, 1U, 63U, 64U, 65U})
    EXPECT_EQ(most_connections(one, sockets), 1U) << sockets;
  FrontOptions of_three = one;
  of_three.fronts = 3;
  EXPECT_EQ(most_connections(of_three, 64 + 30), 10U);
  EXPECT_EQ(most_connections(of_three, 64 + 32), 10U);
}

TEST_F(FrontTest, TheSocketsOfTheProcess_AreSharedByItsFronts) {
  options_.fronts = most_sockets();  // so that one is left for each
  start();
  const auto first = idle();
  const auto second = idle();
  EXPECT_EQ(first->receive_all(), "") << "it has made room";
}

// So that a reload, which takes long, holds nobody else up.
TEST_F(FrontTest, Posts_WaitWhileAllThreadsButOneAnswerOthers) {
  options_.threads = 2;
  start();
  const auto first = sending(kPost);
  answers_.wait_for(1);
  const auto second = sending(kPost);
  observer_.wait_for_queue(1);
  EXPECT_THAT(sending(kGet)->receive_until(kDone), HasSubstr(kDone));
  answers_.let_go();
  EXPECT_THAT(first->receive_until(kDone), HasSubstr(kDone));
  EXPECT_THAT(second->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, AnswersThatNobodyShares_HoldSoMuchMemoryAndNoMore) {
  options_.held_bytes = HeldAnswers::kOwnBytes + 1;
  options_.stalled_time = kNever;
  start();
  const auto deaf = sending(kOwn);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  EXPECT_EQ(sending(kOwn)->receive_all(), "HTTP/1.1 503\r\n\r\n");
  EXPECT_THAT(shed(), ElementsAre("memory"));
  EXPECT_EQ(sending("GET /64k HTTP/1.1\r\nHost: x\r\n\r\n")->receive_all(), "HTTP/1.1 503\r\n\r\n");
  EXPECT_THAT(sending("GET /64k-1 HTTP/1.1\r\nHost: x\r\n\r\n")->receive_until(kDone),
              HasSubstr(kDone));
  EXPECT_THAT(deaf->receive_all(), ::testing::EndsWith(kDone));
}

TEST_F(FrontTest, AnswersThatShareABody_HoldItOnce) {
  options_.held_bytes = HeldAnswers::kOwnBytes;  // less than the long body has
  options_.stalled_time = kNever;
  start();
  const auto deaf = sending(kLong);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  const auto other = sending(kLong);
  EXPECT_THAT(other->receive_until(kDone), HasSubstr(kDone));
  EXPECT_EQ(sending(kOwn)->receive_all(), "HTTP/1.1 503\r\n\r\n");
  EXPECT_THAT(shed(), ElementsAre("memory"));
}

TEST_F(FrontTest, AnAnswerThatIsNotTaken_GivesUpItsMemory) {
  options_.held_bytes = HeldAnswers::kOwnBytes + 1;
  options_.stalled_time = kAtOnce;
  start();
  const auto deaf = sending(kOwn);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  EXPECT_THAT(sending(kOwn)->receive_all(), ::testing::EndsWith(kDone));
  EXPECT_THAT(shed(), ElementsAre("stalled_answer"));
}

TEST_F(FrontTest, AnAnswerThatCanNotBeMade_EndsItsConnectionAlone) {
  start();
  EXPECT_EQ(sending("GET /throw HTTP/1.1\r\nHost: x\r\n\r\n")->receive_all(), "");
  EXPECT_THAT(sending(kGet)->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, ARequestThatDoesNotGoOn_IsRefusedAfterItsTime) {
  options_.connection.request_time = std::chrono::milliseconds(50);
  start();
  // On a busy machine the time may be over before the first byte is there; then nothing is
  // answered.
  std::string answer;
  while (answer.empty()) answer = sending("GET /")->receive_all();
  EXPECT_EQ(answer, "HTTP/1.1 408\r\n\r\n");
  EXPECT_THAT(shed(), ElementsAre("request_timeout"));
  options_.connection.request_time = kNever;
  start();
  const auto waits = sending("GET /");
  waits->send("now HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(waits->receive_until(kDone), HasSubstr(kDone));
}

TEST_F(FrontTest, AnAnswerThatIsNotRead_EndsAfterItsTime) {
  options_.connection.answer_time = kAtOnce;
  options_.connection.answer_bytes = std::size_t{1} << 30;
  start();
  EXPECT_THAT(sending(kLong)->receive_all(), ::testing::Not(HasSubstr(kDone)));
  EXPECT_THAT(shed(), ElementsAre("answer_timeout"));
}

TEST_F(FrontTest, AnIdleConnection_EndsAfterItsTime) {
  options_.connection.keep_alive_time = kAtOnce;
  start();
  EXPECT_THAT(sending(kGet)->receive_all(), ::testing::EndsWith(kDone));
  EXPECT_THAT(shed(), ElementsAre());
}

TEST_F(FrontTest, Closed_EndsIdleConnectionsAndFreesThePort) {
  start();
  const auto waiting = idle();
  front_->close(kNever);
  EXPECT_EQ(waiting->receive_all(), "");
  EXPECT_EQ(front_->counts().connections, 0U);
  EXPECT_TRUE(listen_on("127.0.0.1", port_));
}

TEST_F(FrontTest, Closed_HasGivenUpItsPort) {
  for (int i = 0; i < 5; ++i) {
    start();
    front_->close(kNever);
    EXPECT_TRUE(listen_on("127.0.0.1", port_));
  }
}

TEST_F(FrontTest, Closed_CutsOffAtOnceWhatARetirementHadTimeFor) {
  start();
  const auto half = sending("GET /now HTTP/1.1\r\n");
  while (front_->counts().connections < 1) std::this_thread::yield();
  front_->retire(kNever);
  front_->close(kAtOnce);
  EXPECT_EQ(half->receive_all(), "");
}

// Its socket isn't watched any more, because it would be reported again and again.
TEST_F(FrontTest, AClientThatGoesWhileItsAnswerIsSent_IsGivenUp) {
  start();
  auto deaf = sending(kLong);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  deaf.reset();
  while (front_->counts().connections > 0) std::this_thread::yield();
  EXPECT_THAT(shed(), ElementsAre());
}

TEST_F(FrontTest, Retired_ReturnsAtOnceAndGoesOnWithWhatIsAnswered) {
  start();
  const auto get = sending(kHold);
  const auto post = sending(kPost);
  answers_.wait_for(2);
  front_->retire(kNever);
  EXPECT_EQ(front_->counts().requests, 1U);
  EXPECT_EQ(front_->counts().posts, 1U);
  answers_.let_go();
  EXPECT_THAT(get->receive_all(), ::testing::EndsWith(kDone));
  EXPECT_THAT(post->receive_all(), ::testing::EndsWith(kDone));
}

TEST_F(FrontTest, Retired_CutsNoAnswerOffWhenItsTimeIsOver) {
  start();
  const auto get = sending(kHold);
  answers_.wait_for(1);
  front_->retire(kAtOnce);
  answers_.let_go();
  EXPECT_THAT(get->receive_all(), ::testing::EndsWith(kDone));
}

TEST_F(FrontTest, Closed_CutsOffWhatTakesTooLong) {
  start();
  const auto deaf = sending(kLong);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  const auto post = sending(kPost);
  answers_.wait_for(1);
  front_->close(kAtOnce);
  EXPECT_THAT(deaf->receive_all(), ::testing::Not(HasSubstr(kDone)));
  answers_.let_go();
  EXPECT_THAT(post->receive_all(), ::testing::EndsWith(kDone));
}

TEST_F(FrontTest, Closed_WaitsForRequestsThatHaveBegun) {
  start();
  auto half = sending("GET /now HTTP/1.1\r\n");
  while (front_->counts().connections < 1) std::this_thread::yield();
  std::jthread asking([&] {
    half->send("Host: x\r\n\r\n");
    EXPECT_THAT(half->receive_all(), ::testing::EndsWith(kDone));
    half.reset();
  });
  front_->close(kNever);
  EXPECT_EQ(front_->counts().connections, 0U);
}

// Were a POST waited for, this would not end: the answer to it is what calls close() in a reload.
TEST_F(FrontTest, Closed_ReturnsWhileAPostIsAnswered) {
  start();
  const auto post = sending(kPost);
  answers_.wait_for(1);
  front_->close(kNever);
  EXPECT_EQ(front_->counts().posts, 1U);
}

TEST_F(FrontTest, ARequestThatHasBegunWhenItIsClosed_IsStillAnswered) {
  start();
  const auto half = sending("GET /now HTTP/1.1\r\n");
  while (front_->counts().connections < 1) std::this_thread::yield();
  front_->retire(kNever);
  half->send("Host: x\r\n\r\n");
  EXPECT_THAT(half->receive_all(), ::testing::EndsWith(kDone));
}

TEST_F(FrontTest, Stopped_StillSendsAnAnswerThatIsBeingMade) {
  start();
  const auto post = sending(kPost);
  answers_.wait_for(1);
  std::jthread stopping([&] { front_->stop(kNever); });
  answers_.let_go();
  EXPECT_THAT(post->receive_all(), ::testing::EndsWith(kDone));
}

// The time that it may take is over between two looks at the clock.
TEST_F(FrontTest, Stopped_EndsAlthoughItWasBusyWhenItsTimeWasOver) {
  constexpr std::chrono::milliseconds kTimeout{100};
  start();
  const auto deaf = sending(kLong);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  const auto ends_at_once = idle();
  observer_.be_busy_until(std::chrono::steady_clock::now() + 2 * kTimeout);
  front_->stop(kTimeout);
  EXPECT_THAT(deaf->receive_all(), ::testing::Not(HasSubstr(kDone)));
}

TEST_F(FrontTest, Stopped_EndsAfterItsTimeAlthoughItWasClosedBefore) {
  start();
  const auto post = sending(kPost);
  answers_.wait_for(1);
  front_->close(kAtOnce);
  const std::jthread stopping([&] { front_->stop(std::chrono::milliseconds(100)); });
  EXPECT_EQ(post->receive_all(), "");
  answers_.let_go();
}

TEST_F(FrontTest, Unstarted_HasNothingToEnd) {
  Front front(options_, answers_, observer_);
  front.retire(kNever);
  front.close(kNever);
  front.stop(kNever);
  EXPECT_EQ(front.counts().connections, 0U);
}

TEST_F(FrontTest, Stopped_EndsEveryConnection) {
  start();
  const auto silent = std::make_unique<RawConnection>(port_);
  const auto half = sending("GET /");
  const auto deaf = sending(kLong);
  EXPECT_THAT(deaf->receive_until("HTTP"), StartsWith("HTTP"));
  front_->stop(kAtOnce);
  front_->stop(kAtOnce);
  EXPECT_EQ(silent->receive_all(), "");
  EXPECT_EQ(half->receive_all(), "");
  EXPECT_THAT(deaf->receive_all(), ::testing::Not(HasSubstr(kDone)));
  EXPECT_EQ(front_->counts().connections, 0U);
  EXPECT_EQ(observer_.load().connections, 0);
}

TEST_F(FrontTest, Connections_AreCounted) {
  start();
  const auto first = idle();
  const auto second = idle();
  while (front_->counts().connections < 2) std::this_thread::yield();
  EXPECT_EQ(observer_.load().connections, 2);
}

TEST_F(FrontTest, ReasonsToShed_HaveDifferentNames) {
  const std::set<std::string_view> names(kShedReasonNames.begin(), kShedReasonNames.end());
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ShedReason::kAnswerTimeout) + 1);
}

}  // namespace
}  // namespace winperf
