#include "collectors/facts/textfile_reader.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "collectors/base/path_text.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::TempDir;

// Of the only file there.
FileAnswer only_file(const TempDir& folder, std::size_t max_bytes = 100) {
  const FactTable table = list_textfiles(std::vector{path_text(folder.path())});
  EXPECT_EQ(table.rows.size(), 1U);
  if (table.rows.size() != 1) return {.problem = "no single row"};
  return read_textfile({.file = table.rows[0].text_of("file"), .max_bytes = max_bytes},
                       std::chrono::steady_clock::now() + std::chrono::minutes(1));
}
std::string only_problem(const TempDir& folder) { return only_file(folder).problem; }

TEST(TextfileReader, DoesNotWaitForAPipe) {
  const TempDir folder;
  ASSERT_EQ(mkfifo((folder.path() / "pipe.prom").c_str(), 0600), 0);
  EXPECT_EQ(only_problem(folder), "it is not a regular file");
}

TEST(TextfileReader, DoesNotReadASocket) {
  const TempDir folder;
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string name = (folder.path() / "socket.prom").string();
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(only_problem(folder), "it is not a regular file");
  close(socket);
}

TEST(TextfileReader, AFileInAnothersPlace_HasAnotherStamp) {
  const TempDir folder;
  const auto write = [&](const char* name) {
    std::ofstream(folder.path() / name) << "a 1\n";
    std::filesystem::last_write_time(folder.path() / name, {});
  };
  write("a.prom");
  const auto first = only_file(folder, 0).stamp;
  write("b.tmp");
  std::filesystem::rename(folder.path() / "b.tmp", folder.path() / "a.prom");
  const auto second = only_file(folder, 0).stamp;
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->state, second->state);
  EXPECT_NE(first, second);
}

TEST(TextfileReader, ReadsFilesWhoseNamesAreNoText) {
  const TempDir folder;
  std::ofstream(folder.path() / "a\xFF\n.prom") << "a 1\n";
  EXPECT_EQ(only_file(folder).bytes.size(), 4U);
  std::ofstream(folder.path() / "a\xFE\n.prom") << "b 1\n";
  const FactTable table = list_textfiles(std::vector{path_text(folder.path())});
  EXPECT_EQ(table.rows.size(), 1U);
  ASSERT_EQ(table.problems.size(), 1U);
  EXPECT_THAT(table.problems[0], HasSubstr("two files have the name "));
}

TEST(TextfileReader, FollowsNoLinkToAFolder) {
  const TempDir elsewhere;
  std::ofstream(elsewhere.path() / "secret.prom") << "a 1\n";
  const TempDir folder;
  std::filesystem::create_directory(folder.path() / "inner");
  std::ofstream(folder.path() / "inner" / "a.prom") << "a 1\n";
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path() / "out");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "inner" / "back");
  const FactTable table = list_textfiles(std::vector{path_text(folder.path())});
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].text_of("file"), path_text(folder.path() / "inner" / "a.prom"));
  EXPECT_TRUE(table.problems.empty());
}

TEST(TextfileReader, NamesInnerFoldersThatItCannotRead) {
  const TempDir folder;
  std::filesystem::create_directory(folder.path() / "a\xFF");
  std::ofstream(folder.path() / "a\xFF" / "a.prom") << "a 1\n";
  std::filesystem::create_directory(folder.path() / "shut");
  std::ofstream(folder.path() / "b.prom") << "b 1\n";
  std::filesystem::permissions(folder.path() / "shut", std::filesystem::perms::none);
  const FactTable table = list_textfiles(std::vector{path_text(folder.path())});
  std::filesystem::permissions(folder.path() / "shut", std::filesystem::perms::owner_all);
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.problems, Contains(HasSubstr("is not Unicode: its files are not read")));
  if (geteuid() == 0) GTEST_SKIP() << "ROOT READS EVERYTHING: not tested";
  EXPECT_THAT(table.problems, Contains(HasSubstr("shut cannot be read: ")));
}

TEST(TextfileReader, DoesNotReadADevice) {
  const TempDir folder;
  std::filesystem::create_symlink("/dev/zero", folder.path() / "zero.prom");
  EXPECT_EQ(only_problem(folder), "it is not a regular file");
}

TEST(TextfileReader, SaysWhyAFileIsNotRead) {
  if (geteuid() == 0) GTEST_SKIP() << "ROOT READS EVERYTHING: not tested";
  const TempDir folder;
  std::filesystem::create_symlink("/etc/shadow", folder.path() / "secret.prom");
  EXPECT_THAT(only_problem(folder), HasSubstr("it cannot be read: "));
}

TEST(TextfileReader, SkipsALinkToNothing) {
  const TempDir folder;
  std::filesystem::create_symlink(folder.path() / "none", folder.path() / "link.prom");
  EXPECT_EQ(only_file(folder), FileAnswer{});
}

}  // namespace
}  // namespace winperf
