// A buffer that Windows has filled with structures that point to each other. Nothing that a pointer
// leads to is read before the pointer has been proved to lead into what was filled.
// Thread rule: one thread.
#pragma once

#include <windows.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace winperf {

class ReturnedBuffer {
 public:
  explicit ReturnedBuffer(std::size_t bytes)
      : words_(bytes / sizeof(std::uint64_t) + 1), bytes_(bytes) {}

  // Aligned for any structure of Windows.
  void* data() { return words_.data(); }
  std::size_t bytes() const { return bytes_; }
  // The first of the filled bytes count; more than there are counts as all.
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

}  // namespace winperf
