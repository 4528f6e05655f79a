#include "collectors/capture/scrubber.h"

#include <gtest/gtest.h>

#include <set>

namespace winperf::capture {
namespace {

TEST(Harmless, AreTotalsNumbersAndDriveLetters) {
  for (const char16_t* name :
       {u"", u"_Total", u"0,_Total", u"Idle", u"0", u"0,12", u"C:", u"0 C: D:", u"1:2"})
    EXPECT_TRUE(is_harmless(name));
  for (const char16_t* name : {u"explorer", u"acme_Total", u"C", u"sql:1", u"HarddiskVolume1",
                               u"\u00e4", u"idler", u"a1", u"0 b2"})
    EXPECT_FALSE(is_harmless(name));
}

TEST(Folded, TellsSpellingsOfOneNameFromOtherNames) {
  const std::pair<std::u16string, std::u16string> same[] = {
      {u"MyServer", u"mYsERVER"},
      {u"M\u00DCLLER", u"m\u00FCller"},
      {u"\u010C\u00C1SLAVSKY\u0301", u"\u010D\u00E1slavsky\u0301"},
      {u"\u017DI\u017DKA", u"\u017Ei\u017Eka"},
      {u"\u0391\u03A9", u"\u03B1\u03C9"},
      {u"\u0418\u0412\u0410\u041D \u0401", u"\u0438\u0432\u0430\u043D \u0451"},
  };
  for (const auto& [one, other] : same) {
    EXPECT_EQ(folded(one), folded(other));
    EXPECT_EQ(folded(one), other == u"mYsERVER" ? u"myserver" : other);
  }
  // Neighbours that are no pairs of letters.
  for (const auto& [one, other] : {std::pair{u'@', u'`'},
                                   {u'\u00D7', u'\u00F7'},
                                   {u'\u0138', u'\u0139'},
                                   {u'\u0148', u'\u0149'}})
    EXPECT_NE(folded(std::u16string(1, one)), folded(std::u16string(1, other)));
}

// Of each part of the alphabets the first and the last pair.
TEST(Folded, MakesEachCapitalItsOwnSmallLetter) {
  constexpr std::pair<char16_t, char16_t> kPairs[] = {
      {u'A', u'a'},           {u'Z', u'z'},           {u'\u00C0', u'\u00E0'},
      {u'\u00D6', u'\u00F6'}, {u'\u00D8', u'\u00F8'}, {u'\u00DE', u'\u00FE'},
      {u'\u0100', u'\u0101'}, {u'\u012E', u'\u012F'}, {u'\u0132', u'\u0133'},
      {u'\u0136', u'\u0137'}, {u'\u0139', u'\u013A'}, {u'\u0147', u'\u0148'},
      {u'\u014A', u'\u014B'}, {u'\u0176', u'\u0177'}, {u'\u0179', u'\u017A'},
      {u'\u017D', u'\u017E'}, {u'\u0391', u'\u03B1'}, {u'\u03A9', u'\u03C9'},
      {u'\u0400', u'\u0450'}, {u'\u040F', u'\u045F'}, {u'\u0410', u'\u0430'},
      {u'\u042F', u'\u044F'}, {u'\u0460', u'\u0461'}, {u'\u0480', u'\u0481'},
      {u'\u048A', u'\u048B'}, {u'\u04BE', u'\u04BF'}, {u'\u04D0', u'\u04D1'},
      {u'\u052E', u'\u052F'}};
  for (const auto& [capital, small] : kPairs) {
    EXPECT_EQ(folded(std::u16string(1, capital)), std::u16string(1, small));
    EXPECT_EQ(folded(std::u16string(1, small)), std::u16string(1, small));
  }
}

TEST(NameBook, ReplacesByOthersOfTheSameLength) {
  NameBook book;
  book.learn(u"chrome");
  book.learn(u"Secret");
  book.learn(u"CHROME");
  book.learn(u"_Total");
  EXPECT_EQ(book.size(), 2u);
  EXPECT_EQ(book.find(u"chrome"), book.find(u"Chrome"));
  EXPECT_EQ(book.find(u"chrome")->replacement.size(), 6u);
  EXPECT_NE(book.find(u"chrome")->replacement, book.find(u"secret")->replacement);
  EXPECT_EQ(book.find(u"_total"), nullptr);
  EXPECT_EQ(book.find(u"chrom"), nullptr);
}

TEST(NameBook, ManyNames_StayDifferent) {
  NameBook book;
  std::set<std::u16string> replacements;
  for (char16_t a = u'a'; a <= u'z'; ++a) {
    for (char16_t b = u'a'; b <= u'z'; ++b) {
      const std::u16string name{u'q', a, b};
      book.learn(name);
      replacements.insert(book.find(name)->replacement);
    }
  }
  EXPECT_EQ(replacements.size(), 26u * 26u);
  for (const std::u16string& replacement : replacements)
    EXPECT_EQ(replacement.find_first_not_of(u"abcdefghijklmnopqrstuvwxyz"), replacement.npos);
}

TEST(NameBook, FindsTheLongestNameAtAPlace) {
  NameBook book;
  for (const char16_t* name : {u"serv", u"Server", u"server room", u"abc"}) book.learn(name);
  const std::u16string text = u"my server roof and a serve abc";
  EXPECT_EQ(book.find_at(text, 3)->name, u"server");
  EXPECT_EQ(book.find_at(text, 21)->name, u"serv");
  EXPECT_EQ(book.find_at(text, 4), nullptr);
  EXPECT_EQ(book.find_at(text, 27), nullptr) << "too short to be told from anything else";
  EXPECT_EQ(book.find_at(text, text.size() - 2), nullptr);
  EXPECT_EQ(book.find_at(text, text.size() + 1), nullptr);
}

}  // namespace
}  // namespace winperf::capture
