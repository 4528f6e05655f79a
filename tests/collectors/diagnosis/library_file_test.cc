// What the path of a provider's DLL leads to.
#include <gtest/gtest.h>

#include "collectors/diagnosis/facts.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf::testing {
namespace {

TEST(InspectLibrary, TellsWhatIsThere) {
  const TempDir dir;
  EXPECT_EQ(inspect_library(dir.path() / "none.dll").access, Access::kAbsent);
  EXPECT_EQ(inspect_library(dir.path() / "none.dll").error->code, ErrorCode::kNoSuchFile);
  EXPECT_EQ(inspect_library(dir.path() / "none" / "none.dll").access, Access::kAbsent);
  EXPECT_EQ(inspect_library(dir.path()).access, Access::kFailed) << "a folder";
  EXPECT_EQ(inspect_library(dir.path()).error->code, ErrorCode::kUnsupported);
  dir.write("text.dll", "this is no library, but a text of more than sixty-four characters");
  const LibraryFile text = inspect_library(dir.path() / "text.dll");
  EXPECT_EQ(text.access, Access::kReadable);
  EXPECT_EQ(text.error->code, ErrorCode::kBadSignature);
  EXPECT_EQ(text.machine, std::nullopt);
  dir.write("empty.dll", "");
  EXPECT_EQ(inspect_library(dir.path() / "empty.dll").error->code, ErrorCode::kTruncated);
}

TEST(InspectLibrary, LooksForTheHeaderInTheFirst64KiB) {
  constexpr std::size_t kHead = 64U << 10, kMachineBytes = 6;
  const TempDir dir;
  for (const std::size_t place : {kHead - kMachineBytes, kHead - kMachineBytes + 1, kHead}) {
    std::string file(place + 1000, '\0');
    file.replace(0, 2, "MZ");
    for (std::size_t i = 0; i < 4; ++i) file[60 + i] = static_cast<char>(place >> (8 * i));
    file.replace(place, kMachineBytes, std::string("PE\0\0\x64\x86", kMachineBytes));
    dir.write("things.dll", file);
    const LibraryFile found = inspect_library(dir.path() / "things.dll");
    EXPECT_EQ(found.machine.has_value(), place + kMachineBytes <= kHead) << place;
  }
}

// The smallest file with a machine: what follows the PE header is missing.
TEST(InspectLibrary, OfAFileThatIsTooLargeTheMachineIsKnownAndTheExportsAreNot) {
  const TempDir dir;
  std::string file(134, '\0');
  file.replace(0, 2, "MZ");
  file[60] = '\x80';
  file.replace(128, 2, "PE");
  file[132] = 0x64;
  file[133] = '\x86';
  dir.write("things.dll", file);
  constexpr std::uintmax_t kMost = 64U << 20;
  for (const std::uintmax_t size : {kMost - 1, kMost, kMost + 1}) {
    std::filesystem::resize_file(dir.path() / "things.dll", size);
    const LibraryFile found = inspect_library(dir.path() / "things.dll");
    EXPECT_EQ(found.machine, PeMachine::kX64);
    EXPECT_FALSE(found.error.has_value());
    ASSERT_TRUE(found.exports_error.has_value());
    EXPECT_EQ(found.exports_error->code == ErrorCode::kLimitExceeded, size > kMost) << size;
  }
}

}  // namespace
}  // namespace winperf::testing
