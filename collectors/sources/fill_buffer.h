// Gets data of unknown size from the system: repeats a call with a new buffer until one is large
// enough.
//
// What a failed call means and how large the next buffer becomes is the caller's policy: the
// registry's (query_policy.h) and PerfLib's (perflib_client.h) differ, because only PerfLib says
// how much it needs. The policy ends the loop, so it has to count the calls.
// Only the reported size is checked, not the data. Thread rule: any thread.
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

// `call`: os_code(std::span<Item> buffer, std::size_t& size); the buffer is zeroed, `size` is its
// capacity and becomes what the system reports.
// `next`: expected<capacity, Error>(const FailedCall&); the capacity is at most `sizes.max`.
// Errors: those of `next`, kBadLength (more reported than fits), kBufferLimit (out of memory);
// `where` becomes Error::where.
template <class Item, class Call, class Next>
[[nodiscard]] std::expected<std::vector<Item>, Error> fill_buffer(BufferSizes sizes,
                                                                  const char* where,
                                                                  const Call& call,
                                                                  const Next& next) {
  std::size_t capacity = std::min(sizes.first, sizes.max);
  for (std::uint32_t number = 1;; ++number) {
    std::vector<Item> buffer;  // of this call, so that two never exist at the same time
    try {
      buffer.resize(capacity);
    } catch (const std::bad_alloc&) {
      return std::unexpected(Error{
          .code = ErrorCode::kBufferLimit, .where = where, .actual = capacity, .limit = sizes.max});
    }
    std::size_t size = capacity;
    const std::uint32_t os_code = call(std::span<Item>(buffer), size);
    if (os_code == value_of(OsCode::kSuccess)) {
      if (size > capacity)
        return std::unexpected(Error{
            .code = ErrorCode::kBadLength, .where = where, .actual = size, .limit = capacity});
      buffer.resize(size);
      return buffer;
    }
    const std::expected<std::size_t, Error> larger = next(
        FailedCall{.number = number, .os_code = os_code, .capacity = capacity, .reported = size});
    if (!larger) return std::unexpected(larger.error());
    capacity = *larger;
  }
}

}  // namespace winperf
