// Reads the values of an ordinary registry key: numbers, and text of any sensible length. The
// result is empty if the value is absent, has another type or may not be read.
// Validated: types and sizes; a text ends at its first NUL or, without one, at the end of its
// bytes. Thread rule: one thread at a time.
#pragma once

#include <windows.h>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/win/unique_handle.h"

namespace winperf {

// The strings of a REG_MULTI_SZ and the like: one after another, each with a NUL; an empty one, or
// the end of the text, ends them.
std::vector<std::wstring> strings_in(std::wstring_view text);

class KeyReader {
 public:
  // Opens the key for reading, in the 64-bit view. If status() is an error, there are no values.
  KeyReader(HKEY root, const std::wstring& path);

  // Of opening the key.
  LSTATUS status() const { return status_; }
  std::optional<std::uint32_t> number(const wchar_t* value_name) const;
  // A REG_SZ, an unexpanded REG_EXPAND_SZ, or the strings of a REG_MULTI_SZ separated by spaces.
  std::optional<std::wstring> text(const wchar_t* value_name) const;
  // Those of a REG_MULTI_SZ.
  std::optional<std::vector<std::wstring>> strings(const wchar_t* value_name) const;
  bool has(const wchar_t* value_name) const;
  std::vector<std::wstring> subkeys() const;
  // When a value or subkey was last written, as FILETIME.
  std::optional<std::uint64_t> written() const;
  std::vector<std::wstring> value_names() const;

 private:
  struct Value {
    DWORD type;
    std::wstring text;  // as it is stored, with its NULs
  };
  std::optional<Value> read_text(const wchar_t* value_name) const;

  UniqueKey key_;
  LSTATUS status_;
};

// Registry keys of performance counters, and values there that several rooms read.
inline constexpr const wchar_t* kServicesPath = L"SYSTEM\\CurrentControlSet\\Services";
inline constexpr const wchar_t* kDisableValue = L"Disable Performance Counters";

KeyReader perflib_key();
KeyReader services_key();
// Services\<service>\Performance.
KeyReader performance_key(const std::wstring& service);

// With environment variables replaced, regardless of the value's type: installers confuse the
// types, and paths with a percent sign are rare.
std::wstring expanded(const std::wstring& text);

}  // namespace winperf
