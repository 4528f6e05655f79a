#include "service/run/sampling_thread.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <new>
#include <sstream>

#include "tests/collectors/sampling/fake_source.h"

namespace winperf {
namespace {

constexpr std::chrono::minutes kLong{1};

std::chrono::steady_clock::time_point from_now(std::chrono::steady_clock::duration time) {
  return std::chrono::steady_clock::now() + time;
}

class OutOfMemory final : public CounterSource {
 public:
  std::expected<Reply, Error> query(std::string_view, std::stop_token) override {
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

}  // namespace
}  // namespace winperf
