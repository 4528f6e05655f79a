#include "collectors/facts/textfile_reader.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "collectors/base/path_text.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using testing::TempDir;

std::string only_problem(const TempDir& folder) {
  const FactTable table = read_textfiles(std::vector{path_text(folder.path())});
  return table.rows.size() == 1 ? table.rows[0].text_of("problem") : "no single row";
}

TEST(TextfileReader, DoesNotWaitForAPipe) {
  const TempDir folder;
  ASSERT_EQ(mkfifo((folder.path() / "pipe.prom").c_str(), 0600), 0);
  EXPECT_EQ(only_problem(folder), "it is not a regular file");
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
  EXPECT_EQ(only_problem(folder), "no single row");
}

}  // namespace
}  // namespace winperf
