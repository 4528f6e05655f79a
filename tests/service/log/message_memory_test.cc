// The messages that stay in memory: how many, and which.
#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "service/log/logging.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> texts_of(const auto& messages) {
  std::vector<std::string> texts;
  for (const LogMessage& message : messages) texts.push_back(message.text);
  return texts;
}

LogMessage message_of(std::string text) {
  return {.time = {}, .event = Event::kStarted, .subject = "", .text = std::move(text)};
}

TEST(MessageMemory, TheOldestGoIfThereAreTooMany) {
  MessageMemory memory(2, 1000);
  for (const char* const text : {"a", "b", "c"}) memory.add(message_of(text));
  EXPECT_THAT(texts_of(memory.messages()), ElementsAre("b", "c"));
}

TEST(MessageMemory, TheOldestGoIfTheyAreTooLong) {
  MessageMemory memory(100, 10);
  for (const char* const text : {"aaaa", "bbbb", "cccc", "dd"}) memory.add(message_of(text));
  EXPECT_THAT(texts_of(memory.messages()), ElementsAre("bbbb", "cccc", "dd"));
  memory.add(message_of("more than all of that"));
  EXPECT_THAT(memory.messages(), SizeIs(1)) << "the newest one stays";
}

TEST(MessageMemory, ALongTextIsCutOffBetweenCharacters) {
  MessageMemory memory(100, 1'000'000);
  const std::string text(MessageMemory::kMostBytesOfAText - 1, 'x');
  memory.add(message_of(text + "\u00fcber"));
  EXPECT_EQ(memory.messages().front().text, text + " ...");
}

class KeptMessages : public ::testing::Test {
 protected:
  std::unique_ptr<Log> make(LogLevel level) {
    return std::make_unique<Log>(
        LogLines{.level = level, .sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_)},
        nullptr, [this] { return now_; }, [this] { return Ticks100ns{wall_++}; });
  }

  std::ostringstream stream_;
  LogLimiter::Time now_{std::chrono::hours(1)};
  std::int64_t wall_ = 5;
};

TEST_F(KeptMessages, AreThereWhateverIsWritten) {
  const auto log = make(LogLevel::kError);
  log->write(Event::kCountersetWorks, "Memory", "can be read again");
  log->write(Event::kCountersetFails, "Memory", "cannot be read");
  EXPECT_EQ(stream_.str(), "");
  const auto messages = log->messages();
  EXPECT_THAT(texts_of(messages), ElementsAre("can be read again", "cannot be read"));
  EXPECT_EQ(messages[0].time, Ticks100ns{5});
  EXPECT_EQ(messages[1].time, Ticks100ns{6});
  EXPECT_EQ(messages[1].subject, "Memory");
  EXPECT_EQ(messages[1].event, Event::kCountersetFails);
}

TEST_F(KeptMessages, HaveTheNumberOfSuppressedOnesInsteadOfThem) {
  const auto log = make(LogLevel::kError);
  for (int i = 0; i < 100; ++i) log->write(Event::kCountersetFails, "Memory", "fails");
  now_ += LogLimiter::kWindow;
  log->report_suppressed();
  ASSERT_THAT(log->messages(), SizeIs(Log::kLinesPerMinute + 1));
  EXPECT_THAT(log->messages().back().text, HasSubstr("90 more messages"));
  EXPECT_EQ(stream_.str(), "") << "what is below the level isn't written, nor how much of it";
}

TEST_F(KeptMessages, OfLandmarksOutliveTheOthers) {
  const auto log = make(LogLevel::kInfo);
  log->write(Event::kStarted, "started");
  log->write(Event::kWorkerLost, "registry", "process 1 crashed");
  for (std::size_t i = 0; i < Log::kMostMessages; ++i)
    log->write(Event::kTargetFails, std::to_string(i), "cannot be read");
  EXPECT_THAT(log->messages(), SizeIs(Log::kMostMessages));
  EXPECT_THAT(texts_of(log->landmarks()), ElementsAre("started", "process 1 crashed"));
}

}  // namespace
}  // namespace winperf
