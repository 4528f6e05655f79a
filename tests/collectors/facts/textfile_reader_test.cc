#include "collectors/facts/textfile_reader.h"

#include <gmock/gmock.h>

#include <span>
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
    return folder_.path() / path_of(name);
  }
  std::string folder() const { return path_text(folder_.path()); }
  FactTable read() const { return read_textfiles(std::vector{folder()}); }

  TempDir folder_;
};

std::vector<std::string> texts(const FactTable& table, std::string_view field) {
  std::vector<std::string> found;
  for (const FactRow& row : table.rows) found.push_back(row.text_of(field));
  return found;
}

TEST_F(TextfileReaderTest, ReadsWhatEndsInProm) {
  write("b.PROM", "b 1\n");
  write("a.prom", "a 1\n");
  write("\u00fc.Prom", "\xEF\xBB\xBFu 1\n");
  write("a.prom.tmp", "x 1\n");
  write("aprom", "x 1\n");
  write("prom", "x 1\n");
  std::filesystem::create_directory(path("inner"));
  write("inner/c.prom", "x 1\n");
  const FactTable table = read();
  EXPECT_THAT(texts(table, "content"), ElementsAre("a 1\n", "b 1\n", "u 1\n"));
  EXPECT_THAT(texts(table, "file"),
              ElementsAre(path_text(path("a.prom")), path_text(path("b.PROM")),
                          path_text(path("\u00fc.Prom"))));
  EXPECT_THAT(texts(table, "problem"), ElementsAre("", "", ""));
  EXPECT_THAT(table.problems, IsEmpty());
}

TEST_F(TextfileReaderTest, TellsWhenAFileWasWritten) {
  write("a.prom", "a 1\n");
  const FactTable table = read();
  ASSERT_EQ(table.rows.size(), 1u);
  const auto since_1970 = state_of_file(path("a.prom"))->modified.time_since_epoch();
  EXPECT_EQ(std::get<double>(*table.rows[0].find("mtime")),
            std::chrono::duration<double>(since_1970).count());
}

TEST_F(TextfileReaderTest, SaysWhatIsWrongWithAFile) {
  write("bad.prom", "a 1\n\xFF 1\n");
  write("empty.prom", "");
  write("large.prom", std::string(kMaxTextfileBytes + 1, ' '));
  std::filesystem::create_directory(path("folder.prom"));
  const FactTable table = read();
  EXPECT_THAT(texts(table, "problem"),
              ElementsAre(HasSubstr("line 2: this is not UTF-8"), "", "it is not a regular file",
                          "it cannot be read: its 16777217 bytes are more than the limit of "
                          "16777216"));
  EXPECT_EQ(table.rows[0].find("content"), nullptr);
  ASSERT_NE(table.rows[1].find("content"), nullptr);
  EXPECT_EQ(table.rows[1].find("problem"), nullptr);
}

TEST_F(TextfileReaderTest, NamesFoldersThatItCannotRead) {
  write("a.prom", "a 1\n");
  const std::string none = path_text(path("none"));
  const std::string file = path_text(path("a.prom"));
  const FactTable table = read_textfiles(std::vector{none, file, folder()});
  EXPECT_THAT(table.problems, ElementsAre("there is no folder " + none,
                                          HasSubstr("the folder " + file + " cannot be read: ")));
  EXPECT_THAT(texts(table, "content"), ElementsAre("a 1\n"));
}

TEST_F(TextfileReaderTest, ReadsAFolderOnce) {
  write("a.prom", "a 1\n");
  const std::vector folders{folder(), folder() + "/", folder() + "/x/.."};
  EXPECT_EQ(read_textfiles(folders).rows.size(), 1u);
  EXPECT_TRUE(read_textfiles({}).rows.empty());
}

TEST_F(TextfileReaderTest, ReadsNoMoreThanAWorkerCanAnswer) {
  // Of these, each line feed has two bytes in JSON, and each other control character six.
  write("a.prom", std::string(kMaxTextfileBytes, '\n'));
  write("b.prom", std::string(2U << 20, '\x01'));
  write("c.prom", std::string(kMaxTextfileBytes, ' '));
  write("d.prom", "x");
  const FactTable table = read();
  EXPECT_THAT(
      texts(table, "problem"),
      ElementsAre("", "", "with it, all text files together would be larger than 48 MiB", ""));
  EXPECT_LT(fact_text(table).size(), kMaxTextfileBytesInAll + (1U << 20));
  EXPECT_EQ(parse_fact_text(fact_text(table))->rows.size(), 4u);
}

TEST_F(TextfileReaderTest, ReadsNoMoreThanAThousandFiles) {
  for (std::size_t i = 0; i <= kMaxTextfiles; ++i) write(std::to_string(10'000 + i) + ".prom", "x");
  const FactTable table = read();
  EXPECT_EQ(table.rows.size(), kMaxTextfiles);
  EXPECT_THAT(table.problems,
              ElementsAre("there are more than 1000 text files: " + path_text(path("11000.prom")) +
                          " and those after it are not read"));
}

}  // namespace
}  // namespace winperf
