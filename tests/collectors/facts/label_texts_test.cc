#include "collectors/facts/machine_texts.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(LabelTextsTest, ProcessLabel_HasNoExtension) {
  EXPECT_EQ(process_label("svchost.exe"), "svchost");
  EXPECT_EQ(process_label("SETUP.EXE"), "SETUP");
  EXPECT_EQ(process_label("a.exe.exe"), "a.exe");
  EXPECT_EQ(process_label("Registry"), "Registry");
  EXPECT_EQ(process_label("setup.com"), "setup.com");
  EXPECT_EQ(process_label(".exe"), ".exe");
  EXPECT_EQ(process_label(""), "");
}

TEST(LabelTextsTest, SessionLabel_HasBlanksForNumberSigns) {
  EXPECT_EQ(session_label("RDP-Tcp#0"), "RDP-Tcp 0");
  EXPECT_EQ(session_label("31C5CE94259D4006A9E4#1"), "31C5CE94259D4006A9E4 1");
  EXPECT_EQ(session_label(""), "");
}

TEST(LabelTextsTest, TaskLabel_HasSlashes) {
  EXPECT_EQ(task_label("\\Microsoft\\Windows\\Defrag\\ScheduledDefrag"),
            "/Microsoft/Windows/Defrag/ScheduledDefrag");
  EXPECT_EQ(task_label("\\Backup"), "/Backup");
  EXPECT_EQ(task_label(""), "");
}

TEST(LabelTextsTest, AccountLabel_HasItsDomain) {
  EXPECT_EQ(account_label("NT AUTHORITY", "SYSTEM"), "NT AUTHORITY\\SYSTEM");
  EXPECT_EQ(account_label("", "Everyone"), "Everyone");
  EXPECT_EQ(account_label("CONTOSO", ""), "");
}

TEST(LabelTextsTest, FieldThatIsNotKnown_IsAbsent) {
  FactRow row;
  put_known(row, "user", "");
  put_known(row, "logon_time", std::optional<double>());
  EXPECT_TRUE(row.fields().empty());
  put_known(row, "user", "bob");
  put_known(row, "logon_time", std::optional<double>(0));
  EXPECT_EQ(row.text_of("user"), "bob");
  EXPECT_EQ(row.text_of("logon_time"), "0");
}

}  // namespace
}  // namespace winperf
