// Reads and writes whole files through the system's own calls, whose failures have a reason, unlike
// those of streams.
//
// Only regular files are read and written. Folders, pipes and devices are refused, so that no call
// waits for another program. Errors give the reason, but don't name the file. Thread rule: any
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace winperf {

enum class FileProblem {
  kAbsent,    // no such file
  kNotAFile,  // a folder, a pipe or a device
  kTooLarge,
  kSystem,  // the system refused
};

struct FileFailure {
  FileProblem problem = FileProblem::kSystem;
  std::string reason;       // UTF-8, no full stop; lower case except for the system's own text
  std::uint64_t bytes = 0;  // with kTooLarge: the file's size
  std::error_code cause{};  // with kSystem
};

// Changes when a file is written or replaced.
struct FileState {
  std::uint64_t bytes = 0;
  std::chrono::sys_time<std::chrono::nanoseconds> modified{};
  bool operator==(const FileState&) const = default;
};

// Of a file that can be read.
[[nodiscard]] std::expected<FileState, FileFailure> state_of_file(
    const std::filesystem::path& file);

// Identity and state of a file: changes when it is replaced or written. Plain memory, so that it
// can be passed between processes.
struct FileStamp {
  FileState state{};
  std::uint64_t volume = 0;
  std::uint64_t number = 0;  // of the file on its volume
  bool operator==(const FileStamp&) const = default;
};

struct FilePart {
  FileStamp stamp;  // after it was read
  std::vector<std::byte> bytes;
};

// Some bytes of a file, from `offset`. Fewer than `max_bytes` at its end, or if reading isn't
// finished by `until`; then a multiple of kFilePiece.
inline constexpr std::size_t kFilePiece = std::size_t{64} << 10;
[[nodiscard]] std::expected<FilePart, FileFailure> read_file_part(
    const std::filesystem::path& file, std::uint64_t offset, std::size_t max_bytes,
    std::chrono::steady_clock::time_point until);

[[nodiscard]] std::expected<std::vector<std::byte>, FileFailure> read_whole_file(
    const std::filesystem::path& file, std::uint64_t max_bytes);

// Creates the file, or replaces its content.
[[nodiscard]] std::expected<void, FileFailure> write_whole_file(const std::filesystem::path& file,
                                                                std::span<const std::byte> bytes);

// Renames a file or a folder. A file of the new name is replaced.
[[nodiscard]] std::expected<void, FileFailure> rename_file(const std::filesystem::path& from,
                                                           const std::filesystem::path& to);

// Why no file of this name can be written: it is a folder, a pipe or a device. Empty if it is a
// regular file, or doesn't exist.
std::optional<std::string> never_a_file(const std::filesystem::path& file);

// Why writing the file would change another one: it is a link, or it has another hard link. Empty
// if not, or if it doesn't exist. An account that can write in its folder could change that after
// the check.
std::optional<std::string> leads_elsewhere(const std::filesystem::path& file);

// Whether it is a folder, and neither a link nor a mount point.
bool is_plain_folder(const std::filesystem::path& path);

// Why this account can't write the file, or create it in the nearest existing folder; determined
// without writing. Empty if it can.
std::optional<std::string> why_not_writable(const std::filesystem::path& file);

}  // namespace winperf
