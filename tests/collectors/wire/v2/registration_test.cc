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
  ASSERT_EQ(set->counters.size(), 31u);
  EXPECT_EQ(set->find(0)->type, CounterType{0x21510500});
  EXPECT_EQ(set->find(26)->base_id, 27u);
  EXPECT_EQ(set->find(28)->base_id, 27u) << "shared, and not adjacent";
  EXPECT_EQ(set->find(0)->base_id, std::nullopt);
  EXPECT_EQ(set->find(27)->attributes, kAttribNotDisplayed);
  EXPECT_EQ(set->find(29), nullptr);
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

TEST(V2Registration, MoreCountersThanBytesAreAnError) {
  const auto bytes =
      testing::with_field(simulator::counterset_info(simulator::processor_information()), 24, 32);
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
