#include "collectors/wire/v2/registration.h"

#include <gtest/gtest.h>

#include "tests/simulator/processor_information.h"
#include "tests/simulator/v2_bytes.h"
#include "tests/support/block_builder.h"
#include "tests/support/byte_writer.h"

namespace winperf::v2 {
namespace {

using Texts = std::vector<std::pair<std::uint32_t, std::u16string>>;

TEST(V2Registration, ReadsProcessorInformation) {
  const auto set = parse_counterset(simulator::counterset_info(simulator::processor_information()));
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(to_string(set->guid), "{b4fc721a-0378-476f-89ba-a5a79f810b36}");
  EXPECT_EQ(set->instance_type, InstanceType::kMultiple);
  ASSERT_EQ(set->counters.size(), 33u);
  EXPECT_EQ(set->find(0)->type, CounterType{0x21510500});
  EXPECT_EQ(set->find(26)->base_id, 27u);
  EXPECT_EQ(set->find(28)->base_id, 27u) << "shared, and not adjacent";
  EXPECT_EQ(set->find(0)->base_id, std::nullopt);
  EXPECT_EQ(set->find(27)->attributes, 0u) << "its bases have no names instead";
  EXPECT_EQ(set->find(33), nullptr);
}

TEST(V2Registration, TheFirstOfTwoCountersWithOneIdCounts) {
  simulator::CountersetDefinition set;
  set.counters = {{.id = 1, .type = 0x10410400}, {.id = 1, .type = 0x00010000}, {.id = 2}};
  const auto parsed = parse_counterset(simulator::counterset_info(set));
  ASSERT_EQ(parsed->counters.size(), 2u);
  EXPECT_EQ(parsed->find(1)->type, CounterType{0x10410400});
  ASSERT_EQ(parsed->problems.size(), 1u);
  EXPECT_EQ(parsed->problems.front().code, ErrorCode::kDuplicateCounter);
}

TEST(V2Registration, EveryFieldIsReadIntoItsPlace) {
  simulator::CountersetDefinition set;
  set.guid = Guid{{9, 8, 7}};
  set.instance_type = InstanceType::kMultipleAggregate;
  set.counters = {{.id = 3,
                   .type = 0x20610500,
                   .base_id = 4,
                   .perf_time_id = 5,
                   .perf_freq_id = 6,
                   .multi_id = 7,
                   .attributes = 0x1'0000'0002,
                   .default_scale = -2,
                   .aggregation = Aggregation::kMaximum}};
  const auto parsed = parse_counterset(simulator::counterset_info(set));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->guid, set.guid);
  EXPECT_EQ(parsed->detail_level, 100U);
  EXPECT_EQ(parsed->instance_type, InstanceType::kMultipleAggregate);
  CounterRegistration expected;
  expected.id = 3;
  expected.type = CounterType{0x20610500};
  expected.attributes = 0x1'0000'0002;
  expected.detail_level = 100;
  expected.default_scale = -2;
  expected.base_id = 4;
  expected.perf_time_id = 5;
  expected.perf_freq_id = 6;
  expected.multi_id = 7;
  expected.aggregation = Aggregation::kMaximum;
  EXPECT_EQ(parsed->counters, std::vector{expected});
}

TEST(V2Registration, MayHaveNoCounterOneOrMany) {
  for (const std::uint32_t number : {0U, 1U, 2U, 7U}) {
    simulator::CountersetDefinition set;
    for (std::uint32_t id = 0; id < number; ++id) set.counters.push_back({.id = id});
    auto bytes = simulator::counterset_info(set);
    EXPECT_EQ(parse_counterset(bytes)->counters.size(), number);
    if (number == 0) continue;
    bytes.pop_back();
    EXPECT_EQ(parse_counterset(bytes).error().code, ErrorCode::kBadCount);
  }
}

TEST(V2Registration, MoreCountersThanBytesAreAnError) {
  const auto bytes =
      testing::with_field(simulator::counterset_info(simulator::processor_information()), 24, 34);
  EXPECT_EQ(parse_counterset(bytes).error().code, ErrorCode::kBadCount);
}

TEST(V2Strings, OffsetsCountFromTheStartOrFromTheEntries) {
  const Texts texts{{3, u"three"}, {1, u""}, {7, u"s\u00FCben"}};
  for (const bool relative : {false, true}) {
    const StringTable table = parse_string_table(simulator::string_table(texts, relative));
    EXPECT_TRUE(table.problems.empty());
    EXPECT_EQ(table.texts, (std::map<std::uint32_t, std::string>{{3, "three"}, {7, "s\u00FCben"}}))
        << (relative ? "relative" : "absolute");
  }
}

TEST(V2Strings, OfOneIdTwiceTheFirstTextCounts) {
  const Texts texts{{3, u"three"}, {3, u"again"}, {4, u"four"}};
  const StringTable table = parse_string_table(simulator::string_table(texts));
  EXPECT_EQ(table.texts, (std::map<std::uint32_t, std::string>{{3, "three"}, {4, "four"}}));
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_EQ(table.problems.front().code, ErrorCode::kDuplicateCounter);
  EXPECT_EQ(table.problems.front().actual, 3u);
}

TEST(V2Strings, MoreEntriesThanBytesAreAnError) {
  const Texts texts{{3, u""}, {4, u""}};
  const auto bytes = simulator::string_table(texts);
  EXPECT_TRUE(parse_string_table(bytes).problems.empty());
  const StringTable table = parse_string_table(testing::with_field(bytes, 4, 3));
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_EQ(table.problems.front().code, ErrorCode::kBadCount);
  EXPECT_EQ(table.problems.front().actual, 3u);
  EXPECT_EQ(table.problems.front().limit, 2u);
}

TEST(V2Strings, WithoutTheirHeaderAreAnError) {
  auto bytes = simulator::string_table(Texts{});
  ASSERT_EQ(bytes.size(), 8u);
  EXPECT_TRUE(parse_string_table(bytes).problems.empty());
  bytes.pop_back();
  const StringTable table = parse_string_table(bytes);
  EXPECT_EQ(table.problems,
            std::vector{(Error{
                .code = ErrorCode::kTruncated, .where = "v2.strings", .actual = 8, .limit = 7})});
}

TEST(V2Strings, ATextMayBeginAtTheVeryEnd) {
  const Texts texts{{3, u"three"}};
  const auto bytes = simulator::string_table(texts);
  const auto end = static_cast<std::uint32_t>(bytes.size());
  for (const auto& [offset, code] :
       {std::pair{end - 2, ErrorCode::kTruncated}, std::pair{end - 1, ErrorCode::kBadText},
        std::pair{end, ErrorCode::kBadText}, std::pair{end + 1, ErrorCode::kBadOffset}}) {
    const StringTable table = parse_string_table(testing::with_field(bytes, 8 + 4, offset));
    EXPECT_EQ(table.problems.empty(), code == ErrorCode::kTruncated) << offset;
    if (!table.problems.empty()) {
      EXPECT_EQ(table.problems.front().code, code) << offset;
    } else {
      EXPECT_EQ(table.texts.at(3), "") << "only the NUL";
    }
  }
}

TEST(V2Strings, ABadOneCostsItselfAlone) {
  const Texts texts{{3, u"three"}, {4, u"four"}};
  auto bytes = simulator::string_table(texts);
  bytes = testing::with_field(std::move(bytes), 8 + 8 + 4, 5'000);
  const StringTable table = parse_string_table(bytes);
  EXPECT_EQ(table.texts, (std::map<std::uint32_t, std::string>{{3, "three"}}));
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_EQ(table.problems.front().code, ErrorCode::kBadOffset);
}

TEST(V2Strings, TextNeedsItsEnd) {
  EXPECT_EQ(parse_string(simulator::text(u"Memory")), "Memory");
  testing::ByteWriter out;
  out.utf16(u"Memory");
  EXPECT_EQ(parse_string(std::move(out).take()).error().code, ErrorCode::kBadText);
  EXPECT_EQ(parse_string({}).error().code, ErrorCode::kBadText);
}

}  // namespace
}  // namespace winperf::v2
