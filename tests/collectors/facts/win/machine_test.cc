// Each value against another function of Windows that tells the same.
#include <windows.h>

// After windows.h.
#include <psapi.h>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"
#include "tests/collectors/facts/win/fact_values.h"

namespace winperf {
namespace {

double unix_now() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string current_version(const wchar_t* value) {
  const KeyReader key(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion");
  return to_utf8(key.text(value).value_or(L""));
}

TEST(OsFacts, TheVersionIsThatOfTheRegistry) {
  const auto answer = read_os();
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_EQ(answer->rows.size(), 1U);
  EXPECT_TRUE(says_only_what_is_known(*answer));
  const FactRow& row = answer->rows.front();
  EXPECT_EQ(row.text_of("build_number"), current_version(L"CurrentBuildNumber"));
  EXPECT_EQ(row.text_of("version"), row.text_of("major_version") + '.' +
                                        row.text_of("minor_version") + '.' +
                                        row.text_of("build_number"));
  EXPECT_TRUE(std::holds_alternative<std::string>(*row.find("build_number")));
  const std::string product = row.text_of("product");
  EXPECT_TRUE(product.find("Windows") != std::string::npos) << product;
}

TEST(OsFacts, TheNameIsTheComputers) {
  const auto answer = read_os();
  ASSERT_TRUE(answer);
  const FactRow& row = answer->rows.front();
  std::array<wchar_t, MAX_COMPUTERNAME_LENGTH + 1> name{};
  DWORD length = static_cast<DWORD>(name.size());
  ASSERT_TRUE(GetComputerNameW(name.data(), &length));
  // That of NetBIOS is the beginning of the host's, in capitals.
  const std::wstring host = to_wide(row.text_of("hostname")).substr(0, length);
  EXPECT_EQ(CompareStringOrdinal(host.data(), static_cast<int>(host.size()), name.data(),
                                 static_cast<int>(length), TRUE),
            CSTR_EQUAL)
      << row.text_of("hostname") << " against " << to_utf8({name.data(), length});
  EXPECT_TRUE(row.text_of("fqdn").starts_with(row.text_of("hostname"))) << row.text_of("fqdn");
}

// "20261125014523.123456+060" has the offset to UTC in minutes.
double unix_time_of(const std::string& wmi_date) {
  const auto number = [&wmi_date](std::size_t at, std::size_t digits) {
    return std::stoi(wmi_date.substr(at, digits));
  };
  const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(4, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(6, 2))));
  const auto days = static_cast<double>(std::chrono::sys_days(day).time_since_epoch().count());
  return ((days * 24 + number(8, 2)) * 60 + number(10, 2) - number(21, 4)) * 60 + number(12, 2) +
         number(15, 6) / 1e6;
}

TEST(OsFacts, ItWasBootedWhenWmiSays) {
  const auto answer = read_os();
  ASSERT_TRUE(answer);
  const auto wmi = query_wmi(L"root\\cimv2", L"SELECT LastBootUpTime FROM Win32_OperatingSystem");
  ASSERT_TRUE(wmi) << describe(wmi.error());
  ASSERT_EQ(wmi->rows.size(), 1U);
  const FactValue* const booted = property(wmi->rows.front(), "LastBootUpTime");
  ASSERT_NE(booted, nullptr);
  const double boot_time = number_of(answer->rows.front(), "boot_time");
  EXPECT_NEAR(boot_time, unix_time_of(std::get<std::string>(*booted)), 1);
  // Under Wine, its server is the machine.
  EXPECT_LE(boot_time, unix_now());
  constexpr double kAdjusted = 120;  // the clock, since then
  EXPECT_GE(boot_time, unix_now() - static_cast<double>(GetTickCount64()) / 1'000 - kAdjusted);
  const auto again = read_os();
  ASSERT_TRUE(again);
  EXPECT_EQ(number_of(again->rows.front(), "boot_time"), boot_time) << "the same boot";
}

TEST(OsFacts, ItWasInstalledBeforeNow) {
  const auto answer = read_os();
  ASSERT_TRUE(answer);
  const double installed = number_of(answer->rows.front(), "install_time");
  EXPECT_GT(installed, 1e9);
  EXPECT_LE(installed, unix_now());
}

TEST(TimeFacts, TheOffsetIsThatBetweenTheClocks) {
  const auto answer = read_time();
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_EQ(answer->rows.size(), 1U);
  EXPECT_TRUE(says_only_what_is_known(*answer));
  FILETIME utc{};
  FILETIME local{};
  GetSystemTimeAsFileTime(&utc);
  ASSERT_TRUE(FileTimeToLocalFileTime(&utc, &local));
  const auto units = [](FILETIME time) {
    return static_cast<double>(std::uint64_t{time.dwHighDateTime} << 32U | time.dwLowDateTime);
  };
  EXPECT_EQ(number_of(answer->rows.front(), "utc_offset"), (units(local) - units(utc)) / 1e7);
}

TEST(MemoryFacts, TheSizesAreThoseOfPsapi) {
  const auto answer = read_memory();
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_EQ(answer->rows.size(), 1U);
  const FactRow& row = answer->rows.front();
  PERFORMANCE_INFORMATION info{};
  ASSERT_TRUE(GetPerformanceInfo(&info, sizeof info));
  const auto bytes = [&info](SIZE_T pages) {
    return static_cast<double>(pages) * static_cast<double>(info.PageSize);
  };
  EXPECT_EQ(number_of(row, "physical_total"), bytes(info.PhysicalTotal));
  EXPECT_NEAR(number_of(row, "physical_free"), bytes(info.PhysicalAvailable),
              0.2 * bytes(info.PhysicalTotal));
  EXPECT_GT(number_of(row, "physical_free"), 0);
  EXPECT_NEAR(number_of(row, "commit_limit"), bytes(info.CommitLimit),
              0.01 * bytes(info.CommitLimit));
  EXPECT_GE(number_of(row, "commit_limit"), number_of(row, "commit_free"));
  SYSTEM_INFO system{};
  GetSystemInfo(&system);
  EXPECT_GE(
      number_of(row, "process_limit"),
      static_cast<double>(reinterpret_cast<std::uintptr_t>(system.lpMaximumApplicationAddress) -
                          reinterpret_cast<std::uintptr_t>(system.lpMinimumApplicationAddress)));
}

}  // namespace
}  // namespace winperf
