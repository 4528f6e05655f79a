#include "collectors/capture/scrubber.h"

#include <gmock/gmock.h>

#include "collectors/sources/source.h"
#include "collectors/wire/block_view.h"
#include "tests/support/block_builder.h"
#include "tests/support/narrowed.h"

namespace winperf::capture {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::narrowed;
using testing::ObjectBuilder;
using ::testing::SizeIs;

ObjectBuilder object_of(const std::vector<std::u16string>& names) {
  ObjectBuilder object(230);
  object.counter({.index = 6});
  for (const std::u16string& name : names) object.instance({.name = name, .values = {1}});
  return object;
}

Bytes block_with_names(const std::vector<std::u16string>& names) {
  return BlockBuilder().add(object_of(names)).bytes();
}

// An object without instances whose counter is a text.
Bytes block_with_text(std::span<const std::byte> text) {
  std::vector<std::uint64_t> values((text.size() + 7) / 8);
  std::memcpy(values.data(), text.data(), text.size());
  ObjectBuilder object(231);
  for (std::uint32_t i = 0; i < values.size(); ++i)
    object.counter({.index = 8 + 2 * i, .type = 0x00010100, .size = 8});
  return BlockBuilder().add(object.single(values)).bytes();
}

// As a capture is scrubbed: learnt from as a whole first.
std::vector<Error> scrub(Scrubber& scrubber, std::vector<Bytes*> blocks) {
  std::vector<NamePlaces> places;
  std::vector<Error> damage;
  for (Bytes* const block : blocks) {
    places.push_back(places_in_block(*block).value());
    scrubber.learn(places.back());
    damage.insert(damage.end(), places.back().damage.begin(), places.back().damage.end());
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) scrubber.scrub(*blocks[i], places[i]);
  return damage;
}

std::vector<std::string> names_in(const Bytes& block) {
  std::vector<std::string> names;
  const auto view = BlockView::parse(block);
  ObjectWalk objects = view->objects();
  while (const auto object = objects.next()) {
    if (!*object) continue;
    InstanceWalk instances = (*object)->instances();
    while (const auto instance = instances.next())
      if (*instance) names.push_back((*instance)->name().text);
  }
  return names;
}

bool holds(const Bytes& block, std::span<const std::byte> part) {
  return !std::ranges::search(block, part).empty();
}
bool holds(const Bytes& block, std::u16string_view text) {
  return holds(block, std::as_bytes(std::span(text)));
}
bool holds(const Bytes& block, std::string_view text) {
  return holds(block, std::as_bytes(std::span(text)));
}

void overwrite(Bytes& block, std::size_t offset, std::u16string_view text) {
  std::memcpy(&block.at(offset + text.size() * 2 - 1) - (text.size() * 2 - 1), text.data(),
              text.size() * 2);
}

TEST(Scrubber, TheSameName_IsReplacedByTheSame) {
  Scrubber scrubber;
  Bytes first = block_with_names({u"chrome", u"_Total", u"Chrome", u"secret"});
  Bytes second = block_with_names({u"secret", u"chrome"});
  EXPECT_THAT(scrub(scrubber, {&first, &second}), IsEmpty());
  const auto names = names_in(first);
  EXPECT_THAT(names, ElementsAre(names[0], "_Total", names[0], names[3]));
  EXPECT_NE(names[0], "chrome");
  EXPECT_NE(names[0], names[3]);
  EXPECT_THAT(names_in(second), ElementsAre(names[3], names[0]));
}

TEST(Scrubber, NamesOfOneByteACharacter_AreReplacedByTheSame) {
  Scrubber scrubber;
  Bytes wide = block_with_names({u"secret"});
  Bytes narrow = BlockBuilder().add(object_of({u"Secret"}).code_page(1252)).bytes();
  scrub(scrubber, {&wide, &narrow});
  EXPECT_EQ(names_in(wide), names_in(narrow));
  EXPECT_FALSE(holds(narrow, "Secret"));
}

TEST(Scrubber, TextsThatNameAnInstance_AreReplaced) {
  const std::u16string wide = u"see SECRET.";
  const std::string narrow = "see Secret.";
  // The name comes in the second buffer only.
  Bytes first = block_with_text(std::as_bytes(std::span(wide)));
  Bytes second = block_with_names({u"secret"});
  Bytes third = block_with_text(std::as_bytes(std::span(narrow)));
  ASSERT_TRUE(holds(first, u"SECRET"));
  ASSERT_TRUE(holds(third, "Secret"));
  Scrubber scrubber;
  scrub(scrubber, {&first, &second, &third});
  EXPECT_FALSE(holds(first, u"SECRET"));
  EXPECT_TRUE(holds(first, u"see "));
  EXPECT_FALSE(holds(third, "Secret"));
  EXPECT_TRUE(holds(third, "see "));
  EXPECT_EQ(scrubber.leftovers(), 2u);
}

// A buffer of UTF-16 text with one name in its place.
std::u16string scrubbed(std::u16string text, std::size_t at, std::size_t length,
                        std::uint64_t leftovers) {
  Scrubber scrubber;
  scrubber.learn(u"alpha");
  scrubber.learn(u"secret");
  const auto bytes = std::as_writable_bytes(std::span(text));
  const NamePlaces places{
      .names = {{.bytes = bytes.subspan(2 * at, 2 * length)}}, .to_clear = {}, .damage = {}};
  scrubber.scrub(bytes, places);
  EXPECT_EQ(scrubber.leftovers(), leftovers);
  return text;
}

TEST(Scrubber, LeftoversThatTouchAName_AreReplacedAndPartsOfItAreNot) {
  const auto has = [](const std::u16string& text, std::u16string_view part) {
    return text.find(part) != std::u16string::npos;
  };
  EXPECT_FALSE(has(scrubbed(u"alphasecret", 0, 5, 1), u"secret")) << "right after it";
  EXPECT_FALSE(has(scrubbed(u"secretalpha", 6, 5, 1), u"secret")) << "right before it";
  EXPECT_TRUE(has(scrubbed(u"mysecretary", 0, 11, 0), u"mysecretary")) << "within it";
  EXPECT_TRUE(has(scrubbed(u"the secretary", 4, 9, 0), u"secretary")) << "at its beginning";
  EXPECT_TRUE(has(scrubbed(u"top secret.", 0, 10, 0), u"top secret")) << "at its end";
  // Half of it in the name, half beside it.
  EXPECT_TRUE(has(scrubbed(u"xxsecretxx", 0, 4, 0), u"secret"));
  EXPECT_TRUE(has(scrubbed(u"xxsecretxx", 6, 4, 0), u"secret"));
}

TEST(Scrubber, ShortNames_AreReplacedInTheirPlacesOnly) {
  struct Row {
    std::u16string name;
    bool wide, narrow;  // whether it is replaced elsewhere
  };
  for (const Row& row : {Row{u"abc", false, false}, Row{u"abcd", true, false},
                         Row{u"abcde", true, false}, Row{u"abcdef", true, true}}) {
    const std::string narrow = narrowed(row.name);
    Bytes wide_block = block_with_text(std::as_bytes(std::span(row.name)));
    Bytes narrow_block = block_with_text(std::as_bytes(std::span(narrow)));
    const std::string odd = "x" + narrow;
    Bytes odd_block = block_with_text(std::as_bytes(std::span(odd)));
    Scrubber scrubber;
    scrubber.learn(row.name);
    scrub(scrubber, {&wide_block, &narrow_block, &odd_block});
    EXPECT_EQ(holds(wide_block, row.name), !row.wide) << narrow;
    EXPECT_EQ(holds(narrow_block, narrow), !row.narrow) << narrow;
    EXPECT_EQ(holds(odd_block, narrow), !row.narrow) << narrow;
  }
}

TEST(Scrubber, LeftoversAtOddPlacesAndOneAfterAnother_AreReplaced) {
  const std::string odd = std::string("x") + std::string("s\0e\0c\0r\0e\0t\0", 12);
  Bytes block = block_with_text(std::as_bytes(std::span(odd)));
  Scrubber scrubber;
  scrubber.learn(u"secret");
  scrub(scrubber, {&block});
  EXPECT_FALSE(holds(block, u"secret"));
  EXPECT_EQ(scrubber.leftovers(), 1u);
  const std::u16string twice = u"secretsecret";
  Bytes other = block_with_text(std::as_bytes(std::span(twice)));
  scrub(scrubber, {&other});
  EXPECT_FALSE(holds(other, u"secret"));
  EXPECT_EQ(scrubber.leftovers(), 3u);
}

TEST(Scrubber, AnEmptyBuffer_IsLeftAlone) {
  Scrubber scrubber;
  scrubber.learn(u"secret");
  scrubber.scrub({}, {});
  EXPECT_EQ(scrubber.leftovers(), 0u);
}

TEST(Scrubber, NamesThatNoInstanceHas_AreReplacedWhereTheyStand) {
  Scrubber scrubber;
  scrubber.learn(u"J\u00D6RG");
  const std::u16string text = u"home of j\u00F6rg";
  Bytes block = block_with_text(std::as_bytes(std::span(text)));
  scrub(scrubber, {&block});
  EXPECT_FALSE(holds(block, u"j\u00F6rg"));
  EXPECT_TRUE(holds(block, u"home of "));
}

TEST(Scrubber, BytesBehindTheEndOfAName_AreZeroed) {
  Scrubber scrubber;
  Bytes block =
      block_with_names({std::u16string(u"cmd\0secret", 10), std::u16string(u"_Total\0secret", 13)});
  scrub(scrubber, {&block});
  EXPECT_EQ(names_in(block)[1], "_Total");
  EXPECT_FALSE(holds(block, u"ecret"));
}

TEST(Scrubber, BytesBehindTheLastInstanceAndTheLastObject_AreZeroed) {
  BuiltBlock built = BlockBuilder().add(object_of({u"one"}).slack(32)).build();
  const std::size_t end = built.bytes.size();
  overwrite(built.bytes, end - 32, u"stranger");
  built.bytes.resize(end + 32);
  overwrite(built.bytes, end + 4, u"foreigner");
  Scrubber scrubber;
  scrub(scrubber, {&built.bytes});
  EXPECT_FALSE(holds(built.bytes, u"stranger"));
  EXPECT_FALSE(holds(built.bytes, u"foreigner"));
  EXPECT_THAT(names_in(built.bytes), SizeIs(1));
}

TEST(Scrubber, NamesThatArePartsOfOthers_LeaveThemAlone) {
  Bytes first = block_with_names({u"_Total", u"0,_Total", u"Total", u"server", u"sqlserver"});
  Bytes second = first;
  Scrubber scrubber;
  scrub(scrubber, {&first, &second});
  EXPECT_EQ(names_in(first)[0], "_Total");
  EXPECT_EQ(names_in(first)[1], "0,_Total");
  EXPECT_EQ(names_in(first), names_in(second));
  Scrubber again;
  Bytes third = first;
  scrub(again, {&third});
  EXPECT_EQ(names_in(third)[0], "_Total");
}

TEST(Scrubber, AnInstanceThatCanNotBeFollowed_CostsItAndThoseBehindIt) {
  const BuiltBlock built = BlockBuilder()
                               .add(object_of({u"alpha", u"bravo", u"charlie"}))
                               .add(object_of({u"delta"}))
                               .build();
  // The second instance's ByteLength.
  Bytes block = built.with(built.objects[0].instances[1].offset, 0x7FFF'FFFF);
  Scrubber scrubber;
  EXPECT_THAT(scrub(scrubber, {&block}), SizeIs(1));
  EXPECT_THAT(names_in(block), SizeIs(2)) << "alpha's and delta's";
  for (const char16_t* name : {u"alpha", u"bravo", u"charlie", u"delta"})
    EXPECT_FALSE(holds(block, name));
}

TEST(Scrubber, AnObjectThatCanNotBeFollowed_CostsItAlone) {
  const BuiltBlock built = BlockBuilder()
                               .add(object_of({u"alpha"}))
                               .add(object_of({u"bravo"}))
                               .add(object_of({u"charlie"}))
                               .build();
  Bytes block = built.with(built.objects[1].offset + 8, 1);  // HeaderLength
  Scrubber scrubber;
  EXPECT_THAT(scrub(scrubber, {&block}), SizeIs(1));
  EXPECT_THAT(names_in(block), SizeIs(2));
  for (const char16_t* name : {u"alpha", u"bravo", u"charlie"}) EXPECT_FALSE(holds(block, name));
}

TEST(Scrubber, OfABlockSpoiltAnywhere_NoNameOfUnspoiltPartsIsLeft) {
  const BuiltBlock built =
      BlockBuilder().add(object_of({u"alpha"})).add(object_of({u"bravo"})).build();
  for (std::size_t offset = 88; offset + 4 <= built.bytes.size(); offset += 4) {
    for (const std::uint32_t value : {0u, 1u, 0x20u, 0x7FFF'FFFFu, 0xFFFF'FFFFu}) {
      Bytes block = built.with(offset, value);
      Scrubber scrubber;
      scrub(scrubber, {&block});
      // The names of the object that was spoilt are where only its bytes told.
      const bool first = offset >= built.objects[1].offset;
      EXPECT_FALSE(holds(block, first ? u"alpha" : u"bravo")) << offset << ' ' << value;
    }
  }
}

TEST(Scrubber, WhatIsNoBlock_IsRefused) {
  const Bytes block = block_with_names({u"secret", u"other"});
  for (std::size_t bytes = 0; bytes < block.size(); ++bytes) {
    Bytes cut(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(bytes));
    EXPECT_FALSE(places_in_block(cut)) << bytes;
  }
  Bytes empty;
  EXPECT_FALSE(places_in_v2_data(empty));
}

}  // namespace
}  // namespace winperf::capture
