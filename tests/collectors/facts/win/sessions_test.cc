#include <gtest/gtest.h>
#include <windows.h>

#include <algorithm>
#include <string>

#include "collectors/facts/win/sessions.h"
#include "collectors/facts/win/topics.h"
#include "tests/support/win/wine.h"

namespace winperf {
namespace {

static_assert(sizeof(SessionInfo) == 56, "as WTS_SESSION_INFO_1W of 64-bit Windows");

TEST(SessionsTest, Session_HasARow) {
  const SessionInfo session{.state = 4,
                            .session_id = 3,
                            .session_name = L"RDP-Tcp#12",
                            .user = L"j\u00fcrgen",
                            .domain = L"CONTOSO"};
  FactTable table;
  add_session(session, L"LAPTOP", table);
  ASSERT_EQ(table.rows.size(), 1u);
  const FactRow& row = table.rows[0];
  EXPECT_EQ(row.text_of("session_name"), "RDP-Tcp 12");
  EXPECT_EQ(row.text_of("id"), "3");
  EXPECT_EQ(row.text_of("user"), "CONTOSO\\j\xC3\xBCrgen");
  EXPECT_EQ(row.text_of("client"), "LAPTOP");
  EXPECT_EQ(row.text_of("state"), "disconnected");
  EXPECT_EQ(row.find("host"), nullptr);
}

TEST(SessionsTest, ListenerWithoutUser_HasNone) {
  const SessionInfo session{
      .state = 6, .session_id = 65536, .session_name = L"RDP-Tcp", .user = L"", .domain = L""};
  FactTable table;
  add_session(session, L"", table);
  EXPECT_EQ(table.rows.at(0).find("user"), nullptr);
  EXPECT_EQ(table.rows.at(0).find("client"), nullptr);
  EXPECT_EQ(table.rows.at(0).text_of("state"), "listen");
}

TEST(SessionsTest, SessionOfServices_IsNotShown) {
  EXPECT_FALSE(is_shown({.session_name = L"Services"}));
  EXPECT_TRUE(is_shown({.session_name = L"Console"}));
  EXPECT_TRUE(is_shown({.session_name = L""}));
  EXPECT_TRUE(is_shown({}));
}

TEST(SessionsTest, ThisProcess_IsInOneOfThem) {
  const auto table = read_sessions();
  if (testing::under_wine()) {
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error(), (Error{.code = ErrorCode::kUnsupported,
                                    .where = "sessions",
                                    .os_code = ERROR_CALL_NOT_IMPLEMENTED}));
    return;
  }
  ASSERT_TRUE(table) << describe(table.error());
  DWORD session = 0;
  ASSERT_TRUE(ProcessIdToSessionId(GetCurrentProcessId(), &session));
  const auto found = std::ranges::find(table->rows, std::to_string(session),
                                       [](const FactRow& row) { return row.text_of("id"); });
  ASSERT_NE(found, table->rows.end());
  EXPECT_NE(found->find("state"), nullptr);
}

}  // namespace
}  // namespace winperf
