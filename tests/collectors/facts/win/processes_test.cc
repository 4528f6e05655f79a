#include <gtest/gtest.h>
#include <windows.h>

// After windows.h.
#include <tlhelp32.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "collectors/base/utf8.h"
#include "collectors/base/win/account.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/topics.h"
#include "tests/support/win/wine.h"

namespace winperf {
namespace {

// Wine 8 refuses command lines; then this is none.
std::string expected_line(const std::wstring& line) {
  return testing::under_wine() ? std::string() : std::string(clipped(to_utf8(line), 32 * 1024));
}

FactRow row_of(const FactTable& table, DWORD process_id) {
  const auto found =
      std::ranges::find(table.rows, std::to_string(process_id),
                        [](const FactRow& row) { return row.text_of("process_id"); });
  return found == table.rows.end() ? FactRow() : *found;
}

std::string own_account() {
  wchar_t name[256];
  DWORD length = 256;
  return GetUserNameW(name, &length) ? to_utf8(name) : std::string();
}

TEST(ProcessesTest, ThisProcess_IsAmongThem) {
  const auto table = read_processes();
  ASSERT_TRUE(table) << describe(table.error());
  const FactRow row = row_of(*table, GetCurrentProcessId());
  EXPECT_EQ(row.text_of("process"), "fact_readers_test");
  EXPECT_EQ(row.text_of("command_line"), expected_line(GetCommandLineW()));
  const std::string owner = row.text_of("owner");
  EXPECT_TRUE(owner.ends_with('\\' + own_account())) << owner;
  DWORD session = 0;
  ASSERT_TRUE(ProcessIdToSessionId(GetCurrentProcessId(), &session));
  EXPECT_EQ(row.text_of("session_id"), std::to_string(session));
  FILETIME created{}, exited{}, kernel{}, user{};
  ASSERT_TRUE(GetProcessTimes(GetCurrentProcess(), &created, &exited, &kernel, &user));
  FactRow expected;
  put_known(expected, "started", unix_seconds(std::bit_cast<std::uint64_t>(created)));
  EXPECT_EQ(row.text_of("started"), expected.text_of("started"));
  EXPECT_NE(row.text_of("started"), "");
}

// The snapshot of the tool help library is made by other code.
TEST(ProcessesTest, EveryProcessOfASnapshot_HasItsParentAndName) {
  const UniqueFileHandle snapshot(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  ASSERT_TRUE(snapshot);
  const auto table = read_processes();
  ASSERT_TRUE(table) << describe(table.error());
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof entry;
  std::size_t count = 0;
  for (BOOL more = Process32FirstW(snapshot.get(), &entry); more;
       more = Process32NextW(snapshot.get(), &entry)) {
    const FactRow row = row_of(*table, entry.th32ProcessID);
    if (row.fields().empty()) continue;  // it has ended meanwhile
    ++count;
    EXPECT_EQ(row.text_of("process"), process_label(to_utf8(entry.szExeFile)));
    EXPECT_EQ(row.text_of("creating_process_id"), std::to_string(entry.th32ParentProcessID));
  }
  EXPECT_GT(count, 1u);
}

TEST(ProcessesTest, ChildWithALongCommandLine_IsItsParentsAndClipped) {
  // Windows allows 32767 characters; these take three bytes each.
  std::wstring line = L"winver.exe ";
  line.append(20'000, L'\u20ac');
  wchar_t system[MAX_PATH];
  ASSERT_NE(GetSystemDirectoryW(system, MAX_PATH), 0u);
  const std::wstring program = std::wstring(system) + L"\\winver.exe";
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION made{};
  ASSERT_TRUE(CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, FALSE,
                             CREATE_SUSPENDED, nullptr, nullptr, &startup, &made))
      << GetLastError();
  const UniqueKernelHandle process(made.hProcess);
  const UniqueKernelHandle thread(made.hThread);
  const auto table = read_processes();
  TerminateProcess(process.get(), 0);
  ASSERT_TRUE(table) << describe(table.error());
  const FactRow row = row_of(*table, made.dwProcessId);
  EXPECT_EQ(row.text_of("process"), "winver");
  EXPECT_EQ(row.text_of("creating_process_id"), std::to_string(GetCurrentProcessId()));
  EXPECT_TRUE(row.text_of("command_line") == expected_line(line));  // it is too long to be shown
}

// One sentence for all. A process that has ended since they were listed keeps its row and has
// neither owner nor command line.
TEST(ProcessesTest, WhatWineRefuses_IsAProblem) {
  const auto table = read_processes();
  ASSERT_TRUE(table) << describe(table.error());
  if (!testing::under_wine()) GTEST_SKIP() << "this is not Wine";
  const auto opened = std::ranges::count_if(
      table->rows, [](const FactRow& row) { return !row.text_of("owner").empty(); });
  ASSERT_GT(opened, 0);
  ASSERT_EQ(table->problems.size(), 1u);
  EXPECT_TRUE(table->problems[0].starts_with(
      std::to_string(opened) +
      " command lines of processes cannot be read, the first because of: "))
      << table->problems[0];
}

TEST(ProcessesTest, AccountNames_AreLookedUpBySid) {
  std::byte sid[SECURITY_MAX_SID_SIZE];
  DWORD size = sizeof sid;
  ASSERT_TRUE(CreateWellKnownSid(WinLocalSystemSid, nullptr, sid, &size));
  EXPECT_EQ(account_name(sid), "NT AUTHORITY\\SYSTEM");
  // S-1-5-21-1-2-3-4: nobody's.
  SID_IDENTIFIER_AUTHORITY authority = SECURITY_NT_AUTHORITY;
  PSID nobody = nullptr;
  ASSERT_TRUE(AllocateAndInitializeSid(&authority, 5, 21, 1, 2, 3, 4, 0, 0, 0, &nobody));
  EXPECT_EQ(account_name(nobody), "");
  FreeSid(nobody);
}

}  // namespace
}  // namespace winperf
