// Sections that are damaged, hostile, or of other versions of the service.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "exporter/counters/extension.h"
#include "exporter/counters/section_view.h"
#include "tests/exporter/counters/extension_host.h"

namespace winperf::own {
namespace {

using testing::ExtensionHost;
using testing::ExtensionReply;
using testing::kFirstCounter;
using testing::kNow;
using testing::SectionBuilder;
using testing::SectionMemory;
using SeenReports = std::vector<ExtensionHost::Report>;

SectionBuilder two_states(std::size_t exporter_values, std::size_t counterset_values) {
  SectionBuilder builder(exporter_values, counterset_values, 4);
  builder.put_state(6, kNow, 1);
  builder.put_state(7, kNow, 3);
  return builder;
}

std::unique_ptr<ExtensionHost> host_of(const SectionBuilder& builder) {
  auto host = std::make_unique<ExtensionHost>(SectionMemory(builder.words()));
  EXPECT_EQ(host->open(), 0U);
  return host;
}

void expect_no_data(ExtensionHost& host, const SeenReports& reports) {
  const ExtensionReply reply = host.collect();
  EXPECT_EQ(reply.code, 0U);
  EXPECT_EQ(reply.objects, 0U);
  EXPECT_EQ(host.reports(), reports);
}

// How many counters of an object an older service with so many values has: of a counter and its
// base, both or none.
std::size_t whole_rows(const ObjectRow& object, std::size_t values) {
  values = std::min(values, object.counters.size());
  if (values < object.counters.size() && is_base(object.counters[values].type)) --values;
  return values;
}

TEST(ExtensionSections, OlderAndNewerServicesShowWhatBothKnow) {
  for (std::size_t values = 1; values <= 64; ++values) {
    const auto host = host_of(two_states(values, kCountersetValues));
    const auto block = host->objects(u"4000");
    ASSERT_EQ(block.objects.size(), 1U);
    ASSERT_EQ(block.objects[0].counters.size(), whole_rows(kExporterObject, values)) << values;
    for (std::size_t i = 1; i < block.objects[0].counters.size(); ++i)
      EXPECT_EQ(block.objects[0].instances.at(0).values.at(i).value,
                testing::exporter_value_of(7, i));
  }
  for (std::size_t values = 1; values < 40; ++values) {
    const auto host = host_of(two_states(kExporterValues + 3, values));
    const auto block = host->objects();
    ASSERT_EQ(block.objects.size(), 2U);
    EXPECT_EQ(block.objects[0].counters.size(), kExporterValues);
    ASSERT_EQ(block.objects[1].counters.size(), whole_rows(kCountersetObject, values));
    ASSERT_EQ(block.objects[1].instances.size(), 3U);
    EXPECT_EQ(block.objects[1].instances[2].name, "Set ccc 002");
    EXPECT_EQ(block.objects[1].instances[2].values.at(0).value,
              testing::counterset_value_of(7, 2, 0));
    EXPECT_EQ(host->reports(), SeenReports{});
  }
}

TEST(ExtensionSections, AnObjectWithoutCountersIsNone) {
  auto host = host_of(two_states(kExporterValues, 0));
  EXPECT_EQ(host->collect().objects, 1U);
  host = host_of(two_states(0, 0));
  expect_no_data(*host, {});
  SectionBuilder builder = two_states(kExporterValues, kCountersetValues);
  builder.copy_head(7, CopyHead::kKnown) = 0;
  host = host_of(builder);
  const auto block = host->objects();
  ASSERT_EQ(block.objects.size(), 1U);
  EXPECT_EQ(block.objects[0].index, kFirstCounter + title_offset(kCountersetObject));
}

TEST(ExtensionSections, AnotherLayoutIsReportedWithItsNumber) {
  SectionBuilder builder = two_states(kExporterValues, kCountersetValues);
  builder.head(Head::kLayout) = 9;
  const auto host = host_of(builder);
  expect_no_data(*host, {{Trouble::kOtherLayout, 9}});
}

TEST(ExtensionSections, WhatIsNotYetWrittenIsNoTrouble) {
  SectionBuilder builder = two_states(kExporterValues, kCountersetValues);
  builder.head(Head::kMagic) = 0;
  expect_no_data(*host_of(builder), {});
  ExtensionHost empty{SectionMemory(std::size_t{0})};
  ASSERT_EQ(empty.open(), 0U);
  expect_no_data(empty, {});
  expect_no_data(*host_of(SectionBuilder(kExporterValues, kCountersetValues, 2)), {});
}

TEST(ExtensionSections, AHeadThatContradictsTheSizeIsDamage) {
  for (const Head word :
       {Head::kExporterValues, Head::kCountersetValues, Head::kRows, Head::kCopyWords})
    for (const std::uint64_t value : {std::uint64_t{65}, std::uint64_t{1} << 32, UINT64_MAX}) {
      SectionBuilder builder = two_states(kExporterValues, kCountersetValues);
      builder.head(word) = value;
      expect_no_data(*host_of(builder), {{Trouble::kDamaged, 0}});
    }
  // Cut off at any word.
  const std::vector<std::uint64_t> words = two_states(kExporterValues, kCountersetValues).words();
  for (std::size_t size = 0; size < words.size(); size += 7) {
    ExtensionHost host{SectionMemory(std::span(words).first(size))};
    ASSERT_EQ(host.open(), 0U);
    expect_no_data(host, size < kHeadWords ? SeenReports{} : SeenReports{{Trouble::kDamaged, 0}});
  }
}

TEST(ExtensionSections, NamesThatContradictTheirSumAreDamage) {
  const auto spoilt = [](std::uint64_t change, bool names) {
    SectionBuilder builder = two_states(kExporterValues, kCountersetValues);
    (names ? builder.name_length(7, 1) : builder.copy_head(7, CopyHead::kNameUnits)) += change;
    return host_of(builder);
  };
  for (const std::uint64_t change : {std::uint64_t{1}, std::uint64_t{4}, std::uint64_t{0} - 4,
                                     std::uint64_t{0} - 1000, std::uint64_t{1} << 40})
    expect_no_data(*spoilt(change, false), {{Trouble::kDamaged, 0}});
  for (const std::uint64_t change : {std::uint64_t{8}, std::uint64_t{0} - 8, UINT64_MAX / 2})
    expect_no_data(*spoilt(change, true), {{Trouble::kDamaged, 0}});
  // With no byte of room more than the sum demands, either.
  const std::size_t need =
      host_of(two_states(kExporterValues, kCountersetValues))->collect().bytes.size();
  for (const std::uint64_t change : {std::uint64_t{8}, std::uint64_t{64}}) {
    const ExtensionReply reply = spoilt(change, true)->collect(u"Global", need);
    EXPECT_EQ(reply.code, 0U);
    EXPECT_EQ(reply.objects, 0U);
  }
  // The other object has no names.
  const auto host = spoilt(4, false);
  EXPECT_EQ(host->collect(u"4000").objects, 1U);
}

TEST(ExtensionSections, MoreRowsThanHaveRoomAreNotRead) {
  SectionBuilder builder = two_states(kExporterValues, kCountersetValues);
  builder.copy_head(7, CopyHead::kRowsUsed) = UINT64_MAX;
  // The fourth row, which has room, is empty.
  builder.copy_head(7, CopyHead::kNameUnits) += kUnitsPerWord;
  const auto block = host_of(builder)->objects();
  ASSERT_EQ(block.objects.size(), 2U);
  EXPECT_EQ(block.objects[1].instances.size(), 4U);
}

TEST(ExtensionSections, ANameMayContainAnything) {
  SectionBuilder builder = two_states(kExporterValues, kCountersetValues);
  std::u16string hostile = u"a";
  hostile += char16_t{0};
  hostile += char16_t{0xD800};
  hostile += u"b()#/\\*";
  std::uint64_t units = 0;
  for (std::size_t row = 0; row < 3; ++row) units += builder.put_name(7, row, hostile);
  builder.copy_head(7, CopyHead::kNameUnits) = units;
  const auto block = host_of(builder)->objects();
  ASSERT_EQ(block.objects.size(), 2U);
  EXPECT_EQ(block.objects[1].instances.at(2).name, "a");
}

}  // namespace
}  // namespace winperf::own
