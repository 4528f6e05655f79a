// Creates the failures of whole_file.h, with the same texts on every platform.
// Thread rule: any thread.
#pragma once

#include <expected>
#include <string_view>

#include "collectors/base/whole_file.h"

namespace winperf {

// Static storage for texts that are known only at run time, for pointers such as Error::where.
// Thread rule: any thread.

// One copy of `text` for the life of the process; `otherwise` if it isn't printable ASCII, or if
// there are too many different texts already, since they come from outside.
[[nodiscard]] const char* kept_text(std::string_view text, const char* otherwise);

std::unexpected<FileFailure> no_such_file();
std::unexpected<FileFailure> is_a_folder();
// A failure to create a file: if something is absent, it is the folder.
std::unexpected<FileFailure> in_its_folder(FileFailure failure);
std::unexpected<FileFailure> is_a_device();
std::unexpected<FileFailure> too_large(std::uint64_t bytes, std::uint64_t max_bytes);
// The file, or the folder above it that exists.
std::filesystem::path nearest_existing(const std::filesystem::path& file);
std::unexpected<FileFailure> system_failure(const std::error_code& cause);

}  // namespace winperf
