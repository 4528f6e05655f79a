#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "collectors/base/posix/descriptor.h"
#include "collectors/base/system_text.h"
#include "service/selftest/journal.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kLargestJournal = std::size_t{1} << 20;

std::unexpected<std::string> last_error() {
  return std::unexpected(system_text(std::error_code(errno, std::system_category())));
}

class PosixJournalFile final : public JournalFile {
 public:
  PosixJournalFile(Descriptor file, std::filesystem::path name)
      : file_(std::move(file)), name_(std::move(name)) {}

  std::expected<std::string, std::string> text() override {
    struct stat facts{};
    if (fstat(file_.get(), &facts) != 0) return last_error();
    if (static_cast<std::size_t>(facts.st_size) > kLargestJournal)
      return std::unexpected("the journal is too large to be one");
    std::string text(static_cast<std::size_t>(facts.st_size), '\0');
    const ssize_t got = pread(file_.get(), text.data(), text.size(), 0);
    if (got < 0) return last_error();
    text.resize(static_cast<std::size_t>(got));
    return text;
  }
  std::expected<void, std::string> append(std::string_view line) override {
    struct stat before{};
    if (fstat(file_.get(), &before) != 0) return last_error();
    errno = ENOSPC;  // of a line that is only begun
    const ssize_t written = write(file_.get(), line.data(), line.size());
    if (written == static_cast<ssize_t>(line.size()) && fsync(file_.get()) == 0) return {};
    const auto failed = last_error();
    (void)cut(static_cast<std::size_t>(before.st_size));  // half a line makes it unreadable
    return failed;
  }
  std::expected<void, std::string> clear() override { return cut(0); }
  std::expected<void, std::string> cut(std::size_t bytes) override {
    if (ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) return last_error();
    return {};
  }
  void remove() override { unlink(name_.c_str()); }

 private:
  Descriptor file_;
  std::filesystem::path name_;
};

// Whether the name still leads to the opened file: another process may have removed it since.
bool is_still(const std::filesystem::path& file, int opened) {
  struct stat named{};
  struct stat held{};
  return lstat(file.c_str(), &named) == 0 && fstat(opened, &held) == 0 &&
         named.st_dev == held.st_dev && named.st_ino == held.st_ino;
}

}  // namespace

std::expected<std::unique_ptr<JournalFile>, std::string> open_journal_file(
    const std::filesystem::path& file) {
  constexpr mode_t kOwnersOnly = 0600;
  constexpr int kAttempts = 10;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Descriptor opened(
        open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnersOnly));
    if (!opened) return last_error();
    if (flock(opened.get(), LOCK_EX | LOCK_NB) != 0) break;
    if (is_still(file, opened.get()))
      return std::make_unique<PosixJournalFile>(std::move(opened), file);
  }
  return std::unexpected("another selftest of this account runs");
}

}  // namespace winperf::selftest
