// What the extension understands of the text that a consumer passes.
#include "exporter/counters/v1_query.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exporter/counters/own_counters.h"

namespace winperf::own {
namespace {

constexpr std::uint32_t kQueryFirst = 4000;

std::u16string text_of(std::uint64_t number) {
  std::u16string text;
  for (const char digit : std::to_string(number)) text += static_cast<char16_t>(digit);
  return text;
}

const std::u16string kExporterIndex = text_of(kQueryFirst);
const std::u16string kCountersetIndex = text_of(kQueryFirst + title_offset(kCountersetObject));

std::string wanted(const std::u16string& text, std::uint32_t first = kQueryFirst) {
  const V1Query query = read_v1_query(text.c_str(), first);
  std::string names;
  if (query.exporter) names += "exporter ";
  if (query.countersets) names += "countersets ";
  if (query.metadata) names += "metadata ";
  EXPECT_EQ(query.wants_anything(), query.exporter || query.countersets);
  return names;
}

TEST(V1Query, GlobalAndNoTextWantBothObjects) {
  for (const char16_t* text :
       {u"Global", u"GLOBAL", u"global", u" \tGlobal", u"OLD_Global", u"old_gLOBAL", u"Global 2"})
    EXPECT_EQ(wanted(text), "exporter countersets ");
  const V1Query query = read_v1_query(nullptr, kQueryFirst);
  EXPECT_TRUE(query.exporter && query.countersets && !query.metadata);
}

TEST(V1Query, MetadataWantsDefinitions) {
  for (const char16_t* text : {u"MetadataGlobal", u"METADATAGLOBAL", u"OLD_MetadataGlobal"})
    EXPECT_EQ(wanted(text), "exporter countersets metadata ");
}

TEST(V1Query, IndicesWantTheirObjects) {
  EXPECT_EQ(wanted(kExporterIndex), "exporter ");
  EXPECT_EQ(wanted(kCountersetIndex), "countersets ");
  EXPECT_EQ(wanted(u"238 " + kCountersetIndex + u" 2 " + kExporterIndex), "exporter countersets ");
  EXPECT_EQ(wanted(u" \t" + kExporterIndex + u"\r\n"), "exporter ");
  EXPECT_EQ(wanted(u"000" + kExporterIndex + u" " + kExporterIndex), "exporter ");
  EXPECT_EQ(wanted(u"OLD_" + kExporterIndex), "exporter ");
}

TEST(V1Query, WordsThatAreNoIndicesAreIgnored) {
  for (const std::u16string& word : std::vector<std::u16string>{
           u"-1", u"+" + kCountersetIndex, u"0x10", kCountersetIndex + u"x", u"x", u"4294967295",
           u"4294967296", text_of(4294967296ULL + kQueryFirst + 68), text_of(UINT64_MAX),
           std::u16string(5000, u'9'), u"Global", u"\xFF10"})
    EXPECT_EQ(wanted(word + u" " + kExporterIndex),
              word == u"Global" ? "exporter countersets " : "exporter ");
}

TEST(V1Query, NumbersThatAreNoObjectsWantNothing) {
  // A counter's index isn't an object's, and 2^32 more isn't the same.
  EXPECT_EQ(wanted(text_of(kQueryFirst + 2)), "");
  EXPECT_EQ(wanted(text_of(4294967296ULL + kQueryFirst)), "");
  EXPECT_EQ(wanted(text_of(kQueryFirst + 1)), "");
  EXPECT_EQ(wanted(text_of(kQueryFirst - 2)), "");
}

TEST(V1Query, AnythingElseWantsNothing) {
  for (const std::u16string& text : std::vector<std::u16string>{u"",
                                                                u" ",
                                                                u"OLD_",
                                                                u"Costly",
                                                                u"OLD_Costly",
                                                                u"Costly " + kExporterIndex,
                                                                u"MetadataCostly",
                                                                u"OLD_MetadataCostly",
                                                                u"Foreign",
                                                                u"Foreign PC",
                                                                u"Foreign PC " + kExporterIndex,
                                                                u"FOREIGN " + kExporterIndex,
                                                                u"Globally",
                                                                u"Globa",
                                                                u"OLD_OLD_Global",
                                                                u"Counter 009",
                                                                u"Help",
                                                                u"Metadata",
                                                                u"399:",
                                                                u"2 4 230 238"})
    EXPECT_EQ(wanted(text), "") << ::testing::PrintToString(text);
}

// First Counter comes from the registry, where anything may stand.
TEST(V1Query, IndicesAtTheEndOfTheirRangeWrapAround) {
  EXPECT_EQ(wanted(u"4294967295", UINT32_MAX), "exporter ");
  EXPECT_EQ(wanted(text_of(title_offset(kCountersetObject) - 1), UINT32_MAX), "countersets ");
}

}  // namespace
}  // namespace winperf::own
