#include "collectors/base/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using testing::TempDir;

std::span<const std::byte> as_byte_span(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// The kernel's files say that they have a page's size and hold a few bytes.
TEST(WholeFile, ShorterThanItSays_IsReadToItsEnd) {
  const std::filesystem::path file = "/sys/devices/system/cpu/possible";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "THERE IS NO " << file << " HERE";
  const auto size = state_of_file(file);
  ASSERT_TRUE(size);
  const auto bytes = read_whole_file(file, 1 << 20);
  ASSERT_TRUE(bytes);
  EXPECT_LT(bytes->size(), size->bytes);
  ASSERT_FALSE(bytes->empty());
  EXPECT_EQ(bytes->front(), std::byte{'0'});
  EXPECT_EQ(bytes->back(), std::byte{'\n'});
}

// Of this file the kernel gives a page at a time.
TEST(WholeFile, ThatComesInPieces_IsReadWhole) {
  const std::filesystem::path file = "/sys/kernel/btf/vmlinux";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "THERE IS NO " << file << " HERE";
  const auto bytes = read_whole_file(file, std::uint64_t{1} << 30);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), state_of_file(file)->bytes);
  std::ifstream stream(file, std::ios::binary);
  std::string text(bytes->size() + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  EXPECT_TRUE(std::ranges::equal(*bytes, as_byte_span(text)));
}

// The loopback device has no speed: the kernel refuses to read the file, which can be opened.
TEST(WholeFile, ThatCanBeOpenedAndNotRead_IsAFailureOfTheSystem) {
  const std::filesystem::path file = "/sys/class/net/lo/speed";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "THERE IS NO " << file << " HERE";
  const auto bytes = read_whole_file(file, 1 << 20);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().problem, FileProblem::kSystem);
  EXPECT_EQ(bytes.error().cause, std::errc::invalid_argument);
}

// No file of this process may be longer.
class LongestFile {
 public:
  explicit LongestFile(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  LongestFile(const LongestFile&) = delete;
  LongestFile& operator=(const LongestFile&) = delete;
  ~LongestFile() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

TEST(WholeFile, ThatIsWrittenInPart_IsAFailureOfTheSystem) {
  const TempDir folder;
  const auto file = folder.path() / "file";
  const auto written = [&] {
    const LongestFile longest(4);
    return write_whole_file(file, as_byte_span("123456"));
  }();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().problem, FileProblem::kSystem);
  EXPECT_EQ(written.error().cause, std::errc::file_too_large);
  EXPECT_EQ(state_of_file(file).value_or(FileState{}).bytes, 4u);
}

TEST(WholeFile, AnInterruptionBeforeIsNotItsOwn) {
  const TempDir folder;
  const auto file = folder.path() / "file";
  errno = EINTR;
  ASSERT_TRUE(write_whole_file(file, as_byte_span("text")));
  errno = EINTR;
  EXPECT_EQ(read_whole_file(file, 4)->size(), 4u);
}

// The lowest free descriptor is the next one: here, 0.
TEST(WholeFile, IsReadAndClosedWithoutAStandardInputToo) {
  const TempDir folder;
  ASSERT_TRUE(write_whole_file(folder.path() / "file", as_byte_span("text")));
  const int input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  const auto bytes = read_whole_file(folder.path() / "file", 4);
  const bool closed = fcntl(STDIN_FILENO, F_GETFD) == -1;
  dup2(input, STDIN_FILENO);
  close(input);
  EXPECT_TRUE(bytes);
  EXPECT_TRUE(closed);
}

TEST(WhyNotWritable, IsOfTheNearestFolderThatExists) {
  EXPECT_EQ(why_not_writable(std::filesystem::temp_directory_path() / "none" / "w.log"),
            std::nullopt);
  EXPECT_EQ(why_not_writable("w.log"), std::nullopt) << "in the current folder";
  const auto folder =
      std::filesystem::temp_directory_path() / ("winperf-writable-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "there.log") << "x";
  chmod((folder / "there.log").c_str(), 0444);
  chmod(folder.c_str(), 0555);
  const bool is_root = geteuid() == 0;
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(is_root ? seteuid(kNobody) : 0, 0);
  const auto existing = why_not_writable(folder / "there.log");
  const auto missing = why_not_writable(folder / "none" / "w.log");
  ASSERT_EQ(is_root ? seteuid(0) : 0, 0);
  EXPECT_EQ(existing, "Permission denied");
  EXPECT_EQ(missing, "Permission denied");
  chmod(folder.c_str(), 0755);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace winperf
