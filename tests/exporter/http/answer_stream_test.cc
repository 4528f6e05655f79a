// An answer without an end: its queue, and what clients of a front see of it.
#include "exporter/http/connection.h"

#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "exporter/http/front.h"
#include "tests/exporter/support/raw_connection.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::RawConnection;

constexpr std::chrono::hours kTimeToStop{1};
constexpr char kFollow[] = "GET /follow HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(AnswerStream, IsTakenAsItWasPushed) {
  AnswerStream stream;
  EXPECT_EQ(stream.take().text.size(), 0U);
  stream.push("one ");
  stream.push("two ");
  EXPECT_EQ(stream.take().text.str(), "one two ");
  EXPECT_EQ(stream.take().text.size(), 0U) << "it is taken once";
  stream.push("three");
  const AnswerStream::Taken taken = stream.take();
  EXPECT_EQ(taken.text.str(), "three");
  EXPECT_FALSE(taken.is_last);
}

TEST(AnswerStream, SharesWhatIsPushedToSeveral) {
  const SharedText event("event");
  AnswerStream first;
  AnswerStream second;
  first.push(event);
  second.push(event);
  EXPECT_EQ(first.take().text.pieces().front(), second.take().text.pieces().front());
}

TEST(AnswerStream, HoldsSoMuchAndNoMore) {
  constexpr std::size_t kMost = AnswerStream::kMostBytes;
  constexpr std::size_t kPiece = AnswerStream::kPieceBytes;
  AnswerStream stream;
  stream.push(std::string(kMost - 2 * kPiece - 1, 'x'));
  stream.push("x");
  EXPECT_FALSE(stream.has_overflowed());
  EXPECT_EQ(stream.take().text.size(), kMost - 2 * kPiece);
  stream.push(std::string(kMost - kPiece, 'x'));
  EXPECT_FALSE(stream.has_overflowed()) << "there is room again";
  stream.take();
  stream.push(std::string(kMost - 2 * kPiece - 1, 'x'));
  stream.push("xx");
  EXPECT_TRUE(stream.has_overflowed());
  stream.push("later");
  stream.end();
  EXPECT_TRUE(stream.has_overflowed());
  EXPECT_EQ(stream.take().text.size(), 0U) << "what has a gap is worth nothing";
}

TEST(AnswerStream, AfterItsEnd_TakesNothingMore) {
  AnswerStream stream;
  stream.push("last");
  stream.end();
  stream.push("later");
  const AnswerStream::Taken taken = stream.take();
  EXPECT_EQ(taken.text.str(), "last");
  EXPECT_TRUE(taken.is_last);
  EXPECT_FALSE(stream.has_overflowed());
}

TEST(AnswerStream, WakesForWhatIsNewAndForItsEnd) {
  const auto waker = std::make_shared<const Waker>();
  const auto was_woken = [&] {
    std::vector<Watched> watched{{.socket = waker->socket(), .for_reading = true}};
    wait_for(watched, std::chrono::milliseconds(0));
    waker->clear();
    return watched.front().is_ready;
  };
  AnswerStream stream;
  stream.wakes(waker);
  EXPECT_FALSE(was_woken());
  stream.push("one");
  EXPECT_TRUE(was_woken());
  stream.push("two");
  EXPECT_FALSE(was_woken()) << "one is still to be taken";
  stream.take();
  stream.push("three");
  EXPECT_TRUE(was_woken());
  stream.end();
  EXPECT_TRUE(was_woken());
  AnswerStream full;
  full.push("one");
  full.wakes(waker);
  full.push(std::string(AnswerStream::kMostBytes, 'x'));
  EXPECT_TRUE(was_woken());
}

// Answers "follow", and then whatever the test pushes.
class Follow final : public Answerer {
 public:
  std::string early;  // is pushed before the answer begins
  std::string body;

  Answer answer(const RequestHead&, bool) override {
    auto stream = std::make_shared<AnswerStream>();
    if (!early.empty()) stream->push(early);
    const std::lock_guard lock(mutex_);
    streams_.push_back(stream);
    begun_.notify_all();
    return {.head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfollow",
            .body = body,
            .closes = true,
            .stream = std::move(stream)};
  }
  Effort effort_of(const RequestHead&) override { return Effort::kPlain; }
  Answer refuse(const Refusal&) override { return {.head = "refused", .body = {}}; }

  // Weak, as anybody who pushes has it.
  std::weak_ptr<AnswerStream> stream(std::size_t number) {
    std::unique_lock lock(mutex_);
    begun_.wait(lock, [&] { return streams_.size() > number; });
    return streams_[number];
  }

 private:
  std::mutex mutex_;
  std::condition_variable begun_;
  std::vector<std::weak_ptr<AnswerStream>> streams_;
};

class Observer final : public FrontObserver {
 public:
  void shed(ShedReason reason) override {
    const std::lock_guard lock(mutex_);
    reasons_.emplace_back(name_of(reason));
  }
  void handshake_failed(TlsFailure) override {}
  void has_sent(const SentAnswers&) override {}
  void load_changed(const HttpLoad& difference) override {
    const std::lock_guard lock(mutex_);
    connections_ += difference.connections;
    changed_.notify_all();
  }

  std::vector<std::string> reasons() {
    const std::lock_guard lock(mutex_);
    return reasons_;
  }
  void wait_for_connections(std::ptrdiff_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return connections_ == count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> reasons_;
  std::ptrdiff_t connections_ = 0;
};

class StreamingTest : public ::testing::Test {
 protected:
  void start() {
    auto listeners = listen_on("127.0.0.1", 0);
    ASSERT_TRUE(listeners) << listeners.error();
    port_ = local_port(listeners->front());
    front_.emplace(options_, follow_, observer_);
    front_->start(*std::move(listeners));
  }
  std::unique_ptr<RawConnection> following() {
    if (!front_) start();
    auto connection = std::make_unique<RawConnection>(port_);
    connection->send(kFollow);
    EXPECT_THAT(connection->receive_until("follow"), EndsWith("follow"));
    return connection;
  }
  void push(std::size_t number, const SharedText& text) {
    const auto stream = follow_.stream(number).lock();
    ASSERT_NE(stream, nullptr);
    stream->push(text);
  }

  void end(std::size_t number) {
    const auto stream = follow_.stream(number).lock();
    ASSERT_NE(stream, nullptr);
    stream->end();
  }

  FrontOptions options_;
  Follow follow_;
  Observer observer_;
  int port_ = 0;
  std::optional<Front> front_;
};

TEST_F(StreamingTest, WhatIsPushed_GoesOutAsItComes) {
  const auto client = following();
  for (const char* event : {"first", "second", "third"}) {
    push(0, event);
    EXPECT_THAT(client->receive_until(event), HasSubstr(event));
  }
  push(0, "last");
  end(0);
  EXPECT_EQ(client->receive_all(), "last");
  EXPECT_THAT(observer_.reasons(), ElementsAre());
}

TEST_F(StreamingTest, WhatIsPushedBeforeTheHeadIsOut_FollowsIt) {
  follow_.early = "early";
  start();
  RawConnection client(port_);
  client.send(kFollow);
  EXPECT_THAT(client.receive_until("early"), EndsWith("followearly"));
}

TEST_F(StreamingTest, TooMuchAtOnce_EndsItAndNoOther) {
  const auto deaf = following();
  const auto reader = following();
  push(0, std::string(AnswerStream::kMostBytes, 'x'));
  EXPECT_EQ(deaf->receive_all(), "");
  EXPECT_TRUE(follow_.stream(0).expired());
  EXPECT_THAT(observer_.reasons(), ElementsAre("memory"));
  push(1, "still there");
  EXPECT_THAT(reader->receive_until("still there"), HasSubstr("still there"));
}

TEST_F(StreamingTest, AClientThatDoesNotRead_LosesItsStream) {
  const auto deaf = following();
  const SharedText event(std::string(AnswerStream::kMostBytes / 2, 'x'));
  while (const auto stream = follow_.stream(0).lock()) stream->push(event);
  while (observer_.reasons().empty()) std::this_thread::yield();
  EXPECT_THAT(observer_.reasons(), ElementsAre("memory"));
}

// Nothing else is left lying when a part takes several rounds, and nobody pushes any more.
TEST_F(StreamingTest, WhatIsPushedWhileALongBodyGoesOut_FollowsIt) {
  follow_.body = std::string(600'000, 'x');
  follow_.early = "early";
  start();
  RawConnection client(port_);
  client.send(kFollow);
  push(0, " and last");
  end(0);
  EXPECT_THAT(client.receive_all(), EndsWith("xearly and last"));
}

TEST_F(StreamingTest, AClientThatGoes_EndsItsStream) {
  following().reset();
  observer_.wait_for_connections(0);
  EXPECT_TRUE(follow_.stream(0).expired());
}

TEST_F(StreamingTest, ForANewConnection_AStreamWithNothingToSendMakesRoom) {
  options_.connections = 1;
  const auto first = following();
  const auto second = following();
  EXPECT_EQ(first->receive_all(), "");
  EXPECT_THAT(observer_.reasons(), ElementsAre("connections"));
}

TEST_F(StreamingTest, AStop_SendsWhatWasPushedAndEndsStreams) {
  auto client = following();
  push(0, "last");
  const std::jthread stopping([&] { front_->stop(kTimeToStop); });
  EXPECT_EQ(client->receive_all(), "last");
  client.reset();
}

}  // namespace
}  // namespace winperf
