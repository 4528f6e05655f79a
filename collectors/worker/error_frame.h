// An Error as it crosses from a worker to its parent. Its `where` is a pointer to static text in
// one process, so the text crosses, and the other process keeps one copy of each for ever.
// Validated: the code; `where` is taken only if it is short and printable, and only as long as
// there are few different ones, since a worker could send new ones for ever.
// Thread rule: any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "collectors/model/error.h"

namespace winperf::worker {

struct ErrorFrame {
  std::uint32_t code;
  std::uint32_t os_code;
  std::uint64_t offset, actual, limit;
  std::array<char, 48> where;  // ends with its first NUL, which must be there
};

ErrorFrame frame_of(const Error& error);
// Nothing if there is no such code.
[[nodiscard]] std::optional<Error> read_error(const ErrorFrame& frame);

}  // namespace winperf::worker
