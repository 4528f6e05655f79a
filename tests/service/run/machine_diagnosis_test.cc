// A diagnosis for the API: what its worker is asked, and what becomes of each answer.
#include "service/run/machine_diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "collectors/base/path_text.h"
#include "collectors/worker/worker_diagnosis.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using worker::FakeProcess;

TEST(DiagnosisQuestion, ReadsBackAsItWas) {
  const DiagnosisQuestion asked{.config_file = "C:\\Programme \"x\"\\\u00e4.yaml",
                                .overrides = {.listen = {"127.0.0.1:0", ":9182"},
                                              .web_config_file = "/etc/web.yml",
                                              .telemetry_path = "/m",
                                              .no_exporter_metrics = true,
                                              .max_requests = 0}};
  const auto read = parse_question(question_text(asked));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->config_file, asked.config_file);
  EXPECT_EQ(read->overrides.listen, asked.overrides.listen);
  EXPECT_EQ(read->overrides.web_config_file, "/etc/web.yml");
  EXPECT_EQ(read->overrides.telemetry_path, "/m");
  EXPECT_TRUE(read->overrides.no_exporter_metrics);
  EXPECT_EQ(read->overrides.max_requests, 0U);
  const auto empty = parse_question(question_text({}));
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->config_file, "");
  EXPECT_TRUE(empty->overrides.listen.empty());
  EXPECT_FALSE(empty->overrides.max_requests);
}

TEST(DiagnosisQuestion, IsNothingElse) {
  for (const char* const text : {"", "{}", "[]", "{\"config_file\": 1}", "x"})
    EXPECT_FALSE(parse_question(text)) << text;
}

TEST(DiagnosisQuestion, HasAbsolutePaths) {
  const auto question = absolute_question("a.yaml", {.web_config_file = "web.yml"});
  const auto here = std::filesystem::current_path();
  EXPECT_EQ(question.config_file, path_text(here / "a.yaml"));
  EXPECT_EQ(question.overrides.web_config_file, path_text(here / "web.yml"));
  EXPECT_EQ(absolute_question("", {}).config_file, "") << "the defaults";
}

class DiagnosisByWorker : public ::testing::Test {
 protected:
  static std::vector<std::byte> bytes_of(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }
  void answer(worker::DiagnosisOutcome outcome, const std::string& text) {
    machine_.provider = [=](FakeProcess& process, const worker::Request&) {
      process.reply_with(static_cast<std::uint64_t>(outcome), {bytes_of(text)});
    };
  }
  std::expected<std::string, api::Problem> diagnose(const StopToken& stop = {}) {
    return diagnose_by_worker(machine_.options(), {.config_file = "/a.yaml"}, stop);
  }
  std::string reason() {
    const auto none = diagnose();
    EXPECT_EQ(none.error().status, 503);
    return none.error().detail;
  }

  worker::FakeMachine machine_;
};

TEST_F(DiagnosisByWorker, IsWhatOneProcessSays) {
  answer(worker::DiagnosisOutcome::kMade, "{}");
  EXPECT_EQ(diagnose().value(), "{}");
  ASSERT_EQ(machine_.started.size(), 1U);
  EXPECT_THAT(machine_.started[0].words, ElementsAre("worker", "doctor"));
  EXPECT_TRUE(machine_.started[0].starts_workers);
  ASSERT_EQ(machine_.asked.size(), 1U);
  EXPECT_EQ(machine_.asked[0].operation, worker::Operation::kDiagnose);
  EXPECT_EQ(parse_question(machine_.asked[0].text).value().config_file, "/a.yaml");
  EXPECT_EQ(machine_.asked[0].time_ms, 240'000U);
  EXPECT_EQ(machine_.end_requests.size(), 1U) << "it ends afterwards";
  EXPECT_EQ(machine_.running, nullptr);
}

TEST_F(DiagnosisByWorker, HasTheReasonWhyThereIsNone) {
  answer(worker::DiagnosisOutcome::kRefused, "a.yaml:1: wrong\na.yaml:2: wrong, too\n");
  EXPECT_EQ(reason(), "no diagnosis was made: a.yaml:1: wrong; a.yaml:2: wrong, too");
  machine_.provider = [](FakeProcess& process, const worker::Request&) { process.crash(11); };
  EXPECT_THAT(reason(), HasSubstr("no diagnosis was made: doctor.diagnose"));
  machine_.provider = [](FakeProcess& process, const worker::Request&) {
    process.reply_with(9, {worker::bytes(1)});
  };
  EXPECT_THAT(reason(), HasSubstr("doctor.diagnose"));
  machine_.provider = [](FakeProcess&, const worker::Request&) {};
  const auto before = machine_.now;
  EXPECT_THAT(reason(), HasSubstr("240000"));
  EXPECT_LT(machine_.now - before, std::chrono::minutes(5));
  machine_.no_start = Error{.code = ErrorCode::kWorkerStart, .where = "worker", .os_code = 2};
  EXPECT_THAT(reason(), HasSubstr("no diagnosis was made: "));
}

TEST_F(DiagnosisByWorker, EndsWithTheService) {
  StopSource stop;
  machine_.provider = [&](FakeProcess&, const worker::Request&) { stop.request_stop(); };
  const auto before = machine_.now;
  const auto none = diagnose(stop.token());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().status, 503);
  EXPECT_EQ(machine_.now, before) << "it waits for nothing";
  EXPECT_EQ(machine_.running, nullptr);
}

TEST_F(DiagnosisByWorker, NeedsAProgramToStart) {
  const auto none = diagnose_by_worker({}, {}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().detail, "no diagnosis was made: this program has no worker processes");
}

}  // namespace
}  // namespace winperf
