// What is asked about one file, and the answer: some of its bytes, as they are, and which file it
// was then. Nothing of a file is sent that wasn't asked for. Thread rule: values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/whole_file.h"

namespace winperf {

inline constexpr std::size_t kMaxFilePart = std::size_t{1} << 20;  // bytes of an answer
inline constexpr std::size_t kMaxFileProblem = 4096;               // bytes of a sentence

struct FileQuestion {
  std::string file{};  // its path in UTF-8
  std::uint64_t offset = 0;
  std::size_t max_bytes = 0;  // kMaxFilePart at most; 0: the stamp alone
  bool operator==(const FileQuestion&) const = default;
};

struct FileAnswer {
  // Nothing: there is no such file (any more), or it can't be read.
  std::optional<FileStamp> stamp{};
  std::vector<std::byte> bytes{};
  std::string problem{};  // why it can't be read; a sentence
  bool operator==(const FileAnswer&) const = default;
};

}  // namespace winperf
