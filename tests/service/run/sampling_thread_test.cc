#include "service/run/threads.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <atomic>
#include <future>
#include <new>
#include <queue>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

constexpr std::chrono::minutes kLong{1};

std::chrono::steady_clock::time_point from_now(std::chrono::steady_clock::duration time) {
  return std::chrono::steady_clock::now() + time;
}

class OutOfMemory final : public CounterSource {
 public:
  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    throw std::bad_alloc();
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override { return {}; }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}
};

Setup setup_with(std::unique_ptr<CounterSource> source) {
  Setup setup{.config = *parse_config("countersets: [\"4\"]", "test"),
              .source = std::move(source),
              .perflib = nullptr,
              .perflib_missing = {}};
  return setup;
}

TEST(SamplingThread, WithASourceThatThrows_EndsAndSaysSo) {
  std::ostringstream text;
  const Logger logger = std::make_shared<Log>(
      LogLines{.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text)}, nullptr);
  SampleSlot slot;
  SamplingThread thread(setup_with(std::make_unique<OutOfMemory>()), slot, logger, {});
  EXPECT_TRUE(thread.ended_by(from_now(kLong)));
  EXPECT_NE(text.str().find("error"), std::string::npos) << text.str();
}

// Time that a test makes: a pause ends when the time is moved there.
class MovedTime {
 public:
  ClockSource clocks() {
    return {.steady_now = [this] { return now_.load(); },
            .wall_now = [] { return Ticks100ns{}; },
            .pause_until =
                [this](auto then, const StopToken& stop) {
                  pauses.push(then);
                  if (pauses.size() < kPauses) {
                    now_ = then;
                  } else {
                    last.set_value();
                    pause_until(from_now(kLong), stop);
                  }
                }};
  }

  static constexpr std::size_t kPauses = 100;
  std::queue<std::chrono::steady_clock::time_point> pauses;
  std::promise<void> last;

 private:
  std::atomic<std::chrono::steady_clock::time_point> now_{
      std::chrono::steady_clock::time_point(std::chrono::hours(1))};
};

TEST(SamplingThread, PausesByTheClocksThatItIsGiven) {
  const Logger logger = std::make_shared<Log>(LogLines{}, nullptr);
  MovedTime time;
  SampleSlot slot;
  auto setup = setup_with(std::make_unique<testing::FakeSource>());
  const auto interval = setup.config->countersets.at(0).interval;
  SamplingThread thread(std::move(setup), slot, logger, {}, time.clocks());
  time.last.get_future().wait();
  thread.request_stop();
  ASSERT_TRUE(thread.ended_by(from_now(kLong)));
  ASSERT_EQ(time.pauses.size(), MovedTime::kPauses);
  const auto first = time.pauses.front();
  EXPECT_EQ(first, time.clocks().steady_now() - interval * (MovedTime::kPauses - 2));
  EXPECT_EQ(time.pauses.back(), first + interval * (MovedTime::kPauses - 1));
}

TEST(SamplingThread, LogsOnceWhyProvidersWereParted) {
  std::ostringstream text;
  const Logger logger = std::make_shared<Log>(
      LogLines{.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text)}, nullptr);
  MovedTime time;
  SampleSlot slot;
  auto source = std::make_unique<testing::FakeSource>();
  source->news = {{.text = "one of them is slow"}};
  SamplingThread thread(setup_with(std::move(source)), slot, logger, {}, time.clocks());
  time.last.get_future().wait();
  thread.request_stop();
  ASSERT_TRUE(thread.ended_by(from_now(kLong)));
  const std::string said =
      "each provider runs in a separate worker from now on: one of them is slow";
  const auto found = text.str().find(said);
  EXPECT_NE(found, std::string::npos) << text.str();
  EXPECT_EQ(text.str().find(said, found + 1), std::string::npos);
}

// Often, because the stop meets the thread in another place each time.
TEST(SamplingThread, GoesOnUntilItIsToldToStop) {
  const Logger logger = std::make_shared<Log>(LogLines{}, nullptr);
  for (int i = 0; i < 200; ++i) {
    SampleSlot slot;
    SamplingThread thread(setup_with(std::make_unique<testing::FakeSource>()), slot, logger, {});
    EXPECT_FALSE(thread.ended_by(from_now({})));
    thread.request_stop();
    ASSERT_TRUE(thread.ended_by(from_now(kLong))) << i;
  }
}

TEST(SamplingThread, SaysThatACountersetFails_IfItWorkedBefore) {
  const Bytes block =
      testing::BlockBuilder()
          .add(testing::ObjectBuilder(4).counter({.index = 6}).instance({.name = u"a"}))
          .bytes();
  const Logger logger = std::make_shared<Log>(LogLines{}, nullptr);
  const std::expected<Bytes, Error> busy = std::unexpected(Error{.code = ErrorCode::kBusy});
  for (const bool works_first : {true, false}) {
    MovedTime time;
    SampleSlot slot;
    auto source = std::make_unique<testing::FakeSource>();
    source->replies["4"] =
        works_first ? std::deque{std::expected<Bytes, Error>(block), busy} : std::deque{busy};
    std::vector<std::string> told;
    std::size_t samples = 0;
    SamplingThread thread(setup_with(std::move(source)), slot, logger, {}, time.clocks(), nullptr,
                          {.sampled = [&] { ++samples; },
                           .counterset_fails =
                               [&](const std::string& name) {
                                 told.push_back(name + " in sample " + std::to_string(samples));
                               }});
    time.last.get_future().wait();
    thread.request_stop();
    ASSERT_TRUE(thread.ended_by(from_now(kLong)));
    EXPECT_EQ(told,
              works_first ? std::vector<std::string>{"4 in sample 1"} : std::vector<std::string>{});
    EXPECT_GE(samples, MovedTime::kPauses);
  }
}

// Not later, when the process ends and Windows unloads DLLs.
TEST(SamplingThread, ReleasesItsSourceWhenItEnds) {
  const Logger logger = std::make_shared<Log>(LogLines{}, nullptr);
  SampleSlot slot;
  auto owned = std::make_unique<testing::FakeSource>();
  const testing::FakeSource& source = *owned;
  SamplingThread thread(setup_with(std::move(owned)), slot, logger, {});
  thread.request_stop();
  ASSERT_TRUE(thread.ended_by(from_now(kLong)));
  EXPECT_EQ(source.releases, 1);
}

// Says that it is asked, and answers when it may.
class SlowSource final : public CounterSource {
 public:
  std::promise<void> is_asked;
  std::promise<void> may_answer;

  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    if (!std::exchange(asked_, true)) {
      is_asked.set_value();
      may_answer.get_future().wait();
    }
    return std::unexpected(Error{.code = ErrorCode::kBusy});
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override { return {}; }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

 private:
  bool asked_ = false;
};

// Delivers one block, and says when it is asked.
class BlockSource final : public CounterSource {
 public:
  std::promise<void> is_asked;
  Bytes block;

  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    if (!std::exchange(asked_, true)) is_asked.set_value();
    return Reply{{block}};
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override { return {}; }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

 private:
  bool asked_ = false;
};

std::string log_of_a_round(const Bytes& block) {
  std::ostringstream text;
  const Logger logger = std::make_shared<Log>(
      LogLines{.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text)}, nullptr);
  SampleSlot slot;
  auto source = std::make_unique<BlockSource>();
  source->block = block;
  auto asked = source->is_asked.get_future();
  SamplingThread thread(setup_with(std::move(source)), slot, logger, {});
  asked.wait();
  thread.request_stop();
  EXPECT_TRUE(thread.ended_by(from_now(kLong)));
  return text.str();
}

TEST(SamplingThread, LogsWhatIsDamaged) {
  const auto built = testing::BlockBuilder()
                         .add(testing::ObjectBuilder(4)
                                  .counter({.index = 6})
                                  .instance({.name = u"a"})
                                  .instance({.name = u"b"}))
                         .build();
  const auto& instances = built.objects[0].instances;
  EXPECT_EQ(log_of_a_round(built.bytes), "");
  const std::string some = log_of_a_round(built.with(instances[1].offset, 0));
  EXPECT_NE(some.find("warning 4: a part is damaged and was left out: object.instance has an "
                      "impossible length at offset"),
            std::string::npos)
      << some;
  const std::string all = log_of_a_round(built.with(instances[0].offset, 0));
  EXPECT_NE(all.find("warning 4: object.instance has an impossible length at offset"),
            std::string::npos)
      << all;
  const std::string none =
      log_of_a_round(testing::BlockBuilder().add(testing::ObjectBuilder(4)).bytes());
  EXPECT_NE(none.find("warning 4: object has no counters at offset"), std::string::npos) << none;
}

// Says what it is asked for first.
class NotingSource final : public CounterSource {
 public:
  explicit NotingSource(std::promise<std::string>& first) : first_(first) {}

  std::expected<Reply, Error> query(std::string_view name, StopToken) override {
    if (!std::exchange(noted_, true)) first_.set_value(std::string(name));
    return std::unexpected(Error{.code = ErrorCode::kBusy});
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override { return {}; }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

 private:
  std::promise<std::string>& first_;
  bool noted_ = false;
};

Config config_sampling(const std::string& index) {
  return *parse_config("countersets: [\"" + index + "\"]", "test");
}

// While a provider keeps the thread busy, new sources and a new configuration arrive, in any order.
TEST(SamplingThread, ChangesThatArriveMeanwhile_AllTakeEffectAndTheLastConfigurationHolds) {
  enum class Step { kSources, kConfig };
  const std::vector<Step> orders[] = {
      {Step::kSources},
      {Step::kSources, Step::kConfig},
      {Step::kConfig, Step::kSources},
      {Step::kConfig, Step::kSources, Step::kConfig, Step::kConfig}};
  const Logger logger = std::make_shared<Log>(LogLines{}, nullptr);
  for (const std::vector<Step>& order : orders) {
    SampleSlot slot;
    auto owned = std::make_unique<SlowSource>();
    SlowSource& slow = *owned;
    std::promise<std::string> asked;
    SamplingThread thread(setup_with(std::move(owned)), slot, logger, {});
    slow.is_asked.get_future().wait();
    int index = 10;
    for (const Step step : order) {
      const Config config = config_sampling(std::to_string(++index));
      if (step == Step::kConfig) {
        thread.change(config);
        continue;
      }
      auto setup = setup_with(std::make_unique<NotingSource>(asked));
      setup.config = config;
      thread.change(std::move(setup));
    }
    slow.may_answer.set_value();
    auto first = asked.get_future();
    ASSERT_EQ(first.wait_for(kLong), std::future_status::ready) << order.size();
    EXPECT_EQ(first.get(), std::to_string(index));
    thread.request_stop();
    ASSERT_TRUE(thread.ended_by(from_now(kLong)));
  }
}

// The second counterset is asked for when the first one's failure has been logged.
TEST(SamplingThread, LogsThatACountersetFails) {
  class AskedForBoth final : public CounterSource {
   public:
    std::promise<void> both;
    std::expected<Reply, Error> query(std::string_view name, StopToken) override {
      if (name == "5" && !std::exchange(told_, true)) both.set_value();
      return std::unexpected(Error{.code = ErrorCode::kBusy, .where = "registry"});
    }
    std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
      return {};
    }
    bool supports_metadata() override { return false; }
    std::uint64_t provider_generation() override { return 0; }
    void release() override {}

   private:
    bool told_ = false;
  };
  std::ostringstream text;
  const Logger logger = std::make_shared<Log>(
      LogLines{.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text)}, nullptr);
  auto source = std::make_unique<AskedForBoth>();
  auto both = source->both.get_future();
  auto setup = setup_with(std::move(source));
  setup.config = *parse_config("countersets: [\"4\", \"5\"]", "test");
  SampleSlot slot;
  {
    SamplingThread thread(std::move(setup), slot, logger, {});
    both.wait();
  }
  EXPECT_NE(text.str().find(" warning 4: registry is busy"), std::string::npos) << text.str();
}

}  // namespace
}  // namespace winperf
