// The three functions of the extension DLL, and what they say of sections of all kinds.
#include "exporter/counters/extension.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "exporter/counters/section_view.h"
#include "exporter/counters/section_writer.h"
#include "exporter/counters/v1_reply.h"
#include "tests/exporter/counters/extension_host.h"

namespace winperf::own {
namespace {

using testing::ExtensionHost;
using testing::ExtensionReply;
using testing::kFirstCounter;
using testing::kFirstHelp;
using testing::kMoreData;
using testing::kNow;
using testing::SectionBuilder;
using testing::SectionMemory;
using winperf::testing::BlockDigest;
using winperf::testing::ObjectDigest;
using Reports = std::vector<ExtensionHost::Report>;

// Of a value in a reply: a counter of 4 bytes has the lower half.
std::uint64_t shown_value(const CounterRow& row, std::uint64_t value) {
  return row.bytes == 4 ? value & UINT32_MAX : value;
}

class ExtensionTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(host_.open(), 0U); }

  void publish(OwnState state) {
    state.written_at = kNow;
    SectionWriter(host_.section.words()).publish(state);
  }
  // One with all values, of the next number.
  std::uint64_t publish_numbered(std::size_t rows) {
    SectionWriter writer(host_.section.words());
    const std::uint64_t number = writer.next_number();
    writer.publish(testing::numbered_state(number, kNow, rows));
    return number;
  }
  void expect_nothing(const char16_t* query = u"Global") {
    const ExtensionReply reply = host_.collect(query);
    EXPECT_EQ(reply.code, 0U);
    EXPECT_EQ(reply.bytes.size(), 0U);
    EXPECT_EQ(reply.objects, 0U);
    EXPECT_TRUE(reply.untouched);
  }

  ExtensionHost host_{SectionMemory(kSectionWords)};
};

void expect_definitions(const ObjectDigest& object, const ObjectRow& row) {
  EXPECT_EQ(object.index, kFirstCounter + title_offset(row));
  EXPECT_EQ(object.help_index, kFirstHelp + title_offset(row));
  EXPECT_EQ(object.multi_instance, row.has_instances);
  EXPECT_EQ(object.time.ticks, kNow);
  EXPECT_EQ(object.frequency.ticks_per_second, 10'000'000);
  ASSERT_EQ(object.counters.size(), row.counters.size());
  for (std::size_t i = 0; i < row.counters.size(); ++i) {
    const CounterDefinition& counter = object.counters[i];
    EXPECT_EQ(value_of(counter.index), kFirstCounter + title_offset(row, i));
    EXPECT_EQ(value_of(counter.help_index), kFirstHelp + title_offset(row, i));
    EXPECT_EQ(counter.default_scale, row.counters[i].scale);
    EXPECT_EQ(counter.detail_level, static_cast<std::uint32_t>(row.counters[i].detail));
    EXPECT_EQ(value_of(counter.type), static_cast<std::uint32_t>(row.counters[i].type));
    EXPECT_EQ(counter.size, row.counters[i].bytes);
    EXPECT_EQ(counter.offset, 8 + 8 * i);
  }
}

TEST_F(ExtensionTest, ShowsAllNumbersOfTheNewestState) {
  for (std::size_t rows = 0; rows < 4; ++rows) {
    const std::uint64_t number = publish_numbered(rows);
    const BlockDigest block = host_.objects();
    ASSERT_EQ(block.objects.size(), 2U);
    expect_definitions(block.objects[0], kExporterObject);
    expect_definitions(block.objects[1], kCountersetObject);
    const auto& exporter = block.objects[0].instances;
    ASSERT_EQ(exporter.size(), 1U);
    EXPECT_EQ(exporter[0].name, "");
    for (std::size_t i = 0; i < kExporterValues; ++i)
      EXPECT_EQ(exporter[0].values[i].value,
                shown_value(kExporterRows[i], testing::exporter_value_of(number, i)));
    const auto& countersets = block.objects[1].instances;
    ASSERT_EQ(countersets.size(), rows);
    for (std::size_t row = 0; row < rows; ++row) {
      EXPECT_EQ(std::u16string(countersets[row].name.begin(), countersets[row].name.end()),
                testing::row_name_of(row));
      EXPECT_EQ(countersets[row].unique_id, std::nullopt);
      EXPECT_EQ(countersets[row].parent_object, 0U);
      for (std::size_t i = 0; i < kCountersetValues; ++i)
        EXPECT_EQ(countersets[row].values[i].value,
                  shown_value(kCountersetRows[i], testing::counterset_value_of(number, row, i)));
    }
  }
  EXPECT_EQ(host_.reports(), Reports{});
}

TEST_F(ExtensionTest, NamesAreOfAnyLengthUpToTheirRoom) {
  for (std::size_t length = 0; length <= kLongestName; ++length) {
    OwnState state = testing::numbered_state(1, kNow, 2);
    state.countersets[0].name.assign(length, u'\u00E4');
    publish(state);
    const BlockDigest block = host_.objects();
    ASSERT_EQ(block.objects.size(), 2U);
    ASSERT_EQ(block.objects[1].instances.size(), 2U);
    EXPECT_EQ(block.objects[1].instances[0].name.size(), 2 * length);  // in UTF-8
    EXPECT_EQ(block.objects[1].instances[1].name.size(), testing::row_name_of(1).size());
  }
}

TEST_F(ExtensionTest, HasAsManyInstancesAsASectionHasRoomFor) {
  publish_numbered(kMaxRows);
  const BlockDigest block = host_.objects();
  ASSERT_EQ(block.objects.size(), 2U);
  EXPECT_EQ(block.objects[1].instances.size(), kMaxRows);
}

TEST_F(ExtensionTest, UnknownValuesHaveNoDefinitionAndABaseGoesWithItsCounter) {
  for (std::size_t unknown = 1; unknown < kExporterValues; ++unknown) {
    OwnState state = testing::numbered_state(1, kNow, 1);
    state.exporter[unknown] = std::nullopt;
    publish(state);
    const BlockDigest block = host_.objects(u"4000");
    ASSERT_EQ(block.objects.size(), 1U);
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < kExporterValues; ++i) {
      const bool is_divided = i + 1 < kExporterValues && is_base(kExporterRows[i + 1].type);
      if (i == unknown || (is_divided && i + 1 == unknown) ||
          (is_base(kExporterRows[i].type) && i == unknown + 1))
        continue;
      expected.push_back(kFirstCounter + title_offset(kExporterObject, i));
    }
    std::vector<std::uint32_t> shown;
    for (const CounterDefinition& counter : block.objects[0].counters)
      shown.push_back(value_of(counter.index));
    EXPECT_EQ(shown, expected) << unknown;
    EXPECT_EQ(block.objects[0].instances.at(0).values.back().reason, NoValue::kNone);
  }
}

// DefaultCounter of PERF_OBJECT_TYPE, the position of a definition.
std::int32_t default_counter(const ExtensionReply& reply) {
  constexpr std::size_t kDefaultCounter = 36;
  std::int32_t position = 0;
  EXPECT_GE(reply.bytes.size(), kDefaultCounter + sizeof position);
  if (reply.bytes.size() >= kDefaultCounter + sizeof position)
    std::memcpy(&position, reply.bytes.data() + kDefaultCounter, sizeof position);
  return position;
}

TEST_F(ExtensionTest, TheDefaultCounterIsAPositionAmongWhatIsShown) {
  static_assert(kExporterObject.default_counter == 2);
  OwnState state = testing::numbered_state(1, kNow, 0);
  publish(state);
  EXPECT_EQ(default_counter(host_.collect(u"4000")), 2);
  state[ExporterValue::kStarted] = std::nullopt;
  publish(state);
  EXPECT_EQ(default_counter(host_.collect(u"4000")), 1);
  state[ExporterValue::kAttempts] = std::nullopt;
  publish(state);
  EXPECT_EQ(default_counter(host_.collect(u"4000")), -1);
}

TEST_F(ExtensionTest, IndicesSelectObjects) {
  publish_numbered(2);
  const std::uint32_t second = kFirstCounter + title_offset(kCountersetObject);
  EXPECT_EQ(host_.objects(u"4000").objects.at(0).index, kFirstCounter);
  std::u16string text;
  for (const char digit : std::to_string(second)) text += static_cast<char16_t>(digit);
  const BlockDigest block = host_.objects(text.c_str());
  ASSERT_EQ(block.objects.size(), 1U);
  EXPECT_EQ(block.objects[0].index, second);
  EXPECT_EQ(host_.objects((u"4000 " + text).c_str()).objects.size(), 2U);
  EXPECT_EQ(host_.objects(nullptr).objects.size(), 2U);
  for (const char16_t* query : {u"", u"Costly", u"238", u"Foreign PC 4000", u"MetadataCostly"})
    expect_nothing(query);
  // For what is another provider's, the section isn't even opened.
  host_.section_error = 5;
  expect_nothing(u"238");
  EXPECT_EQ(host_.reports(), Reports{});
}

TEST_F(ExtensionTest, MetadataIsTheSameDefinitionsAlone) {
  OwnState state = testing::numbered_state(1, kNow, 3);
  state[ExporterValue::kRecorderBytes] = std::nullopt;
  publish(state);
  const BlockDigest full = host_.objects();
  const BlockDigest metadata = host_.objects(u"MetadataGlobal");
  ASSERT_EQ(metadata.objects.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(metadata.objects[i].metadata_only);
    EXPECT_EQ(metadata.objects[i].multi_instance, full.objects[i].multi_instance);
    EXPECT_EQ(metadata.objects[i].counters, full.objects[i].counters);
    EXPECT_TRUE(metadata.objects[i].instances.empty());
  }
}

TEST_F(ExtensionTest, LeavesEverythingAloneWhereTheRoomIsTooSmall) {
  publish_numbered(2);
  for (const char16_t* query : {u"Global", u"4000", u"MetadataGlobal"}) {
    const std::size_t need = host_.collect(query).bytes.size();
    ASSERT_GT(need, 0U);
    for (std::size_t room = 0; room < need; ++room) {
      const ExtensionReply reply = host_.collect(query, room);
      ASSERT_EQ(reply.code, kMoreData) << room;
      ASSERT_EQ(reply.bytes.size(), 0U);
      ASSERT_EQ(reply.objects, 0U);
      ASSERT_TRUE(reply.untouched) << room;
    }
    EXPECT_EQ(host_.collect(query, need).bytes.size(), need);
    EXPECT_EQ(host_.collect(query, need + 1).bytes.size(), need);
  }
}

TEST_F(ExtensionTest, ToleratesNullPointers) {
  publish_numbered(1);
  std::byte room[64]{};
  void* data = room;
  std::uint32_t bytes = sizeof room;
  std::uint32_t objects = 7;
  Extension& extension = host_.extension();
  EXPECT_EQ(extension.collect(u"Global", nullptr, &bytes, &objects), 0U);
  EXPECT_EQ(bytes, 0U);
  EXPECT_EQ(objects, 0U);
  objects = 7;
  EXPECT_EQ(extension.collect(u"Global", &data, nullptr, &objects), 0U);
  EXPECT_EQ(objects, 0U);
  bytes = sizeof room;
  EXPECT_EQ(extension.collect(u"Global", &data, &bytes, nullptr), 0U);
  EXPECT_EQ(bytes, 0U);
  EXPECT_EQ(extension.collect(nullptr, nullptr, nullptr, nullptr), 0U);
  EXPECT_EQ(data, room);
  data = nullptr;
  bytes = 1 << 20;
  EXPECT_EQ(extension.collect(u"Global", &data, &bytes, &objects), kMoreData);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(bytes, 0U);
}

TEST_F(ExtensionTest, IsOpenUntilClosedAsOftenAsOpened) {
  publish_numbered(1);
  EXPECT_EQ(host_.open(), 0U);
  EXPECT_EQ(host_.close(), 0U);
  EXPECT_EQ(host_.objects().objects.size(), 2U);
  EXPECT_EQ(host_.close(), 0U);
  expect_nothing();
  EXPECT_EQ(host_.close(), 0U);  // once more than Open
  EXPECT_EQ(host_.close(), 0U);
  EXPECT_EQ(host_.open(), 0U);
  EXPECT_EQ(host_.objects().objects.size(), 2U);
}

TEST_F(ExtensionTest, OpenFailsAndCountsNothingWhereItIsNotRegistered) {
  publish_numbered(1);
  host_.close();
  expect_nothing();
  host_.indices.reset();
  EXPECT_EQ(host_.open(), 2U);
  EXPECT_EQ(host_.reports(), (Reports{{Trouble::kNotRegistered, 2}}));
  expect_nothing();
  host_.indices = TitleIndices{.first_counter = 6000, .first_help = 6001};
  EXPECT_EQ(host_.open(), 0U);
  EXPECT_EQ(host_.objects(u"6000").objects.size(), 1U);
  expect_nothing(u"4000");
}

TEST_F(ExtensionTest, EachOpenReadsTheIndicesAnew) {
  publish_numbered(1);
  host_.indices = TitleIndices{.first_counter = 6000, .first_help = 6001};
  EXPECT_EQ(host_.open(), 0U);
  const BlockDigest block = host_.objects();
  ASSERT_EQ(block.objects.size(), 2U);
  EXPECT_EQ(block.objects[0].index, 6000U);
  EXPECT_EQ(block.objects[0].help_index, 6001U);
}

TEST_F(ExtensionTest, HasNoObjectsWithoutTheService) {
  publish_numbered(1);
  host_.section_error = 2;
  expect_nothing();
  expect_nothing(u"MetadataGlobal");
  EXPECT_EQ(host_.collect(u"Global", 0).code, 0U);
  EXPECT_EQ(host_.reports(), Reports{});
}

TEST_F(ExtensionTest, ReportsACauseOnceInFiveMinutes) {
  constexpr std::uint64_t kFiveMinutes = 300'000;
  host_.section_error = 5;
  expect_nothing();
  expect_nothing();
  EXPECT_EQ(host_.reports(), (Reports{{Trouble::kSection, 5}}));
  host_.tick = kFiveMinutes - 1;
  expect_nothing();
  EXPECT_EQ(host_.reports().size(), 1U);
  host_.tick = kFiveMinutes;
  host_.section_error = 1450;
  expect_nothing();
  EXPECT_EQ(host_.reports(), (Reports{{Trouble::kSection, 5}, {Trouble::kSection, 1450}}));
  // An earlier tick, as another thread may have read it.
  host_.tick = kFiveMinutes - 2;
  expect_nothing();
  EXPECT_EQ(host_.reports().size(), 2U);
  // Another cause has its own time.
  host_.indices.reset();
  EXPECT_EQ(host_.open(), 2U);
  EXPECT_EQ(host_.reports().size(), 3U);
}

TEST_F(ExtensionTest, AStateOfAnotherTimeIsNotShown) {
  publish_numbered(1);
  for (const std::int64_t distance : {std::int64_t{0}, kOldestState, -kOldestState}) {
    host_.now = kNow + distance;
    EXPECT_EQ(host_.collect().objects, 2U) << distance;
  }
  for (const std::int64_t now :
       {kNow + kOldestState + 1, kNow - kOldestState - 1, std::int64_t{0}, INT64_MAX, INT64_MIN}) {
    host_.now = now;
    expect_nothing();
  }
  EXPECT_EQ(host_.reports(), Reports{});
}

TEST_F(ExtensionTest, AStateThatIsBeingWrittenIsNotShown) {
  publish_numbered(1);
  const std::uint64_t number = publish_numbered(2);
  // A writer that died in the middle of the next one.
  const auto begun = [&](std::uint64_t of) -> Word& {
    return host_.section.words()[kHeadWords + of % 2 * kOwnCopyWords];
  };
  begun(number + 1).store(number + 1);
  BlockDigest block = host_.objects();
  ASSERT_EQ(block.objects.size(), 2U);
  EXPECT_EQ(block.objects[0].instances.at(0).values.at(0).value, number);
  begun(number).store(number + 2);
  expect_nothing();
  EXPECT_EQ(host_.reports(), Reports{});
  SectionWriter(host_.section.words()).publish(testing::numbered_state(1, kNow, 0));
  EXPECT_EQ(host_.collect().objects, 2U);
}

TEST_F(ExtensionTest, WhatIsWrittenOverWhileItIsReadIsNoReply) {
  publish_numbered(2);
  const SectionView view(host_.section.words());
  const auto state = view.newest();
  ASSERT_TRUE(state);
  const V1Request request{.query = {.exporter = true, .countersets = true}, .now = kNow};
  std::vector<std::byte> room(1 << 16);
  EXPECT_EQ(write_v1_reply(view, *state, request, room).outcome, ReplyOutcome::kWritten);
  publish_numbered(2);
  EXPECT_EQ(write_v1_reply(view, *state, request, room).outcome, ReplyOutcome::kWritten);
  publish_numbered(2);
  EXPECT_EQ(write_v1_reply(view, *state, request, room).outcome, ReplyOutcome::kChanged);
  EXPECT_EQ(write_v1_reply(view, *state, request, {}).outcome, ReplyOutcome::kChanged);
}

}  // namespace
}  // namespace winperf::own
