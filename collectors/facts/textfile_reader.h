// Reads the files into which other programs write metrics: the topic `textfile`. What is in them is
// not interpreted here, only decoded (textfile_encoding.h).
//
// Of each folder, all files whose names end in ".prom", in any case; not those of folders in it.
// Rows are in the order of the folders, then of names: `file` (its whole path), `mtime` and
// `content`, or `problem` instead of the content. Only regular files are read, so that nothing
// waits for another program; a share may nevertheless hang. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "collectors/facts/fact_table.h"

namespace winperf {

inline constexpr std::size_t kMaxTextfiles = 1'000;            // of all folders
inline constexpr std::size_t kMaxFolderEntries = 100'000;      // that are looked at, of each folder
inline constexpr std::uint64_t kMaxTextfileBytes = 16U << 20;  // of a file
// Of all contents, as they are written in JSON: a worker's reply has room for no more.
inline constexpr std::size_t kMaxTextfileBytesInAll = std::size_t{48} << 20;

// `folders`: paths in UTF-8. One that doesn't exist or can't be read is among the problems.
FactTable read_textfiles(std::span<const std::string> folders);

}  // namespace winperf
