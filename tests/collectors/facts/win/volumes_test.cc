#include <windows.h>

#include <gtest/gtest.h>

#include <array>

#include "collectors/base/hex.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/topics.h"
#include "tests/collectors/facts/win/fact_values.h"

namespace winperf {
namespace {

TEST(VolumeFacts, DriveCIsAsItsRootSays) {
  const auto answer = read_volumes();
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_TRUE(says_only_what_is_known(*answer));
  const FactRow* const drive = row_with(*answer, "volume", "C:");
  ASSERT_NE(drive, nullptr);
  EXPECT_EQ(drive->text_of("type"), "fixed");
  ULARGE_INTEGER size{};
  ULARGE_INTEGER free{};
  ASSERT_TRUE(GetDiskFreeSpaceExW(L"C:\\", nullptr, &size, &free));
  EXPECT_EQ(number_of(*drive, "size"), static_cast<double>(size.QuadPart));
  // Others write at the same time.
  EXPECT_NEAR(number_of(*drive, "free"), static_cast<double>(free.QuadPart),
              0.1 * static_cast<double>(size.QuadPart));
  EXPECT_GE(number_of(*drive, "size"), number_of(*drive, "free"));
  std::array<wchar_t, MAX_PATH + 1> file_system{};
  DWORD serial = 0;
  ASSERT_TRUE(GetVolumeInformationW(L"C:\\", nullptr, 0, &serial, nullptr, nullptr,
                                    file_system.data(), static_cast<DWORD>(file_system.size())));
  EXPECT_EQ(drive->text_of("filesystem"), to_utf8(file_system.data()));
  EXPECT_EQ(drive->text_of("serial_number"), upper_hex(serial));
  EXPECT_EQ(number_of(*drive, "read_only"), 0);
}

TEST(VolumeFacts, EachDriveLetterIsAVolumeOnce) {
  const auto answer = read_volumes();
  ASSERT_TRUE(answer);
  for (wchar_t letter = L'A'; letter <= L'Z'; ++letter) {
    const std::wstring root = std::wstring(1, letter) + L":\\";
    const UINT type = GetDriveTypeW(root.c_str());
    if (type != DRIVE_FIXED && type != DRIVE_REMOVABLE && type != DRIVE_CDROM) continue;
    const std::string name = to_utf8(root.substr(0, 2));
    int found = 0;
    for (const FactRow& row : answer->rows) found += row.text_of("volume") == name ? 1 : 0;
    EXPECT_EQ(found, 1) << name;
  }
}

TEST(VolumeFacts, NamesHaveNoBackslashAtTheEnd) {
  const auto answer = read_volumes();
  ASSERT_TRUE(answer);
  for (const FactRow& row : answer->rows) {
    EXPECT_FALSE(row.text_of("volume").ends_with('\\')) << row.text_of("volume");
    EXPECT_NE(row.find("type"), nullptr) << row.text_of("volume");
  }
}

TEST(VolumeFacts, TheErrorModeStaysAsItWas) {
  const DWORD before = GetThreadErrorMode();
  ASSERT_TRUE(read_volumes());
  EXPECT_EQ(GetThreadErrorMode(), before);
}

}  // namespace
}  // namespace winperf
