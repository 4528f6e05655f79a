#include "collectors/provider/library_head.h"

#include <gtest/gtest.h>

#include "collectors/base/path_text.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

// A file with its PE header at `place`, and something behind it.
std::string file_with_header_at(std::size_t place, PeMachine machine) {
  std::string file(place, '\0');
  file.replace(0, 2, "MZ");
  for (std::size_t i = 0; i < 4; ++i) file[60 + i] = static_cast<char>(place >> (8 * i));
  const auto number = static_cast<std::uint16_t>(machine);
  file += std::string("PE\0\0", 4) + static_cast<char>(number) + static_cast<char>(number >> 8);
  return file + std::string(200'000, 'x');
}

TEST(LibraryHead, SaysForWhichMachineTheFileWasBuilt) {
  const testing::TempDir dir;
  const auto path = dir.path() / "things.dll";
  for (const PeMachine machine :
       {PeMachine::kX86, PeMachine::kX64, PeMachine::kArm, PeMachine::kArm64}) {
    dir.write("things.dll", file_with_header_at(128, machine));
    const LibraryHead library = read_library_head(path);
    EXPECT_EQ(library.path, path_text(path));
    EXPECT_FALSE(library.is_missing);
    EXPECT_EQ(library.machine, machine);
  }
}

TEST(LibraryHead, IsLookedForInTheFirst64KiB) {
  constexpr std::size_t kLast = (64U << 10) - 6;
  const testing::TempDir dir;
  for (const std::size_t place : {kLast, kLast + 1}) {
    dir.write("things.dll", file_with_header_at(place, PeMachine::kX86));
    EXPECT_EQ(read_library_head(dir.path() / "things.dll").machine.has_value(), place == kLast);
  }
}

TEST(LibraryHead, OfNoFileIsMissing) {
  const testing::TempDir dir;
  EXPECT_TRUE(read_library_head(dir.path() / "none.dll").is_missing);
  EXPECT_TRUE(read_library_head(dir.path() / "none" / "none.dll").is_missing);
  EXPECT_TRUE(read_library_head({}).is_missing);
}

TEST(LibraryHead, OfWhatIsNoLibraryHasNoMachine) {
  const testing::TempDir dir;
  dir.write("text.dll", "this is no library, but a text of more than sixty-four characters");
  dir.write("empty.dll", "");
  for (const auto& path : {dir.path(), dir.path() / "text.dll", dir.path() / "empty.dll"}) {
    const LibraryHead library = read_library_head(path);
    EXPECT_FALSE(library.is_missing) << path;
    EXPECT_EQ(library.machine, std::nullopt) << path;
  }
}

TEST(NeedsPerfHost, WhatHas32Bits) {
  EXPECT_TRUE(needs_perf_host({.machine = PeMachine::kX86}));
  EXPECT_TRUE(needs_perf_host({.machine = PeMachine::kArm}));
  EXPECT_FALSE(needs_perf_host({.machine = PeMachine::kX64}));
  EXPECT_FALSE(needs_perf_host({.machine = PeMachine::kArm64}));
  EXPECT_FALSE(needs_perf_host({})) << "unknown: the system says what is wrong with it";
  EXPECT_FALSE(LibraryHead{}.is_missing);
}

TEST(PerfHost, HasAWordForEachState) {
  EXPECT_EQ(name_of(PerfHost::kRunning), "running");
  EXPECT_EQ(name_of(PerfHost::kStopped), "stopped");
  EXPECT_EQ(name_of(PerfHost::kDisabled), "disabled");
  EXPECT_EQ(name_of(PerfHost::kAbsent), "absent");
}

}  // namespace
}  // namespace winperf
