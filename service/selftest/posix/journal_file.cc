#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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
  explicit PosixJournalFile(Descriptor file) : file_(std::move(file)) {}

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
    const ssize_t written = write(file_.get(), line.data(), line.size());
    if (written != static_cast<ssize_t>(line.size()) || fsync(file_.get()) != 0)
      return last_error();
    return {};
  }
  std::expected<void, std::string> clear() override {
    if (ftruncate(file_.get(), 0) != 0) return last_error();
    return {};
  }

 private:
  Descriptor file_;
};

}  // namespace

std::expected<std::unique_ptr<JournalFile>, std::string> open_journal_file(
    const std::filesystem::path& file) {
  constexpr mode_t kOwnersOnly = 0600;
  Descriptor opened(
      open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnersOnly));
  if (!opened) return last_error();
  if (flock(opened.get(), LOCK_EX | LOCK_NB) != 0)
    return std::unexpected("another selftest of this account runs");
  return std::make_unique<PosixJournalFile>(std::move(opened));
}

std::expected<std::filesystem::path, std::string> selftest_root() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  std::filesystem::path root;
  if (state != nullptr && *state == '/')
    root = state;
  else if (home != nullptr && *home == '/')
    root = std::filesystem::path(home) / ".local/state";
  else
    return std::unexpected("neither XDG_STATE_HOME nor HOME names a folder");
  return root / "winperf_exporter" / "selftest";
}

}  // namespace winperf::selftest
