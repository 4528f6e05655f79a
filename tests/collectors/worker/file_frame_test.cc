#include "collectors/worker/worker_facts.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "collectors/worker/serve.h"

namespace winperf::worker {
namespace {

constexpr std::uint64_t kFileSequence = 7;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

class FileFrameTest : public ::testing::Test {
 protected:
  std::expected<FileAnswer, Error> read(const std::function<void(ReplyWriter&)>& write,
                                        std::size_t max_bytes = 8) {
    ReplyWriter writer(memory_, kFileSequence);
    write(writer);
    const auto reply = read_reply(memory_, kFileSequence);
    if (!reply) return std::unexpected(reply.error());
    return read_file_answer(*reply, {.file = "a", .max_bytes = max_bytes});
  }
  std::expected<FileAnswer, Error> crossed(const std::expected<FileAnswer, Error>& answer) {
    return read([&](ReplyWriter& writer) { write_file_answer(writer, answer); });
  }
  static Error wrong(std::uint64_t actual, std::uint64_t limit) {
    return {.code = ErrorCode::kWorkerReply,
            .where = "facts.read_file",
            .actual = actual,
            .limit = limit};
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>(kHeadBytes + 8192);
  const FileStamp stamp_{
      .state = {.bytes = 5, .modified = std::chrono::sys_time(std::chrono::nanoseconds(12))},
      .volume = 3,
      .number = 4};
};

TEST_F(FileFrameTest, AnAnswer_ArrivesAsItWasGiven) {
  // Bytes of any kind, which no text would have borne.
  const FileAnswer part{.stamp = stamp_, .bytes = bytes_of({"\0\xFF\\\"\n", 5})};
  for (const FileAnswer& answer :
       {part, FileAnswer{.stamp = stamp_}, FileAnswer{}, FileAnswer{.problem = "it is a folder"}})
    EXPECT_EQ(crossed(answer), answer);
  const Error error{.code = ErrorCode::kAccessDenied, .os_code = 5};
  EXPECT_EQ(crossed(std::unexpected(error)).error(), error);
}

TEST_F(FileFrameTest, ALongSentence_IsCut) {
  const auto answer =
      crossed(FileAnswer{.problem = std::string(kMaxFileProblem - 1, 'x') + "\u00fc"});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->problem, std::string(kMaxFileProblem - 1, 'x'));
}

TEST_F(FileFrameTest, AQuestion_ArrivesAsItWasAsked) {
  const FileQuestion question{.file = "C:\\a\nb.prom", .offset = 1U << 20, .max_bytes = 100};
  ASSERT_TRUE(write_request(memory_, file_request(question)));
  EXPECT_EQ(read_file_question(read_request(memory_).value()), question);
  Request request = read_request(memory_).value();
  request.numbers[1] = kMaxFilePart + 1;
  EXPECT_EQ(read_file_question(request).error(), wrong(kMaxFilePart + 1, kMaxFilePart));
}

TEST_F(FileFrameTest, WhatNoWorkerWouldSay_IsAnError) {
  const auto stamp = std::as_bytes(std::span(&stamp_, 1));
  const auto text = [](std::string_view sentence) { return std::as_bytes(std::span(sentence)); };
  EXPECT_EQ(read([](ReplyWriter& writer) { writer.finish(3); }).error(), wrong(3, 2));
  EXPECT_EQ(read([](ReplyWriter& writer) { writer.finish(0); }).error(), wrong(0, 2));
  EXPECT_EQ(read([&](ReplyWriter& writer) {
              writer.add(stamp.first(stamp.size() - 1));
              writer.add(text("a"));
              writer.finish(0);
            }).error(),
            wrong(sizeof(FileStamp) - 1, sizeof(FileStamp)));
  EXPECT_EQ(read([&](ReplyWriter& writer) {
              writer.add(stamp);
              writer.add(text("123456789"));
              writer.finish(0);
            }).error(),
            wrong(9, 8))
      << "more than was asked for";
  EXPECT_EQ(read([&](ReplyWriter& writer) {
              writer.add(text("a"));
              writer.finish(1);
            }).error(),
            wrong(1, 0));
  for (const std::string& sentence :
       {std::string(), std::string(kMaxFileProblem + 1, 'x'), std::string("\xFF")}) {
    const auto answer = read([&](ReplyWriter& writer) {
      writer.add(text(sentence));
      writer.finish(2);
    });
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kWorkerReply);
  }
}

// What a worker does with a question.
class AskedFacts final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest&, const StopToken&) override { return {}; }
  std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                             std::chrono::milliseconds time,
                                             const StopToken&) override {
    asked = question;
    allowed = time;
    return FileAnswer{.stamp = FileStamp{.number = 9}, .bytes = std::vector<std::byte>(3)};
  }

  FileQuestion asked;
  std::chrono::milliseconds allowed{};
};

TEST_F(FileFrameTest, AWorkerAnswersBeforeItsParentGivesItUp) {
  AskedFacts facts;
  WorkerService service(nullptr, nullptr, &facts);
  const FileQuestion question{.file = "a.prom", .offset = 5, .max_bytes = 8};
  Request request = file_request(question);
  request.sequence = kFileSequence;
  request.time_ms = 10'000;
  ASSERT_TRUE(write_request(memory_, request));
  ASSERT_TRUE(service.answer(memory_));
  EXPECT_EQ(facts.asked, question);
  EXPECT_EQ(facts.allowed, std::chrono::milliseconds(2'500));
  const auto answer = read_file_answer(read_reply(memory_, kFileSequence).value(), question);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->stamp->number, 9U);
  EXPECT_EQ(answer->bytes.size(), 3U);
  WorkerService none(nullptr, nullptr);
  ASSERT_TRUE(write_request(memory_, request));
  ASSERT_TRUE(none.answer(memory_));
  EXPECT_EQ(read_file_answer(read_reply(memory_, kFileSequence).value(), question).error().code,
            ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace winperf::worker
