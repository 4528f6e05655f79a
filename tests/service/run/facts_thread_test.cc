#include "service/run/threads.h"

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::Not;

constexpr std::chrono::minutes kPatience{1};

// What all sources of a test have been asked for.
struct Asked {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> topics;
  std::size_t sources = 0;
  bool hang = false;

  void note(std::string topic) {
    std::unique_lock lock(mutex);
    topics.push_back(std::move(topic));
    changed.notify_all();
    changed.wait(lock, [this] { return !hang; });
  }
  void let_go() {
    const std::lock_guard lock(mutex);
    hang = false;
    changed.notify_all();
  }
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return topics.size();
  }
  // False after a minute.
  bool wait_for_count(std::size_t count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, kPatience, [&] { return topics.size() >= count; });
  }
  bool wait_for(const std::string& topic) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, kPatience,
                            [&] { return std::ranges::find(topics, topic) != topics.end(); });
  }
};

class NotingFacts final : public FactSource {
 public:
  explicit NotingFacts(Asked& asked) : asked_(asked) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    asked_.note(std::string(name_of(request.topic)));
    return FactTable{};
  }

 private:
  Asked& asked_;
};

Config config_with_facts(const std::string& facts) {
  auto config = parse_config("facts: " + facts, "test");
  EXPECT_TRUE(config);
  return config.value_or(Config{});
}

class FactsThreadTest : public ::testing::Test {
 protected:
  FactsThread::MakeSource make() {
    return [this](const Config&) {
      const std::lock_guard lock(asked_.mutex);
      ++asked_.sources;
      return std::make_unique<NotingFacts>(asked_);
    };
  }

  Asked asked_;
  FactSlot slot_;
  Logger logger_ = std::make_shared<Log>(LogLines{}, nullptr);
};

TEST_F(FactsThreadTest, ReadsWhatTheConfigurationWants) {
  FactsThread thread(config_with_facts("[os, services]"), slot_, logger_, system_clocks(), make());
  EXPECT_TRUE(asked_.wait_for("services"));
  EXPECT_THAT(asked_.topics, Not(Contains("disks")));
  thread.change(config_with_facts("[disks]"));
  EXPECT_TRUE(asked_.wait_for("disks"));
  thread.request_stop();
  EXPECT_TRUE(thread.ended_by(std::chrono::steady_clock::now() + kPatience));
  EXPECT_EQ(asked_.sources, 1U);
  EXPECT_EQ(slot_.latest()->topics.size(), 1U);
}

TEST_F(FactsThreadTest, TakesAnotherSourceIfWorkersChange) {
  FactsThread thread(config_with_facts("[os]"), slot_, logger_, system_clocks(), make());
  ASSERT_TRUE(asked_.wait_for("os"));
  Config other = config_with_facts("[time]");
  other.workers.max_handles = 200;
  thread.change(other);
  EXPECT_TRUE(asked_.wait_for("time"));
  thread.request_stop();
  EXPECT_TRUE(thread.ended_by(std::chrono::steady_clock::now() + kPatience));
  EXPECT_EQ(asked_.sources, 2U);
}

TEST_F(FactsThreadTest, ASourceThatHangs_HoldsUpNoStop) {
  asked_.hang = true;
  FactsThread thread(config_with_facts("[os]"), slot_, logger_, system_clocks(), make());
  ASSERT_TRUE(asked_.wait_for("os"));
  thread.request_stop();
  EXPECT_FALSE(thread.ended_by(std::chrono::steady_clock::now()));
  EXPECT_EQ(thread.subject(), "facts about os");
  asked_.let_go();
  EXPECT_TRUE(thread.ended_by(std::chrono::steady_clock::now() + kPatience));
}

// Throws in place of the first answer.
class ThrowingOnce final : public FactSource {
 public:
  ThrowingOnce(Asked& asked, bool& has_thrown) : asked_(asked), has_thrown_(has_thrown) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    if (!std::exchange(has_thrown_, true)) throw std::bad_alloc();
    asked_.note(std::string(name_of(request.topic)));
    return FactTable{};
  }

 private:
  Asked& asked_;
  bool& has_thrown_;
};

TEST_F(FactsThreadTest, AnException_EndsOneRoundAlone) {
  bool has_thrown = false;
  // A pause is over at once.
  ClockSource clocks = system_clocks();
  clocks.pause_until = [](SteadyTime, const StopToken&) { std::this_thread::yield(); };
  FactsThread thread(config_with_facts("[os]"), slot_, logger_, clocks, [&](const Config&) {
    return std::make_unique<ThrowingOnce>(asked_, has_thrown);
  });
  EXPECT_TRUE(asked_.wait_for("os"));
}

// One text file, which is refused until it is mended.
class OneFile final : public FactSource {
 public:
  OneFile(Asked& asked, std::atomic<bool>& is_mended) : asked_(asked), is_mended_(is_mended) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    asked_.note(std::string(name_of(request.topic)));
    FactTable table;
    table.add().text("file", "d/a.prom");
    return table;
  }
  std::expected<FileAnswer, Error> read_file(const FileQuestion&, std::chrono::milliseconds,
                                             const StopToken&) override {
    if (!is_mended_) return FileAnswer{.problem = "it is not a regular file"};
    return FileAnswer{.stamp = FileStamp{}};
  }

 private:
  Asked& asked_;
  std::atomic<bool>& is_mended_;
};

TEST_F(FactsThreadTest, ATextFileThatIsRefused_IsNamedInTheLogOnce) {
  std::ostringstream log;
  auto lines = open_log_lines({}, {}).value();
  lines.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log);
  std::atomic<bool> is_mended = false;
  ClockSource clocks = system_clocks();
  clocks.pause_until = [](SteadyTime, const StopToken&) { std::this_thread::yield(); };
  std::atomic<std::int64_t> minutes = 0;  // each look at the clock is a minute later
  clocks.steady_now = [&] { return SteadyTime(std::chrono::minutes(++minutes)); };
  {
    FactsThread thread(config_with_facts("[{name: textfile, folders: [d]}]"), slot_,
                       std::make_shared<Log>(lines, nullptr), clocks,
                       [&](const Config&) { return std::make_unique<OneFile>(asked_, is_mended); });
    ASSERT_TRUE(asked_.wait_for_count(5));
    is_mended = true;
    const std::size_t before = asked_.count();
    ASSERT_TRUE(asked_.wait_for_count(before + 3));
    thread.request_stop();
    EXPECT_TRUE(thread.ended_by(std::chrono::steady_clock::now() + kPatience));
  }
  const std::string text = log.str();
  const std::string refused = "textfile: d/a.prom: it is not a regular file";
  const auto first = text.find(refused);
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find(refused, first + 1), std::string::npos) << text;
  EXPECT_NE(text.find("all files are accepted again", first), std::string::npos) << text;
}

// More than the log takes of one subject in a minute.
class BadFiles final : public FactSource {
 public:
  static constexpr std::size_t kFiles = 15;
  explicit BadFiles(Asked& asked) : asked_(asked) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    asked_.note(std::string(name_of(request.topic)));
    FactTable table;
    for (std::size_t i = 0; i < kFiles; ++i)
      table.add().text("file", "d/" + std::to_string(i) + ".prom");
    table.problems.emplace_back("there is no folder d/none");
    return table;
  }
  std::expected<FileAnswer, Error> read_file(const FileQuestion&, std::chrono::milliseconds,
                                             const StopToken&) override {
    return FileAnswer{.problem = "it is not a regular file"};
  }

 private:
  Asked& asked_;
};

TEST_F(FactsThreadTest, EachTextFileThatIsRefused_IsNamedAtOnce) {
  std::ostringstream log;
  auto lines = open_log_lines({}, {}).value();
  lines.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log);
  {
    FactsThread thread(config_with_facts("[{name: textfile, folders: [d], interval: 1s}]"), slot_,
                       std::make_shared<Log>(lines, nullptr), system_clocks(),
                       [&](const Config&) { return std::make_unique<BadFiles>(asked_); });
    ASSERT_TRUE(asked_.wait_for_count(2));
    thread.request_stop();
    EXPECT_TRUE(thread.ended_by(std::chrono::steady_clock::now() + kPatience));
  }
  const std::string text = log.str();
  for (std::size_t i = 0; i < BadFiles::kFiles; ++i)
    EXPECT_NE(text.find("textfile: d/" + std::to_string(i) + ".prom: it is not a regular file"),
              std::string::npos)
        << text;
  EXPECT_NE(text.find("textfile: there is no folder d/none: it is left out"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("suppressed"), std::string::npos) << text;
}

TEST(FactPlan, ASlowReadingEndsNoTextFile) {
  const auto files =
      make_fact_plan(config_with_facts("[{name: textfile, folders: [d], interval: 1s}]"));
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].stale_after, kTextfilesKept);
  const auto os = make_fact_plan(config_with_facts("[{name: os, interval: 10m}]"));
  ASSERT_EQ(os.size(), 1U);
  EXPECT_GT(os[0].stale_after, std::chrono::minutes(10));
}

TEST(FactPlan, LeavesOutWhatNoProfileShows) {
  Config config = config_with_facts("[os, service_status]");
  EXPECT_EQ(make_fact_plan(config).size(), 1U);
  config.metrics.profiles = {MetricProfile::kWindowsExporterLegacy};
  EXPECT_EQ(make_fact_plan(config).size(), 2U);
}

}  // namespace
}  // namespace winperf
