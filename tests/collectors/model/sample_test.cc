#include "collectors/model/sample.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

namespace winperf {
namespace {

TEST(DisplayName, IsPerfmonsForm) {
  InstanceSchema instance;
  instance.name = "svchost";
  EXPECT_EQ(display_name(instance), "svchost");
  instance.duplicate = 2;
  EXPECT_EQ(display_name(instance), "svchost#2");
  instance.parent = "System";
  EXPECT_EQ(display_name(instance), "System/svchost#2");
  instance.duplicate = 0;
  EXPECT_EQ(display_name(instance), "System/svchost");
}

InstanceSchema called(const char* name, const char* parent = "") {
  InstanceSchema instance;
  instance.name = name;
  instance.parent = parent;
  return instance;
}

TEST(IsTotal, IsTheTotalOrHasThatPart) {
  for (const char* const name : {"_Total", "_total", "0,_Total", "Node 1,_TOTAL", "_Total,3"})
    EXPECT_TRUE(is_total(called(name))) << name;
  EXPECT_TRUE(is_total(called("_Total", "svchost")));
  EXPECT_TRUE(is_total(called("_Total", "_Total")));
  EXPECT_TRUE(is_total(called("0", "_Total")));
}

TEST(IsTotal, IsNoInstanceWhoseNameMerelyHasItInIt) {
  for (const char* const name :
       {"Orders_Total", "worker_Total", "__Total", "a,b_Total", "a,b,_Total", "a,_Total,b",
        "0, _Total", "_Total ", "_Total#1", "_Totals", "Total", "_Global_", ""})
    EXPECT_FALSE(is_total(called(name))) << name;
  EXPECT_FALSE(is_total(called("Orders_Total", "App_Total")));
}

TEST(CountersetSchema, HasACounterWhateverTheCaseOfItsName) {
  CountersetSchema disk;
  EXPECT_FALSE(has_counter(disk, ""));
  disk.counters.resize(2);
  disk.counters[1].name = "Disk Reads/sec";
  EXPECT_TRUE(has_counter(disk, "disk reads/SEC"));
  EXPECT_FALSE(has_counter(disk, "Disk Reads"));
}

TEST(ProcessIdName, IsAnotherInOneCounterset) {
  EXPECT_EQ(process_id_name("Process"), "ID Process");
  EXPECT_EQ(process_id_name("Process V20"), "ID Process");
  EXPECT_EQ(process_id_name("process v2"), "Process ID");
}

TEST(CountersetState, OfACountersetThatWasNeverSampled_HasNothing) {
  const CountersetState state;
  EXPECT_EQ(state.sample, nullptr);
  EXPECT_FALSE(state.success);
  EXPECT_EQ(state.error, std::nullopt);
  EXPECT_EQ(state.preferred_path_error, std::nullopt);
  EXPECT_EQ(state.duration_seconds, 0);
  EXPECT_EQ(state.late_seconds, std::nullopt);
  EXPECT_EQ(state.sampled_at, Instant{});
  for (const std::uint64_t count :
       {state.bytes, state.attempts, state.failures, state.skipped_ticks})
    EXPECT_EQ(count, 0U);
}

TEST(DescribeFailure, NamesWhatMayHaveBeenMeant) {
  CountersetState state;
  state.error = Error{.code = ErrorCode::kNoSuchName, .where = "counterset"};
  EXPECT_EQ(describe_failure(state), "counterset is not in the name table");
  state.nearest = "Memory";
  EXPECT_EQ(describe_failure(state),
            "counterset is not in the name table; did you mean \"Memory\"?");
}

TEST(CounterSchema, ComparesEveryMember) {
  CounterSchema one;
  one.name = "% Processor Time";
  one.type = CounterType{0x21510500};
  CounterSchema other = one;
  EXPECT_TRUE(one == other);
  other.size = 8;
  EXPECT_FALSE(one == other);
  other = one;
  other.name = "% User Time";
  EXPECT_FALSE(one == other);
  other = one;
  other.base_type = CounterType{0x40030402};
  EXPECT_FALSE(one == other);
}

TEST(CounterSchema, HasNoBaseUnlessItIsGivenOne) { EXPECT_FALSE(CounterSchema{}.has_base); }

TEST(CounterSchema, DescribesItsType) {
  CounterSchema schema;
  schema.type = CounterType{0x21510500};
  EXPECT_EQ(schema.info().name, "PERF_100NSEC_TIMER_INV");
  EXPECT_TRUE(schema.info().inverse);
}

TEST(CountersetSample, AnObjectWithoutInstancesHasOneRow) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->counters.resize(3);
  CountersetSample sample;
  sample.instances = std::make_shared<InstanceSet>();
  sample.schema = schema;
  EXPECT_EQ(sample.rows(), 1U);
  EXPECT_EQ(sample.columns(), 3U);
  schema->multi_instance = true;
  EXPECT_EQ(sample.rows(), 0U);
}

// Columns one after the other; only those of some counters have a base or totals.
TEST(CountersetSample, HasTheCellsOfACounterTogether) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->multi_instance = true;
  schema->counters.resize(3);
  schema->counters[1].type = CounterType{0x10410400};  // PERF_COUNTER_COUNTER
  schema->counters[1].size = 4;
  schema->counters[2].type = CounterType{0x40020500};  // PERF_AVERAGE_BULK
  schema->counters[2].size = 8;
  schema->counters[2].has_base = true;
  schema->counters[2].base_size = 4;
  auto instances = std::make_shared<InstanceSet>();
  instances->instances.resize(2);
  CountersetSample sample;
  prepare(sample, schema, layout_of(*schema), instances, {});
  EXPECT_EQ(sample.cell(1, 2), 5U);
  EXPECT_EQ(sample.raw.size(), 6U);
  EXPECT_EQ(sample.more.size(), 6U) << "a total, a base and its total";
  std::iota(sample.raw.begin(), sample.raw.end(), 100U);
  std::iota(sample.more.begin(), sample.more.end(), 200U);
  EXPECT_EQ(sample.total_at(sample.cell(1, 0)), 101U) << "the raw value";
  EXPECT_EQ(sample.total_at(sample.cell(1, 1)), 201U);
  EXPECT_EQ(sample.base_at(sample.cell(1, 1)), 0U);
  EXPECT_EQ(sample.base_at(sample.cell(0, 2)), 202U);
  EXPECT_EQ(sample.base_total_at(sample.cell(1, 2)), 205U);
}

// The memory of a large sample isn't kept for small ones.
TEST(CountersetSample, GivesMemoryBack) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->multi_instance = true;
  schema->counters.resize(10);
  const auto of = [](std::size_t rows) {
    auto set = std::make_shared<InstanceSet>();
    set->instances.resize(rows);
    return set;
  };
  CountersetSample sample;
  prepare(sample, schema, layout_of(*schema), of(10'000), {});
  prepare(sample, schema, layout_of(*schema), of(9'000), {});
  EXPECT_GE(sample.raw.capacity(), 100'000U);
  prepare(sample, schema, layout_of(*schema), of(1), {});
  EXPECT_LT(sample.raw.capacity(), 100U);
}

}  // namespace
}  // namespace winperf
