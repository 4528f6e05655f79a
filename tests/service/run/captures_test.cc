// Captures that the recorder makes by itself: when, at which pace, and what is said of them.
#include "service/run/captures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <condition_variable>
#include <cstdint>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "exporter/text/own_families.h"
#include "service/run/recording.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr minutes kCaptureWait{1};
constexpr std::int64_t kCaptureStart = 12'000'000'000;  // 1981-04-07T21:20:00Z

SteadyTime in_time() { return std::chrono::steady_clock::now() + kCaptureWait; }

std::shared_ptr<const Sample> load_of(double value) {
  auto schema = std::make_shared<CountersetSchema>(
      *testing::schema_of({{.index = 2, .name = "Load"}}, false));
  schema->name = "Thing";
  auto raw = testing::make_raw_sample(schema, testing::instances_named({}), testing::at_second(1));
  raw->cooked = {value};
  Sample sample;
  sample.countersets = {testing::state_of(raw, testing::instant_at(1))};
  return std::make_shared<const Sample>(std::move(sample));
}

CapturesConfig on_load() { return {.counters = {{.path = "\\Thing\\Load", .above = 90}}}; }

// What the captures' thread finds, and what it has done.
class Captured : public ::testing::Test {
 protected:
  void follow(const CapturesConfig& config) { captures_.change(config, folder()); }
  fs::path folder() const { return temp_.path() / "logs"; }

  // Returns when the thread has done with this sample: it takes the next one after that.
  void sample(double value) {
    for (int i = 0; i < 2; ++i) {
      std::unique_lock lock(mutex_);
      sample_ = load_of(value);
      const int before = looks_;
      lock.unlock();
      captures_.note_sample();
      lock.lock();
      ASSERT_TRUE(changed_.wait_for(lock, kCaptureWait, [&] { return looks_ > before; }));
    }
  }
  void pass(seconds time) {
    const std::lock_guard lock(mutex_);
    second_ += time.count();
  }
  void stop() {
    captures_.request_stop();
    ASSERT_TRUE(captures_.end_by(in_time()));
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& file : CaptureFiles(folder(), "PC-").files())
      names.push_back(file.path.filename().string());
    return names;
  }
  // Its lines end as the system's do.
  std::string log() const {
    std::string text = text_.str();
    std::erase(text, '\r');
    return text;
  }
  // The exporter's own metrics.
  std::string page() const {
    std::string text;
    append_own(text, PageFormat::kText, registry_.metrics());
    return text;
  }

  std::expected<RecordingFile, RecordingProblem> make(const api::RecordingQuery& query,
                                                      const StopToken& stop) {
    std::unique_lock lock(mutex_);
    queries_.push_back(query);
    changed_.notify_all();
    lock.unlock();
    if (make_) return make_(query, stop);
    return RecordingFile{.name = "PC-" + compact_time(query.until) + ".zip", .bytes = "zip"};
  }
  ClockSource clocks() {
    ClockSource clocks = system_clocks();
    clocks.steady_now = [this] {
      const std::lock_guard lock(mutex_);
      return SteadyTime(seconds(second_));
    };
    clocks.wall_now = [this] {
      const std::lock_guard lock(mutex_);
      return testing::wall_at(kCaptureStart + second_);
    };
    clocks.pause_until = [](SteadyTime, const StopToken& stop) { pause_until(in_time(), stop); };
    return clocks;
  }

  testing::TempFolder temp_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t second_ = 0;
  int looks_ = 0;
  std::shared_ptr<const Sample> sample_;
  std::vector<api::RecordingQuery> queries_;
  std::function<std::expected<RecordingFile, RecordingProblem>(const api::RecordingQuery&,
                                                               const StopToken&)>
      make_;
  std::ostringstream text_;
  Logger logger_ = std::make_shared<Log>(
      LogLines{.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)}, nullptr);
  ExporterRegistry registry_{BuildInfo{}, Ticks100ns{}};
  Captures captures_{{.sample =
                          [this] {
                            const std::lock_guard lock(mutex_);
                            ++looks_;
                            changed_.notify_all();
                            return sample_;
                          },
                      .make = [this](const api::RecordingQuery& query,
                                     const StopToken& stop) { return make(query, stop); },
                      .prefix = "PC-"},
                     logger_,
                     clocks(),
                     registry_};
};

TEST_F(Captured, WithoutSuchAConfiguration_NothingHappens) {
  follow({});
  captures_.note_failure("Memory");
  captures_.note_sample();
  stop();
  EXPECT_THAT(queries_, IsEmpty());
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(log(), "");
  EXPECT_THAT(page(), Not(HasSubstr("recorder_capture")));
}

TEST_F(Captured, ACountersetThatFails_IsWrittenOnceItsSampleIsRecorded) {
  follow({.counterset_fails = true, .span = minutes(10)});
  EXPECT_THAT(page(), HasSubstr("recorder_captures_total{reason=\"counterset_fails\"} 0\n"));
  pass(seconds(30));
  captures_.note_failure("Memory");
  captures_.note_sample();
  stop();
  EXPECT_THAT(files(), ElementsAre("PC-19810407T212030Z-counterset_fails.zip"));
  ASSERT_EQ(queries_.size(), 1U);
  EXPECT_EQ(queries_[0].until, testing::wall_at(kCaptureStart + 30));
  EXPECT_EQ(queries_[0].since, testing::wall_at(kCaptureStart + 30 - 600));
  EXPECT_THAT(queries_[0].countersets, IsEmpty());
  EXPECT_THAT(log(), HasSubstr("info Memory fails: " + (folder() / files()[0]).string() +
                               " has what was recorded in the last 10m, in 3 bytes\n"));
  EXPECT_THAT(page(), HasSubstr("recorder_captures_total{reason=\"counterset_fails\"} 1\n"));
  EXPECT_THAT(page(), HasSubstr("recorder_capture_failures_total 0\n"));
}

TEST_F(Captured, CountersetsThatFailTogether_AreOneCapture) {
  follow({.counterset_fails = true});
  for (const char* const name : {"A", "B", "C", "D", "E"}) captures_.note_failure(name);
  captures_.note_sample();
  stop();
  EXPECT_EQ(files().size(), 1U);
  EXPECT_THAT(log(), HasSubstr("info A, B, C and 2 more fail: "));
}

TEST_F(Captured, WithoutASampleAfterIt_AFailureIsNotWritten) {
  follow({.counterset_fails = true});
  captures_.note_failure("Memory");
  stop();
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Captured, ABoundThatIsCrossed_IsWrittenOnce) {
  follow(on_load());
  sample(90);
  EXPECT_THAT(files(), IsEmpty());
  sample(91.5);
  sample(99);
  EXPECT_THAT(files(), ElementsAre("PC-19810407T212000Z-counter.zip"));
  EXPECT_THAT(log(), HasSubstr("info \\Thing\\Load above 90: 91.5; "));
  captures_.note_failure("Memory");
  captures_.note_sample();
  stop();
  EXPECT_EQ(queries_.size(), 1U) << "failing countersets aren't configured";
}

TEST_F(Captured, AFlappingCounter_IsWrittenEveryFiveMinutes) {
  follow(on_load());
  const auto flap = [&] {
    sample(91);
    sample(1);
    pass(seconds(100));
  };
  for (int i = 0; i < 3; ++i) flap();
  EXPECT_EQ(files().size(), 1U);
  EXPECT_THAT(page(), HasSubstr("captures_left_out_total{reason=\"counter\"} 2\n"));
  const std::string said =
      "warning \\Thing\\Load above 90: left out, because the last one for this reason was written "
      "less than 5m ago";
  const auto first = log().find(said);
  ASSERT_NE(first, std::string::npos) << log();
  EXPECT_EQ(log().find(said, first + 1), std::string::npos);
  for (int i = 0; i < 2; ++i) flap();
  EXPECT_THAT(files(),
              ElementsAre("PC-19810407T212000Z-counter.zip", "PC-19810407T212500Z-counter.zip"));
  EXPECT_THAT(page(), HasSubstr("captures_left_out_total{reason=\"counter\"} 3\n"));
  EXPECT_NE(log().find(said, first + 1), std::string::npos) << "again";
  CapturesConfig more = on_load();
  more.counterset_fails = true;
  follow(more);
  captures_.note_failure("Memory");
  captures_.note_sample();
  stop();
  EXPECT_EQ(files().size(), 3U) << "each reason has its own pace";
}

TEST_F(Captured, ABoundThatWasCrossedMeanwhile_IsWrittenAfterThePause) {
  follow({.counters = {{.path = "\\Thing\\Load", .above = 90},
                       {.path = "\\Thing\\Load", .above = 95}}});
  sample(91);
  pass(seconds(60));
  sample(96);
  EXPECT_EQ(files().size(), 1U);
  pass(Captures::kPause);
  sample(97);
  EXPECT_EQ(files().size(), 2U);
  EXPECT_THAT(log(), HasSubstr("info \\Thing\\Load above 95: 9"));
  EXPECT_THAT(page(), HasSubstr("captures_left_out_total{reason=\"counter\"} 1\n"));
  sample(98);
  EXPECT_EQ(files().size(), 2U);
  stop();
}

TEST_F(Captured, WhatCouldNotBeWritten_IsTriedAgainAfterAMinute) {
  std::ofstream(folder()) << "a file";
  follow(on_load());
  sample(91);
  fs::remove(folder());
  sample(92);
  EXPECT_THAT(files(), IsEmpty());
  pass(Captures::kRetryPause);
  sample(93);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_THAT(page(), HasSubstr("recorder_capture_failures_total 1\n"));
  stop();
}

TEST_F(Captured, ARestartedProgram_KeepsThatPace) {
  fs::create_directories(folder());
  std::ofstream(folder() / "PC-19810407T211501Z-counter.zip") << "x";
  std::ofstream(folder() / "PC-19810407T211500Z-counterset_fails.zip") << "x";
  std::ofstream(folder() / "PC-19810407T212100Z-service_stops.zip") << "x";
  std::ofstream(folder() / "PC-19810407T210000Z-counter.zip.part") << "x";
  CapturesConfig config = on_load();
  config.counterset_fails = config.service_stops = true;
  follow(config);
  sample(91);
  EXPECT_THAT(page(), HasSubstr("captures_left_out_total{reason=\"counter\"} 1\n"));
  captures_.note_failure("Memory");
  sample(91);
  EXPECT_THAT(page(), HasSubstr("captures_total{reason=\"counterset_fails\"} 1\n"))
      << "five minutes ago";
  EXPECT_FALSE(fs::exists(folder() / "PC-19810407T210000Z-counter.zip.part"));
  stop();
  EXPECT_THAT(page(), HasSubstr("captures_total{reason=\"service_stops\"} 1\n"))
      << "that one is from the future";
}

TEST_F(Captured, AStop_IsWritten) {
  follow({.service_stops = true});
  pass(seconds(5));
  stop();
  EXPECT_THAT(files(), ElementsAre("PC-19810407T212005Z-service_stops.zip"));
  EXPECT_THAT(log(), HasSubstr("info the service stops: "));
  EXPECT_THAT(log(), HasSubstr(" has what was recorded in the last 15m, in 3 bytes\n"));
}

TEST_F(Captured, AStopThatTakesTooLong_LeavesNothing) {
  make_ = [](const api::RecordingQuery&,
             const StopToken& stop) -> std::expected<RecordingFile, RecordingProblem> {
    pause_until(in_time(), stop);
    if (!stop.stop_requested())
      return RecordingFile{.name = "PC-19810407T212000Z.zip", .bytes = {}};
    return std::unexpected(RecordingProblem{{.status = 503, .detail = "the exporter stops"}});
  };
  follow({.service_stops = true});
  captures_.request_stop();
  static_cast<void>(captures_.end_by(std::chrono::steady_clock::now() + Captures::kMargin));
  EXPECT_TRUE(captures_.end_by(in_time())) << "it was given up by then";
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_THAT(log(), HasSubstr("warning the service stops: there was not enough time for it\n"));
  EXPECT_THAT(page(), HasSubstr("recorder_capture_failures_total 1\n"));
}

TEST_F(Captured, AStopThatHasNoTimeForTheWhole_HasThePartBeforeIt) {
  make_ = [](const api::RecordingQuery& query,
             const StopToken& stop) -> std::expected<RecordingFile, RecordingProblem> {
    const bool is_short = query.until.ticks - query.since.ticks <= 120 * kTicks100nsPerSecond;
    if (!is_short) pause_until(in_time(), stop);
    if (is_short) return RecordingFile{.name = "PC-19810407T212000Z.zip", .bytes = "part"};
    return std::unexpected(RecordingProblem{{.status = 503, .detail = "the exporter stops"}});
  };
  follow({.service_stops = true});
  captures_.request_stop();
  static_cast<void>(captures_.end_by(std::chrono::steady_clock::now() + Captures::kMargin));
  ASSERT_TRUE(captures_.end_by(in_time()));
  EXPECT_THAT(log(), HasSubstr(" has what was recorded in the last 1m, in 4 bytes\n"));
  EXPECT_THAT(page(), HasSubstr("recorder_capture_failures_total 0\n"));
}

TEST_F(Captured, AStopDoesNotWaitForAFolderThatHangs) {
  std::promise<void> answer;
  make_ = [&](const api::RecordingQuery&,
              const StopToken&) -> std::expected<RecordingFile, RecordingProblem> {
    answer.get_future().wait();
    return RecordingFile{.name = "PC-19810407T212000Z.zip", .bytes = "late"};
  };
  follow({.service_stops = true});
  captures_.request_stop();
  EXPECT_FALSE(captures_.end_by(std::chrono::steady_clock::now()));
  answer.set_value();
  EXPECT_TRUE(captures_.end_by(in_time()));
}

TEST_F(Captured, AFolderThatCannotBeUsed_IsNoEnd) {
  std::ofstream(folder()) << "a file";
  follow(on_load());
  sample(91);
  EXPECT_THAT(log(), HasSubstr("warning \\Thing\\Load above 90: 91; "));
  EXPECT_THAT(log(), HasSubstr(" cannot be "));
  EXPECT_THAT(page(), HasSubstr("recorder_capture_failures_total 1\n"));
  fs::remove(folder());
  sample(1);
  pass(Captures::kPause);
  sample(92);
  EXPECT_THAT(files(), ElementsAre("PC-19810407T212500Z-counter.zip"));
  stop();
}

TEST_F(Captured, AnException_IsNoEnd) {
  make_ = [](const api::RecordingQuery&,
             const StopToken&) -> std::expected<RecordingFile, RecordingProblem> {
    throw std::bad_alloc();
  };
  follow(on_load());
  sample(91);
  EXPECT_THAT(page(), HasSubstr("recorder_capture_failures_total 1\n"));
  make_ = {};
  sample(1);
  pass(Captures::kPause);
  sample(92);
  EXPECT_EQ(files().size(), 1U);
  stop();
}

TEST_F(Captured, AReloadAppliesAtOnce) {
  follow({});
  follow(on_load());
  sample(91);
  EXPECT_EQ(files().size(), 1U);
  pass(Captures::kPause);
  CapturesConfig other = on_load();
  other.counters.push_back({.path = "\\Thing\\Load", .below = 5});
  captures_.change(other, temp_.path() / "other");
  sample(92);
  EXPECT_FALSE(fs::exists(temp_.path() / "other")) << "the first bound is still crossed";
  sample(4);
  EXPECT_EQ(CaptureFiles(temp_.path() / "other", "PC-").files().size(), 1U);
  pass(Captures::kPause);
  follow({});
  captures_.note_failure("Memory");
  captures_.note_sample();
  stop();
  EXPECT_EQ(queries_.size(), 2U);
}

TEST_F(Captured, WhatIsTooLarge_IsMadeOfLess) {
  make_ = [](const api::RecordingQuery& query,
             const StopToken&) -> std::expected<RecordingFile, RecordingProblem> {
    if (query.until.ticks - query.since.ticks > 300 * kTicks100nsPerSecond)
      return std::unexpected(RecordingProblem{
          api::wrong_parameter("since", "must be later: it would be too large"), true});
    return RecordingFile{.name = "PC-19810407T212000Z.zip", .bytes = "zip"};
  };
  follow({.service_stops = true});
  stop();
  EXPECT_THAT(log(), HasSubstr(" has what was recorded in the last 4m, in 3 bytes\n"));
}

TEST_F(Captured, WhyThereIsNone_IsSaidWithoutAdviceToAClient) {
  make_ = [](const api::RecordingQuery&,
             const StopToken&) -> std::expected<RecordingFile, RecordingProblem> {
    return std::unexpected(RecordingProblem{
        api::wrong_parameter("since", "must be earlier: nothing was recorded at that time")});
  };
  follow({.service_stops = true});
  stop();
  EXPECT_THAT(log(), HasSubstr("warning the service stops: nothing was recorded at that time\n"));
  EXPECT_EQ(queries_.size(), 3U) << "a minute of nothing, four, and the whole";
}

TEST_F(Captured, ABoundOfWhatIsNotSampled_IsReported) {
  follow({.counters = {{.path = "\\Thing\\Lod", .above = 1}}});
  sample(5);
  EXPECT_EQ(log(), "") << "it may be found yet";
  pass(CounterBounds::kPatience);
  sample(5);
  stop();
  EXPECT_THAT(log(), HasSubstr("did you mean 'Load'?"));
}

}  // namespace
}  // namespace winperf
