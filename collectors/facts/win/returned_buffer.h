// A buffer that Windows has filled with structures that point to each other. No pointer is followed
// before it has been checked to lie within the filled part. Thread rule: one thread.
#pragma once

#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cwchar>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/win/wide.h"

namespace winperf {

// A name to which Windows points; empty if it is null. Names have fewer characters.
inline std::string text_at(const wchar_t* name) {
  constexpr std::size_t kMaxNameChars = 1024;
  return name == nullptr ? std::string() : to_utf8({name, wcsnlen(name, kMaxNameChars)});
}

class ReturnedBuffer {
 public:
  explicit ReturnedBuffer(std::size_t bytes)
      : words_(bytes / sizeof(std::uint64_t) + 1), bytes_(bytes) {}

  // Aligned for any structure of Windows.
  void* data() { return words_.data(); }
  std::size_t bytes() const { return bytes_; }
  // Sets the number of filled bytes, at most all.
  void filled(std::size_t bytes) {
    if (bytes < bytes_) bytes_ = bytes;
  }

  // The structure, or null if it isn't in the buffer as a whole.
  template <class T>
  const T* at(const void* where) const {
    return holds(where, sizeof(T), alignof(T)) ? static_cast<const T*>(where) : nullptr;
  }
  const std::byte* range(const void* where, std::size_t bytes) const {
    return holds(where, bytes, 1) ? static_cast<const std::byte*>(where) : nullptr;
  }
  // A text that ends with a NUL in the buffer; nothing if it isn't one.
  std::optional<std::wstring_view> text(const wchar_t* where) const {
    if (!holds(where, sizeof(wchar_t), alignof(wchar_t))) return std::nullopt;
    const std::size_t most = (end() - address(where)) / sizeof(wchar_t);
    const std::wstring_view rest(where, most);
    const std::size_t length = rest.find(L'\0');
    if (length == std::wstring_view::npos) return std::nullopt;
    return rest.substr(0, length);
  }

 private:
  static std::uintptr_t address(const void* where) {
    return reinterpret_cast<std::uintptr_t>(where);
  }
  std::uintptr_t begin() const { return address(words_.data()); }
  std::uintptr_t end() const { return begin() + bytes_; }
  bool holds(const void* where, std::size_t bytes, std::size_t alignment) const {
    const std::uintptr_t first = address(where);
    return first >= begin() && first <= end() && end() - first >= bytes && first % alignment == 0;
  }

  std::vector<std::uint64_t> words_;
  std::size_t bytes_;
};

// Calls a function with growing buffers until the data fits, because its size may change between
// calls: `call`, code(ReturnedBuffer&, ULONG& size), returns `too_small` and the needed size. The
// error is Windows' code.
template <class Call>
[[nodiscard]] std::expected<ReturnedBuffer, DWORD> fill_returned(ULONG first, ULONG most,
                                                                 DWORD too_small,
                                                                 const Call& call) {
  constexpr int kMostTries = 8;
  DWORD code = too_small;
  for (int i = 0; i < kMostTries && first <= most; ++i) {
    ReturnedBuffer buffer(first);
    ULONG size = first;
    code = call(buffer, size);
    if (code == NO_ERROR) return buffer;
    if (code != too_small) break;
    first = std::max(size, first) + first / 2;
  }
  return std::unexpected(code);
}

}  // namespace winperf
