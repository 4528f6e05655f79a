// Reads the files into which other programs write metrics, for the topic `textfile`: which ones
// there are, and their bytes, as they are. What they mean isn't known here.
//
// Of each folder, all files whose names end in ".prom", in any case; not those of folders in it.
// Only regular files are read, so that nothing waits for another program; a share may nevertheless
// hang. Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "collectors/facts/fact_table.h"
#include "collectors/facts/file_question.h"

namespace winperf {

inline constexpr std::size_t kMaxTextfiles = 1'000;        // of all folders
inline constexpr std::size_t kMaxFolderEntries = 100'000;  // that are looked at, of each folder

// `folders`: paths in UTF-8. Rows have a `file`, its whole path, in the order of the folders, then
// of names; of each folder, one more than kMaxTextfiles at most. What can't be read is among the
// problems.
FactTable list_textfiles(std::span<const std::string> folders);

// A part that isn't there by `until` may be shorter than was asked.
FileAnswer read_textfile(const FileQuestion& question, std::chrono::steady_clock::time_point until);

}  // namespace winperf
