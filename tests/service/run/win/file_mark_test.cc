#include "service/run/file_watch.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <fstream>

#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

// Two writes of the same size within a second.
TEST(FileMark, KnowsTimesExactly) {
  const testing::TempFolder folder;
  const auto file = folder.path() / "a";
  std::ofstream(file) << "text";
  const auto mark_at = [&](DWORD low) {
    const HANDLE handle = CreateFileW(file.c_str(), FILE_WRITE_ATTRIBUTES, 0, nullptr,
                                      OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    const FILETIME time{.dwLowDateTime = low, .dwHighDateTime = 30'000'000};
    EXPECT_TRUE(SetFileTime(handle, nullptr, nullptr, &time));
    CloseHandle(handle);
    return mark_of(file);
  };
  EXPECT_EQ(mark_at(0), mark_at(0));
  EXPECT_NE(mark_at(0), mark_at(1'000'000)) << "a tenth of a second";
  EXPECT_EQ(mark_at(0).bytes, 4U);
  EXPECT_FALSE(mark_of(folder.path() / "none").exists);
}

}  // namespace
}  // namespace winperf
