// The journal's file where the disk is full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "service/selftest/journal.h"
#include "tests/service/run/temp_folder.h"

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;

// While it lives, files of this process can have no more bytes, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t most_bytes) {
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{.rlim_cur = std::min(most_bytes, before_.rlim_max),
                     .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST(JournalFile, HasNoHalfLineAfterTheDiskWasFull) {
  const testing::TempFolder folder;
  const Change first{.kind = ChangeKind::kService, .name = "winperf_exporter_selftest_1"};
  const Change second{.kind = ChangeKind::kService, .name = "winperf_exporter_selftest_2"};
  {
    auto journal = Journal::open(folder.path());
    ASSERT_TRUE(journal) << journal.error();
    ASSERT_TRUE(journal->begin(first));
    const auto size = std::filesystem::file_size(folder.path() / "journal.jsonl");
    std::string error;
    {
      const FullDisk full(size + 10);
      const auto begun = journal->begin(second);
      if (!begun) error = begun.error();
    }
    EXPECT_THAT(error, ::testing::HasSubstr("No space left"));
    EXPECT_EQ(std::filesystem::file_size(folder.path() / "journal.jsonl"), size);
    ASSERT_TRUE(journal->begin(second)) << "there is room again";
  }
  const auto journal = Journal::open(folder.path());
  ASSERT_TRUE(journal) << journal.error();
  EXPECT_THAT(journal->left(), ElementsAre(first, second));
}

}  // namespace
}  // namespace winperf::selftest
