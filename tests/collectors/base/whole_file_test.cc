#include "collectors/base/whole_file.h"

#include <gmock/gmock.h>

#include <string_view>

#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using testing::TempDir;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(WholeFile, HoldsWhatWasWrittenLast) {
  const TempDir folder;
  const auto file = folder.path() / u8"gr\u00fc\u00dfe \U0001F600.txt";
  ASSERT_TRUE(write_whole_file(file, bytes_of("a longer text")));
  ASSERT_TRUE(write_whole_file(file, bytes_of("short")));
  EXPECT_EQ(text_of(*read_whole_file(file, 5)), "short");
  EXPECT_EQ(state_of_file(file)->bytes, 5u);
  ASSERT_TRUE(write_whole_file(file, {}));
  EXPECT_EQ(text_of(*read_whole_file(file, 5)), "");
}

TEST(WholeFile, ThatIsTooLargeIsNotRead) {
  const TempDir folder;
  const auto file = folder.path() / "large";
  ASSERT_TRUE(write_whole_file(file, bytes_of("123456")));
  const FileFailure failure = read_whole_file(file, 5).error();
  EXPECT_EQ(failure.problem, FileProblem::kTooLarge);
  EXPECT_EQ(failure.bytes, 6u);
  EXPECT_EQ(failure.reason, "its 6 bytes are more than the limit of 5");
}

TEST(WholeFile, ThatIsAbsentIsSaidToBe) {
  const TempDir folder;
  const auto none = folder.path() / "none" / "file";
  EXPECT_EQ(read_whole_file(none, 5).error().reason, "no such file");
  EXPECT_EQ(state_of_file(none).error().problem, FileProblem::kAbsent);
  EXPECT_EQ(write_whole_file(none, {}).error().reason, "its folder does not exist");
  EXPECT_EQ(rename_file(none, folder.path() / "x").error().problem, FileProblem::kAbsent);
}

TEST(WholeFile, HasAStateThatWritingChanges) {
  const TempDir folder;
  const auto file = folder.path() / "file";
  const auto before = std::chrono::system_clock::now();
  ASSERT_TRUE(write_whole_file(file, bytes_of("1234")));
  const FileState state = *state_of_file(file);
  EXPECT_EQ(state.bytes, 4u);
  EXPECT_LT(std::chrono::abs(state.modified - before), std::chrono::hours(1));
  EXPECT_EQ(*state_of_file(file), state);
  // Some systems' libraries set whole seconds.
  const auto second =
      std::chrono::floor<std::chrono::seconds>(std::filesystem::last_write_time(file));
  std::filesystem::last_write_time(file, second);
  const FileState later = *state_of_file(file);
  std::filesystem::last_write_time(file, second - std::chrono::hours(24));
  EXPECT_EQ(later.modified - state_of_file(file)->modified, std::chrono::hours(24));
  EXPECT_EQ(state_of_file(folder.path()).error().problem, FileProblem::kNotAFile);
  EXPECT_EQ(state_of_file(folder.path() / "none").error().problem, FileProblem::kAbsent);
}

TEST(WholeFile, GivesPartsOfItself) {
  const TempDir folder;
  const auto file = folder.path() / "file";
  const std::string text(3 * kFilePiece + 5, 'x');
  ASSERT_TRUE(write_whole_file(file, bytes_of(text)));
  const auto later = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const auto part = read_file_part(file, kFilePiece, 2 * kFilePiece, later);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->bytes.size(), 2 * kFilePiece);
  EXPECT_EQ(part->stamp.state, *state_of_file(file));
  EXPECT_EQ(read_file_part(file, 3 * kFilePiece, 100, later)->bytes.size(), 5U);
  EXPECT_EQ(read_file_part(file, text.size() + 1, 100, later)->bytes.size(), 0U);
  // What takes too long is a beginning.
  EXPECT_EQ(read_file_part(file, 0, text.size(), {})->bytes.size(), kFilePiece);
  const auto other = folder.path() / "other";
  ASSERT_TRUE(write_whole_file(other, bytes_of(text)));
  const FileStamp stamp = read_file_part(other, 0, 0, later)->stamp;
  EXPECT_EQ(stamp.volume, part->stamp.volume);
  EXPECT_NE(stamp.number, part->stamp.number);
  EXPECT_EQ(read_file_part(folder.path(), 0, 1, later).error().problem, FileProblem::kNotAFile);
  EXPECT_EQ(read_file_part(folder.path() / "none", 0, 1, later).error().problem,
            FileProblem::kAbsent);
}

TEST(WholeFile, AFolderIsNone) {
  const TempDir folder;
  EXPECT_EQ(read_whole_file(folder.path(), 5).error().problem, FileProblem::kNotAFile);
  EXPECT_EQ(state_of_file(folder.path()).error().problem, FileProblem::kNotAFile);
  const FileFailure failure = write_whole_file(folder.path(), {}).error();
  EXPECT_EQ(failure.problem, FileProblem::kNotAFile);
  EXPECT_THAT(failure.reason, HasSubstr("folder"));
}

TEST(WholeFile, IsRenamedOverAnother) {
  const TempDir folder;
  ASSERT_TRUE(write_whole_file(folder.path() / "new", bytes_of("new")));
  ASSERT_TRUE(write_whole_file(folder.path() / "old", bytes_of("old")));
  ASSERT_TRUE(rename_file(folder.path() / "new", folder.path() / "old"));
  EXPECT_EQ(text_of(*read_whole_file(folder.path() / "old", 5)), "new");
  EXPECT_EQ(state_of_file(folder.path() / "new").error().problem, FileProblem::kAbsent);
}

TEST(NeverAFile, SaysWhatStandsThere) {
  const TempDir folder;
  const auto file = folder.path() / "file";
  EXPECT_EQ(never_a_file(file), std::nullopt) << "it can be made";
  ASSERT_TRUE(write_whole_file(file, {}));
  EXPECT_EQ(never_a_file(file), std::nullopt);
  EXPECT_THAT(never_a_file(folder.path()).value_or(""), HasSubstr("folder"));
  EXPECT_THAT(never_a_file("/").value_or(""), HasSubstr("folder"));
  EXPECT_THAT(never_a_file("no such folder/").value_or(""), HasSubstr("folder"));
}

}  // namespace
}  // namespace winperf
