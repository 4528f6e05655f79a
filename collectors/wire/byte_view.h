// Untrusted bytes with the place that they come from: the only code that touches raw memory.
//
// A view knows its offset from the start of the block, so that every error can say where it was
// met. It can be narrowed, never widened. Every access proves its range first, in the form that
// cannot overflow: offset <= size, then length <= size - offset. Shape: little-endian integers, not
// necessarily aligned. Errors: kTruncated with both numbers. Lifetime: not longer than the bytes.
// Thread rule: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>
#include <type_traits>

#include "collectors/model/error.h"

namespace winperf {

class ByteView {
 public:
  ByteView() = default;
  // `where` is static text for errors.
  ByteView(std::span<const std::byte> bytes, const char* where, std::uint64_t offset = 0)
      : bytes_(bytes), where_(where), offset_(offset) {}

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  // From the start of the block.
  std::uint64_t offset() const { return offset_; }
  const char* where() const { return where_; }

  std::expected<ByteView, Error> slice(std::uint64_t offset, std::uint64_t length,
                                       const char* where) const {
    if (offset > size() || length > size() - offset)
      return std::unexpected(outside(offset, length));
    const auto part =
        bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
    return ByteView(part, where, offset_ + offset);
  }

  std::expected<ByteView, Error> from(std::uint64_t offset, const char* where) const {
    if (offset > size()) return std::unexpected(outside(offset, 0));
    return slice(offset, size() - offset, where);
  }

  template <class Integer>
  std::expected<Integer, Error> read(std::uint64_t offset) const {
    static_assert(std::is_integral_v<Integer>);
    if (!holds<Integer>(offset)) return std::unexpected(outside(offset, sizeof(Integer)));
    return get<Integer>(offset);
  }

  template <class Integer>
  bool holds(std::uint64_t offset) const {
    return offset <= size() && sizeof(Integer) <= size() - offset;
  }

  // For fields of a structure whose size was proved before: the caller has checked holds().
  template <class Integer>
  Integer get(std::uint64_t offset) const {
    Integer value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  Error error(ErrorCode code, std::uint64_t actual, std::uint64_t limit) const {
    return {.code = code, .where = where_, .offset = offset_, .actual = actual, .limit = limit};
  }

 private:
  Error outside(std::uint64_t offset, std::uint64_t length) const {
    return {.code = ErrorCode::kTruncated,
            .where = where_,
            .offset = offset_ + offset,
            .actual = offset + length,
            .limit = size()};
  }

  std::span<const std::byte> bytes_;
  const char* where_ = "";
  std::uint64_t offset_ = 0;
};

}  // namespace winperf
