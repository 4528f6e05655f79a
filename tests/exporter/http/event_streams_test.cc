// GET /api/v1/events, from the request to what its stream holds.
#include "exporter/http/event_streams.h"

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "exporter/http/router.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/exporter/support/http_exchange.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::instant_at;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::int64_t kBegin = 100;
const api::Query kQuery{{"path", R"(\Processor(*)\% Processor Time)"}};

// What comes to a stream, however long that takes.
class Reader {
 public:
  explicit Reader(std::shared_ptr<AnswerStream> stream) : stream_(std::move(stream)) {
    stream_->wakes(waker_);
  }
  std::string next() {
    while (true) {
      AnswerStream::Taken taken = stream_->take();
      if (taken.text.size() > 0) return taken.text.str();
      std::vector<Watched> watched{{.socket = waker_->socket(), .for_reading = true}};
      wait_for(watched, std::chrono::hours(1));
      waker_->clear();
    }
  }

 private:
  std::shared_ptr<const Waker> waker_ = std::make_shared<const Waker>();
  std::shared_ptr<AnswerStream> stream_;
};

class EventStreamsTest : public ::testing::Test {
 protected:
  static EventStreamOptions options(std::chrono::milliseconds heartbeat = std::chrono::hours(1)) {
    return {.most = 3, .heartbeat = heartbeat, .now = [] { return instant_at(kBegin + 50); }};
  }

  void publish(std::int64_t second) {
    auto sample = testing::typical_sample(static_cast<std::uint64_t>(second));
    for (CountersetState& state : sample->countersets) state.sampled_at = instant_at(second);
    recorder_.add(*sample);
    slot_.publish(std::move(sample));
  }

  SampleSlot slot_;
  recorder::Recorder recorder_{testing::kLargeBudget};
  int uses_ = 0;
  const std::shared_ptr<MachineView> machine_ = std::make_shared<MachineView>(
      slot_,
      std::make_shared<MetricsPage>(
          slot_, MappingOptions{}, [] { return instant_at(kBegin).steady; },
          [] { return TargetsReport{}; }),
      MappingOptions{},
      MachineViewOptions{.history = [this] { return recorder_.history(); },
                         .used = [this] { ++uses_; }});
};

// The text after the id's first part: "-100000000000".
std::string id_of(std::int64_t second) { return '-' + std::to_string(second) + "000000000\n"; }

TEST_F(EventStreamsTest, BeginsWithTheSample_AndThenHasEachNewOne) {
  publish(kBegin);
  EventStreams streams(options());
  const auto opened = streams.open(machine_, kQuery, "", {});
  ASSERT_TRUE(opened) << opened.error().detail;
  EXPECT_THAT(opened->begin, AllOf(StartsWith("retry: 2000\n\nid: "), HasSubstr(id_of(kBegin)),
                                   HasSubstr("\nevent: sample\ndata: {\"values\":[")));
  Reader reader(opened->rest);
  for (std::int64_t second = kBegin + 1; second < kBegin + 4; ++second) {
    publish(second);
    streams.note_sample();
    EXPECT_THAT(reader.next(), AllOf(HasSubstr(id_of(second)), Not(HasSubstr("retry"))));
  }
}

TEST_F(EventStreamsTest, StreamsOfTheSamePathsShareTheText) {
  publish(kBegin);
  EventStreams streams(options());
  const auto first = streams.open(machine_, kQuery, "", {});
  const auto second = streams.open(machine_, kQuery, "", {});
  ASSERT_TRUE(first && second);
  publish(kBegin + 1);
  streams.note_sample();
  EXPECT_EQ(Reader(first->rest).next(), Reader(second->rest).next());
}

TEST_F(EventStreamsTest, AClientThatContinuesGetsWhatItMissed) {
  for (std::int64_t second = kBegin; second < kBegin + 10; ++second) publish(second);
  EventStreams streams(options());
  const auto opened = streams.open(machine_, kQuery, "", {});
  ASSERT_TRUE(opened);
  const std::size_t id = opened->begin.find("id: ") + 4;
  const std::string run = opened->begin.substr(id, opened->begin.find('-', id) - id);
  const auto again =
      streams.open(machine_, kQuery, run + '-' + std::to_string(kBegin + 6) + "000000000", {});
  ASSERT_TRUE(again);
  for (std::int64_t second = kBegin; second < kBegin + 10; ++second)
    EXPECT_EQ(again->begin.contains(id_of(second)), second > kBegin + 6) << second;
  EXPECT_THAT(again->begin, Not(HasSubstr("event: lost")));
  for (const std::string& other :
       {std::string("1-2"), run, run + '-', run + "-x", run + "-99999999999999999999"})
    EXPECT_THAT(streams.open(machine_, kQuery, other, {})->begin,
                AllOf(HasSubstr("event: lost\ndata: {\"reason\":\""), HasSubstr(id_of(kBegin + 9))))
        << other;
  EXPECT_THAT(streams.open(machine_, kQuery, run + "-1000000000", {})->begin,
              HasSubstr("event: lost\ndata: {\"reason\":\"the recording of "))
      << "what was between isn't known";
  for (const std::string& far : {run + "-9223372036854775807", run + "--9223372036854775808"})
    EXPECT_TRUE(streams.open(machine_, kQuery, far, {})) << far;
}

TEST_F(EventStreamsTest, SaysThatAMachineIsNoLongerSampled_AndEnds) {
  publish(kBegin);
  EventStreams streams(options());
  const auto opened = streams.open(machine_, kQuery, "", {});
  ASSERT_TRUE(opened);
  machine_->retire();
  streams.note_sample();
  EXPECT_EQ(Reader(opened->rest).next(),
            "event: lost\ndata: {\"reason\":\"this target is no longer sampled\"}\n\n");
  while (!opened->rest->take().is_last) std::this_thread::yield();
}

TEST_F(EventStreamsTest, AStreamIsAUseOfItsMachine) {
  publish(kBegin);
  EventStreams streams(options());
  EXPECT_EQ(uses_, 0);
  const auto first = streams.open(machine_, kQuery, "", {});
  const auto second = streams.open(machine_, kQuery, "", {});
  ASSERT_TRUE(first && second);
  EXPECT_GT(uses_, 0);
}

TEST_F(EventStreamsTest, MachinesWithTheSamePathsHaveStreamsOfTheirOwn) {
  publish(kBegin);
  SampleSlot other_slot;
  const auto other = std::make_shared<MachineView>(other_slot, machine_->page(), MappingOptions{});
  EventStreams streams(options());
  EXPECT_EQ(streams.open(other, kQuery, "", {}).error().status, 503);
  other_slot.publish(testing::typical_sample(7));
  const auto own = streams.open(machine_, kQuery, "", {});
  const auto opened = streams.open(other, kQuery, "", {});
  ASSERT_TRUE(own && opened);
  Reader reader(own->rest);
  publish(kBegin + 1);
  streams.note_sample();
  EXPECT_THAT(reader.next(), HasSubstr(id_of(kBegin + 1)));
  EXPECT_EQ(opened->rest->take().text.size(), 0U);
}

TEST_F(EventStreamsTest, AQuietStreamHasHeartbeats) {
  publish(kBegin);
  EventStreams streams(options(std::chrono::milliseconds(1)));
  const auto opened = streams.open(machine_, kQuery, "", {});
  ASSERT_TRUE(opened);
  EXPECT_THAT(Reader(opened->rest).next(), StartsWith(":\n\n"));
}

TEST_F(EventStreamsTest, ThereAreOnlySoMany) {
  publish(kBegin);
  EventStreams streams(options());
  std::vector<std::shared_ptr<AnswerStream>> open;
  for (int i = 0; i < 3; ++i) open.push_back(streams.open(machine_, kQuery, "", {})->rest);
  const auto refused = streams.open(machine_, kQuery, "", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, 429);
  open.pop_back();
  EXPECT_TRUE(streams.open(machine_, kQuery, "", {})) << "a client has gone";
}

TEST_F(EventStreamsTest, OneNetworkLeavesSomeToOthers) {
  publish(kBegin);
  EventStreamOptions shared = options();
  shared.most_of_one = 2;
  EventStreams streams(shared);
  const NetAddress one{1};
  const NetAddress other{2};
  const auto first = streams.open(machine_, kQuery, "", one);
  const auto second = streams.open(machine_, {{"path", R"(\Memory\*)"}}, "", one);
  ASSERT_TRUE(first && second);
  const auto refused = streams.open(machine_, kQuery, "", one);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, 429);
  EXPECT_THAT(refused.error().detail,
              HasSubstr("2 event streams of this network are already open"));
  EXPECT_TRUE(streams.open(machine_, kQuery, "", other));
}

TEST_F(EventStreamsTest, AClientThatTakesNothingLosesItsStreamAlone) {
  publish(kBegin);
  EventStreamOptions small = options();
  small.most_bytes = 1'000;
  EventStreams streams(small);
  const auto slow = streams.open(machine_, kQuery, "", {});
  const auto quick = streams.open(machine_, kQuery, "", {});
  ASSERT_TRUE(slow && quick);
  Reader reader(quick->rest);
  for (std::int64_t second = kBegin + 1; second < kBegin + 20; ++second) {
    publish(second);
    streams.note_sample();
    EXPECT_THAT(reader.next(), HasSubstr(id_of(second)));
  }
  EXPECT_TRUE(slow->rest->has_overflowed());
}

TEST_F(EventStreamsTest, BeforeTheFirstSample_ThereIsNoStream) {
  EventStreams streams(options());
  const auto opened = streams.open(machine_, kQuery, "", {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().status, 503);
}

TEST_F(EventStreamsTest, TheAnswerHasNoEnd) {
  publish(kBegin);
  const BuildInfo build{"1", "abc", "gcc", "linux", "x86_64"};
  ExporterRegistry registry(build, {});
  Router router(slot_, registry,
                {.build = build, .mapping = {}, .now = [] { return instant_at(kBegin).steady; }});
  HttpAnswers answers(router, {});
  const std::string target = testing::target_of("/api/v1/events", {{"path", R"(\Memory\*)"}});
  const Answer answer = answers.answer(testing::request_of("GET " + target), false);
  ASSERT_NE(answer.stream, nullptr);
  EXPECT_TRUE(answer.closes);
  EXPECT_THAT(answer.head, AllOf(HasSubstr("\r\nConnection: close\r\n"),
                                 HasSubstr("\r\nContent-Type: text/event-stream\r\n"),
                                 Not(HasSubstr("Content-Length"))));
  EXPECT_THAT(answer.body.str(), HasSubstr("event: sample\n"));
  const Answer head = answers.answer(testing::request_of("HEAD " + target), false);
  EXPECT_EQ(head.stream, nullptr);
  const Answer wrong = answers.answer(testing::request_of("GET /api/v1/events"), false);
  EXPECT_EQ(wrong.stream, nullptr);
  EXPECT_THAT(wrong.head, StartsWith("HTTP/1.1 400 "));
}

TEST_F(EventStreamsTest, ARouterAnnouncesWhatItIsToldOf) {
  publish(kBegin);
  const BuildInfo build{"1", "abc", "gcc", "linux", "x86_64"};
  ExporterRegistry registry(build, {});
  const auto news = std::make_shared<SampleNews>();
  {
    Router router(slot_, registry,
                  {.build = build,
                   .mapping = {},
                   .now = [] { return instant_at(kBegin).steady; },
                   .news = news});
    HttpAnswers answers(router, {});
    const std::string target = testing::target_of("/api/v1/events", {{"path", R"(\Memory\*)"}});
    const Answer answer = answers.answer(testing::request_of("GET " + target), false);
    Reader reader(answer.stream);
    publish(kBegin + 1);
    news->note();
    EXPECT_THAT(reader.next(), HasSubstr(id_of(kBegin + 1)));
  }
  news->note();  // the router is gone
}

TEST_F(EventStreamsTest, ContinuesByTheFieldOfTheRequest) {
  publish(kBegin);
  const BuildInfo build{"1", "abc", "gcc", "linux", "x86_64"};
  ExporterRegistry registry(build, {});
  Router router(slot_, registry,
                {.build = build, .mapping = {}, .now = [] { return instant_at(kBegin).steady; }});
  HttpAnswers answers(router, {});
  const std::string target = testing::target_of("/api/v1/events", {{"path", R"(\Memory\*)"}});
  const Answer answer = answers.answer(
      testing::request_of("GET " + target, "Host: localhost\r\nLast-Event-ID: 1-2\r\n"), false);
  EXPECT_THAT(answer.body.str(), HasSubstr("event: lost\n"));
}

}  // namespace
}  // namespace winperf
