// Where the names of a built buffer are, and which of its bytes have no meaning.
#include "collectors/capture/scrubber.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/wire/v1_format.h"
#include "tests/simulator/v2_bytes.h"
#include "tests/support/block_builder.h"

namespace winperf::capture {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ObjectBuilder;
using testing::with_field;

using Bytes = std::vector<std::byte>;
using Part = std::pair<std::size_t, std::size_t>;  // where it begins, and its bytes

std::vector<Part> parts(const Bytes& buffer, const std::vector<std::span<std::byte>>& spans) {
  std::vector<Part> all;
  for (const auto span : spans)
    all.emplace_back(static_cast<std::size_t>(span.data() - buffer.data()), span.size());
  return all;
}
std::vector<Part> names(const Bytes& buffer, const NamePlaces& places) {
  std::vector<std::span<std::byte>> spans;
  for (const NamePlace& place : places.names) spans.push_back(place.bytes);
  return parts(buffer, spans);
}

TEST(PlacesInBlock, AreTheComputersNameAndThoseOfTheInstances) {
  auto built = BlockBuilder()
                   .computer_name(u"HOST")
                   .add(ObjectBuilder(2).counter({.index = 8}).single({1}))
                   .add(ObjectBuilder(4)
                            .counter({.index = 8})
                            .instance({.name = u"ab"})
                            .instance({})
                            .instance({.name = u"abcdef"}))
                   .build();
  const auto places = places_in_block(built.bytes);
  ASSERT_TRUE(places);
  const auto& instances = built.objects[1].instances;
  const std::size_t computer = v1::block::kBytes;
  EXPECT_THAT(names(built.bytes, *places),
              ElementsAre(Part(computer, 10), Part(instances[0].offset + 24, 6),
                          Part(instances[2].offset + 24, 14)));
  for (const NamePlace& place : places->names) EXPECT_EQ(place.character_bytes, 2U);
  // The padding after a name.
  EXPECT_THAT(parts(built.bytes, places->to_clear),
              ElementsAre(Part(instances[0].offset + 30, 2), Part(instances[2].offset + 38, 2)));
  EXPECT_THAT(places->damage, IsEmpty());
}

TEST(PlacesInBlock, WithACodePageACharacterHasOneByte) {
  auto bytes =
      BlockBuilder()
          .add(ObjectBuilder(4).code_page(1252).counter({.index = 8}).instance({.name = u"abc"}))
          .bytes();
  const auto places = places_in_block(bytes);
  ASSERT_TRUE(places);
  EXPECT_EQ(places->names.at(0).character_bytes, 2U) << "the computer's";
  EXPECT_EQ(places->names.at(1).character_bytes, 1U);
  EXPECT_EQ(places->names.at(1).bytes.size(), 4U);
}

TEST(PlacesInBlock, AComputersNameOutOfItsPlaceIsNone) {
  auto built = BlockBuilder().computer_name(u"HOST").build();
  const std::size_t header = built.bytes.size();
  const std::size_t room = header - v1::block::kBytes;
  struct Row {
    std::uint32_t offset, length;
    bool found;
  };
  const auto u32 = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
  for (const Row& row : {Row{u32(v1::block::kBytes), u32(room), true},
                         Row{u32(v1::block::kBytes), u32(room) + 1, false},
                         Row{u32(v1::block::kBytes) - 1, 4, false}, Row{u32(header), 0, true},
                         Row{u32(header) + 1, 0, false}, Row{0xFFFF'FFFF, 0xFFFF'FFFF, false}}) {
    Bytes bytes = with_field(built.bytes, v1::block::kSystemNameOffset.offset, row.offset);
    bytes = with_field(bytes, v1::block::kSystemNameLength.offset, row.length);
    const auto places = places_in_block(bytes);
    ASSERT_TRUE(places);
    EXPECT_EQ(places->names.size(), row.found ? 1U : 0U) << row.offset << ' ' << row.length;
  }
}

TEST(PlacesInBlock, ANameWithinTheDefinitionsHeaderIsNone) {
  const auto built =
      BlockBuilder().add(ObjectBuilder(4).counter({.index = 8}).instance({.name = u"abc"})).build();
  const std::size_t instance = built.objects[0].instances[0].offset;
  for (const std::uint32_t offset : {23U, 24U, 25U}) {
    Bytes bytes = with_field(built.bytes, instance + v1::instance::kNameOffset.offset, offset);
    bytes = with_field(bytes, instance + v1::instance::kNameLength.offset, 6);
    const auto places = places_in_block(bytes);
    ASSERT_TRUE(places);
    EXPECT_EQ(places->names.size(), offset < 24 ? 1U : 2U) << offset;
    // Either way nothing after the name, or after the header, is left.
    const Part expected(instance + (offset < 24 ? 24 : offset + 6),
                        offset < 24 ? 8 : 8 - 6 - (offset - 24));
    EXPECT_EQ(parts(bytes, places->to_clear).front(), expected);
  }
}

TEST(PlacesInBlock, BytesAfterTheLastInstanceAndTheLastObjectAreToClear) {
  auto built = BlockBuilder()
                   .add(ObjectBuilder(4).counter({.index = 8}).instance({.name = u"abc"}).slack(16))
                   .trailing(24)
                   .build();
  const auto places = places_in_block(built.bytes);
  ASSERT_TRUE(places);
  const std::size_t end = built.bytes.size();
  EXPECT_THAT(parts(built.bytes, places->to_clear),
              ElementsAre(Part(end - 40, 16), Part(end - 24, 24)));
}

TEST(PlacesInBlock, ADamagedObjectIsClearedToTheNextOneIfItsLengthLeadsThere) {
  const auto built = BlockBuilder()
                         .add(ObjectBuilder(2).counter({.index = 8}).instance({.name = u"a"}))
                         .add(ObjectBuilder(4).counter({.index = 8}).instance({.name = u"b"}))
                         .build();
  const std::size_t first = built.objects[0].offset, second = built.objects[1].offset;
  Bytes bytes = built.with(first + v1::object::kHeaderLength.offset, 1);
  const auto places = places_in_block(bytes);
  ASSERT_TRUE(places);
  EXPECT_EQ(places->damage.size(), 1U);
  EXPECT_EQ(parts(bytes, places->to_clear).front(),
            Part(first + v1::object::kBytes, second - first - v1::object::kBytes));
  EXPECT_EQ(places->names.size(), 2U) << "the computer's and the second object's";
  Bytes lost = built.with(first + v1::object::kTotalByteLength.offset, 0x7FFF'FFFF);
  const auto rest = places_in_block(lost);
  ASSERT_TRUE(rest);
  EXPECT_EQ(parts(lost, rest->to_clear).front(),
            Part(first + v1::object::kBytes, lost.size() - first - v1::object::kBytes));
  EXPECT_EQ(rest->names.size(), 1U);
}

const simulator::CountersetDefinition kSet{.counters = {{.id = 1}}};

Bytes v2_reply(const std::vector<simulator::InstanceValues>& rows, bool has_instances = true,
               simulator::Padding padding = simulator::Padding::kCounted) {
  const std::vector<simulator::Bytes> results{
      simulator::error_result(5), simulator::table_result({.counterset = kSet,
                                                           .columns = {0},
                                                           .rows = rows,
                                                           .has_instances = has_instances,
                                                           .padding = padding})};
  return simulator::data_reply({}, results, padding);
}

// Data header, error result, and of the table: header, ids and the list's header.
constexpr std::size_t kFirstInstance = 48 + 16 + 16 + 16 + 8;
constexpr std::size_t kRow = 8 + 8 + 16;  // with a name of up to three characters

TEST(PlacesInV2Data, AreThoseOfTheInstances) {
  Bytes bytes = v2_reply({{u"abc", 1, {7}}, {u"de", 2, {8}}});
  const auto places = places_in_v2_data(bytes);
  ASSERT_TRUE(places);
  EXPECT_THAT(names(bytes, *places),
              ElementsAre(Part(kFirstInstance + 8, 8), Part(kFirstInstance + kRow + 8, 8)));
  for (const NamePlace& place : places->names) EXPECT_EQ(place.character_bytes, 2U);
  EXPECT_THAT(places->damage, IsEmpty());
  Bytes single = v2_reply({{.values = {7}}}, false);
  const auto none = places_in_v2_data(single);
  ASSERT_TRUE(none);
  EXPECT_THAT(none->names, IsEmpty());
  EXPECT_THAT(none->to_clear, IsEmpty());
}

TEST(PlacesInV2Data, AfterADamagedInstanceEverythingIsToClear) {
  Bytes bytes = with_field(v2_reply({{u"abc", 1, {7}}, {u"de", 2, {8}}}), kFirstInstance + kRow, 4);
  const auto places = places_in_v2_data(bytes);
  ASSERT_TRUE(places);
  EXPECT_EQ(places->damage.size(), 1U);
  EXPECT_THAT(names(bytes, *places), ElementsAre(Part(kFirstInstance + 8, 8)));
  const std::size_t from = kFirstInstance + kRow;
  const Part cleared = parts(bytes, places->to_clear).at(0);
  EXPECT_GE(cleared.first, from - 4) << "the value of the row before stays";
  EXPECT_LE(cleared.first, from + 8);
  EXPECT_EQ(cleared.first + cleared.second, bytes.size());
}

TEST(PlacesInV2Data, ADamagedResultLosesItsContentAndKeepsItsHeader) {
  Bytes bytes = with_field(v2_reply({{u"abc", 1, {7}}}), 48 + 16 + 4, 77);  // dwType
  const auto places = places_in_v2_data(bytes);
  ASSERT_TRUE(places);
  EXPECT_EQ(places->damage.size(), 1U);
  EXPECT_THAT(parts(bytes, places->to_clear),
              ElementsAre(Part(48 + 16 + 16, bytes.size() - 48 - 16 - 16)));
  bytes = with_field(v2_reply({{u"abc", 1, {7}}}), 48 + 8, 4);  // dwSize of the first one
  const auto lost = places_in_v2_data(bytes);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->damage.size(), 1U);
  EXPECT_THAT(parts(bytes, lost->to_clear), ElementsAre(Part(48 + 16, bytes.size() - 48 - 16)));
}

TEST(PlacesInV2Data, BytesAfterTheLastInstanceAreToClear) {
  Bytes bytes = v2_reply({{u"abc", 1, {7}}});
  const std::size_t end = bytes.size(), result = 48 + 16;
  bytes.resize(end + 24);
  bytes = with_field(bytes, 0, static_cast<std::uint32_t>(end + 24));  // dwTotalSize
  bytes = with_field(bytes, result + 8, static_cast<std::uint32_t>(end + 24 - result));  // dwSize
  const auto places = places_in_v2_data(bytes);
  ASSERT_TRUE(places);
  EXPECT_THAT(names(bytes, *places), ElementsAre(Part(kFirstInstance + 8, 8)));
  const Part cleared = parts(bytes, places->to_clear).back();
  EXPECT_LE(cleared.first, end);
  EXPECT_EQ(cleared.first + cleared.second, end + 24);
}

TEST(PlacesInV2Data, BytesAfterTheReplyAreToClear) {
  Bytes bytes = v2_reply({{u"abc", 1, {7}}});
  const std::size_t end = bytes.size();
  bytes.resize(end + 24);
  const auto places = places_in_v2_data(bytes);
  ASSERT_TRUE(places);
  EXPECT_EQ(parts(bytes, places->to_clear).back(), Part(end, 24));
}

}  // namespace
}  // namespace winperf::capture
