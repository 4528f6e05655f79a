#include "collectors/facts/textfile_reader.h"

#include <gmock/gmock.h>

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempDir;

class TextfileReaderTest : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) {
    ASSERT_TRUE(write_whole_file(path(name), std::as_bytes(std::span(text))));
  }
  std::filesystem::path path(const std::string& name) const {
    return (folder_.path() / path_of(name)).make_preferred();
  }
  std::string folder() const { return path_text(folder_.path()); }
  FactTable list() const { return list_textfiles(std::vector{folder()}); }
  FileAnswer ask(const std::string& name, std::uint64_t offset = 0,
                 std::size_t max_bytes = 100) const {
    return read_textfile({.file = path_text(path(name)), .offset = offset, .max_bytes = max_bytes},
                         std::chrono::steady_clock::now() + std::chrono::minutes(1));
  }

  TempDir folder_;
};

std::vector<std::string> files(const FactTable& table) {
  std::vector<std::string> found;
  for (const FactRow& row : table.rows) found.push_back(row.text_of("file"));
  return found;
}

std::string text_of(const FileAnswer& answer) {
  return {reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size()};
}

TEST_F(TextfileReaderTest, ListsWhatEndsInProm) {
  write("b.PROM", "b 1\n");
  write("a.prom", "a 1\n");
  write("\u00fc.Prom", "\xEF\xBB\xBFu 1\n");
  write("a.prom.tmp", "x 1\n");
  write("aprom", "x 1\n");
  write("prom", "x 1\n");
  const FactTable table = list();
  EXPECT_THAT(files(table), ElementsAre(path_text(path("a.prom")), path_text(path("b.PROM")),
                                        path_text(path("\u00fc.Prom"))));
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_EQ(text_of(ask("\u00fc.Prom")), "\xEF\xBB\xBFu 1\n") << "the bytes as they are";
}

TEST_F(TextfileReaderTest, ListsFilesOfFoldersInTheFolder) {
  write("b.prom", "b 1\n");
  for (const char* inner : {"a", "a/deep", "c.prom", "empty"})
    std::filesystem::create_directory(path(inner));
  for (const char* file : {"a/deep/1.prom", "a/2.prom", "a/2.prom.tmp", "c.prom/3.prom"})
    write(file, "x 1\n");
  const FactTable table = list();
  EXPECT_THAT(files(table),
              ElementsAre(path_text(path("a/2.prom")), path_text(path("a/deep/1.prom")),
                          path_text(path("b.prom")), path_text(path("c.prom/3.prom"))));
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_EQ(text_of(ask("a/deep/1.prom")), "x 1\n");
}

TEST_F(TextfileReaderTest, FoldersMayBeInFolders_UpToALimit) {
  std::filesystem::path inner = folder_.path();
  for (int depth = 1; depth <= kMaxTextfileDepth + 2; ++depth) {
    inner /= "d";
    std::filesystem::create_directory(inner);
    ASSERT_TRUE(write_whole_file(inner / "a.prom", {}));
  }
  const FactTable table = list();
  EXPECT_EQ(files(table).size(), static_cast<std::size_t>(kMaxTextfileDepth));
  EXPECT_THAT(table.problems, ElementsAre(HasSubstr("is more than 16 folders below " + folder() +
                                                    ": its files are not read")));
}

TEST_F(TextfileReaderTest, FoldersTooDeep_AreNamedUpToALimit) {
  std::filesystem::path inner = folder_.path();
  for (int depth = 1; depth <= kMaxTextfileDepth; ++depth) inner /= "d";
  for (std::size_t i = 0; i < kMaxFolderProblems + 5; ++i)
    std::filesystem::create_directories(inner / std::to_string(i));
  EXPECT_EQ(list().problems.size(), kMaxFolderProblems);
}

TEST_F(TextfileReaderTest, ReadsPartsOfAFile) {
  write("a.prom", "a 1\nb 2\n");
  const FileAnswer first = ask("a.prom", 0, 4);
  EXPECT_EQ(text_of(first), "a 1\n");
  ASSERT_TRUE(first.stamp);
  EXPECT_EQ(first.stamp->state, *state_of_file(path("a.prom")));
  EXPECT_EQ(text_of(ask("a.prom", 4, 4)), "b 2\n");
  EXPECT_EQ(text_of(ask("a.prom", 6)), "2\n");
  EXPECT_EQ(text_of(ask("a.prom", 8)), "");
  EXPECT_EQ(text_of(ask("a.prom", 800)), "");
  const FileAnswer look = ask("a.prom", 0, 0);
  EXPECT_EQ(look.stamp, first.stamp);
  EXPECT_TRUE(look.bytes.empty());
}

TEST_F(TextfileReaderTest, SaysWhyAFileIsNotRead) {
  EXPECT_EQ(ask("none.prom"), FileAnswer{});
  std::filesystem::create_directory(path("folder.prom"));
  EXPECT_EQ(ask("folder.prom").problem, "it is not a regular file");
}

TEST_F(TextfileReaderTest, NamesFoldersThatItCannotRead) {
  write("a.prom", "a 1\n");
  const std::string none = path_text(path("none"));
  const std::string file = path_text(path("a.prom"));
  const FactTable table = list_textfiles(std::vector{none, file, folder()});
  EXPECT_THAT(table.problems, ElementsAre("no such folder: " + none,
                                          HasSubstr("the folder " + file + " cannot be read: ")));
  EXPECT_THAT(files(table), ElementsAre(file));
}

TEST_F(TextfileReaderTest, NamesAFileTheSameInEverySpellingOfItsFolder) {
  write("a.prom", "a 1\n");
  const std::string file = path_text(path("a.prom"));
  for (const std::string& spelling : {folder(), folder() + "/", folder() + "/x/.."})
    EXPECT_THAT(files(list_textfiles(std::vector{spelling})), ElementsAre(file));
  EXPECT_TRUE(list_textfiles({}).rows.empty());
}

TEST_F(TextfileReaderTest, ListsOneMoreThanMayBe) {
  for (std::size_t i = 0; i < kMaxTextfiles + 5; ++i)
    write(std::to_string(10'000 + i) + ".prom", "x");
  const auto listed = files(list());
  ASSERT_EQ(listed.size(), kMaxTextfiles + 1);
  EXPECT_EQ(listed.back(), path_text(path("11000.prom")));
}

}  // namespace
}  // namespace winperf
