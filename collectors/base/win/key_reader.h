// Reads the values of an ordinary registry key: numbers and text of any length that is sensible.
// A value that is absent, of another type or may not be read is no value.
// Validated: types and sizes; a text ends at its first NUL or, without one, at the end of its
// bytes. Thread rule: one thread at a time.
#pragma once

#include <windows.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/win/unique_handle.h"

namespace winperf {

class KeyReader {
 public:
  // For reading, in the 64-bit view. Where status() is an error, nothing has a value.
  KeyReader(HKEY root, const std::wstring& path);

  // Of opening the key.
  LSTATUS status() const { return status_; }
  std::optional<std::uint32_t> number(const wchar_t* value_name) const;
  // REG_SZ, REG_EXPAND_SZ as it is, and the strings of a REG_MULTI_SZ with blanks between them.
  std::optional<std::wstring> text(const wchar_t* value_name) const;
  bool has(const wchar_t* value_name) const;
  std::vector<std::wstring> subkeys() const;

 private:
  UniqueKey key_;
  LSTATUS status_;
};

}  // namespace winperf
