// Untrusted bytes and where they came from: the only code that touches raw memory.
//
// A view knows its offset from the start of the block, so that every error can say where it
// occurred. A view can be narrowed, never widened. Each access proves its range first, in the form
// that can't overflow: offset <= size, then length <= size - offset. Fields of a structure are read
// by name (Field), from tables such as v1_format.h.
// Shape: little-endian integers, not necessarily aligned.
// Errors: kTruncated with both numbers. Lifetime: not longer than the bytes. Thread rule:
// immutable.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>
#include <type_traits>

#include "collectors/model/error.h"

namespace winperf {

// An integer of a structure: how many bytes from the structure's start, and how wide. Added to a
// place or used as one, it is its offset.
template <class Integer>
struct Field {
  static_assert(std::is_integral_v<Integer>);
  std::size_t offset;
  constexpr operator std::size_t() const { return offset; }
};

// Writes a field of a structure whose size the caller has proved.
template <class Integer>
void put(std::span<std::byte> structure, Field<Integer> field,
         std::type_identity_t<Integer> value) {
  assert(field.offset <= structure.size() && sizeof value <= structure.size() - field.offset);
  std::memcpy(structure.data() + field.offset, &value, sizeof value);
}

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

  [[nodiscard]] std::expected<ByteView, Error> slice(std::uint64_t offset, std::uint64_t length,
                                                     const char* where) const {
    if (offset > size() || length > size() - offset)
      return std::unexpected(outside(offset, length));
    const auto part =
        bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
    return ByteView(part, where, offset_ + offset);
  }

  [[nodiscard]] std::expected<ByteView, Error> first(std::uint64_t length,
                                                     const char* where) const {
    return slice(0, length, where);
  }

  [[nodiscard]] std::expected<ByteView, Error> from(std::uint64_t offset, const char* where) const {
    if (offset > size()) return std::unexpected(outside(offset, 0));
    return slice(offset, size() - offset, where);
  }

  template <class Integer>
  [[nodiscard]] std::expected<Integer, Error> read(std::uint64_t offset) const {
    static_assert(std::is_integral_v<Integer>);
    if (!holds<Integer>(offset)) return std::unexpected(outside(offset, sizeof(Integer)));
    return get<Integer>(offset);
  }
  template <class Integer>
  [[nodiscard]] std::expected<Integer, Error> read(Field<Integer> field) const {
    return read<Integer>(field.offset);
  }

  // The structure here, as long as its own field says, but at least so long.
  [[nodiscard]] std::expected<ByteView, Error> measured(Field<std::uint32_t> length,
                                                        std::uint32_t least,
                                                        const char* where) const {
    const auto bytes = read(length);
    if (!bytes) return std::unexpected(bytes.error());
    if (*bytes < least) return std::unexpected(error(ErrorCode::kBadLength, *bytes, least));
    return first(*bytes, where);
  }

  template <class Integer>
  bool holds(std::uint64_t offset) const {
    return offset <= size() && sizeof(Integer) <= size() - offset;
  }

  template <class Integer>
  bool holds(Field<Integer> field) const {
    return holds<Integer>(field.offset);
  }

  // For callers that have proved that the view is large enough: there is no error to return.
  template <class Integer>
  Integer get(std::uint64_t offset) const {
    assert(holds<Integer>(offset));
    Integer value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  template <class Integer>
  Integer get(Field<Integer> field) const {
    return get<Integer>(field.offset);
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
