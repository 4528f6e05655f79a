#include "collectors/sources/value_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;

TEST(IndexList, JoinsIndicesByOneBlank) {
  const ObjectIndex objects[] = {ObjectIndex{238}, ObjectIndex{2}, ObjectIndex{4294967295U}};
  EXPECT_EQ(index_list(objects), "238 2 4294967295");
  EXPECT_EQ(index_list(std::span(objects).first(1)), "238");
  EXPECT_EQ(index_list({}), "");
}

TEST(IndexList, NamesEachObjectOnce) {
  const ObjectIndex objects[] = {ObjectIndex{4}, ObjectIndex{2}, ObjectIndex{4}, ObjectIndex{2}};
  EXPECT_EQ(index_list(objects), "4 2");
}

TEST(ListingValueName, CoversEveryScope) {
  struct Row {
    ListingScope scope;
    std::string_view name;
  };
  const Row rows[] = {
      {{.metadata = false, .v1_only = false, .costly = false}, "Global"},
      {{.metadata = false, .v1_only = true, .costly = false}, "OLD_Global"},
      {{.metadata = false, .v1_only = false, .costly = true}, "Costly"},
      {{.metadata = false, .v1_only = true, .costly = true}, "Costly"},
      {{.metadata = true, .v1_only = false, .costly = false}, "MetadataGlobal"},
      {{.metadata = true, .v1_only = true, .costly = false}, "OLD_MetadataGlobal"},
      {{.metadata = true, .v1_only = false, .costly = true}, "MetadataCostly"},
      {{.metadata = true, .v1_only = true, .costly = true}, "OLD_MetadataCostly"},
  };
  for (const Row& row : rows) EXPECT_EQ(listing_value_name(row.scope), row.name);
}

TEST(IndexList, IsReadAsItIsWritten) {
  using Objects = std::vector<ObjectIndex>;
  EXPECT_EQ(indices_in("2"), (Objects{ObjectIndex{2}}));
  EXPECT_EQ(indices_in("238 2 4294967295"),
            (Objects{ObjectIndex{238}, ObjectIndex{2}, ObjectIndex{4294967295}}));
  for (const char* const other : {"", "Global", "2 Global", "2x", "4294967296", "-2", " 2", "2  4"})
    EXPECT_EQ(indices_in(other), std::nullopt) << other;
}

TEST(TextNames, UseThePrimaryLanguageAlone) {
  EXPECT_THAT(text_value_names(TextTable::kCounter, kEnglishLanguageId),
              ElementsAre("Counter 009"));
  EXPECT_THAT(text_value_names(TextTable::kHelp, 0x0409), ElementsAre("Help 009"));
  EXPECT_THAT(text_value_names(TextTable::kCounter, 0x0C0A), ElementsAre("Counter 00A"));
  EXPECT_EQ(text_file_name(TextTable::kCounter, 0x0407), "perfc007.dat");
  EXPECT_EQ(text_file_name(TextTable::kHelp, 0x0411), "perfh011.dat");
}

TEST(TextNames, UseTheFullIdForChineseAndPortuguese) {
  EXPECT_THAT(text_value_names(TextTable::kCounter, 0x0416),
              ElementsAre("Counter 416", "Counter 0416"));
  EXPECT_THAT(text_value_names(TextTable::kHelp, 0x0804), ElementsAre("Help 804", "Help 0804"));
  EXPECT_THAT(text_value_names(TextTable::kHelp, 0x0404), ElementsAre("Help 404", "Help 0404"));
  EXPECT_EQ(text_file_name(TextTable::kCounter, 0x0816), "prfc0816.dat");
  EXPECT_EQ(text_file_name(TextTable::kHelp, 0x0804), "prfh0804.dat");
}

TEST(TextNames, TakeAPrimaryLanguageWithoutACountry) {
  EXPECT_THAT(text_value_names(TextTable::kCounter, 0x0016), ElementsAre("Counter 016"));
  EXPECT_EQ(text_file_name(TextTable::kCounter, 0x0004), "perfc004.dat");
}

TEST(TextNames, AreThoseOfTheKeysBelowPerflib) {
  EXPECT_THAT(text_table_keys(kEnglishLanguageId), ElementsAre("009"));
  EXPECT_THAT(text_table_keys(0x0407), ElementsAre("007"));
  EXPECT_THAT(text_table_keys(0x0416), ElementsAre("416", "0416"));
}

TEST(LanguageId, IsFourDigitsOfTheRegistry) {
  EXPECT_EQ(parse_language_id("0407"), 0x0407);
  EXPECT_EQ(parse_language_id("0C0A"), 0x0C0A);
  EXPECT_EQ(parse_language_id("0c0a"), 0x0C0A);
  EXPECT_EQ(parse_language_id("00000409"), 0x0409) << "as Nls\\Locale has it";
  for (const char* const other : {"", "0", "0000", "10000", "-407", "+407", "0x0407", " 0407",
                                  "0407 ", "german", "000000409"})
    EXPECT_EQ(parse_language_id(other), std::nullopt) << other;
}

}  // namespace
}  // namespace winperf
