#include "collectors/capture/scrubber.h"

#include <gmock/gmock.h>

#include <set>

#include "collectors/sources/source.h"
#include "collectors/wire/block_view.h"
#include "tests/support/block_builder.h"

namespace winperf::capture {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::ObjectBuilder;

Bytes block_of(const std::vector<std::u16string>& names, std::u16string_view behind = {}) {
  ObjectBuilder object(230);
  object.counter({.index = 6});
  for (const std::u16string& name : names) object.instance({.name = name, .values = {1}});
  Bytes block = BlockBuilder().add(object).bytes();
  const auto bytes = std::as_bytes(std::span(behind));
  block.insert(block.end(), bytes.begin(), bytes.end());
  return block;
}

std::vector<std::string> names_in(const Bytes& block) {
  std::vector<std::string> names;
  const auto view = BlockView::parse(block);
  ObjectWalk objects = view->objects();
  while (const auto object = objects.next()) {
    InstanceWalk instances = (*object)->instances();
    while (const auto instance = instances.next()) names.push_back((*instance)->name().text);
  }
  return names;
}

TEST(Harmless, AreTotalsNumbersAndDriveLetters) {
  for (const char16_t* name :
       {u"", u"_Total", u"0,_Total", u"Idle", u"0", u"0,12", u"C:", u"0 C: D:", u"1:2"})
    EXPECT_TRUE(is_harmless(name));
  for (const char16_t* name :
       {u"explorer", u"acme_Total", u"C", u"sql:1", u"HarddiskVolume1", u"\u00e4", u"idler"})
    EXPECT_FALSE(is_harmless(name));
}

TEST(Scrubber, TheSameName_IsReplacedByTheSame) {
  Scrubber scrubber;
  Bytes first = block_of({u"chrome", u"_Total", u"Chrome", u"secret"});
  Bytes second = block_of({u"secret", u"chrome"});
  ASSERT_TRUE(scrubber.scrub_block(first));
  ASSERT_TRUE(scrubber.scrub_block(second));
  const auto names = names_in(first);
  EXPECT_THAT(names, ElementsAre(names[0], "_Total", names[0], names[3]));
  EXPECT_NE(names[0], names[3]);
  EXPECT_EQ(names[0].size(), 6u);
  EXPECT_THAT(names_in(second), ElementsAre(names[3], names[0]));
}

TEST(Scrubber, ManyNames_StayDifferent) {
  std::vector<std::u16string> names;
  for (char16_t a = u'a'; a <= u'z'; ++a)
    for (char16_t b = u'a'; b <= u'z'; ++b) names.push_back({u'q', a, b});
  Bytes block = block_of(names);
  Scrubber scrubber;
  ASSERT_TRUE(scrubber.scrub_block(block));
  const auto replaced = names_in(block);
  EXPECT_EQ(std::set<std::string>(replaced.begin(), replaced.end()).size(), names.size());
}

TEST(Scrubber, BytesLeftBehind_AreSearched) {
  Scrubber scrubber;
  Bytes block = block_of({u"secret"}, u"...SECRET...");
  ASSERT_TRUE(scrubber.scrub_block(block));
  const std::string bytes(reinterpret_cast<const char*>(block.data()), block.size());
  EXPECT_EQ(bytes.find(std::string("s\0e\0c\0", 6)), std::string::npos);
  EXPECT_EQ(bytes.find(std::string("S\0E\0C\0", 6)), std::string::npos);
}

TEST(Scrubber, BytesLeftBehindInAnsi_AreSearched) {
  Scrubber scrubber;
  Bytes block = block_of({u"secret"});
  const std::string_view behind = "...SECRET...";
  const auto bytes = std::as_bytes(std::span(behind));
  block.insert(block.end(), bytes.begin(), bytes.end());
  ASSERT_TRUE(scrubber.scrub_block(block));
  const std::string text(reinterpret_cast<const char*>(block.data()), block.size());
  EXPECT_EQ(text.find("SECRET"), std::string::npos);
}

TEST(Scrubber, BytesBehindTheEndOfAName_AreZeroed) {
  Scrubber scrubber;
  Bytes block =
      block_of({std::u16string(u"cmd\0secret", 10), std::u16string(u"_Total\0secret", 13)});
  ASSERT_TRUE(scrubber.scrub_block(block));
  EXPECT_EQ(names_in(block)[1], "_Total");
  const std::string bytes(reinterpret_cast<const char*>(block.data()), block.size());
  EXPECT_EQ(bytes.find(std::string("e\0c\0r\0", 6)), std::string::npos);
}

TEST(Scrubber, NamesThatArePartsOfOthers_LeaveThemAlone) {
  Scrubber scrubber;
  Bytes first = block_of({u"_Total", u"0,_Total", u"Total", u"server", u"sqlserver"});
  Bytes second = first;
  ASSERT_TRUE(scrubber.scrub_block(first));
  ASSERT_TRUE(scrubber.scrub_block(second));
  EXPECT_EQ(names_in(first)[0], "_Total");
  EXPECT_EQ(names_in(first)[1], "0,_Total");
  EXPECT_EQ(names_in(first), names_in(second));
  Scrubber again;
  Bytes third = first;
  ASSERT_TRUE(again.scrub_block(third));
  EXPECT_EQ(names_in(third)[0], "_Total");
}

TEST(Scrubber, WhatCanNotBeFollowed_IsRefused) {
  Scrubber scrubber;
  const Bytes block = block_of({u"secret", u"other"});
  for (std::size_t bytes = 0; bytes < block.size(); ++bytes) {
    Bytes cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(bytes));
    EXPECT_FALSE(scrubber.scrub_block(cut)) << bytes;
  }
  Bytes empty;
  EXPECT_FALSE(scrubber.scrub_v2_data(empty));
}

}  // namespace
}  // namespace winperf::capture
