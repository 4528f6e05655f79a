#include "collectors/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "collectors/base/file_failure.h"
#include "collectors/base/posix/descriptor.h"
#include "collectors/base/system_text.h"

namespace winperf {

namespace fs = std::filesystem;

namespace {

std::unexpected<FileFailure> last_failure() {
  const int code = errno;
  if (code == ENOENT || code == ENOTDIR) return no_such_file();
  if (code == EISDIR) return is_a_folder();
  if (code == ENXIO) return is_a_device();  // a pipe without a reader, or a socket
  return system_failure(std::error_code(code, std::system_category()));
}

struct Opened {
  Descriptor descriptor;
  FileStamp stamp{};
};

FileStamp stamp_of(const struct stat& status) {
  const auto since_1970 = std::chrono::seconds(status.st_mtim.tv_sec) +
                          std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  return {.state = {.bytes = static_cast<std::uint64_t>(status.st_size),
                    .modified = std::chrono::sys_time<std::chrono::nanoseconds>(since_1970)},
          .volume = status.st_dev,
          .number = status.st_ino};
}

// O_NONBLOCK: opening a pipe would wait for its other end. It has no effect on regular files.
[[nodiscard]] std::expected<Opened, FileFailure> open_regular(const fs::path& file, int flags) {
  constexpr mode_t kAnybody = 0666;  // restricted by the umask
  Descriptor descriptor(open(file.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, kAnybody));
  if (descriptor.get() < 0) return last_failure();
  struct stat status{};
  if (fstat(descriptor.get(), &status) != 0) return last_failure();
  if (S_ISDIR(status.st_mode)) return is_a_folder();
  if (!S_ISREG(status.st_mode)) return is_a_device();
  return Opened{.descriptor = std::move(descriptor), .stamp = stamp_of(status)};
}

// Fills `bytes` from `offset` on, a piece at a time. Fewer if the file was shortened since it was
// measured, or if reading isn't finished by `until`.
[[nodiscard]] std::expected<void, FileFailure> read_pieces(
    const Opened& opened, std::uint64_t offset, std::size_t piece,
    std::chrono::steady_clock::time_point until, std::vector<std::byte>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size() && (done == 0 || std::chrono::steady_clock::now() < until)) {
    const ssize_t got =
        pread(opened.descriptor.get(), bytes.data() + done, std::min(piece, bytes.size() - done),
              static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return last_failure();
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return {};
}

}  // namespace

std::expected<FileState, FileFailure> state_of_file(const fs::path& file) {
  const auto opened = open_regular(file, O_RDONLY);
  if (!opened) return std::unexpected(opened.error());
  return opened->stamp.state;
}

std::expected<FilePart, FileFailure> read_file_part(const fs::path& file, std::uint64_t offset,
                                                    std::size_t max_bytes,
                                                    std::chrono::steady_clock::time_point until) {
  const auto opened = open_regular(file, O_RDONLY);
  if (!opened) return std::unexpected(opened.error());
  const std::uint64_t behind =
      opened->stamp.state.bytes - std::min(offset, opened->stamp.state.bytes);
  FilePart part;
  part.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(behind, max_bytes)));
  if (const auto read = read_pieces(*opened, offset, kFilePiece, until, part.bytes); !read)
    return std::unexpected(read.error());
  struct stat status{};
  if (fstat(opened->descriptor.get(), &status) != 0) return last_failure();
  part.stamp = stamp_of(status);
  return part;
}

std::expected<std::vector<std::byte>, FileFailure> read_whole_file(const fs::path& file,
                                                                   std::uint64_t max_bytes) {
  const auto opened = open_regular(file, O_RDONLY);
  if (!opened) return std::unexpected(opened.error());
  if (opened->stamp.state.bytes > max_bytes) return too_large(opened->stamp.state.bytes, max_bytes);
  std::vector<std::byte> bytes(static_cast<std::size_t>(opened->stamp.state.bytes));
  constexpr auto kNoEnd = std::chrono::steady_clock::time_point::max();
  if (const auto read = read_pieces(*opened, 0, bytes.size(), kNoEnd, bytes); !read)
    return std::unexpected(read.error());
  return bytes;
}

std::expected<void, FileFailure> write_whole_file(const fs::path& file,
                                                  std::span<const std::byte> bytes) {
  auto opened = open_regular(file, O_WRONLY | O_CREAT | O_TRUNC);
  if (!opened) return in_its_folder(opened.error());
  while (!bytes.empty()) {
    const ssize_t put = write(opened->descriptor.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return last_failure();
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  if (!opened->descriptor.finish()) return last_failure();
  return {};
}

std::optional<std::string> leads_elsewhere(const fs::path& file) {
  struct stat status{};
  if (lstat(file.c_str(), &status) != 0) return std::nullopt;
  if (S_ISLNK(status.st_mode)) return "it is a link; name the file that it leads to";
  if (S_ISREG(status.st_mode) && status.st_nlink > 1)
    return "it has another hard link; remove that, or name another file";
  return std::nullopt;
}

bool is_plain_folder(const fs::path& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::optional<std::string> why_not_writable(const fs::path& file) {
  const fs::path there = nearest_existing(file);
  std::error_code ignored;
  const int wanted = fs::is_directory(there, ignored) ? W_OK | X_OK : W_OK;
  if (faccessat(AT_FDCWD, there.c_str(), wanted, AT_EACCESS) == 0) return std::nullopt;
  return system_text(std::error_code(errno, std::generic_category()));
}

std::expected<void, FileFailure> rename_file(const fs::path& from, const fs::path& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return last_failure();
  return {};
}

}  // namespace winperf
