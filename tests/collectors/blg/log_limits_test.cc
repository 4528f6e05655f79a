#include <gmock/gmock.h>

#include <sstream>

#include "collectors/blg/log_index.h"
#include "collectors/blg/log_source.h"
#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::BlgBuilder;

// Lists with so many counters in all.
LogSummary summary_of(std::size_t counters) {
  constexpr std::size_t kOfOneList = 1 << 14;
  BlgBuilder log(1 << 16);
  for (std::size_t left = counters; left > 0; left -= std::min(left, kOfOneList)) {
    const std::vector<testing::ListedCounter> list(
        std::min(left, kOfOneList),
        {.machine = u"A", .object = u"B", .counter = u"C", .wildcard = 0});
    log.record(32, testing::counter_list_bytes(list), 60'000);
  }
  std::istringstream stream(log.build().text());
  auto reader = LogReader::open(stream);
  return index_log(*reader).summary;
}

TEST(LogLimits, SoManyCountersAreListedAndNoMore) {
  const LogSummary most = summary_of(std::size_t{1} << 18);
  EXPECT_EQ(most.counters, std::size_t{1} << 18);
  EXPECT_EQ(most.damaged, 0U);
  const LogSummary more = summary_of((std::size_t{1} << 18) + 1);
  EXPECT_EQ(more.counters, std::size_t{1} << 18) << "the list that goes beyond is not read";
  ASSERT_TRUE(more.first_damage);
  EXPECT_EQ(more.first_damage->code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(more.first_damage->actual, (std::size_t{1} << 18) + 1);
  EXPECT_EQ(more.first_damage->limit, std::size_t{1} << 18);
}

// The first object takes all but 152 cells: 1500 instances of 1500 counters, as far as they fit.
TEST(LogLimits, AnObjectWithoutInstancesForWhichNoCellsAreLeft_IsAProblemOfTheOneBefore) {
  constexpr std::uint32_t kRaw = 0x0001'0100;
  std::vector<testing::ListedCounter> counters;
  std::vector<testing::ItemSpec> items;
  for (char16_t i = 0; i < 1500; ++i) {
    const std::u16string name{u'n', static_cast<char16_t>(0x4E00 + i)};
    counters.push_back(
        {.object = u"A", .instance = u"*", .counter = name, .wildcard = 1, .type = kRaw});
    items.push_back({2, testing::instances_body({{name, {.first = 1}}}, 0)});
  }
  for (char16_t i = 0; i < 153; ++i) {
    counters.push_back({.object = u"B",
                        .counter = {u'n', static_cast<char16_t>(0x4E00 + i)},
                        .wildcard = 0,
                        .type = kRaw});
    items.push_back({1, testing::counter_body({.first = 1}, 0, 0)});
  }
  BlgBuilder log(1 << 16);
  log.record(32, testing::counter_list_bytes(counters), 60'000);
  log.record(34, testing::sample_bytes(items), 60'000);
  const auto machines =
      BlgSource::open(std::make_unique<std::istringstream>(log.build().text()), "the.blg");
  ASSERT_TRUE(machines) << machines.error().text;
  const auto reply = machines->front()->query("Global", {});
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->logged.size(), 1U);
  EXPECT_EQ(reply->logged[0].values->schema->name, "A");
  ASSERT_EQ(reply->logged[0].problems.size(), 2U);
  for (const Error& problem : reply->logged[0].problems)
    EXPECT_EQ(problem.code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(reply->logged[0].problems[1].actual, 153U);
  EXPECT_EQ(reply->logged[0].problems[1].limit, 152U);
}

}  // namespace
}  // namespace winperf::blg
