// Reads the files into which other programs write metrics, for the topic `textfile`: which ones
// there are, and their bytes, as they are. What they mean isn't known here.
//
// Of each folder and the folders in it, all files whose names end in ".prom", in any case. A link
// to a folder isn't followed, nor is a place where another volume is mounted: they might lead
// anywhere, even back. Only regular files are read, so that nothing waits for another program; a
// share may nevertheless hang. Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "collectors/facts/fact_source.h"
#include "collectors/facts/fact_table.h"

namespace winperf {

inline constexpr std::size_t kMaxTextfiles = 1'000;  // of all folders
// That are looked at, of each folder with those in it.
inline constexpr std::size_t kMaxFolderEntries = 100'000;
inline constexpr int kMaxTextfileDepth = 16;           // of folders in a folder
inline constexpr std::size_t kMaxFolderProblems = 20;  // that are named, of each folder

// `folders`: paths in UTF-8. Rows have a `file`, its whole path, in the order of the folders, then
// of names; of each folder, one more than kMaxTextfiles at most. What can't be read is among the
// problems.
FactTable list_textfiles(std::span<const std::string> folders);

// A part that isn't there by `until` may be shorter than was asked.
FileAnswer read_textfile(const FileQuestion& question, std::chrono::steady_clock::time_point until);

}  // namespace winperf
