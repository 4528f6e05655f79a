// Gets data of unknown size from the system: repeats a call with a new buffer until one is large
// enough.
//
// The caller's policy decides what a failed call means and how large the next buffer becomes: the
// registry's (query_policy.h) and PerfLib's (perflib_client.h) differ, because only PerfLib reports
// the needed size. The policy ends the loop, so it has to count the calls. Only the reported size
// is checked, not the data. Thread rule: any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <new>
#include <span>
#include <vector>

#include "collectors/base/os_code.h"
#include "collectors/model/error.h"

namespace winperf {

struct BufferSizes {  // in items
  std::size_t first = 0;
  std::size_t max = 0;
};

struct FailedCall {
  std::uint32_t number = 1;  // of the call, from 1
  std::uint32_t os_code = 0;
  std::size_t capacity = 0;  // of its buffer
  std::size_t reported = 0;  // what the system said about the size
};

// `place`: std::span<Item>(std::size_t capacity); a zeroed buffer of that capacity, in which
// earlier ones need not survive. It throws std::bad_alloc if there is no room. `call`:
// os_code(std::span<Item> buffer, std::size_t& size); `size` is the buffer's capacity and becomes
// the reported size. `next`: expected<capacity, Error>(const FailedCall&); the capacity is at most
// `sizes.max`. Returns how much of the last buffer is filled. Errors: those of `next`, kBadLength
// (more reported than fits), kBufferLimit (no room); `where` becomes Error::where.
template <class Item, class Place, class Call, class Next>
[[nodiscard]] std::expected<std::size_t, Error> fill_place(BufferSizes sizes, const char* where,
                                                           const Place& place, const Call& call,
                                                           const Next& next) {
  std::size_t capacity = std::min(sizes.first, sizes.max);
  for (std::uint32_t number = 1;; ++number) {
    std::span<Item> buffer;
    try {
      buffer = place(capacity);
    } catch (const std::bad_alloc&) {
      return std::unexpected(Error{
          .code = ErrorCode::kBufferLimit, .where = where, .actual = capacity, .limit = sizes.max});
    }
    std::size_t size = capacity;
    const std::uint32_t os_code = call(buffer, size);
    if (os_code == value_of(OsCode::kSuccess)) {
      if (size > capacity)
        return std::unexpected(Error{
            .code = ErrorCode::kBadLength, .where = where, .actual = size, .limit = capacity});
      return size;
    }
    const std::expected<std::size_t, Error> larger = next(
        FailedCall{.number = number, .os_code = os_code, .capacity = capacity, .reported = size});
    if (!larger) return std::unexpected(larger.error());
    capacity = *larger;
  }
}

// A place that replaces `buffer` each time, so that two never exist at the same time.
template <class Item>
auto renewed(std::vector<Item>& buffer) {
  return [&buffer](std::size_t capacity) {
    buffer = {};
    buffer.resize(capacity);
    return std::span<Item>(buffer);
  };
}

// The same with a new buffer, which is returned.
template <class Item, class Call, class Next>
[[nodiscard]] std::expected<std::vector<Item>, Error> fill_buffer(BufferSizes sizes,
                                                                  const char* where,
                                                                  const Call& call,
                                                                  const Next& next) {
  std::vector<Item> buffer;
  const auto size = fill_place<Item>(sizes, where, renewed(buffer), call, next);
  if (!size) return std::unexpected(size.error());
  buffer.resize(*size);
  return buffer;
}

}  // namespace winperf
