// Files as a whole, by the system's own calls: unlike a stream's, their failures have a reason.
//
// Only regular files are read and written. Folders, pipes and devices are refused, so that nothing
// here ever waits for another program. Errors say why, not which file: the caller knows what it was
// asked for. Thread rule: any thread.
#pragma once

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
  kAbsent,    // there is no such file
  kNotAFile,  // a folder, a pipe or a device
  kTooLarge,
  kSystem,  // the system said no
};

struct FileFailure {
  FileProblem problem = FileProblem::kSystem;
  std::string reason;       // UTF-8, lower case but for the system's own text, no full stop
  std::uint64_t bytes = 0;  // of kTooLarge: the file's size
  std::error_code cause{};  // of kSystem
};

// The size of a file that can be read.
std::expected<std::uint64_t, FileFailure> readable_size(const std::filesystem::path& file);

std::expected<std::vector<std::byte>, FileFailure> read_whole_file(
    const std::filesystem::path& file, std::uint64_t max_bytes);

// Makes the file, or replaces what it holds.
std::expected<void, FileFailure> write_whole_file(const std::filesystem::path& file,
                                                  std::span<const std::byte> bytes);

// Renames a file or a folder. A file of the new name is replaced.
std::expected<void, FileFailure> rename_file(const std::filesystem::path& from,
                                             const std::filesystem::path& to);

// Why the name can't be that of a file to write to: it is a folder's, or that of a pipe or a
// device. Nothing where there is a regular file of this name, or nothing at all.
std::optional<std::string> never_a_file(const std::filesystem::path& file);

}  // namespace winperf
