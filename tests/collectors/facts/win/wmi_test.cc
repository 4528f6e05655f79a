#include "collectors/facts/win/wmi.h"

#include <gtest/gtest.h>

#include "collectors/facts/win/topics.h"
#include "tests/collectors/facts/win/fact_values.h"

namespace winperf {
namespace {

constexpr const wchar_t* kNamespace = L"root\\cimv2";

TEST(Wmi, AnswersWithTextsAndNumbers) {
  const auto answer = query_wmi(kNamespace, L"SELECT * FROM Win32_OperatingSystem");
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_EQ(answer->rows.size(), 1U);
  EXPECT_TRUE(says_only_what_is_known(*answer));
  const FactRow& row = answer->rows.front();
  const auto os = read_os();
  ASSERT_TRUE(os);
  ASSERT_NE(property(row, "BuildNumber"), nullptr);
  EXPECT_EQ(*property(row, "BuildNumber"), *os->rows.front().find("build_number"));
  // 64 bits, which come as text, and a truth.
  const auto memory = read_memory();
  ASSERT_TRUE(memory);
  const FactValue* const kilobytes = property(row, "TotalVisibleMemorySize");
  ASSERT_NE(kilobytes, nullptr);
  EXPECT_NEAR(std::get<double>(*kilobytes) * 1'024,
              number_of(memory->rows.front(), "physical_total"), 1'048'576);
  const FactValue* const primary = property(row, "Primary");
  ASSERT_NE(primary, nullptr);
  EXPECT_EQ(std::get<double>(*primary), 1);
}

TEST(Wmi, AnswersOnlyWhatWasAskedFor) {
  const auto answer = query_wmi(kNamespace, L"SELECT Handle, Name FROM Win32_Process");
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_GT(answer->rows.size(), 1U);
  bool found = false;
  const std::string self = std::to_string(GetCurrentProcessId());
  for (const FactRow& row : answer->rows) {
    EXPECT_LE(row.fields().size(), 2U);
    if (property(row, "Handle") != nullptr) found |= *property(row, "Handle") == FactValue(self);
  }
  EXPECT_TRUE(found) << "this process";
}

TEST(Wmi, RefusesWithItsCode) {
  constexpr std::uint32_t kInvalidQuery = 0x80041017;
  auto answer = query_wmi(kNamespace, L"nonsense");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error(),
            (Error{.code = ErrorCode::kOsError, .where = "wmi", .os_code = kInvalidQuery}));
  answer = query_wmi(L"root\\no_such_namespace", L"SELECT * FROM Win32_Process");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnsupported);
}

TEST(Wmi, CanBeAskedAgainAndAgain) {
  constexpr int kTimes = 20;
  DWORD before = 0;
  for (int i = 0; i < kTimes; ++i) {
    ASSERT_TRUE(query_wmi(kNamespace, L"SELECT DeviceID FROM Win32_DiskDrive"));
    if (i != kTimes / 2) continue;
    ASSERT_TRUE(GetProcessHandleCount(GetCurrentProcess(), &before));
  }
  DWORD after = 0;
  ASSERT_TRUE(GetProcessHandleCount(GetCurrentProcess(), &after));
  EXPECT_LE(after, before + kTimes / 4) << "handles are given back";
}

TEST(DiskFacts, EachHasANameAndASize) {
  const auto answer = read_disks();
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_FALSE(answer->rows.empty());
  EXPECT_TRUE(answer->problems.empty());
  EXPECT_TRUE(says_only_what_is_known(*answer));
  ASSERT_NE(row_with(*answer, "name", "PHYSICALDRIVE0"), nullptr);
  for (const FactRow& row : answer->rows) {
    EXPECT_TRUE(row.text_of("name").starts_with("PHYSICALDRIVE")) << row.text_of("name");
    EXPECT_EQ(row.text_of("device_id"), row.text_of("name"));
    EXPECT_GT(number_of(row, "size"), 1e9) << row.text_of("name");
    EXPECT_NE(row.find("model"), nullptr) << row.text_of("name");
  }
}

}  // namespace
}  // namespace winperf
