#include "collectors/diagnosis/deadline_source.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>

#include "collectors/base/stop.h"
#include "tests/collectors/sampling/fake_source.h"

namespace winperf::testing {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::minutes kLong{1};

// Does not answer before it is let go.
class HangingSource final : public CounterSource {
 public:
  explicit HangingSource(std::shared_future<void> go) : go_(std::move(go)) {}

  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    go_.wait();
    answered = true;
    return Reply{};
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
    return {Bytes(1)};
  }
  bool supports_metadata() override { return true; }
  std::uint64_t provider_generation() override { return 7; }
  void release() override { ++releases; }

  std::atomic<bool> answered = false;
  int releases = 0;

 private:
  std::shared_future<void> go_;
};

TEST(DeadlineSource, PassesOnWhatTheInnerSourceSays) {
  auto inner = std::make_shared<FakeSource>();
  inner->replies["2"] = {Bytes(3)};
  inner->providers = 5;
  DeadlineSource source(inner, kLong);
  const auto reply = source.query("2", {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->blocks.at(0).size(), 3u);
  EXPECT_EQ(source.query("4", {}).error().os_code, 2u);
  EXPECT_EQ(source.provider_generation(), 5u);
  source.release();
  EXPECT_EQ(inner->releases, 1);
  EXPECT_FALSE(source.hung());
}

TEST(DeadlineSource, AnExceptionOfTheInnerSourceReachesTheCaller) {
  struct Throwing final : CounterSource {
    std::expected<Reply, Error> query(std::string_view, StopToken) override {
      throw std::runtime_error("out of everything");
    }
    std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
      return {};
    }
    bool supports_metadata() override { return false; }
    std::uint64_t provider_generation() override { return 0; }
    void release() override {}
  };
  DeadlineSource source(std::make_shared<Throwing>(), kLong);
  EXPECT_THROW(static_cast<void>(source.query("2", {})), std::runtime_error);
}

TEST(DeadlineSource, GivesUpAQueryThatHangsAndAsksNoMore) {
  std::promise<void> go;
  const auto inner = std::make_shared<HangingSource>(go.get_future().share());
  std::optional<DeadlineSource> source(std::in_place, inner, milliseconds(1));
  EXPECT_EQ(source->query("2", {}).error().code, ErrorCode::kTimedOut);
  EXPECT_TRUE(source->hung());
  EXPECT_EQ(source->query("2", {}).error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(source->text_tables(TextTable::kCounter, Language::kEnglish).empty());
  EXPECT_FALSE(source->supports_metadata());
  EXPECT_EQ(source->provider_generation(), 0u);
  source->release();
  EXPECT_EQ(inner->releases, 0);
  EXPECT_FALSE(inner->answered);
  go.set_value();
  source.reset();
  EXPECT_TRUE(inner->answered) << "the source ended before the query that needs it";
}

// Many, because a thread that ends must not disturb the next one.
TEST(DeadlineSource, AnswersHoweverManyAreAsked) {
  auto inner = std::make_shared<FakeSource>();
  inner->replies["2"] = {Bytes(3)};
  DeadlineSource source(inner, kLong);
  int answered = 0;
  for (int i = 0; i < 2000; ++i) answered += source.query("2", {}).has_value() ? 1 : 0;
  EXPECT_EQ(answered, 2000);
}

}  // namespace
}  // namespace winperf::testing
