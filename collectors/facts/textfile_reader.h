// Lists and reads the text files with metrics of other programs, for the topic `textfile`. Their
// contents aren't parsed here.
//
// Of each folder and the folders in it, all files whose names end in ".prom", in any case. Links to
// folders and mount points aren't followed, because they may form a cycle. Only regular files are
// read, so that no read waits for another program; a network share may still hang. Thread rule: any
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "collectors/facts/fact_source.h"
#include "collectors/facts/fact_table.h"

namespace winperf {

inline constexpr std::size_t kMaxTextfiles = 1'000;  // of all folders
// Checked entries per folder, including subfolders.
inline constexpr std::size_t kMaxFolderEntries = 100'000;
inline constexpr int kMaxTextfileDepth = 16;           // of folders in a folder
inline constexpr std::size_t kMaxFolderProblems = 20;  // reported per folder

// `folders`: paths in UTF-8. Rows have a `file`, its whole path, in the order of the folders, then
// of names; of each folder, one more than kMaxTextfiles at most. What can't be read is among the
// problems.
FactTable list_textfiles(std::span<const std::string> folders);

// The part may be shorter if reading isn't finished by `until`.
FileAnswer read_textfile(const FileQuestion& question, std::chrono::steady_clock::time_point until);

}  // namespace winperf
