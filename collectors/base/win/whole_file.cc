#include "collectors/base/whole_file.h"

#include <windows.h>

#include <algorithm>
#include <ratio>
#include <utility>

#include "collectors/base/file_failure.h"
#include "collectors/base/win/file_time.h"
#include "collectors/base/win/unique_handle.h"

namespace winperf {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxAtOnce = std::size_t{64} << 20;

std::unexpected<FileFailure> last_failure() {
  const DWORD code = GetLastError();
  if (code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND) return no_such_file();
  return system_failure(std::error_code(static_cast<int>(code), std::system_category()));
}

struct Opened {
  UniqueFileHandle handle;
  std::uint64_t bytes = 0;
};

// With backup semantics, folders can be opened, too, which distinguishes them from inaccessible
// files. The security flags keep a pipe's server from impersonating this account.
[[nodiscard]] std::expected<Opened, FileFailure> open_regular(const fs::path& file, DWORD access,
                                                              DWORD disposition) {
  const HANDLE handle = CreateFileW(
      file.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
      disposition, FILE_FLAG_BACKUP_SEMANTICS | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION,
      nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    const auto failure = last_failure();
    const DWORD attributes = GetFileAttributesW(file.c_str());
    const bool is_folder =
        attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return is_folder ? is_a_folder() : failure;
  }
  UniqueFileHandle opened(handle);
  if (GetFileType(handle) != FILE_TYPE_DISK) return is_a_device();
  FILE_STANDARD_INFO info{};
  if (!GetFileInformationByHandleEx(handle, FileStandardInfo, &info, sizeof(info)))
    return last_failure();
  if (info.Directory) return is_a_folder();
  return Opened{.handle = std::move(opened),
                .bytes = static_cast<std::uint64_t>(info.EndOfFile.QuadPart)};
}

std::chrono::sys_time<std::chrono::nanoseconds> system_time(std::int64_t ticks) {
  using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, kTicks100nsPerSecond>>;
  return std::chrono::sys_time<std::chrono::nanoseconds>(Ticks(ticks - kUnixEpoch100ns));
}

FileStamp stamp_of(const BY_HANDLE_FILE_INFORMATION& info) {
  return {.state = {.bytes = joined(info.nFileSizeHigh, info.nFileSizeLow),
                    .modified = system_time(time_of(info.ftLastWriteTime).ticks)},
          .volume = info.dwVolumeSerialNumber,
          .number = joined(info.nFileIndexHigh, info.nFileIndexLow)};
}

// Fills `bytes` from the current position, a piece at a time. Fewer if the file was shortened since
// it was measured, or if reading isn't finished by `until`.
[[nodiscard]] std::expected<void, FileFailure> read_pieces(
    const Opened& opened, std::size_t piece, std::chrono::steady_clock::time_point until,
    std::vector<std::byte>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size() && (done == 0 || std::chrono::steady_clock::now() < until)) {
    DWORD got = 0;
    const auto wanted = static_cast<DWORD>(std::min(piece, bytes.size() - done));
    if (!ReadFile(opened.handle.get(), bytes.data() + done, wanted, &got, nullptr))
      return last_failure();
    if (got == 0) break;
    done += got;
  }
  bytes.resize(done);
  return {};
}

}  // namespace

std::expected<FileState, FileFailure> state_of_file(const fs::path& file) {
  const auto opened = open_regular(file, GENERIC_READ, OPEN_EXISTING);
  if (!opened) return std::unexpected(opened.error());
  FILE_BASIC_INFO info{};
  if (!GetFileInformationByHandleEx(opened->handle.get(), FileBasicInfo, &info, sizeof(info)))
    return last_failure();
  return FileState{.bytes = opened->bytes, .modified = system_time(info.LastWriteTime.QuadPart)};
}

std::expected<FilePart, FileFailure> read_file_part(const fs::path& file, std::uint64_t offset,
                                                    std::size_t max_bytes,
                                                    std::chrono::steady_clock::time_point until) {
  const auto opened = open_regular(file, GENERIC_READ, OPEN_EXISTING);
  if (!opened) return std::unexpected(opened.error());
  const HANDLE handle = opened->handle.get();
  const std::uint64_t behind = opened->bytes - std::min(offset, opened->bytes);
  FilePart part;
  part.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(behind, max_bytes)));
  const LARGE_INTEGER from{.QuadPart = static_cast<LONGLONG>(offset)};
  if (!SetFilePointerEx(handle, from, nullptr, FILE_BEGIN)) return last_failure();
  if (const auto read = read_pieces(*opened, kFilePiece, until, part.bytes); !read)
    return std::unexpected(read.error());
  BY_HANDLE_FILE_INFORMATION info{};
  if (!GetFileInformationByHandle(handle, &info)) return last_failure();
  part.stamp = stamp_of(info);
  return part;
}

std::expected<std::vector<std::byte>, FileFailure> read_whole_file(const fs::path& file,
                                                                   std::uint64_t max_bytes) {
  const auto opened = open_regular(file, GENERIC_READ, OPEN_EXISTING);
  if (!opened) return std::unexpected(opened.error());
  if (opened->bytes > max_bytes) return too_large(opened->bytes, max_bytes);
  std::vector<std::byte> bytes(static_cast<std::size_t>(opened->bytes));
  constexpr auto kNoEnd = std::chrono::steady_clock::time_point::max();
  if (const auto read = read_pieces(*opened, kMaxAtOnce, kNoEnd, bytes); !read)
    return std::unexpected(read.error());
  return bytes;
}

std::expected<void, FileFailure> write_whole_file(const fs::path& file,
                                                  std::span<const std::byte> bytes) {
  const auto opened = open_regular(file, GENERIC_WRITE, CREATE_ALWAYS);
  if (!opened) return in_its_folder(opened.error());
  while (!bytes.empty()) {
    DWORD put = 0;
    const auto wanted = static_cast<DWORD>(std::min(bytes.size(), kMaxAtOnce));
    if (!WriteFile(opened->handle.get(), bytes.data(), wanted, &put, nullptr))
      return last_failure();
    bytes = bytes.subspan(put);
  }
  return {};
}

std::optional<std::string> leads_elsewhere(const fs::path& file) {
  const UniqueFileHandle opened(CreateFileW(
      file.c_str(), FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
      nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  BY_HANDLE_FILE_INFORMATION facts{};
  if (!opened || !GetFileInformationByHandle(opened.get(), &facts)) return std::nullopt;
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0)
    return "it is a link; name the file that it leads to";
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0 && facts.nNumberOfLinks > 1)
    return "it has another hard link; remove that, or name another file";
  return std::nullopt;
}

bool is_plain_folder(const fs::path& path) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 &&
         (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0;
}

// Opening a folder with the right to add a file asks for that right, and adds nothing.
std::optional<std::string> why_not_writable(const fs::path& file) {
  const fs::path there = nearest_existing(file);
  std::error_code ignored;
  const DWORD wanted = fs::is_directory(there, ignored) ? FILE_ADD_FILE : FILE_APPEND_DATA;
  const UniqueFileHandle opened(CreateFileW(
      there.c_str(), wanted, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION,
      nullptr));
  return opened ? std::nullopt : std::optional(last_failure().error().reason);
}

std::expected<void, FileFailure> rename_file(const fs::path& from, const fs::path& to) {
  if (!MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING)) return last_failure();
  return {};
}

}  // namespace winperf
