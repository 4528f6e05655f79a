#include "collectors/capture/name_book.h"

#include <gtest/gtest.h>

#include <set>

namespace winperf::capture {
namespace {

TEST(Harmless, AreTotalsNumbersAndDriveLetters) {
  for (const char16_t* name :
       {u"", u"_Total", u"0,_Total", u"Idle", u"0", u"0,12", u"C:", u"0 C: D:", u"1:2"})
    EXPECT_TRUE(is_harmless(name));
  for (const char16_t* name :
       {u"explorer", u"acme_Total", u"C", u"sql:1", u"HarddiskVolume1", u"\u00e4", u"idler"})
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
