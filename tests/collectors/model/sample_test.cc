#include "collectors/model/sample.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(sample.cell(2, 1), 7U);
}

}  // namespace
}  // namespace winperf
