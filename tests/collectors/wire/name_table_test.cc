#include "collectors/wire/name_table.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "collectors/base/ascii.h"
#include "tests/support/captures.h"
#include "tests/support/name_table_bytes.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

using testing::ByteVector;
using testing::name_table_bytes;
using testing::strings;

using IndexedNames = std::map<std::uint32_t, std::string>;

IndexedNames names(const NameTable& table) {
  IndexedNames result;
  for (const NameTable::Entry& entry : table.entries()) result[entry.index] = entry.text;
  return result;
}

std::map<ErrorCode, std::size_t> problems(const NameTable& table) {
  std::map<ErrorCode, std::size_t> result;
  for (const NameTable::Problem& problem : table.problems())
    result[problem.first.code] = problem.count;
  return result;
}

using Problems = std::map<ErrorCode, std::size_t>;

const IndexedNames kSystemAndMemory{{2, "System"}, {4, "Memory"}};

TEST(NameTable, ReadsPairs) {
  const NameTable table = NameTable::parse(
      name_table_bytes({u"1", u"1847", u"2", u"System", u"4", u"Memory", u"6", u"% Zeit \u20ac"}));
  EXPECT_EQ(names(table), (IndexedNames{{2, "System"}, {4, "Memory"}, {6, "% Zeit \xE2\x82\xAC"}}));
  EXPECT_EQ(table.base_limit(), 1847U);
  EXPECT_EQ(problems(table), Problems{});
  ASSERT_NE(table.find(4), nullptr);
  EXPECT_EQ(*table.find(4), "Memory");
  EXPECT_EQ(table.find(1), nullptr) << "the header is no name";
  EXPECT_EQ(table.find(3), nullptr);
  EXPECT_EQ(table.find(0xFFFFFFFF), nullptr);
}

TEST(NameTable, EntriesAreInOrderOfTheIndex) {
  const NameTable table =
      NameTable::parse(name_table_bytes({u"8", u"h", u"2", u"b", u"4294967295", u"z", u"4", u"d"}));
  std::vector<std::uint32_t> indices;
  for (const NameTable::Entry& entry : table.entries()) indices.push_back(entry.index);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{2, 4, 8, 4294967295}));
}

TEST(NameTable, FindsAllIndicesOfANameWithoutRegardToCase) {
  const NameTable table = NameTable::parse(
      name_table_bytes({u"6", u"% Time", u"30", u"% TIME", u"10", u"% time ", u"8", u"% time"}));
  EXPECT_EQ(table.indices_of("% tIME"), (std::vector<std::uint32_t>{6, 8, 30}));
  EXPECT_TRUE(table.indices_of("time").empty());
  EXPECT_TRUE(table.indices_of("").empty());
}

TEST(NameTable, OnlyAsciiLettersCompareWithoutRegardToCase) {
  EXPECT_TRUE(equal_names("AZ az@[`{", "az AZ@[`{"));
  EXPECT_FALSE(equal_names("@", "`"));
  EXPECT_FALSE(equal_names("\xC3\x84", "\xC3\xA4"));
}

TEST(NameTable, NothingAtAllIsAnEmptyTable) {
  EXPECT_TRUE(NameTable::parse({}).entries().empty());
  EXPECT_TRUE(NameTable::parse(strings({u""})).entries().empty());
  EXPECT_TRUE(NameTable::parse(ByteVector(100)).problems().empty());
}

TEST(NameTable, MissingNulsAtTheEndAreNoProblem) {
  ByteVector bytes = strings({u"2", u"System", u"4", u"Memory"});
  EXPECT_EQ(names(NameTable::parse(bytes)), kSystemAndMemory);
  bytes.resize(bytes.size() - 2);
  const NameTable table = NameTable::parse(bytes);
  EXPECT_EQ(names(table), kSystemAndMemory);
  EXPECT_EQ(problems(table), Problems{});
}

TEST(NameTable, ByteOrderMarkIsSteppedOver) {
  const NameTable table =
      NameTable::parse(name_table_bytes({u"\uFEFF2", u"System", u"4", u"Memory"}));
  EXPECT_EQ(names(table), kSystemAndMemory);
  EXPECT_EQ(problems(table), Problems{});
}

TEST(NameTable, HalfAByteOrderMarkIsACharacterOfTheText) {
  for (const auto* const index : {u"\u01FF2", u"\uFE012"}) {
    const NameTable table = NameTable::parse(name_table_bytes({index, u"System", u"4", u"Memory"}));
    EXPECT_EQ(names(table), (IndexedNames{{4, "Memory"}}));
    EXPECT_EQ(problems(table), (Problems{{ErrorCode::kBadNumber, 2}}));
  }
}

TEST(NameTable, HalfACharacterAtTheEndIsCounted) {
  ByteVector bytes = strings({u"2", u"System", u"4", u"Memory"});
  bytes.resize(bytes.size() - 1);
  const NameTable table = NameTable::parse(bytes);
  EXPECT_EQ(names(table), kSystemAndMemory);
  EXPECT_EQ(problems(table), (Problems{{ErrorCode::kTruncated, 1}}));
  EXPECT_EQ(table.problems()[0].first.offset, bytes.size() - 1);
}

TEST(NameTable, AnIndexWithoutATextAtTheEndIsCounted) {
  const NameTable table = NameTable::parse(strings({u"2", u"System", u"4", u"Memory", u"6"}));
  EXPECT_EQ(names(table), kSystemAndMemory);
  EXPECT_EQ(problems(table), (Problems{{ErrorCode::kTruncated, 1}}));
}

TEST(NameTable, ALostIndexCostsItsPairAlone) {
  const NameTable table =
      NameTable::parse(name_table_bytes({u"2", u"System", u"Lost", u"4", u"Memory"}));
  EXPECT_EQ(names(table), kSystemAndMemory);
  EXPECT_EQ(problems(table), (Problems{{ErrorCode::kBadNumber, 1}}));
  EXPECT_EQ(table.problems()[0].first.offset, strings({u"2", u"System"}).size());
}

TEST(NameTable, ALostTextCostsItsPairAlone) {
  const NameTable table =
      NameTable::parse(name_table_bytes({u"2", u"System", u"3", u"4", u"Memory"}));
  EXPECT_EQ(names(table), kSystemAndMemory) << "3 is not called \"4\"";
  EXPECT_EQ(problems(table), (Problems{{ErrorCode::kTruncated, 1}}));
  EXPECT_EQ(table.problems()[0].first.offset, strings({u"2", u"System"}).size());
}

TEST(NameTable, ANameMayBeANumber) {
  const NameTable table = NameTable::parse(name_table_bytes({u"2", u"404", u"4", u"500"}));
  EXPECT_EQ(names(table), (IndexedNames{{2, "404"}, {4, "500"}}));
  EXPECT_EQ(problems(table), Problems{});
}

TEST(NameTable, TheHeaderHoldsWhereTheFirstIndexIsLost) {
  const NameTable table =
      NameTable::parse(name_table_bytes({u"1", u"1847", u"System", u"4", u"Memory"}));
  EXPECT_EQ(names(table), (IndexedNames{{4, "Memory"}}));
  EXPECT_EQ(table.base_limit(), 1847U);
}

TEST(NameTable, IndicesThatAreNoNumbersAreDroppedWithTheirTexts) {
  for (const auto* const index : {u"x", u"-2", u"+2", u" 2", u"2 ", u"0x2", u"4294967296",
                                  u"99999999999999999999", u"\u0662"}) {
    const NameTable table =
        NameTable::parse(name_table_bytes({index, u"Wrong", u"2", u"System", u"4", u"Memory"}));
    EXPECT_EQ(names(table), kSystemAndMemory);
    EXPECT_EQ(problems(table), (Problems{{ErrorCode::kBadNumber, 2}}));
  }
}

TEST(NameTable, AnEmptyTextIsNoNameAndNoDamage) {
  const NameTable table = NameTable::parse(name_table_bytes({u"3", u"", u"5", u"help", u"7", u""}));
  EXPECT_EQ(names(table), (IndexedNames{{5, "help"}}));
  EXPECT_EQ(problems(table), Problems{});
}

TEST(NameTable, OfARepeatedIndexTheFirstTextCounts) {
  const NameTable table = NameTable::parse(
      name_table_bytes({u"4", u"Memory", u"2", u"System", u"4", u"Other", u"4", u"Third"}));
  EXPECT_EQ(names(table), kSystemAndMemory);
  EXPECT_EQ(problems(table), (Problems{{ErrorCode::kDuplicateIndex, 2}}));
  EXPECT_EQ(table.problems()[0].first.offset, strings({u"4", u"Memory", u"2", u"System"}).size());
}

TEST(NameTable, ASecondHeaderIsARepeatedIndex) {
  const NameTable table = NameTable::parse(name_table_bytes({u"1", u"1847", u"1", u"9999"}));
  EXPECT_EQ(table.base_limit(), 1847U);
  EXPECT_TRUE(table.entries().empty());
  EXPECT_EQ(problems(table), (Problems{{ErrorCode::kDuplicateIndex, 1}}));
}

TEST(NameTable, LoneSurrogatesAreCountedAndTheTextIsKept) {
  const char16_t text[] = {u'a', 0xD800, u'b'};
  const NameTable table = NameTable::parse(name_table_bytes({u"2", {text, 3}}));
  EXPECT_EQ(names(table), (IndexedNames{{2,
                                         "a\xEF\xBF\xBD"
                                         "b"}}));
  EXPECT_EQ(problems(table), (Problems{{ErrorCode::kBadText, 1}}));
}

class RecordedNameTable : public testing::CaptureTest {
 protected:
  ByteVector bytes() const {
    return testing::read_file(captures_ / "vista-6000" / "counter-009.bin");
  }
};

TEST_F(RecordedNameTable, IsReadWithoutAProblem) {
  const NameTable table = NameTable::parse(bytes());
  EXPECT_EQ(problems(table), Problems{});
  EXPECT_EQ(table.entries().size(), 1838U);
  EXPECT_EQ(table.base_limit(), 1847U);
  EXPECT_EQ(*table.find(2), "System");
  EXPECT_EQ(*table.find(6), "% Processor Time");
  EXPECT_EQ(*table.find(238), "Processor");
  EXPECT_EQ(*table.find(4658), "DMA Buffer Submitted/Sec");
  EXPECT_EQ(table.indices_of("% processor time"), std::vector<std::uint32_t>{6});
  EXPECT_EQ(table.indices_of("No Name").size(), 35U);
}

TEST_F(RecordedNameTable, EveryTruncationIsASubset) {
  const ByteVector all = bytes();
  const IndexedNames whole = names(NameTable::parse(all));
  // Every length near the end and the start, and some between.
  const std::size_t step = 97 * testing::tried_every(5);
  for (std::size_t size = 0; size < all.size();
       size += size < 256 || all.size() - size < 256 ? 1 : step) {
    const ByteVector prefix(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    const NameTable table = NameTable::parse(prefix);
    // The recorded table is in order of its indices, so only the last text can be cut short.
    for (const NameTable::Entry& entry : table.entries()) {
      const auto known = whole.find(entry.index);
      ASSERT_NE(known, whole.end()) << entry.index << " in the first " << size << " bytes";
      const bool is_last = &entry == &table.entries().back();
      ASSERT_TRUE(is_last ? known->second.starts_with(entry.text) : known->second == entry.text)
          << entry.index << " in the first " << size << " bytes";
    }
  }
}

}  // namespace
}  // namespace winperf
