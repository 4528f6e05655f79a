// What a worker replied, as bytes of our own: what it could still change is never parsed.
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <expected>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::worker {

// `room`: its memory is used again. Errors: the part's own; kBufferLimit (bytes).
[[nodiscard]] inline std::expected<std::vector<std::byte>, Error> copied(
    const std::expected<std::span<const std::byte>, Error>& part, const char* where,
    std::vector<std::byte> room = {}) {
  if (!part) return std::unexpected(part.error());
  try {
    room.assign(part->begin(), part->end());
    return room;
  } catch (const std::bad_alloc&) {
    return std::unexpected(
        Error{.code = ErrorCode::kBufferLimit, .where = where, .actual = part->size()});
  }
}

}  // namespace winperf::worker
