#include "service/plan/setup.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/sources/refusing_perflib.h"

namespace winperf {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

const worker::WorkerOptions kProgram{.executable = "a program"};

// The registry of this process, as far as no worker is asked.
class PlainSource final : public CounterSource {
 public:
  explicit PlainSource(int& queries) : queries_(queries) {}

  std::string machine() const override { return "HERE"; }
  bool is_live() const override { return true; }
  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    ++queries_;
    return Reply{};
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
    ++queries_;
    return {};
  }
  bool supports_metadata() override { return metadata; }
  std::uint64_t provider_generation() override { return generation; }
  void release() override {}

  bool metadata = true;
  std::uint64_t generation = 7;

 private:
  int& queries_;
};

class IsolationTest : public ::testing::Test {
 protected:
  std::unique_ptr<PlainSource> plain() { return std::make_unique<PlainSource>(queries_); }
  static bool stays_as_it_is(const worker::WorkerOptions& origin, const Config& config) {
    int queries = 0;
    auto source = std::make_unique<PlainSource>(queries);
    auto perflib = std::make_unique<testing::RefusingPerflib>();
    const void* const source_before = static_cast<CounterSource*>(source.get());
    const auto source_after = isolated(origin, std::move(source), config);
    const auto perflib_after = isolated(origin, std::move(perflib), config);
    EXPECT_EQ(source_after.get() == source_before, perflib_after->worker() == nullptr);
    EXPECT_EQ(source_after.get() == source_before, source_after->health() == nullptr);
    return source_after.get() == source_before;
  }

  int queries_ = 0;
};

// Without a process: none has been started.
void expect_unstarted(WorkerView* worker, const std::string& name) {
  ASSERT_NE(worker, nullptr) << name;
  EXPECT_EQ(worker->state().name, name);
  EXPECT_EQ(worker->state().process_id, 0U) << name;
  EXPECT_EQ(worker->state().starts, 0U) << name;
  EXPECT_EQ(worker->state().queries, 0U) << name;
  EXPECT_TRUE(worker->take_events().empty()) << name;
}

// Of the first call, and of later ones.
struct Times {
  milliseconds first, later;
  bool operator==(const Times&) const = default;
};

TEST(HostLimits, AreShortenedByWhatTheProviderHasRegistered) {
  const Config config;
  const milliseconds usual = config.limits.query_timeout;
  struct Row {
    std::optional<milliseconds> open, collect;
    Times expected;
  };
  for (const Row& row :
       {Row{{}, {}, {usual, usual}}, Row{{}, 300ms, {usual, 300ms}}, Row{700ms, {}, {700ms, usual}},
        Row{700ms, 300ms, {1'000ms, 300ms}}, Row{usual, 300ms, {usual, 300ms}},
        Row{usual * 2, usual * 2, {usual, usual}}}) {
    const auto limits =
        worker_limits(config, {.open_timeout = row.open, .collect_timeout = row.collect});
    EXPECT_EQ((Times{limits.longest_first_timeout.value(), limits.longest_timeout}), row.expected)
        << row.expected.first.count() << ' ' << row.expected.later.count();
  }
}

TEST_F(IsolationTest, WithoutAnExecutableEverythingStaysAsItIs) {
  EXPECT_TRUE(stays_as_it_is({}, {}));
  EXPECT_FALSE(stays_as_it_is(kProgram, {}));
}

TEST_F(IsolationTest, IfTheConfigurationSaysSoEverythingStaysAsItIs) {
  Config config;
  config.workers.enabled = false;
  EXPECT_TRUE(stays_as_it_is(kProgram, config));
}

TEST_F(IsolationTest, EachSourceHasItsWorkerWhoseProcessIsNotStartedYet) {
  const auto source = isolated(kProgram, plain(), {});
  const auto perflib = isolated(kProgram, std::make_unique<testing::RefusingPerflib>(), {});
  expect_unstarted(source->health()->workers().front(), "registry");
  expect_unstarted(perflib->worker(), "perflib");
}

TEST_F(IsolationTest, WhatRunsNoProviderComesFromThePlainSource) {
  auto owned = plain();
  PlainSource& registry = *owned;
  const auto source = isolated(kProgram, std::move(owned), {});
  EXPECT_TRUE(source->supports_metadata());
  EXPECT_EQ(source->provider_generation(), 7U);
  EXPECT_EQ(source->machine(), "HERE");
  EXPECT_TRUE(source->is_live());
  registry.metadata = false;
  registry.generation = 8;
  EXPECT_FALSE(source->supports_metadata());
  EXPECT_EQ(source->provider_generation(), 8U);
  expect_unstarted(source->health()->workers().front(), "registry");
}

TEST_F(IsolationTest, AQueryIsNotMadeInThisProcessEvenIfTheWorkerCanNotBeStarted) {
  const auto source = isolated({.executable = "/there/is/no/such/program"}, plain(), {});
  EXPECT_EQ(source->query("238", {}).error().code, ErrorCode::kWorkerStart);
  const auto tables = source->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].error().code, ErrorCode::kWorkerStart);
  EXPECT_EQ(queries_, 0);
}

}  // namespace
}  // namespace winperf
