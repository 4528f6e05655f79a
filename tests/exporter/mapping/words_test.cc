#include "exporter/mapping/words.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

std::string joined(std::string_view name, bool slash_is_per = false) {
  std::string text;
  for (const Word& word : split_name(name, slash_is_per).words) {
    if (!text.empty()) text += ' ';
    text += word.text;
  }
  return text;
}

TEST(Words_AreLowerCaseAndSplit, AtEverythingThatIsNoLetterOrDigit) {
  EXPECT_EQ(joined("Pool Paged Resident Bytes"), "pool paged resident bytes");
  EXPECT_EQ(joined("Working Set - Private"), "working set private");
  EXPECT_EQ(joined(".NET CLR Data"), "net clr data");
  EXPECT_EQ(joined("Logins  Failed"), "logins failed");
  EXPECT_EQ(joined(""), "");
  EXPECT_EQ(joined("\xD0\x9F\xD1\x80"), "");
}

TEST(Words_OfCamelCase, AreSplitButShortPrefixesAreNot) {
  EXPECT_EQ(joined("PhysicalDisk"), "physical disk");
  EXPECT_EQ(joined("BytesReceived"), "bytes received");
  EXPECT_EQ(joined("HardConnectsPerSecond"), "hard connects");
  EXPECT_EQ(joined("TCPv4"), "tcpv4");
  EXPECT_EQ(joined("iSCSI Sessions"), "iscsi sessions");
  EXPECT_EQ(joined("KBytes"), "kbytes");
  EXPECT_EQ(joined("Total mSec - Processor"), "total msec processor");
}

TEST(Words_AfterASlash, AreARateADivisorOrTwoWords) {
  EXPECT_EQ(joined("Pages/sec"), "pages");
  EXPECT_TRUE(split_name("Pages/sec", false).per_second);
  EXPECT_EQ(joined("# of Exceps Thrown / sec"), "exceps thrown");
  EXPECT_TRUE(split_name("Calls Per Second", false).per_second);
  EXPECT_EQ(joined("Total bytes received/second"), "total bytes received");
  EXPECT_EQ(joined("Avg. Disk sec/Read", true), "avg disk sec per read");
  EXPECT_EQ(joined("Exec Read/Write"), "exec read write");
  EXPECT_FALSE(split_name("Exec Read/Write", false).per_second);
  EXPECT_EQ(joined("I/O Database Reads/sec"), "io database reads");
  EXPECT_EQ(joined("Read/Security"), "read security");
  EXPECT_EQ(joined("N/  sec"), "n") << "one letter before it alone";
  EXPECT_EQ(joined("N/", true), "n per");
}

TEST(Words_ForSigns, AreWordsWhereTheyTellNamesApart) {
  EXPECT_EQ(joined("B+ Tree Splits/sec"), "bplus tree splits");
  EXPECT_EQ(joined("Free & Zero Page List Bytes"), "free and zero page list bytes");
  EXPECT_EQ(joined("Allocs <1K/sec"), "allocs under 1k");
  EXPECT_EQ(joined("Database ==> Instances"), "database instances");
  EXPECT_EQ(joined("a > b"), "a over b");
  EXPECT_EQ(joined("a>b"), "a over b");
  EXPECT_EQ(joined("a => b"), "a b");
  EXPECT_EQ(joined("a -> b"), "a b");
  EXPECT_TRUE(split_name("Copy Read Hits %", false).percent);
}

TEST(Words_AfterANumberSign, LoseTheirOf) {
  EXPECT_EQ(joined("# of Pages"), "pages");
  EXPECT_EQ(joined("% of Time"), "of time");
  EXPECT_EQ(joined("#1 of Pages"), "1 of pages");
}

TEST(Words_KnowTheirPlace, InParenthesesBehindASlashOrBeforeARate) {
  const NameWords name = split_name("Speed (Bits/Sec)", false);
  ASSERT_EQ(name.words.size(), 2U);
  EXPECT_FALSE(name.words[0].bracketed);
  EXPECT_TRUE(name.words[1].bracketed);
  EXPECT_TRUE(name.per_second);
  EXPECT_TRUE(split_name("BITS Net", false).words[0].capitals);
  const NameWords rate = split_name("MB/sec Read Ahead", false);
  ASSERT_EQ(rate.words.size(), 3U);
  EXPECT_TRUE(rate.words[0].before_rate);
  EXPECT_FALSE(rate.words[1].before_rate);
  const NameWords divided = split_name("Milliseconds / request", false);
  ASSERT_EQ(divided.words.size(), 2U);
  EXPECT_TRUE(divided.words[1].after_slash);
}

TEST(Words_WithAPluralInParentheses, AreThatPlural) {
  EXPECT_EQ(joined("Log File(s) Used"), "log files used");
  EXPECT_EQ(joined("Process(es)"), "processes");
  EXPECT_EQ(joined("Lifetime (s)"), "lifetime s");
  EXPECT_EQ(joined("Elapsed Time(s)"), "elapsed time s") << "a length of time has a unit";
  EXPECT_EQ(joined("Disk(sec)"), "disk sec");
}

TEST(Words_OfARate, AreLeftOutWhereverTheyStand) {
  for (const char* name :
       {"Clients lost per second due to errors", "Clients lost/sec due to errors"}) {
    EXPECT_EQ(joined(name), "clients lost due to errors");
    EXPECT_TRUE(split_name(name, false).per_second);
  }
  EXPECT_TRUE(split_name("Events processed per second.", false).per_second);
  EXPECT_EQ(joined("New Jobs / Minute"), "new jobs per minute");
  EXPECT_FALSE(split_name("New Jobs / Minute", false).per_second);
  EXPECT_EQ(joined("Per Second"), "per second") << "something has to be left";
}

TEST(Words_OfAnEndlessName, StopAtALimit) {
  EXPECT_EQ(joined(std::string(1'000'000, 'x')).size(), kMaxNameBytes);
  EXPECT_LE(split_name(std::string(1'000'000, '&'), false).words.size(), kMaxNameBytes);
}

}  // namespace
}  // namespace winperf
