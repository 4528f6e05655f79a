#include "collectors/base/posix/proc_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "collectors/base/posix/descriptor.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

constexpr const char* kSelf = "/proc/self";

std::uint64_t page() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

TEST(ProcFolder, MemoryIsInPages) {
  const testing::TempDir folder;
  folder.write("statm", "500 30 7 1 0 2 0\n");
  const auto memory = proc_memory(folder.path());
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->all, 500 * page());
  EXPECT_EQ(memory->resident, 30 * page());
  EXPECT_EQ(memory->shared, 7 * page());
}

TEST(ProcFolder, MemoryIsNoneAtFirst) {
  EXPECT_EQ(ProcMemory{}.all, 0U);
  EXPECT_EQ(ProcMemory{}.resident, 0U);
  EXPECT_EQ(ProcMemory{}.shared, 0U);
}

TEST(ProcFolder, MemoryIsUnknownWithoutAllOfItsNumbers) {
  for (const char* const text : {"", "500", "500 30", "500 30 x", "x 30 7"}) {
    const testing::TempDir folder;
    folder.write("statm", text);
    EXPECT_FALSE(proc_memory(folder.path())) << text;
  }
}

TEST(ProcFolder, WhatIsInMemoryIsAPartOfTheAddresses) {
  const auto memory = proc_memory(kSelf);
  ASSERT_TRUE(memory);
  EXPECT_GT(memory->resident, memory->shared);
  EXPECT_GT(memory->all, memory->resident);
}

TEST(ProcFolder, OpenFilesAreCounted) {
  const auto before = proc_open_files(kSelf);
  ASSERT_TRUE(before);
  EXPECT_GE(*before, 1U);
  const Descriptor one(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(proc_open_files(kSelf), *before + 1);
  const Descriptor two(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Descriptor three(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(proc_open_files(kSelf), *before + 3);
  const std::filesystem::directory_iterator files("/proc/self/fd");  // and one for reading it
  EXPECT_EQ(std::distance(begin(files), end(files)), *before + 4);
}

TEST(ProcFolder, OpenFilesAreTheFoldersSizeWhereItHasOne) {
  const testing::TempDir folder;
  std::filesystem::create_directory(folder.path() / "fd");
  folder.write("fd/0", "");
  struct stat properties = {};
  ASSERT_EQ(stat((folder.path() / "fd").c_str(), &properties), 0);
  const auto size = static_cast<std::uint64_t>(properties.st_size);
  EXPECT_EQ(proc_open_files(folder.path()), size > 0 ? size : 1);
}

// These folders of the kernel have no size, as that of the files had none before Linux 6.2.
TEST(ProcFolder, OpenFilesAreCountedOneByOneInAFolderWithoutASize) {
  const testing::TempDir folder;
  std::filesystem::create_directory_symlink("/proc/self/ns", folder.path() / "fd");
  const std::filesystem::directory_iterator entries("/proc/self/ns");
  const auto count = std::distance(begin(entries), end(entries));
  EXPECT_GT(count, 1);
  EXPECT_EQ(proc_open_files(folder.path()), count);
}

TEST(ProcFolder, ThreadsAreCounted) {
  std::jthread([] {}).join();  // with the first one, ThreadSanitizer starts one of its own
  const auto before = proc_threads(kSelf);
  ASSERT_TRUE(before);
  EXPECT_GE(*before, 1U);
  std::mutex mutex;
  std::vector<std::jthread> threads;
  const std::lock_guard holding(mutex);  // until all have been counted
  for (std::uint64_t i = 1; i <= 3; ++i) {
    threads.emplace_back([&mutex] { const std::lock_guard waiting(mutex); });
    EXPECT_EQ(proc_threads(kSelf), *before + i);
  }
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  EXPECT_EQ(std::distance(begin(tasks), end(tasks)), *before + 3);
}

TEST(ProcFolder, ThreadsAreUnknownWhereFoldersDoNotCountTheirs) {
  const testing::TempDir folder;
  std::filesystem::create_directory(folder.path() / "task");
  EXPECT_FALSE(proc_threads(folder.path()));
}

TEST(ProcFolder, NothingIsKnownOfAProcessThatIsNotThere) {
  EXPECT_FALSE(proc_memory("/proc/0"));
  EXPECT_FALSE(proc_open_files("/proc/0"));
  EXPECT_FALSE(proc_threads("/proc/0"));
}

}  // namespace
}  // namespace winperf
