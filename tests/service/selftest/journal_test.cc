// What is in a journal after a run that was killed at any moment, and that nothing else can be
// put into it.
#include "service/selftest/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Change kService{.kind = ChangeKind::kService, .name = "winperf_exporter_selftest_1a"};
const Change kRule{.kind = ChangeKind::kFirewallRule, .name = "winperf_exporter_selftest_2b"};

// Remembers its text, and can refuse to be written.
class MemoryFile final : public JournalFile {
 public:
  explicit MemoryFile(std::string& memory) : memory_(memory) {}
  std::expected<std::string, std::string> text() override { return memory_; }
  std::expected<void, std::string> append(std::string_view line) override {
    if (is_full) return std::unexpected("the disk is full");
    memory_ += line;
    return {};
  }
  std::expected<void, std::string> clear() override {
    memory_.clear();
    return {};
  }
  bool is_full = false;

 private:
  std::string& memory_;
};

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() : journal_(Journal::of(make_file())) {}
  std::unique_ptr<JournalFile> make_file() {
    auto file = std::make_unique<MemoryFile>(text_);
    file_ = file.get();
    return file;
  }
  std::vector<Change> on_disk() const { return parse_journal(text_).value(); }

  std::string text_;
  MemoryFile* file_ = nullptr;
  Journal journal_;
};

TEST_F(JournalTest, HasAChangeOnTheDiskBeforeItIsMade) {
  ASSERT_TRUE(journal_.begin(kService));
  EXPECT_EQ(text_, "{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_1a\"}\n");
  EXPECT_THAT(on_disk(), ElementsAre(kService));
}

TEST_F(JournalTest, ForgetsWhatWasUndone) {
  const auto service = journal_.begin(kService);
  const auto rule = journal_.begin(kRule);
  ASSERT_TRUE(service && rule);
  journal_.undone(*service);
  EXPECT_THAT(on_disk(), ElementsAre(kRule));
  EXPECT_THAT(journal_.left(), ElementsAre(kRule));
  journal_.undone(*service);  // twice is once
  EXPECT_THAT(on_disk(), ElementsAre(kRule));
  journal_.undone(*rule);
  EXPECT_EQ(text_, "");
  EXPECT_THAT(journal_.left(), IsEmpty());
}

TEST_F(JournalTest, NumbersGoOnAfterItWasCleared) {
  const auto first = journal_.begin(kService);
  ASSERT_TRUE(first);
  journal_.undone(*first);
  const auto second = journal_.begin(kRule);
  ASSERT_TRUE(second);
  EXPECT_THAT(on_disk(), ElementsAre(kRule));
  journal_.undone(*second);
  EXPECT_THAT(on_disk(), IsEmpty());
}

TEST_F(JournalTest, RefusesAChangeThatItCannotWriteDown) {
  file_->is_full = true;
  const auto begun = journal_.begin(kService);
  ASSERT_FALSE(begun);
  EXPECT_THAT(begun.error(), HasSubstr("the disk is full"));
  EXPECT_THAT(journal_.left(), IsEmpty());
}

TEST_F(JournalTest, RefusesNamesThatAreNotItsOwn) {
  EXPECT_FALSE(journal_.begin({.kind = ChangeKind::kService, .name = "winperf_exporter"}));
  EXPECT_EQ(text_, "");
}

// Killed after any byte of the last line: the change of that line wasn't made.
TEST_F(JournalTest, IsWholeUpToItsLastLine) {
  ASSERT_TRUE(journal_.begin(kService));
  const std::size_t first = text_.size();
  ASSERT_TRUE(journal_.begin(kRule));
  for (std::size_t bytes = first; bytes < text_.size(); ++bytes)
    EXPECT_THAT(parse_journal(std::string_view(text_).substr(0, bytes)).value(),
                ElementsAre(kService))
        << bytes;
}

TEST(JournalText, IsRefusedWholeIfALineIsWrong) {
  const std::string good = "{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_1a\"}\n";
  for (const char* const line :
       {"",
        "[]",
        "{}",
        "null",
        "1",
        "{\"change\":1,\"name\":\"winperf_exporter_selftest_1\"}",
        "{\"change\":\"service\"}",
        "{\"change\":\"service\",\"name\":\"Spooler\"}",
        "{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_\"}",
        "{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_1 --with-logs\"}",
        "{\"change\":\"folder\",\"name\":\"winperf_exporter_selftest_1/../..\"}",
        "{\"change\":\"folder\",\"name\":\"..\"}",
        "{\"change\":\"folder\",\"name\":\"\"}",
        "{\"change\":\"registry\",\"name\":\"winperf_exporter_selftest_1\"}",
        "{\"change\":\"product\",\"name\":\"winperf_exporter_selftest_1\"}",
        "{\"change\":\"product\",\"name\":\"{00000000-0000-0000-0000-00000000000g}\"}",
        "{\"undone\":1}",
        "{\"undone\":-1}",
        "{\"undone\":\"0\"}",
        "{\"undone\":1e300}"}) {
    const auto parsed = parse_journal(good + line + '\n');
    ASSERT_FALSE(parsed) << line;
    EXPECT_THAT(parsed.error(), HasSubstr("line 2 of the journal")) << line;
  }
  EXPECT_EQ(parse_journal(good + good).value().size(), 2U);
}

TEST(JournalText, OfANewerVersionIsNotCalledAStrangers) {
  const auto parsed =
      parse_journal("{\"change\":\"moon\",\"name\":\"winperf_exporter_selftest_1\"}\n");
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error(), HasSubstr("newer winperf_exporter"));
}

TEST(JournalText, HasALimit) {
  std::string text;
  for (int i = 0; i < 10'001; ++i)
    text += "{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_1a\"}\n";
  EXPECT_THAT(parse_journal(text).error(), HasSubstr("too many"));
}

// In a folder of its own.
class JournalFolder : public ::testing::Test {
 protected:
  JournalFolder()
      : root_(std::filesystem::temp_directory_path() /
              ("journal-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    std::filesystem::create_directories(root_);
  }
  ~JournalFolder() override { std::filesystem::remove_all(root_); }
  void write(const std::string& text) const {
    std::ofstream(root_ / "journal.jsonl", std::ios::binary) << text;
  }
  const std::filesystem::path root_;
};

TEST_F(JournalFolder, BringsBackWhatAKilledRunHasLeft) {
  {
    auto journal = Journal::open(root_);
    ASSERT_TRUE(journal) << journal.error();
    const auto first = journal->begin(kRule);
    ASSERT_TRUE(first && journal->begin(kService));
    journal->undone(*first);
  }
  auto journal = Journal::open(root_);
  ASSERT_TRUE(journal) << journal.error();
  EXPECT_THAT(journal->left(), ElementsAre(kService));
  journal->undone(1);             // numbers go on, so that nothing is written anew
  journal = std::unexpected("");  // closes it
  EXPECT_THAT(Journal::open(root_).value().left(), IsEmpty());
}

TEST_F(JournalFolder, ATornLastLineDoesNotSpoilTheNextOne) {
  write("{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_1a\"}\n{\"change\":\"fire");
  {
    auto journal = Journal::open(root_);
    ASSERT_TRUE(journal) << journal.error();
    ASSERT_TRUE(journal->begin(kRule));
  }
  EXPECT_THAT(Journal::open(root_).value().left(), ElementsAre(kService, kRule));
}

TEST_F(JournalFolder, HasOneOwner) {
  const auto journal = Journal::open(root_);
  ASSERT_TRUE(journal) << journal.error();
  const auto second = Journal::open(root_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), HasSubstr("another selftest"));
}

TEST_F(JournalFolder, IsNotTouchedIfItIsNoJournal) {
  write("something else\n");
  EXPECT_THAT(Journal::open(root_).error(), HasSubstr("line 1 of the journal"));
  std::ifstream file(root_ / "journal.jsonl");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "something else");
}

TEST_F(JournalFolder, IsRefusedIfItIsTooLarge) {
  write(std::string((std::size_t{1} << 20) + 1, 'x'));
  EXPECT_THAT(Journal::open(root_).error(), HasSubstr("too large"));
}

TEST_F(JournalTest, BeginsNoUndoAfterAStop) {
  ASSERT_TRUE(journal_.begin({.kind = ChangeKind::kFolder, .name = "winperf_exporter_selftest_3"}));
  StopSource stop;
  stop.request_stop();
  const std::filesystem::path nowhere = "winperf_exporter_selftest_that_is_nowhere";
  UndoTools tools{.program = {}, .root = nowhere, .scratch = nowhere, .stop = stop.token()};
  EXPECT_THAT(journal_.undo_all(tools), ElementsAre(HasSubstr("the undo was stopped")));
  EXPECT_EQ(journal_.left().size(), 1U);
  tools.stop = {};
  EXPECT_THAT(journal_.undo_all(tools), IsEmpty());
  EXPECT_THAT(journal_.left(), IsEmpty());
}

TEST_F(JournalFolder, UndoingRemovesFoldersAndFollowsNoLink) {
  const std::string name = "winperf_exporter_selftest_9";
  std::filesystem::create_directories(root_ / name / "deep");
  std::filesystem::create_directories(root_ / "kept");
  std::ofstream(root_ / "kept" / "file") << "x";
  std::error_code unsupported;
  std::filesystem::create_directory_symlink(root_ / "kept", root_ / name / "link", unsupported);
  std::filesystem::create_directory_symlink(root_ / "kept", root_ / (name + "1"), unsupported);
  auto journal = Journal::open(root_);
  ASSERT_TRUE(journal) << journal.error();
  ASSERT_TRUE(journal->begin({.kind = ChangeKind::kFolder, .name = name}));
  ASSERT_TRUE(journal->begin({.kind = ChangeKind::kFolder, .name = name + "1"}));
  const auto failed = journal->undo_all({.program = {}, .root = root_, .scratch = root_});
  EXPECT_FALSE(std::filesystem::exists(root_ / name));
  EXPECT_TRUE(std::filesystem::exists(root_ / "kept" / "file"));
  if (unsupported) return;  // Wine's file systems have no links
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_THAT(failed.front(), HasSubstr("it is a link"));
}

}  // namespace
}  // namespace winperf::selftest
