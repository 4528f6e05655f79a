// Whole V2 countersets of a log, read through PerfLib's functions as a machine's are: each raw
// value is that of the reply's bytes, and it is cooked by the type in the registration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <sstream>

#include "collectors/blg/log_source.h"
#include "collectors/capture/replay_perflib.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/wire/v2/data_view.h"
#include "tests/support/blg_v2.h"
#include "tests/support/captures.h"

namespace winperf::capture {
namespace {

using ::testing::ElementsAre;

class LoggedCountersets {
 public:
  explicit LoggedCountersets(const blg::BlgSource& log)
      : recording_(log.v2_countersets()), perflib_(replay_perflib(log.v2_countersets())) {
    connection_.emplace(*perflib_, Language::kEnglish, PerflibConnection::Time());
  }

  // The next sample of the counterset; null if it has none.
  std::shared_ptr<const CountersetSample> next(const std::string& name) {
    connection_->begin_round({});
    auto reading =
        readers_.try_emplace(name, PlannedCounterset{}).first->second.read(*connection_, name);
    if (!reading) return nullptr;
    for (const Error& problem : reading->problems) ADD_FAILURE() << describe(problem);
    return std::move(reading->sample);
  }
  V2Recording& recording() { return *recording_; }

 private:
  std::unique_ptr<V2Recording> recording_;
  std::unique_ptr<PerflibSource> perflib_;
  std::optional<PerflibConnection> connection_;
  std::map<std::string, PerflibReader> readers_;
};

// By instance and counter id, from the bytes of the n-th reply's first result with values.
std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> values_in(V2Recording& recording,
                                                                         std::uint32_t sample) {
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> values;
  const auto reply = recording.reply(sample);
  if (!reply) return values;
  const auto data = v2::DataView::parse(*reply);
  if (!data) return values;
  v2::ResultWalk results = data->results();
  while (const auto result = results.next()) {
    if (!*result || !(*result)->counter_ids()) continue;
    v2::RowWalk rows = (*result)->rows();
    v2::RowWalk::Row row;
    while (rows.next(row).value_or(false))
      for (std::size_t i = 0; i < row.values.size(); ++i)
        values[{row.instance->name(), (*result)->counter_ids()->at(i)}] =
            row.values[i].number().value_or(0);
  }
  return values;
}

double cooked(const CountersetSample& sample, std::size_t row, const std::string& counter) {
  for (std::size_t column = 0; column < sample.columns(); ++column)
    if (sample.schema->counters[column].name == counter)
      return sample.cooked[sample.cell(row, column)];
  ADD_FAILURE() << counter;
  return 0;
}

TEST(LoggedCountersets, AreCookedByTheTypesOfTheirRegistration) {
  const testing::V2CountersetSpec things{
      .guid = 1,
      .name = u"Things",
      .counters = {{.id = 1, .type = 0x1041'0500, .name = u"Operations/sec"},  // BULK_COUNT
                   {.id = 2, .type = 0x2051'0500, .name = u"% Busy"},          // 100NSEC_TIMER
                   {.id = 3, .type = 0x4002'0500, .name = u"Avg. Size", .base_id = 4},
                   {.id = 4, .type = 0x4003'0402, .name = std::nullopt}}};
  testing::BlgBuilder log(4096);
  log.record(38, testing::registration_record_bytes(things));
  log.record(32, testing::counter_list_bytes({testing::listed_counterset(things)}));
  const std::uint64_t start = 132'000'000'000'000'000, second = 10'000'000;
  for (const std::uint64_t n : {0U, 1U, 2U}) {
    const testing::V2ClockSpec clock{.perf_time = n * second, .time_100ns = start + n * second};
    const testing::V2RowSpec row{.instance = u"a",
                                 .values = {100 + 50 * n, n * second / 4, 300 * n, 3 * n}};
    log.record(34, testing::sample_bytes({{21, testing::v2_reply_bytes(things, {row}, clock)}}));
  }
  const auto machines =
      blg::BlgSource::open(std::make_unique<std::istringstream>(log.build().text()), "the.blg");
  ASSERT_TRUE(machines) << machines.error().text;
  LoggedCountersets countersets(*machines->front());
  ASSERT_NE(countersets.next("Things"), nullptr);
  for (int number = 1; number < 3; ++number) {
    const auto sample = countersets.next("Things");
    ASSERT_NE(sample, nullptr);
    EXPECT_EQ(sample->columns(), 3U) << "the base has no name";
    EXPECT_DOUBLE_EQ(cooked(*sample, 0, "Operations/sec"), 50);
    EXPECT_DOUBLE_EQ(cooked(*sample, 0, "% Busy"), 25);
    EXPECT_DOUBLE_EQ(cooked(*sample, 0, "Avg. Size"), 100);
  }
  EXPECT_EQ(countersets.next("Things"), nullptr) << "the log is over";
}

class RecordedCountersets : public testing::CaptureTest {};

TEST_F(RecordedCountersets, HaveTheRawValuesOfTheirReplies) {
  const auto log = captures_ / "blg" / "odd" / "v2-items.blg";
  if (!std::filesystem::exists(log)) GTEST_SKIP() << "NO RECORDED LOG at " << log;
  const auto machines = blg::BlgSource::open(log);
  ASSERT_TRUE(machines) << machines.error().text;
  LoggedCountersets countersets(*machines->front());
  std::size_t values = 0;
  for (std::uint32_t number = 0; number < 3; ++number) {
    const auto expected = values_in(countersets.recording(), number);
    EXPECT_EQ(expected.size(), 4U * 33U);
    const auto sample = countersets.next("Processor Information");
    ASSERT_NE(sample, nullptr) << number;
    EXPECT_EQ(sample->rows(), 4U);
    EXPECT_EQ(sample->columns(), 33U - 5U) << "five are nameless";
    for (std::size_t row = 0; row < sample->rows(); ++row) {
      const std::string name = sample->instances->instances[row].name;
      for (std::size_t column = 0; column < sample->columns(); ++column) {
        const CounterSchema& counter = sample->schema->counters[column];
        EXPECT_FALSE(counter.name.empty());
        EXPECT_EQ(sample->raw[sample->cell(row, column)],
                  expected.at({name, value_of(counter.index)}))
            << name << ' ' << counter.name;
        ++values;
      }
      if (number == 0) continue;
      EXPECT_GE(cooked(*sample, row, "% Processor Time"), 0) << name;
      EXPECT_LE(cooked(*sample, row, "% Processor Time"), 100) << name;
      EXPECT_GT(cooked(*sample, row, "% Processor Performance"), 0) << name;
    }
  }
  EXPECT_EQ(values, 3U * 4U * 28U);
}

// The system answers with an error where no instance is active.
TEST_F(RecordedCountersets, WithoutAnActiveInstanceAreNoDamage) {
  const auto log = captures_ / "blg" / "odd" / "v2-items.blg";
  if (!std::filesystem::exists(log)) GTEST_SKIP() << "NO RECORDED LOG at " << log;
  const auto machines = blg::BlgSource::open(log);
  ASSERT_TRUE(machines) << machines.error().text;
  EXPECT_FALSE(machines->front()->summary().is_incomplete());
  LoggedCountersets countersets(*machines->front());
  const auto sample = countersets.next("Netlogon");
  EXPECT_TRUE(sample == nullptr || sample->rows() == 0);
}

}  // namespace
}  // namespace winperf::capture
