#include "service/selftest/names_in_text.h"

#include <gtest/gtest.h>

#include <string>

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

TEST(NamesInText, OfAccountsGoWithTheirSids) {
  const NamesInText names({"SRV"});
  EXPECT_EQ(names.replaced("C:\\srv can be changed by FABRIKAM\\jane.doe "
                           "(S-1-5-21-11-222-3333-1001), so it is not used"),
            "C:\\name-1 can be changed by an account, so it is not used");
  EXPECT_EQ(
      names.replaced("kept by AzureAD\\Jane (S-1-12-1-1-2-3-4)\nmade by x (S-1-5-21-1-2-3-500)"),
      "kept by an account\nmade by an account");
  EXPECT_EQ(names.replaced("Z: can be changed by everyone (S-1-1-0) and Users (S-1-5-32-545)"),
            "Z: can be changed by everyone (S-1-1-0) and Users (S-1-5-32-545)");
}

TEST(NamesInText, HaveNoSidWhereverItIs) {
  EXPECT_EQ(without_accounts("S-1-5-21-1-2-3-4"), "an account");
  EXPECT_EQ(without_accounts("a S-1-5-21-1-2 b S-1-12-1-7, c"), "a an account b an account, c");
  EXPECT_EQ(without_accounts("x (S-1-5-21-9)"), "x (an account)");
  EXPECT_EQ(without_accounts("by x (S-1-5-21-9"), "by x (an account");
  EXPECT_EQ(without_accounts("{\"by \": \"x\", \"y\": \" by z\", \"w (S-1-5-21-9)\"}"),
            "{\"by \": \"x\", \"y\": \" by z\", \"w (an account)\"}");
  EXPECT_EQ(without_accounts(" by " + std::string(400, 'n') + " (S-1-5-21-9)"),
            " by " + std::string(400, 'n') + " (an account)");
  EXPECT_EQ(without_accounts(""), "");
}

// The Kelvin sign is a k in three bytes, and an invalid byte has no case at all.
TEST(NamesInText, AreFoundInLinesWhoseBytesWouldMove) {
  const NamesInText names({"Anna"});
  EXPECT_EQ(names.replaced("\u212a ANNA\nanna \xff Anna"), "\u212a name-1\nname-1 \xff name-1");
}

}  // namespace
}  // namespace winperf::selftest
