#include "service/log/logging.h"

#include <gmock/gmock.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/ostream_sink.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <tuple>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

using Entries = std::vector<std::tuple<Event, std::string, std::string>>;

class RecordingEventLog final : public EventLog {
 public:
  explicit RecordingEventLog(Entries& entries) : entries_(entries) {}
  void write(Event event, std::string_view subject, std::string_view text) override {
    entries_.emplace_back(event, subject, text);
  }

 private:
  Entries& entries_;
};

class LoggingTest : public ::testing::Test {
 protected:
  LogLines to_stream(LogLines lines) {
    lines.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(stream_);
    return lines;
  }

  std::unique_ptr<Log> make(LogLines lines) {
    return std::make_unique<Log>(to_stream(std::move(lines)),
                                 std::make_unique<RecordingEventLog>(entries_),
                                 [this] { return now_; });
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::istringstream text(stream_.str());
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }

  std::ostringstream stream_;
  Entries entries_;
  LogLimiter::Time now_{std::chrono::hours(1)};
};

TEST_F(LoggingTest, TextLine_HasTimeLevelSubjectAndMessage) {
  make({})->write(Event::kCountersetFails, "Memory", "no such object");
  ASSERT_THAT(lines(), SizeIs(1));
  EXPECT_TRUE(std::regex_match(
      lines()[0],
      std::regex(R"(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z warning Memory: no such object\r?)")))
      << lines()[0];
}

TEST_F(LoggingTest, JsonLine_IsAnObjectWhateverIsInIt) {
  const std::string text = "quote \" newline \n control \x01 broken \xff";
  make({.format = LogFormat::kJson})->write(Event::kCountersetFails, "A \"B\"", text);
  ASSERT_THAT(lines(), SizeIs(1));
  const auto line = nlohmann::json::parse(lines()[0]);
  EXPECT_EQ(line["level"], "warning");
  EXPECT_EQ(line["event"], "counterset_fails");
  EXPECT_EQ(line["subject"], "A \"B\"");
  EXPECT_EQ(line["message"], "quote \" newline \n control \x01 broken \xEF\xBF\xBD");
  EXPECT_THAT(line["time"].get<std::string>(), MatchesRegex("2.*T.*Z"));
}

TEST_F(LoggingTest, JsonLine_IsUtf8AndNamesItsSubjectIfItHasOne) {
  make({.format = LogFormat::kJson})->write(Event::kStarted, "gr\u00f6\u00dfer");
  ASSERT_THAT(lines(), SizeIs(1));
  EXPECT_THAT(lines()[0],
              HasSubstr("\"info\",\"event\":\"started\",\"message\":\"gr\u00f6\u00dfer\"}"));
}

TEST_F(LoggingTest, TextWithNewlines_StaysOneLine) {
  make({})->write(Event::kNotStarted, "a\nb", "first\nsecond\r\nthird\rfourth");
  ASSERT_THAT(lines(), SizeIs(1));
  EXPECT_THAT(lines()[0], HasSubstr("a b: first second  third fourth"));
}

TEST_F(LoggingTest, ALine_HasNothingThatATerminalObeys) {
  const std::string subject = "a\x1b[2J", text = "b\u009b31m \u202ec \x7f";
  make({})->write(Event::kCountersetFails, subject, text);
  make({.format = LogFormat::kJson})->write(Event::kCountersetFails, subject, text);
  ASSERT_THAT(lines(), SizeIs(2));
  EXPECT_THAT(lines()[0], HasSubstr("a\\u001b[2J: b\\u009b31m \\u202ec \\u007f"));
  EXPECT_THAT(lines()[1], HasSubstr(R"("b\u009b31m \u202ec \u007f")"));
  EXPECT_EQ(nlohmann::json::parse(lines()[1])["message"], text);
}

TEST_F(LoggingTest, BelowTheLevel_IsNotWritten) {
  const auto log = make({.level = LogLevel::kWarn});
  log->write(Event::kStarted, "info");
  log->write(Event::kCountersetFails, "warning");
  log->write(Event::kSamplingEnded, "error");
  EXPECT_THAT(lines(), SizeIs(2));
  EXPECT_THAT(entries_, SizeIs(2));
}

TEST_F(LoggingTest, EventLog_GetsTheSameMessages) {
  make({})->write(Event::kCountersetFails, "Memory", "no such object");
  EXPECT_THAT(entries_,
              ElementsAre(std::tuple(Event::kCountersetFails, "Memory", "no such object")));
}

TEST_F(LoggingTest, WithoutLinesOrEvents_WritesToTheOther) {
  ::testing::internal::CaptureStderr();
  {
    Log events_only({}, std::make_unique<RecordingEventLog>(entries_));
    events_only.write(Event::kStarted, "started");
    EXPECT_THAT(entries_, SizeIs(1));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "no line is missed";
  EXPECT_THAT(entries_, SizeIs(1));
  Log lines_only(to_stream({}), nullptr);
  lines_only.write(Event::kStarted, "started");
  EXPECT_THAT(lines(), SizeIs(1));
}

TEST_F(LoggingTest, TheSameAgainAndAgain_EndsInOneLineThatSaysHowMany) {
  const auto log = make({});
  for (int i = 0; i < 1000; ++i) log->write(Event::kCountersetFails, "Memory", "fails");
  EXPECT_THAT(lines(), SizeIs(Log::kLinesPerMinute));
  log->write(Event::kCountersetFails, "System", "fails");
  EXPECT_THAT(lines(), SizeIs(Log::kLinesPerMinute + 1)) << "another subject is not concerned";
  now_ += LogLimiter::kWindow;
  log->write(Event::kCountersetWorks, "System", "works");
  ASSERT_THAT(lines(), SizeIs(Log::kLinesPerMinute + 3));
  EXPECT_THAT(
      lines()[Log::kLinesPerMinute + 1],
      HasSubstr("warning Memory: 990 more messages of kind counterset_fails within a minute"));
  EXPECT_THAT(entries_, SizeIs(Log::kLinesPerMinute + 3));
}

TEST_F(LoggingTest, AfterTheMinute_SaysWhatWasLeftOutThoughNothingElseHappens) {
  const auto log = make({});
  for (int i = 0; i < 12; ++i) log->write(Event::kCountersetFails, "Memory", "fails");
  log->report_suppressed();
  EXPECT_THAT(lines(), SizeIs(Log::kLinesPerMinute)) << "the minute is not over";
  now_ += LogLimiter::kWindow;
  log->report_suppressed();
  log->report_suppressed();
  ASSERT_THAT(lines(), SizeIs(Log::kLinesPerMinute + 1));
  EXPECT_THAT(lines().back(), HasSubstr("Memory: 2 more"));
}

// A file on a disk that may be full.
class LimitedSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  bool full = false;
  std::size_t attempts = 0;
  std::vector<std::string> lines{};

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    ++attempts;
    if (full) throw spdlog::spdlog_ex("w.log cannot be written to: no room");
    lines.emplace_back(message.payload.data(), message.payload.size());
  }
  void flush_() override {}
};

class LostLinesTest : public LoggingTest {
 protected:
  std::shared_ptr<LimitedSink> sink_ = std::make_shared<LimitedSink>();
  Log log_{{.sink = sink_}, std::make_unique<RecordingEventLog>(entries_), [this] { return now_; }};

  void write(const char* text) { log_.write(Event::kStarted, text); }
  // Writes these, and returns what standard error says meanwhile.
  std::string lose(std::initializer_list<const char*> texts) {
    sink_->full = true;
    ::testing::internal::CaptureStderr();
    for (const char* const text : texts) write(text);
    sink_->full = false;
    now_ += Log::kLongestPause;
    return ::testing::internal::GetCapturedStderr();
  }
};

TEST_F(LostLinesTest, AreCountedAndReportedBeforeTheNextLine) {
  write("a");
  EXPECT_EQ(lose({"b", "c", "d"}),
            "winperf_exporter: the log w.log cannot be written to: no room\n")
      << "once";
  write("e");
  write("f");
  const std::string report =
      "3 lines were lost because the log could not be written: w.log cannot be written to: no room";
  EXPECT_THAT(sink_->lines, ElementsAre("a", report, "e", "f"));
  ASSERT_THAT(entries_, SizeIs(8)) << "the event log has all";
  EXPECT_EQ(entries_[1], std::tuple(Event::kLogFails, "", "w.log cannot be written to: no room"));
  EXPECT_EQ(entries_[5], std::tuple(Event::kLinesLost, "", report));
  EXPECT_NE(lose({"g"}), "") << "again";
  write("h");
  EXPECT_THAT(sink_->lines[4], HasSubstr("1 line was lost because"));
}

TEST_F(LostLinesTest, AreAMetricAndLeadToFewAttempts) {
  EXPECT_TRUE(log_.health().is_written);
  sink_->full = true;
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 100; ++i) {
    log_.write(Event::kTargetFails, std::to_string(i), "can't be read");
    now_ += std::chrono::seconds(1);
  }
  ::testing::internal::GetCapturedStderr();
  EXPECT_FALSE(log_.health().is_written);
  EXPECT_EQ(log_.health().lost, 100U);
  EXPECT_EQ(sink_->attempts, 13U) << "after 1, 2, 4 and 8 seconds, and then each 10";
  sink_->full = false;
  now_ += Log::kLongestPause;
  log_.report_suppressed();
  EXPECT_TRUE(log_.health().is_written);
  EXPECT_EQ(log_.health().lost, 100U) << "since the start";
}

TEST_F(LostLinesTest, OfWhatIsNoService_GoToStandardError) {
  Log log({.sink = sink_}, nullptr, [this] { return now_; });
  sink_->full = true;
  ::testing::internal::CaptureStderr();
  log.write(Event::kTargetFails, "srv-1", "can't be read");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "winperf_exporter: the log w.log cannot be written to: no room\n"
            "srv-1: can't be read\n");
  sink_->full = false;
}

TEST_F(LostLinesTest, OfAFileThatCouldNeverBeOpened_AreNone) {
  ::testing::internal::CaptureStderr();
  log_.cannot_write("w.log cannot be opened: no such folder");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "winperf_exporter: the log w.log cannot be opened: no such folder\n");
  EXPECT_FALSE(log_.health().is_written);
  now_ += Log::kLongestPause;
  write("a");
  EXPECT_THAT(sink_->lines, ElementsAre("a"));
  EXPECT_TRUE(log_.health().is_written);
}

TEST_F(LostLinesTest, AreReportedThoughNothingElseHappens) {
  lose({"a", "b"});
  sink_->full = true;
  log_.report_suppressed();
  EXPECT_THAT(sink_->lines, SizeIs(0));
  sink_->full = false;
  now_ += Log::kLongestPause;
  log_.report_suppressed();
  log_.report_suppressed();
  ASSERT_THAT(sink_->lines, SizeIs(1));
  EXPECT_THAT(sink_->lines[0], HasSubstr("2 lines were lost"));
}

TEST_F(LostLinesTest, AreReportedInTheNextFile) {
  lose({"a"});
  const auto next = std::make_shared<LimitedSink>();
  log_.change({.format = LogFormat::kJson, .sink = next});
  write("b");
  ASSERT_THAT(next->lines, SizeIs(2));
  EXPECT_THAT(next->lines[0], HasSubstr("\"event\":\"lines_lost\",\"message\":\"1 line was lost "));
}

TEST_F(LoggingTest, AtTheEnd_SaysWhatWasLost) {
  const auto sink = std::make_shared<LimitedSink>();
  {
    Log log({.sink = sink}, nullptr);
    sink->full = true;
    ::testing::internal::CaptureStderr();
    log.write(Event::kStarted, "a");
    ::testing::internal::GetCapturedStderr();
    sink->full = false;
  }
  ASSERT_THAT(sink->lines, SizeIs(1));
  EXPECT_THAT(sink->lines[0], HasSubstr("1 line was lost"));
}

TEST_F(LoggingTest, AtTheEnd_SaysWhatWasLeftOut) {
  {
    const auto log = make({});
    for (int i = 0; i < 11; ++i) log->write(Event::kCountersetFails, "Memory", "fails");
  }
  EXPECT_THAT(lines().back(), HasSubstr("Memory: 1 more"));
}

TEST_F(LoggingTest, Change_HoldsFromTheNextLineOn) {
  const auto log = make({.level = LogLevel::kWarn});
  log->write(Event::kStarted, "not written");
  log->change(to_stream({.level = LogLevel::kInfo, .format = LogFormat::kJson}));
  log->write(Event::kStarted, "written");
  ASSERT_THAT(lines(), SizeIs(1));
  EXPECT_EQ(nlohmann::json::parse(lines()[0])["message"], "written");
}

class LogFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("winperf-") + test->name() + "-" +
               std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The file is written by those tests that need it.
  LogPlace place() const { return {.config_file = (folder_ / "w.yaml").string()}; }

  std::filesystem::path folder_;
};

TEST_F(LogFileTest, RelativeName_IsThatOfAFileInTheFolder) {
  {
    const auto log = make_logger({.file = "here.log"}, place());
    ASSERT_TRUE(log) << log.error();
    (*log)->write(Event::kStarted, "started");
  }
  EXPECT_GT(std::filesystem::file_size(folder_ / "here.log"), 0u);
}

TEST_F(LogFileTest, NameInAnyScript_IsThatOfTheFile) {
  const std::filesystem::path file = folder_ / u8"gr\u00f6\u00dfe \u65e5";
  std::filesystem::create_directory(file);
  const std::u8string config = (file / "w.yaml").u8string();
  {
    const auto log = make_logger({.file = "\u65e5\u8a8c.log"},
                                 {.config_file = std::string(config.begin(), config.end())});
    ASSERT_TRUE(log) << log.error();
    (*log)->write(Event::kStarted, "started");
  }
  EXPECT_TRUE(std::filesystem::exists(file / u8"\u65e5\u8a8c.log"));
}

TEST_F(LogFileTest, FileThatIsThere_IsGoneOnWith) {
  std::ofstream(folder_ / "here.log", std::ios::binary) << "before\n";
  {
    const auto log = make_logger({.file = "here.log"}, place());
    ASSERT_TRUE(log) << log.error();
    (*log)->write(Event::kStarted, "started");
  }
  std::ifstream in(folder_ / "here.log");
  std::string first;
  std::getline(in, first);
  EXPECT_EQ(first, "before");
  EXPECT_GT(std::filesystem::file_size(folder_ / "here.log"), 20u);
}

TEST_F(LogFileTest, FullFiles_AreRotatedAndTheOldestGoes) {
  constexpr std::uintmax_t kBytes = 64 * 1024;
  {
    const auto log =
        make_logger({.file = "full.log", .max_bytes = kBytes, .max_files = 2}, place());
    ASSERT_TRUE(log) << log.error();
    const std::string text(kBytes / 4, 'x');
    // Each about something else, so that none is left out.
    for (int i = 0; i < 40; ++i) (*log)->write(Event::kCountersetFails, std::to_string(i), text);
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    ++files;
    EXPECT_LE(entry.file_size(), kBytes) << entry.path();
  }
  EXPECT_EQ(files, 3u);
}

// A service has no standard error.
TEST(LogLinesTest, WithoutAFile_AreWrittenToStandardErrorButNotByAService) {
  for (const std::string service : {"", "winperf_exporter"}) {
    ::testing::internal::CaptureStderr();
    make_logger({}, {.service_name = service}).value()->write(Event::kStarted, "the text");
    const std::string written = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(written.find("the text") != std::string::npos, service.empty()) << written;
  }
}

TEST_F(LogFileTest, FileThatCanNotBeOpened_IsNamed) {
  std::ofstream(folder_ / "file") << "no folder";
  const auto log = make_logger({.file = "file/below.log"}, place());
  ASSERT_FALSE(log);
  EXPECT_THAT(log.error(), HasSubstr("below.log"));
}

// What checking the configuration says, and what opening the log says.
TEST_F(LogFileTest, FileThatIsRefused_IsRefusedWithTheSameWords) {
  std::ofstream(folder_ / "w.yaml") << "log: {}";
  std::filesystem::create_hard_link(folder_ / "w.yaml", folder_ / "twin.log");
  std::filesystem::create_hard_link(folder_ / "w.yaml", folder_ / "rotated.2.log");
  const std::pair<std::string, const char*> rows[] = {
      {"w.yaml", "it is the configuration file itself; name another file"},
      {"nowhere/../w.yaml", "it is the configuration file itself"},
      {(folder_ / "w.yaml").string(), "it is the configuration file itself"},
      {"twin.log", "it is the configuration file itself"},
      {"rotated.log", "full log file 2 would be the configuration file itself"},
      {"", ""},
      {"other.log", ""},
      {"nowhere/other.log", ""}};
  std::filesystem::create_directory(folder_ / "nowhere");
  for (const auto& [name, words] : rows) {
    const auto refused = refuse_log_file({.file = name}, place().config_file);
    ASSERT_EQ(refused.has_value(), *words != '\0') << name;
    if (!refused) continue;
    EXPECT_THAT(*refused, HasSubstr(words)) << name;
    const auto lines = open_log_lines({.file = name}, place());
    ASSERT_FALSE(lines) << name;
    EXPECT_EQ(lines.error(), *refused);
  }
  EXPECT_EQ(std::filesystem::file_size(folder_ / "w.yaml"), 7u);
}

TEST_F(LogFileTest, WithoutAConfigurationFile_NoFileIsThatOne) {
  EXPECT_EQ(refuse_log_file({.file = (folder_ / "here.log").string()}, ""), std::nullopt);
}

}  // namespace
}  // namespace winperf
