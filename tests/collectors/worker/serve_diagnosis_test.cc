// What a worker answers when it is asked for a diagnosis, and what its parent makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "collectors/worker/serve.h"

namespace winperf::worker {
namespace {

constexpr std::size_t kDiagnosisRoom = 16'384;

class ServeDiagnosis : public ::testing::Test {
 protected:
  std::expected<DiagnosisAnswer, Error> ask(WorkerService& service, const std::string& question) {
    EXPECT_TRUE(write_request(
        memory_, {.operation = Operation::kDiagnose, .sequence = 7, .text = question}));
    EXPECT_TRUE(service.answer(memory_));
    const auto reply = read_reply(memory_, 7);
    if (!reply) return std::unexpected(reply.error());
    return read_diagnosis(*reply);
  }
  // Of a worker that says anything.
  std::expected<DiagnosisAnswer, Error> read(const std::vector<std::string>& parts,
                                             std::uint64_t number) {
    ReplyWriter writer(memory_, 8);
    for (const std::string& part : parts) writer.add(std::as_bytes(std::span(part)));
    writer.finish(number);
    write_time(memory_, {});
    return read_diagnosis(read_reply(memory_, 8).value());
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>(kHeadBytes + kDiagnosisRoom);
  std::vector<std::string> questions_;
  DiagnosisAnswer answer_{.text = "{}"};
  WorkerService service_{nullptr, nullptr, nullptr, {}, [this](const std::string& question) {
                           questions_.push_back(question);
                           return answer_;
                         }};
};

TEST_F(ServeDiagnosis, HasTheQuestionAndTheText) {
  answer_.text = "{\"ok\": 1}";
  const auto answer = ask(service_, "which?");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->outcome, DiagnosisOutcome::kMade);
  EXPECT_EQ(answer->text, "{\"ok\": 1}");
  EXPECT_THAT(questions_, ::testing::ElementsAre("which?"));
}

TEST_F(ServeDiagnosis, ARefusal_IsASentenceThatIsNotTooLong) {
  answer_ = {.outcome = DiagnosisOutcome::kRefused, .text = "the file is missing"};
  auto answer = ask(service_, "");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->outcome, DiagnosisOutcome::kRefused);
  EXPECT_EQ(answer->text, "the file is missing");
  answer_.text = std::string(kMaxRefusal - 1, 'x') + "\u00e4";
  answer = ask(service_, "");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, std::string(kMaxRefusal - 1, 'x')) << "no half letter";
}

TEST_F(ServeDiagnosis, ThatDoesNotFit_IsAnError) {
  answer_.text = std::string(kDiagnosisRoom + 1, 'x');
  const auto answer = ask(service_, "");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kBufferLimit);
}

TEST_F(ServeDiagnosis, WorkersForOtherTasks_HaveNone) {
  WorkerService none(nullptr, nullptr);
  EXPECT_EQ(ask(none, "").error(),
            (Error{.code = ErrorCode::kUnsupported, .where = "doctor.diagnose"}));
}

TEST_F(ServeDiagnosis, NothingElseIsAReply) {
  const auto wrong = [](std::uint64_t actual, std::uint64_t limit) {
    return Error{.code = ErrorCode::kWorkerReply,
                 .where = "doctor.diagnose",
                 .actual = actual,
                 .limit = limit};
  };
  EXPECT_TRUE(read({"it"}, 1));
  EXPECT_EQ(read({"it"}, 2).error(), wrong(2, 1)) << "no such outcome";
  EXPECT_EQ(read({}, 0).error(), wrong(0, 1));
  EXPECT_EQ(read({"a", "b"}, 0).error(), wrong(2, 1));
  EXPECT_EQ(read({std::string(kMaxRefusal + 1, 'x')}, 1).error(),
            wrong(kMaxRefusal + 1, kMaxRefusal));
  EXPECT_EQ(read({"ab\xff"}, 1).error(), wrong(2, 3)) << "no UTF-8";
  EXPECT_EQ(read({"ab\xff"}, 0).value().text, "ab\xff") << "for the reader of diagnoses";
}

}  // namespace
}  // namespace winperf::worker
