#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "collectors/facts/win/sessions.h"
#include "collectors/facts/win/topics.h"
#include "tests/support/win/wine.h"

namespace winperf {
namespace {

LSA_UNICODE_STRING text_of(std::wstring& text) {
  const auto bytes = static_cast<USHORT>(text.size() * sizeof(wchar_t));
  return {.Length = bytes, .MaximumLength = bytes, .Buffer = text.data()};
}

TEST(LogonsTest, Session_HasARow) {
  std::wstring user = L"j\u00fcrgen-and-more";
  std::wstring domain = L"CONTOSO";
  SECURITY_LOGON_SESSION_DATA session{};
  session.Size = sizeof session;
  session.LogonId = {.LowPart = 0x3e7, .HighPart = 1};
  session.UserName = text_of(user);
  session.UserName.Length = 6 * sizeof(wchar_t);  // it needn't end with a NUL
  session.LogonDomain = text_of(domain);
  session.LogonType = RemoteInteractive;
  session.LogonTime.QuadPart = 133'536'836'965'000'000;
  FactTable table;
  ASSERT_TRUE(add_logon(session, table));
  ASSERT_EQ(table.rows.size(), 1u);
  const FactRow& row = table.rows[0];
  EXPECT_EQ(row.text_of("id"), "0x1:0x3e7");
  EXPECT_EQ(row.text_of("user"), "j\xC3\xBCrgen");
  EXPECT_EQ(row.text_of("domain"), "CONTOSO");
  EXPECT_EQ(row.text_of("type"), "remote_interactive");
  EXPECT_EQ(row.text_of("logon_time"), "1709210096.5");
}

TEST(LogonsTest, WhatIsNotKnown_IsAbsent) {
  SECURITY_LOGON_SESSION_DATA session{};
  session.Size = sizeof session;
  session.UserName.Length = 8;  // without a text
  session.LogonType = 99;
  FactTable table;
  ASSERT_TRUE(add_logon(session, table));
  EXPECT_EQ(table.rows.at(0).text_of("id"), "0x0:0x0");
  EXPECT_EQ(table.rows.at(0).fields().size(), 1u);
}

TEST(LogonsTest, StructureThatEndsTooEarly_IsRefused) {
  SECURITY_LOGON_SESSION_DATA session{};
  session.Size = offsetof(SECURITY_LOGON_SESSION_DATA, LogonTime) + sizeof(LARGE_INTEGER) - 1;
  FactTable table;
  EXPECT_FALSE(add_logon(session, table));
  EXPECT_TRUE(table.rows.empty());
}

// Wine knows no logon sessions, and says so.
TEST(LogonsTest, ThisMachine_Answers) {
  const auto table = read_logons();
  ASSERT_TRUE(table) << describe(table.error());
  if (testing::under_wine()) {
    EXPECT_TRUE(table->rows.empty());
  } else {
    EXPECT_FALSE(table->rows.empty());
  }
}

}  // namespace
}  // namespace winperf
