#include "service/selftest/names_in_text.h"

#include <gtest/gtest.h>

namespace winperf::selftest {
namespace {

TEST(NamesInText, AreReplacedInAnyCaseWhereTheyStandAlone) {
  const NamesInText names({"Anna", "SRV-01", "SRV-01.example.org"});
  EXPECT_EQ(names.replaced("ANNA on \\\\srv-01\\Process(anna)"),
            "name-3 on \\\\name-2\\Process(name-3)");
  EXPECT_EQ(names.replaced("srv-01.EXAMPLE.org, srv-012, Annabel, joanna, C:\\Users\\anna"),
            "name-1, srv-012, Annabel, joanna, C:\\Users\\name-3");
}

TEST(NamesInText, AreOneForAllTexts) {
  const NamesInText names({"b-machine", "a-machine", "B-MACHINE"});
  EXPECT_EQ(names.replaced("a-machine b-machine"), "name-1 name-2");
  EXPECT_EQ(names.replaced("b-machine"), "name-2");
}

TEST(NamesInText, ThatSayNothingAreLeft) {
  const NamesInText names({"SYSTEM", "Public", "me", "", "x"});
  EXPECT_EQ(names.replaced("System public me x"), "System public me x");
}

TEST(NamesInText, OfOtherAlphabetsAreFound) {
  const NamesInText names({"Jürgen", "Анна"});
  EXPECT_EQ(names.replaced("(JüRGEN) Анна, Аннабель, Jürgensen"),
            "(name-2) name-1, Аннабель, Jürgensen");
  EXPECT_EQ(names.replaced("JÜRGEN-PC\nАННА"), "name-2-PC\nname-1");
}

// The Kelvin sign is a k in three bytes, and an invalid byte has no case at all.
TEST(NamesInText, AreFoundInLinesWhoseBytesWouldMove) {
  const NamesInText names({"Anna"});
  EXPECT_EQ(names.replaced("\u212a ANNA\nanna \xff Anna"), "\u212a name-1\nname-1 \xff name-1");
}

}  // namespace
}  // namespace winperf::selftest
