// What Windows says of the files of its own libraries. Wine has versions and no catalogs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <windows.h>

#include "collectors/base/path_text.h"
#include "collectors/provider/library_head.h"
#include "collectors/provider/win/registrations.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using ::testing::MatchesRegex;

std::string path_on_this_machine(const wchar_t* library) {
  return path_text(library_path(library));
}

TEST(LibraryOriginOnWindows, HasTheVersionOfASystemLibrary) {
  const LibraryOrigin origin = read_library_origin(path_on_this_machine(L"kernel32.dll"));
  EXPECT_THAT(origin.version.value_or(""), MatchesRegex("\\d+\\.\\d+\\.\\d+\\.\\d+"));
  ASSERT_TRUE(origin.signature);
  EXPECT_EQ(origin.signature->is_verified, origin.signature->signing == Signing::kEmbedded ||
                                               origin.signature->signing == Signing::kCatalog);
}

TEST(LibraryOriginOnWindows, OfWhatIsNoLibraryHasNothing) {
  const testing::TempDir dir;
  dir.write("text.dll", "no library");
  for (const char* const name : {"text.dll", "none.dll"}) {
    const LibraryOrigin origin = read_library_origin(path_text(dir.path() / name));
    EXPECT_EQ(origin.version, std::nullopt) << name;
    ASSERT_TRUE(origin.signature) << name;
    EXPECT_EQ(origin.signature->signer, "") << name;
    EXPECT_FALSE(origin.signature->is_verified) << name;
  }
}

TEST(LibraryPathOnWindows, FindsWhatHasNoDirectoryAndWhatHas) {
  for (const wchar_t* const name :
       {L"kernel32", L"kernel32.dll", L"C:\\windows\\system32\\kernel32.dll"}) {
    const LibraryHead library = read_library_head(library_path(name));
    EXPECT_FALSE(library.is_missing) << library.path;
    EXPECT_EQ(library.machine, PeMachine::kX64) << library.path;
  }
  EXPECT_EQ(library_path(L"there_is_none.dll"), L"there_is_none.dll");
}

// On a machine without 32-bit programs, that there is no such service.
TEST(PerfHostOnWindows, IsKnown) { EXPECT_NE(read_perf_host(), std::nullopt); }

}  // namespace
}  // namespace winperf
