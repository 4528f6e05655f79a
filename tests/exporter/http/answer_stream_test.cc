// An answer without an end: its queue, and what clients of a front see of it.
#include "exporter/http/answer_stream.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <string>
#include <vector>

#include "exporter/http/front.h"
#include "tests/exporter/support/raw_connection.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::RawConnection;
using State = AnswerStream::State;

constexpr std::chrono::hours kNever{1};
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
  EXPECT_EQ(taken.state, State::kOpen);
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
  AnswerStream stream;
  stream.push(std::string(AnswerStream::kMostBytes - 1, 'x'));
  stream.push("x");
  EXPECT_EQ(stream.take().state, State::kOpen);
  stream.push(std::string(AnswerStream::kMostBytes - 1, 'x'));
  stream.push("xx");
  stream.push("later");
  stream.end();
  const AnswerStream::Taken taken = stream.take();
  EXPECT_EQ(taken.state, State::kOverflowed);
  EXPECT_EQ(taken.text.size(), 0U) << "what has a gap is worth nothing";
}

TEST(AnswerStream, AfterItsEnd_TakesNothingMore) {
  AnswerStream stream;
  stream.push("last");
  stream.end();
  stream.push("later");
  const AnswerStream::Taken taken = stream.take();
  EXPECT_EQ(taken.text.str(), "last");
  EXPECT_EQ(taken.state, State::kEnded);
}

// Answers "follow", and then whatever the test pushes.
class Follow final : public Answerer {
 public:
  Answer answer(const RequestHead&, const Asker&) override {
    auto stream = std::make_shared<AnswerStream>();
    const std::lock_guard lock(mutex_);
    streams_.push_back(stream);
    begun_.notify_all();
    return {.head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfollow",
            .body = {},
            .closes = true,
            .stream = std::move(stream)};
  }
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
  void SetUp() override {
    auto listeners = listen_on("127.0.0.1", 0);
    ASSERT_TRUE(listeners) << listeners.error();
    port_ = local_port(listeners->front());
    front_.emplace(FrontOptions{}, follow_, observer_);
    front_->start(*std::move(listeners));
  }
  std::unique_ptr<RawConnection> following() {
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
  follow_.stream(0).lock()->end();
  EXPECT_EQ(client->receive_all(), "last");
  EXPECT_THAT(observer_.reasons(), ElementsAre());
}

TEST_F(StreamingTest, WhatIsPushedBeforeTheHeadIsOut_FollowsIt) {
  RawConnection client(port_);
  client.send(kFollow);
  push(0, "early");
  EXPECT_THAT(client.receive_until("early"), EndsWith("followearly"));
}

TEST_F(StreamingTest, AClientThatDoesNotRead_LosesItsStreamAndHoldsUpNobody) {
  const auto deaf = following();
  const auto reader = following();
  const SharedText event(std::string(AnswerStream::kMostBytes / 2, 'x'));
  while (const auto stream = follow_.stream(0).lock()) stream->push(event);
  EXPECT_THAT(observer_.reasons(), ElementsAre("memory"));
  push(1, "still there");
  EXPECT_THAT(reader->receive_until("still there"), HasSubstr("still there"));
}

TEST_F(StreamingTest, AClientThatGoes_EndsItsStream) {
  following().reset();
  observer_.wait_for_connections(0);
  EXPECT_TRUE(follow_.stream(0).expired());
}

TEST_F(StreamingTest, AStop_EndsStreamsAtOnce) {
  const auto client = following();
  front_->stop(kNever);
  EXPECT_TRUE(follow_.stream(0).expired());
  EXPECT_EQ(client->receive_all(), "");
}

}  // namespace
}  // namespace winperf
