// Facts and files that a worker reads, in simulated time.
#include "collectors/worker/worker_facts.h"

#include <gmock/gmock.h>

#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WorkerFactsTest : public FakeWorkerTest {
 protected:
  WorkerFactsTest() : facts_(options()) {
    machine_.provider = [this](FakeProcess& process, const Request& request) {
      process.begin(request.operation, request.text);
      if (request.text == hangs_) return;
      if (request.operation == Operation::kFacts) {
        const std::string_view table = R"({"rows":[{"file":"a"}]})";
        const auto bytes = std::as_bytes(std::span(table));
        return process.reply({std::vector(bytes.begin(), bytes.end())});
      }
      const FileStamp stamp{.number = 5};
      const auto part = std::as_bytes(std::span(&stamp, 1));
      process.reply({std::vector(part.begin(), part.end()), bytes(4)}, milliseconds(1));
    };
  }
  WorkerOptions options() {
    auto options = machine_.options();
    options.limits.max_reply_bytes = 100'000;
    return options;
  }
  std::expected<FileAnswer, Error> read(const std::string& file, const StopToken& stop = {}) {
    return facts_.read_file({.file = file, .max_bytes = 4}, seconds(5), stop);
  }
  WorkerView& view() { return *facts_.workers().front(); }

  std::string hangs_ = "none";
  WorkerFacts facts_;
};

TEST(FactRequest, AsTextIsReadAsTheSameRequest) {
  for (const FactTopicInfo& info : kFactTopics) {
    const FactRequest request{.topic = info.topic, .folders = {"C:\\a b", "\\\\server\\share"}};
    EXPECT_EQ(parse_request_text(request_text(request)), request);
  }
  EXPECT_FALSE(parse_request_text("nosuch"));
  EXPECT_FALSE(parse_request_text(""));
}

TEST_F(WorkerFactsTest, AProcessIsKeptOnlyForReadingsThatAreClose) {
  const auto rest = [this](SteadyTime::duration time) {
    return facts_.rest_until(machine_.now + time);
  };
  EXPECT_FALSE(rest(std::chrono::hours(1))) << "none has been started";
  ASSERT_TRUE(read("a.prom"));
  EXPECT_FALSE(rest(WorkerFacts::kWorthEnding - milliseconds(1)));
  EXPECT_NE(view().state().process_id, 0U);
  EXPECT_TRUE(rest(WorkerFacts::kWorthEnding));
  EXPECT_EQ(view().state().process_id, 0U);
  EXPECT_EQ(machine_.end_requests.size(), 1U) << "it was asked to end";
  EXPECT_EQ(lost_processes(view().state()), 0U);
  ASSERT_TRUE(read("a.prom"));
  EXPECT_EQ(view().state().starts, 2U);
}

TEST_F(WorkerFactsTest, AProcessThatIsStartingIsKept) {
  machine_.start_takes = seconds(12);
  const auto late = read("a.prom");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kWorkerStarting);
  EXPECT_FALSE(facts_.rest_until(machine_.now + std::chrono::hours(1)));
  EXPECT_NE(view().state().process_id, 0U);
}

TEST_F(WorkerFactsTest, AFile_ComesAsBytes) {
  const auto answer = read("a.prom");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->stamp, FileStamp{.number = 5});
  EXPECT_EQ(answer->bytes, bytes(4));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("a.prom"));
}

TEST_F(WorkerFactsTest, AFileThatHangs_IsNamed_AndNoOtherRests) {
  for (int files = 0; files < 5; ++files) ASSERT_TRUE(read("a.prom"));
  EXPECT_EQ(last_time_ms(), 10'000U) << "a slow machine has the longest time for each file";
  hangs_ = "share.prom";
  const auto lost = read("share.prom");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kTimedOut);
  EXPECT_EQ(lost.error().limit, 10'000U);
  const auto events = view().take_events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].call, "facts.read_file \"share.prom\"");
  EXPECT_TRUE(read("a.prom"));
  EXPECT_TRUE(facts_.read({.topic = FactTopic::kTextfile, .folders = {"d"}}, {}));
  EXPECT_FALSE(read("share.prom")) << "whether it is asked for again is up to who asks";
  EXPECT_EQ(machine_.started.size(), 3U);
}

TEST_F(WorkerFactsTest, AFile_IsNoCallThatTheOthersDeadlinesForget) {
  ASSERT_TRUE(facts_.read({.topic = FactTopic::kOs}, {}));
  ASSERT_TRUE(facts_.read({.topic = FactTopic::kOs}, {}));
  ASSERT_TRUE(facts_.read({.topic = FactTopic::kOs}, {}));
  const auto usual = last_time_ms();
  EXPECT_LT(usual, 10'000U);
  for (std::size_t files = 0; files <= Deadlines::kMaxKnown; ++files)
    ASSERT_TRUE(read(std::to_string(files)));
  ASSERT_TRUE(facts_.read({.topic = FactTopic::kOs}, {}));
  EXPECT_EQ(last_time_ms(), usual);
}

TEST_F(WorkerFactsTest, AStop_EndsAFile) {
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(read("a.prom", stop.token()).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace winperf::worker
