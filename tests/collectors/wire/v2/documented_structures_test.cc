// Structures filled in as the documentation declares them are read by the views field for field,
// and what the program builds is read by such a structure. Every field has a number of its own,
// also those that nothing reads, so that none can be taken for another.
#include "tests/collectors/wire/v2/documented_structures.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "collectors/sources/perflib_api.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"
#include "collectors/wire/v2/registration.h"
#include "tests/collectors/wire/agrees.h"
#include "tests/support/block_builder.h"

namespace winperf::v2 {
namespace {

namespace documented = testing::documented;

static_assert(sizeof(documented::PERF_COUNTER_IDENTIFIER) == identifier::kBytes);
static_assert(offsetof(documented::PERF_COUNTER_IDENTIFIER, CounterSetGuid) ==
              identifier::kCounterSetGuid);
AGREES(documented::PERF_COUNTER_IDENTIFIER, Status, identifier::kStatus);
AGREES(documented::PERF_COUNTER_IDENTIFIER, Size, identifier::kSize);
AGREES(documented::PERF_COUNTER_IDENTIFIER, CounterId, identifier::kCounterId);
AGREES(documented::PERF_COUNTER_IDENTIFIER, InstanceId, identifier::kInstanceId);
AGREES(documented::PERF_COUNTER_IDENTIFIER, Index, identifier::kIndex);
static_assert(sizeof(documented::PERF_DATA_HEADER) == data_header::kBytes);
AGREES(documented::PERF_DATA_HEADER, dwTotalSize, data_header::kTotalSize);
AGREES(documented::PERF_DATA_HEADER, dwNumCounters, data_header::kNumCounters);
AGREES(documented::PERF_DATA_HEADER, PerfTimeStamp, data_header::kPerfTimeStamp);
AGREES(documented::PERF_DATA_HEADER, PerfTime100NSec, data_header::kPerfTime100NSec);
AGREES(documented::PERF_DATA_HEADER, PerfFreq, data_header::kPerfFreq);
static_assert(sizeof(documented::PERF_COUNTER_HEADER) == counter_header::kBytes);
AGREES(documented::PERF_COUNTER_HEADER, dwStatus, counter_header::kStatus);
AGREES(documented::PERF_COUNTER_HEADER, dwType, counter_header::kType);
AGREES(documented::PERF_COUNTER_HEADER, dwSize, counter_header::kSize);
static_assert(sizeof(documented::PERF_MULTI_COUNTERS) == multi_counters::kBytes);
AGREES(documented::PERF_MULTI_COUNTERS, dwSize, multi_counters::kSize);
AGREES(documented::PERF_MULTI_COUNTERS, dwCounters, multi_counters::kCounters);
static_assert(sizeof(documented::PERF_MULTI_INSTANCES) == multi_instances::kBytes);
AGREES(documented::PERF_MULTI_INSTANCES, dwTotalSize, multi_instances::kTotalSize);
AGREES(documented::PERF_MULTI_INSTANCES, dwInstances, multi_instances::kInstances);
static_assert(sizeof(documented::PERF_INSTANCE_HEADER) == instance_header::kBytes);
AGREES(documented::PERF_INSTANCE_HEADER, Size, instance_header::kSize);
AGREES(documented::PERF_INSTANCE_HEADER, InstanceId, instance_header::kInstanceId);
static_assert(sizeof(documented::PERF_COUNTER_DATA) == counter_data::kBytes);
AGREES(documented::PERF_COUNTER_DATA, dwDataSize, counter_data::kDataSize);
AGREES(documented::PERF_COUNTER_DATA, dwSize, counter_data::kSize);
static_assert(sizeof(documented::PERF_COUNTERSET_REG_INFO) == counterset_info::kBytes);
static_assert(offsetof(documented::PERF_COUNTERSET_REG_INFO, CounterSetGuid) ==
              counterset_info::kCounterSetGuid);
AGREES(documented::PERF_COUNTERSET_REG_INFO, DetailLevel, counterset_info::kDetailLevel);
AGREES(documented::PERF_COUNTERSET_REG_INFO, NumCounters, counterset_info::kNumCounters);
AGREES(documented::PERF_COUNTERSET_REG_INFO, InstanceType, counterset_info::kInstanceType);
static_assert(sizeof(documented::PERF_COUNTER_REG_INFO) == counter_info::kBytes);
AGREES(documented::PERF_COUNTER_REG_INFO, CounterId, counter_info::kCounterId);
AGREES(documented::PERF_COUNTER_REG_INFO, Type, counter_info::kType);
AGREES(documented::PERF_COUNTER_REG_INFO, Attrib, counter_info::kAttrib);
AGREES(documented::PERF_COUNTER_REG_INFO, DetailLevel, counter_info::kDetailLevel);
AGREES(documented::PERF_COUNTER_REG_INFO, DefaultScale, counter_info::kDefaultScale);
AGREES(documented::PERF_COUNTER_REG_INFO, BaseCounterId, counter_info::kBaseCounterId);
AGREES(documented::PERF_COUNTER_REG_INFO, PerfTimeId, counter_info::kPerfTimeId);
AGREES(documented::PERF_COUNTER_REG_INFO, PerfFreqId, counter_info::kPerfFreqId);
AGREES(documented::PERF_COUNTER_REG_INFO, MultiId, counter_info::kMultiId);
AGREES(documented::PERF_COUNTER_REG_INFO, AggregateFunc, counter_info::kAggregateFunc);
static_assert(sizeof(documented::PERF_STRING_BUFFER_HEADER) == string_header::kBytes);
AGREES(documented::PERF_STRING_BUFFER_HEADER, dwCounters, string_header::kCounters);
static_assert(sizeof(documented::PERF_STRING_COUNTER_HEADER) == string_entry::kBytes);
AGREES(documented::PERF_STRING_COUNTER_HEADER, dwCounterId, string_entry::kCounterId);
AGREES(documented::PERF_STRING_COUNTER_HEADER, dwOffset, string_entry::kOffset);

constexpr documented::Bytes16 kGuidBytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr documented::Bytes16 kNoTime{0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8,
                                      0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xE0};
constexpr std::uint32_t kReserved = 0xEEEE'EEEE;

template <class Structure>
void append(std::vector<std::byte>& bytes, const Structure& structure) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof structure);
  std::memcpy(bytes.data() + at, &structure, sizeof structure);
}

void append_text(std::vector<std::byte>& bytes, std::u16string_view text) {
  for (const char16_t unit : text) append(bytes, unit);
  append(bytes, u'\0');
}

template <class Structure>
Structure structure_at(const std::vector<std::byte>& bytes, std::size_t at) {
  Structure structure{};
  EXPECT_LE(at + sizeof structure, bytes.size());
  std::memcpy(&structure, bytes.data() + at, sizeof structure);
  return structure;
}

// The data header in front of `results` results, whose bytes these are.
std::vector<std::byte> data_with(std::uint32_t results, const std::vector<std::byte>& bytes) {
  std::vector<std::byte> all;
  append(all, documented::PERF_DATA_HEADER{.dwTotalSize = static_cast<std::uint32_t>(
                                               sizeof(documented::PERF_DATA_HEADER) + bytes.size()),
                                           .dwNumCounters = results,
                                           .PerfTimeStamp = 0x1111'2222'3333'4444,
                                           .PerfTime100NSec = 0x2222'3333'4444'5555,
                                           .PerfFreq = 0x3333'4444'5555'6666,
                                           .SystemTime = kNoTime});
  all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

TEST(DocumentedStructures, DataHeader) {
  const auto bytes = data_with(7, {});
  const auto data = DataView::parse(bytes);
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->result_count(), 7u);
  const Clocks clocks = data->clocks();
  EXPECT_EQ(clocks.perf_time.ticks, 0x1111'2222'3333'4444);
  EXPECT_EQ(clocks.time_100ns.ticks, 0x2222'3333'4444'5555);
  EXPECT_EQ(clocks.perf_frequency.ticks_per_second, 0x3333'4444'5555'6666);
  for (const std::uint32_t total : {47u, 49u}) {
    auto wrong = bytes;
    std::memcpy(wrong.data() + offsetof(documented::PERF_DATA_HEADER, dwTotalSize), &total,
                sizeof total);
    EXPECT_FALSE(DataView::parse(wrong)) << total;
  }
}

TEST(DocumentedStructures, ResultsFollowEachOtherBydwSize) {
  std::vector<std::byte> bytes;
  append(bytes, documented::PERF_COUNTER_HEADER{
                    .dwStatus = 4201, .dwType = 0, .dwSize = 24, .Reserved = kReserved});
  append(bytes, std::uint64_t{0xAAAA'AAAA'AAAA'AAAA});  // what a size leaves over is ignored
  append(bytes, documented::PERF_COUNTER_HEADER{
                    .dwStatus = 0, .dwType = 1, .dwSize = 32, .Reserved = kReserved});
  append(bytes, documented::PERF_COUNTER_DATA{.dwDataSize = 8, .dwSize = 16});
  append(bytes, std::uint64_t{0x0102'0304'0506'0708});
  const auto all = data_with(2, bytes);

  ResultWalk walk = DataView::parse(all)->results();
  const auto error = *walk.next();
  ASSERT_TRUE(error) << describe(error.error());
  EXPECT_EQ(error->kind(), ResultKind::kError);
  EXPECT_EQ(error->status(), 4201u);
  const auto single = *walk.next();
  ASSERT_TRUE(single) << describe(single.error());
  EXPECT_EQ(single->kind(), ResultKind::kSingleCounter);
  RowWalk rows = single->rows();
  RowWalk::Row row;
  ASSERT_TRUE(*rows.next(row));
  EXPECT_EQ(row.values.at(0).number(), 0x0102'0304'0506'0708u);
  EXPECT_FALSE(walk.next());
}

// One result with the counters 31 and 26 of one instance. Where its structures begin:
constexpr std::size_t kResultAt = sizeof(documented::PERF_DATA_HEADER);
constexpr std::size_t kCountersAt = kResultAt + sizeof(documented::PERF_COUNTER_HEADER);
constexpr std::size_t kInstancesAt =
    kCountersAt + sizeof(documented::PERF_MULTI_COUNTERS) + 2 * sizeof(std::uint32_t);
constexpr std::size_t kInstanceAt = kInstancesAt + sizeof(documented::PERF_MULTI_INSTANCES);
constexpr std::size_t kFirstValueAt = kInstanceAt + 16;
constexpr std::size_t kSecondValueAt = kFirstValueAt + 16;

std::vector<std::byte> counterset_reply() {
  using documented::PERF_COUNTER_DATA;
  constexpr std::uint32_t kInstances = kSecondValueAt + 24 - kInstancesAt;
  std::vector<std::byte> bytes;
  append(bytes, documented::PERF_COUNTER_HEADER{.dwStatus = 0,
                                                .dwType = 6,
                                                .dwSize = kInstancesAt - kResultAt + kInstances,
                                                .Reserved = kReserved});
  append(bytes, documented::PERF_MULTI_COUNTERS{.dwSize = 16, .dwCounters = 2});
  append(bytes, std::uint32_t{31});
  append(bytes, std::uint32_t{26});
  append(bytes, documented::PERF_MULTI_INSTANCES{.dwTotalSize = kInstances, .dwInstances = 1});
  append(bytes, documented::PERF_INSTANCE_HEADER{.Size = 16, .InstanceId = 0x77});
  append_text(bytes, u"one");
  append(bytes, PERF_COUNTER_DATA{.dwDataSize = 4, .dwSize = 16});
  append(bytes, std::uint64_t{0xBBBB'BBBB'1234'5678});  // four bytes and their padding
  append(bytes, PERF_COUNTER_DATA{.dwDataSize = 8, .dwSize = 24});
  append(bytes, std::uint64_t{9});
  append(bytes, std::uint64_t{0xBBBB'BBBB'BBBB'BBBB});
  return data_with(1, bytes);
}

TEST(DocumentedStructures, ACountersetWithIdsAndInstances) {
  const auto all = counterset_reply();
  ResultWalk walk = DataView::parse(all)->results();
  const auto result = *walk.next();
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_EQ(result->counter_ids(), (std::vector<std::uint32_t>{31, 26}));
  RowWalk rows = result->rows();
  RowWalk::Row row;
  const auto more = rows.next(row);
  ASSERT_TRUE(more) << describe(more.error());
  ASSERT_TRUE(*more);
  EXPECT_EQ(row.instance->id, 0x77u);
  EXPECT_EQ(row.instance->name(), "one");
  ASSERT_EQ(row.values.size(), 2u);
  EXPECT_EQ(row.values[0].number(), 0x1234'5678u);
  EXPECT_EQ(row.values[1].number(), 9u);
  EXPECT_FALSE(*rows.next(row));
}

// Whether everything in it could be read, without an error anywhere.
bool is_sound(const std::vector<std::byte>& bytes) {
  const auto data = DataView::parse(bytes);
  if (!data) return false;
  ResultWalk walk = data->results();
  while (const auto result = walk.next()) {
    if (!*result) return false;
    RowWalk rows = (*result)->rows();
    RowWalk::Row row;
    while (true) {
      const auto more = rows.next(row);
      if (!more) return false;
      if (!*more) break;
    }
  }
  return true;
}

// The checks of the documentation's sample program, in its order; what a size or count may not be.
TEST(DocumentedStructures, EachSizeAndCountIsChecked) {
  namespace d = documented;
  const auto all = counterset_reply();
  ASSERT_TRUE(is_sound(all));
  // One byte more than there are from there on.
  const auto beyond = [&all](std::size_t at) {
    return static_cast<std::uint32_t>(all.size() - at + 1);
  };
  const struct {
    const char* what;
    std::size_t at;
    std::vector<std::uint32_t> values;
  } rows[] = {
      {"dwTotalSize", offsetof(d::PERF_DATA_HEADER, dwTotalSize), {0, 47, beyond(0)}},
      {"dwNumCounters", offsetof(d::PERF_DATA_HEADER, dwNumCounters), {2, 0xFFFF'FFFF}},
      {"dwType", kResultAt + offsetof(d::PERF_COUNTER_HEADER, dwType), {3, 5, 7}},
      {"dwSize of the result",
       kResultAt + offsetof(d::PERF_COUNTER_HEADER, dwSize),
       {0, 15, beyond(kResultAt)}},
      {"dwSize of the ids",
       kCountersAt + offsetof(d::PERF_MULTI_COUNTERS, dwSize),
       {0, 7, beyond(kCountersAt)}},
      {"dwCounters", kCountersAt + offsetof(d::PERF_MULTI_COUNTERS, dwCounters), {3, 0xFFFF'FFFF}},
      {"dwTotalSize of the instances",
       kInstancesAt + offsetof(d::PERF_MULTI_INSTANCES, dwTotalSize),
       {0, 7, beyond(kInstancesAt)}},
      {"dwInstances",
       kInstancesAt + offsetof(d::PERF_MULTI_INSTANCES, dwInstances),
       {2, 0xFFFF'FFFF}},
      {"Size", kInstanceAt + offsetof(d::PERF_INSTANCE_HEADER, Size), {0, 7, beyond(kInstanceAt)}},
      {"dwDataSize of the first value",
       kFirstValueAt + offsetof(d::PERF_COUNTER_DATA, dwDataSize),
       {9, 0xFFFF'FFFF}},
      {"dwSize of the first value",
       kFirstValueAt + offsetof(d::PERF_COUNTER_DATA, dwSize),
       {0, 7, 11, beyond(kFirstValueAt)}},
      {"dwDataSize of the second value",
       kSecondValueAt + offsetof(d::PERF_COUNTER_DATA, dwDataSize),
       {17, 0xFFFF'FFF8}},
      {"dwSize of the second value",
       kSecondValueAt + offsetof(d::PERF_COUNTER_DATA, dwSize),
       {0, 15, 25}},
  };
  for (const auto& row : rows)
    for (const std::uint32_t value : row.values)
      EXPECT_FALSE(is_sound(testing::with_field(all, row.at, value)))
          << row.what << " is " << value;
  // Before the first id that would lie outside is read, not when its values turn out to be missing.
  const auto too_many =
      testing::with_field(all, kCountersAt + offsetof(d::PERF_MULTI_COUNTERS, dwCounters), 3);
  ResultWalk walk = DataView::parse(too_many)->results();
  EXPECT_EQ(walk.next()->error().code, ErrorCode::kBadCount);
}

TEST(DocumentedStructures, AListOfInstances) {
  std::vector<std::byte> bytes;
  append(bytes, documented::PERF_INSTANCE_HEADER{.Size = 16, .InstanceId = 5});
  append_text(bytes, u"one");
  append(bytes, documented::PERF_INSTANCE_HEADER{.Size = 24, .InstanceId = 0xFFFF'FFFE});
  append_text(bytes, u"_Total");
  append(bytes, u'\xCCCC');  // padding is not defined
  const InstanceList list = parse_instances(bytes);
  EXPECT_TRUE(list.problems.empty());
  ASSERT_EQ(list.all.size(), 2u);
  EXPECT_EQ(list.all[0].id, 5u);
  EXPECT_EQ(list.all[0].name, "one");
  EXPECT_EQ(list.all[1].id, 0xFFFF'FFFEu);
  EXPECT_EQ(list.all[1].name, "_Total");
}

TEST(DocumentedStructures, AnIdentifierAsItIsBuilt) {
  const std::vector<CounterRequest> requests{
      {.counterset = {kGuidBytes}, .counter_id = 26, .instance_id = 3, .instance_name = u"0,*"},
      {.counterset = {kGuidBytes}}};
  const auto bytes = build_identifiers(requests);
  using documented::PERF_COUNTER_IDENTIFIER;
  const auto first = structure_at<PERF_COUNTER_IDENTIFIER>(bytes, 0);
  EXPECT_EQ(first.CounterSetGuid, kGuidBytes);
  EXPECT_EQ(first.Status, 0u);
  EXPECT_EQ(first.Size, 48u);
  EXPECT_EQ(first.CounterId, 26u);
  EXPECT_EQ(first.InstanceId, 3u);
  EXPECT_EQ(first.Index, 0u);
  EXPECT_EQ(first.Reserved, 0u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(structure_at<char16_t>(bytes, sizeof first + 2 * i), u"0,*"[i]) << i;
  const auto second = structure_at<PERF_COUNTER_IDENTIFIER>(bytes, 48);
  EXPECT_EQ(second.Size, 40u) << "a counterset without instances has no name";
  EXPECT_EQ(second.CounterId, 0xFFFF'FFFFu) << "all counters";
  EXPECT_EQ(second.InstanceId, 0xFFFF'FFFFu) << "whatever its id";
  EXPECT_EQ(bytes.size(), 88u);
}

TEST(DocumentedStructures, AnIdentifierAsItIsReadBack) {
  std::vector<std::byte> bytes;
  append(bytes, documented::PERF_COUNTER_IDENTIFIER{.CounterSetGuid = kGuidBytes,
                                                    .Status = 4202,
                                                    .Size = 48,
                                                    .CounterId = 29,
                                                    .InstanceId = 8,
                                                    .Index = 2,
                                                    .Reserved = kReserved});
  append_text(bytes, u"a b");
  const Identifiers identifiers = parse_identifiers(bytes);
  EXPECT_FALSE(identifiers.problem);
  ASSERT_EQ(identifiers.all.size(), 1u);
  const Identifier& identifier = identifiers.all.front();
  EXPECT_EQ(identifier.request.counterset.bytes, kGuidBytes);
  EXPECT_EQ(identifier.status, 4202u);
  EXPECT_EQ(identifier.request.counter_id, 29u);
  EXPECT_EQ(identifier.request.instance_id, 8u);
  EXPECT_EQ(identifier.index, 2u);
  EXPECT_TRUE(identifier.request.instance_name == u"a b");
}

TEST(DocumentedStructures, ARegistration) {
  std::vector<std::byte> bytes;
  append(bytes, documented::PERF_COUNTERSET_REG_INFO{.CounterSetGuid = kGuidBytes,
                                                     .CounterSetType = kReserved,
                                                     .DetailLevel = 200,
                                                     .NumCounters = 2,
                                                     .InstanceType = 6});
  append(bytes, documented::PERF_COUNTER_REG_INFO{.CounterId = 11,
                                                  .Type = 0x4002'0500,
                                                  .Attrib = 0x1'0000'0002,
                                                  .DetailLevel = 100,
                                                  .DefaultScale = -3,
                                                  .BaseCounterId = 12,
                                                  .PerfTimeId = 13,
                                                  .PerfFreqId = 14,
                                                  .MultiId = 15,
                                                  .AggregateFunc = 4,
                                                  .Reserved = kReserved});
  append(bytes, documented::PERF_COUNTER_REG_INFO{.CounterId = 12,
                                                  .Type = 0x4003'0402,
                                                  .Attrib = 0,
                                                  .DetailLevel = 200,
                                                  .DefaultScale = 0,
                                                  .BaseCounterId = 0xFFFF'FFFF,
                                                  .PerfTimeId = 0xFFFF'FFFF,
                                                  .PerfFreqId = 0xFFFF'FFFF,
                                                  .MultiId = 0xFFFF'FFFF,
                                                  .AggregateFunc = 1,
                                                  .Reserved = kReserved});
  const auto set = parse_counterset(bytes);
  ASSERT_TRUE(set) << describe(set.error());
  EXPECT_EQ(set->guid.bytes, kGuidBytes);
  EXPECT_EQ(set->detail_level, 200u);
  EXPECT_EQ(set->instance_type, InstanceType::kMultipleAggregate);
  ASSERT_EQ(set->counters.size(), 2u);
  EXPECT_EQ(set->counters[0], (CounterRegistration{.id = 11,
                                                   .type = CounterType{0x4002'0500},
                                                   .attributes = 0x1'0000'0002,
                                                   .detail_level = 100,
                                                   .default_scale = -3,
                                                   .base_id = 12,
                                                   .perf_time_id = 13,
                                                   .perf_freq_id = 14,
                                                   .multi_id = 15,
                                                   .aggregation = Aggregation::kMaximum}));
  EXPECT_EQ(set->counters[1], (CounterRegistration{.id = 12,
                                                   .type = CounterType{0x4003'0402},
                                                   .attributes = 0,
                                                   .detail_level = 200,
                                                   .default_scale = 0,
                                                   .base_id = {},
                                                   .perf_time_id = {},
                                                   .perf_freq_id = {},
                                                   .multi_id = {},
                                                   .aggregation = Aggregation::kTotal}));
}

TEST(DocumentedStructures, ATableOfStrings) {
  std::vector<std::byte> bytes;
  append(bytes, documented::PERF_STRING_BUFFER_HEADER{.dwSize = 40, .dwCounters = 2});
  append(bytes, documented::PERF_STRING_COUNTER_HEADER{.dwCounterId = 26, .dwOffset = 24});
  append(bytes, documented::PERF_STRING_COUNTER_HEADER{.dwCounterId = 3, .dwOffset = 32});
  append_text(bytes, u"six");
  append_text(bytes, u"ten");
  const StringTable table = parse_string_table(bytes);
  EXPECT_TRUE(table.problems.empty());
  EXPECT_EQ(table.texts, (std::map<std::uint32_t, std::string>{{3, "ten"}, {26, "six"}}));
}

// The constants of the same header, by their documented names.
TEST(DocumentedStructures, Constants) {
  const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
  EXPECT_EQ(number(ResultKind::kError), 0u) << "PERF_ERROR_RETURN";
  EXPECT_EQ(number(ResultKind::kSingleCounter), 1u) << "PERF_SINGLE_COUNTER";
  EXPECT_EQ(number(ResultKind::kMultipleCounters), 2u) << "PERF_MULTIPLE_COUNTERS";
  EXPECT_EQ(number(ResultKind::kMultipleInstances), 4u) << "PERF_MULTIPLE_INSTANCES";
  EXPECT_EQ(number(ResultKind::kCounterset), 6u) << "PERF_COUNTERSET";
  EXPECT_EQ(kAllCounters, 0xFFFF'FFFFu) << "PERF_WILDCARD_COUNTER";
  EXPECT_EQ(kMaxInstanceName, 1024u) << "PERF_MAX_INSTANCE_NAME";
  EXPECT_EQ(number(InstanceType::kSingle), 0u) << "PERF_COUNTERSET_SINGLE_INSTANCE";
  EXPECT_EQ(number(InstanceType::kMultiple), 2u) << "PERF_COUNTERSET_MULTI_INSTANCES";
  EXPECT_EQ(number(InstanceType::kSingleAggregate), 4u) << "PERF_COUNTERSET_SINGLE_AGGREGATE";
  EXPECT_EQ(number(InstanceType::kMultipleAggregate), 6u) << "PERF_COUNTERSET_MULTI_AGGREGATE";
  EXPECT_EQ(number(InstanceType::kSingleAggregateHistory), 12u)
      << "PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY";
  EXPECT_EQ(number(Aggregation::kTotal), 1u) << "PERF_AGGREGATE_TOTAL";
  EXPECT_EQ(number(Aggregation::kAverage), 2u) << "PERF_AGGREGATE_AVG";
  EXPECT_EQ(number(Aggregation::kMinimum), 3u) << "PERF_AGGREGATE_MIN";
  EXPECT_EQ(number(Aggregation::kMaximum), 4u) << "PERF_AGGREGATE_MAX";
  EXPECT_EQ(kAttribNotDisplayed, 2u) << "PERF_ATTRIB_NO_DISPLAYABLE";
  EXPECT_EQ(number(RegistrationInfo::kCounterset), 1u) << "PERF_REG_COUNTERSET_STRUCT";
  EXPECT_EQ(number(RegistrationInfo::kCounter), 2u) << "PERF_REG_COUNTER_STRUCT";
  EXPECT_EQ(number(RegistrationInfo::kCountersetName), 3u) << "PERF_REG_COUNTERSET_NAME_STRING";
  EXPECT_EQ(number(RegistrationInfo::kCountersetHelp), 4u) << "PERF_REG_COUNTERSET_HELP_STRING";
  EXPECT_EQ(number(RegistrationInfo::kCounterNames), 5u) << "PERF_REG_COUNTER_NAME_STRINGS";
  EXPECT_EQ(number(RegistrationInfo::kCounterHelps), 6u) << "PERF_REG_COUNTER_HELP_STRINGS";
  EXPECT_EQ(number(RegistrationInfo::kProviderName), 7u) << "PERF_REG_PROVIDER_NAME";
  EXPECT_EQ(number(RegistrationInfo::kProviderGuid), 8u) << "PERF_REG_PROVIDER_GUID";
  EXPECT_EQ(number(RegistrationInfo::kCountersetEnglishName), 9u)
      << "PERF_REG_COUNTERSET_ENGLISH_NAME";
  EXPECT_EQ(number(RegistrationInfo::kCounterEnglishNames), 10u)
      << "PERF_REG_COUNTER_ENGLISH_NAMES";
}

}  // namespace
}  // namespace winperf::v2
