#include "collectors/wire/v2/data_view.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/simulator/v2_bytes.h"
#include "tests/support/block_builder.h"

namespace winperf::v2 {
namespace {

using simulator::Bytes;
using testing::with_field;

TEST(NextBlock, BeginsExactlyAfterTheSizeUnlessOnlyThePaddedPlaceIsSound) {
  struct Row {
    std::size_t container, size;
    std::set<std::size_t> sound;  // places at which a block can begin
    std::size_t begins;
    bool padding_left_out;
  };
  for (const Row& row : {
           Row{64, 16, {}, 16, false},        // a multiple of 8 has no padding
           Row{64, 16, {24}, 16, false},      //
           Row{64, 12, {12}, 12, false},      // as documented
           Row{64, 12, {12, 16}, 12, false},  //
           Row{64, 12, {16}, 16, true},       // padded, and the size says 12
           Row{64, 12, {}, 12, false},        // neither: the exact place is reported
           Row{64, 9, {16}, 16, true},        //
           Row{64, 15, {16}, 16, true},       //
           Row{64, 17, {24}, 24, true},       //
           Row{16, 12, {16}, 16, true},       // the padding is the end
           Row{15, 12, {16}, 12, false},      // there is no room for padding
           Row{12, 12, {}, 12, false},        //
       }) {
    const Bytes bytes(row.container);
    const ByteView container(bytes, "test");
    const NextBlock next = next_block(container, row.size, [&](const ByteView& rest) {
      return row.sound.contains(static_cast<std::size_t>(rest.offset()));
    });
    EXPECT_EQ(next.rest.offset(), row.begins) << row.container << ' ' << row.size;
    EXPECT_EQ(next.rest.size(), row.container - row.begins);
    EXPECT_EQ(next.padding_left_out, row.padding_left_out);
  }
}

bool is_result(const Bytes& bytes) { return is_sound_result(ByteView(bytes, "test")); }

TEST(SoundResult, HasAKnownKindAndASizeWithinTheBytes) {
  const Bytes good = simulator::error_result(5);
  EXPECT_TRUE(is_result(good));
  for (const std::uint32_t kind : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U})
    EXPECT_EQ(is_result(with_field(good, 4, kind)), kind < 3 || kind == 4 || kind == 6) << kind;
  for (const std::uint32_t size : {0U, 15U, 16U, 17U, 0xFFFF'FFFFU})
    EXPECT_EQ(is_result(with_field(good, 8, size)), size == 16) << size;
  EXPECT_FALSE(is_result(Bytes(good.begin(), good.end() - 1)));
}

// The bytes after the ids of a result with so many counters.
Bytes rows_of(std::size_t counters, const std::vector<std::u16string>& names, bool has_instances) {
  simulator::CountersetDefinition set;
  simulator::ResultTable table{.counterset = set, .columns = {}, .rows = {}};
  for (std::uint32_t i = 0; i < counters; ++i) {
    set.counters.push_back({.id = i});
    table.columns.push_back(i);
  }
  for (const std::u16string& name : names)
    table.rows.push_back({name, 0, std::vector<std::uint64_t>(counters)});
  table.has_instances = has_instances;
  const Bytes result = simulator::table_result(table);
  const std::size_t ids = 8 + (counters + 1) / 2 * 8;
  return {result.begin() + static_cast<std::ptrdiff_t>(16 + ids), result.end()};
}

bool are_rows(const Bytes& bytes, bool has_instances, std::size_t columns) {
  return are_sound_rows(ByteView(bytes, "test"), has_instances, columns);
}

TEST(SoundRows, HaveAValueForEveryColumnOfEveryRow) {
  for (const std::size_t counters : {0U, 1U, 2U, 3U}) {
    const Bytes single = rows_of(counters, {u""}, false);
    EXPECT_TRUE(are_rows(single, false, counters));
    EXPECT_FALSE(are_rows(single, false, counters + 1));
    for (const auto& names : std::vector<std::vector<std::u16string>>{{}, {u"a"}, {u"a", u"b"}}) {
      const Bytes many = rows_of(counters, names, true);
      EXPECT_TRUE(are_rows(many, true, counters));
      EXPECT_EQ(are_rows(many, true, counters + 1), names.empty());
      EXPECT_FALSE(are_rows(with_field(many, 4, static_cast<std::uint32_t>(names.size() + 1)), true,
                            counters))
          << "one row more";
    }
  }
}

TEST(SoundRows, HaveLengthsThatNest) {
  const Bytes rows = rows_of(1, {u"a"}, true);
  constexpr std::size_t kList = 0, kInstance = 8, kDataSize = 24, kValue = 28;
  const auto size = static_cast<std::uint32_t>(rows.size());
  for (const auto& [at, least, most] :
       std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>>{
           {kList, size, size}, {kInstance, 16, 16}, {kValue, 16, 16}, {kDataSize, 0, 8}}) {
    EXPECT_TRUE(are_rows(with_field(rows, at, least), true, 1)) << at;
    EXPECT_TRUE(are_rows(with_field(rows, at, most), true, 1)) << at;
    if (least > 0) {
      EXPECT_FALSE(are_rows(with_field(rows, at, least - 1), true, 1)) << at;
    }
    EXPECT_FALSE(are_rows(with_field(rows, at, most + 1), true, 1)) << at;
    EXPECT_FALSE(are_rows(with_field(rows, at, 0xFFFF'FFFF), true, 1)) << at;
  }
}

TEST(SoundRows, HaveNamesThatEnd) {
  const Bytes rows = rows_of(1, {u"abc"}, true);
  EXPECT_TRUE(are_rows(rows, true, 1));
  EXPECT_FALSE(are_rows(with_field(rows, 8 + 8 + 4, 0x0064'0063), true, 1));
}

TEST(SoundRows, OfAValueTakeAtLeastEightBytesOfData) {
  // A value whose block has eight bytes for its header and none for the data.
  Bytes rows = rows_of(1, {u""}, false);
  EXPECT_TRUE(are_rows(rows, false, 1));
  for (const std::uint32_t size : {8U, 15U}) {
    Bytes small = with_field(with_field(rows, 0, 0), 4, size);
    EXPECT_FALSE(are_rows(small, false, 1)) << size;
  }
}

}  // namespace
}  // namespace winperf::v2
