#include "collectors/base/win/key_reader.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace winperf {
namespace {

// More than a path or an object list can reasonably need; a longer value counts as none.
constexpr DWORD kMaxTextBytes = 64U << 10;
// A registry has a few hundred services; names of keys have at most 255 characters.
constexpr DWORD kMaxSubkeys = 1U << 16;
constexpr DWORD kMaxKeyName = 256;
// Keys that are lists have few values; names of values have at most 16383 characters.
constexpr DWORD kMaxValues = 1U << 12;
constexpr DWORD kMaxValueName = 1U << 14;

bool is_text(DWORD type) { return type == REG_SZ || type == REG_EXPAND_SZ || type == REG_MULTI_SZ; }

std::wstring cleaned(std::wstring text, DWORD type) {
  if (type != REG_MULTI_SZ) {
    text.resize(std::min(text.find(L'\0'), text.size()));
    return text;
  }
  while (!text.empty() && text.back() == L'\0') text.pop_back();
  std::ranges::replace(text, L'\0', L' ');
  return text;
}

}  // namespace

std::vector<std::wstring> strings_in(std::wstring_view text) {
  std::vector<std::wstring> strings;
  while (!text.empty() && text.front() != L'\0') {
    const std::size_t end = std::min(text.find(L'\0'), text.size());
    strings.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return strings;
}

KeyReader::KeyReader(HKEY root, const std::wstring& path)
    : status_(RegOpenKeyExW(root, path.c_str(), 0, KEY_READ | KEY_WOW64_64KEY, key_.put())) {}

std::optional<std::uint64_t> KeyReader::written() const {
  FILETIME time{};
  if (!key_ || RegQueryInfoKeyW(key_.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr, nullptr, nullptr, nullptr, &time) != ERROR_SUCCESS)
    return std::nullopt;
  return std::bit_cast<std::uint64_t>(time);
}

std::optional<std::uint32_t> KeyReader::number(const wchar_t* value_name) const {
  if (!key_) return std::nullopt;
  DWORD type = 0;
  DWORD number = 0;
  DWORD size = sizeof number;
  const LSTATUS status = RegQueryValueExW(key_.get(), value_name, nullptr, &type,
                                          reinterpret_cast<BYTE*>(&number), &size);
  if (status != ERROR_SUCCESS || type != REG_DWORD || size != sizeof number) return std::nullopt;
  return number;
}

std::optional<KeyReader::Value> KeyReader::read_text(const wchar_t* value_name) const {
  if (!key_) return std::nullopt;
  std::wstring text(kMaxTextBytes / sizeof(wchar_t), L'\0');
  DWORD type = REG_NONE;
  DWORD size = kMaxTextBytes;
  const LSTATUS status = RegQueryValueExW(key_.get(), value_name, nullptr, &type,
                                          reinterpret_cast<BYTE*>(text.data()), &size);
  if (status != ERROR_SUCCESS || !is_text(type) || size > kMaxTextBytes) return std::nullopt;
  text.resize(size / sizeof(wchar_t));
  return Value{type, std::move(text)};
}

std::optional<std::wstring> KeyReader::text(const wchar_t* value_name) const {
  auto value = read_text(value_name);
  if (!value) return std::nullopt;
  return cleaned(std::move(value->text), value->type);
}

std::optional<std::vector<std::wstring>> KeyReader::strings(const wchar_t* value_name) const {
  const auto value = read_text(value_name);
  if (!value || value->type != REG_MULTI_SZ) return std::nullopt;
  return strings_in(value->text);
}

bool KeyReader::has(const wchar_t* value_name) const {
  return key_ && RegQueryValueExW(key_.get(), value_name, nullptr, nullptr, nullptr, nullptr) ==
                     ERROR_SUCCESS;
}

std::vector<std::wstring> KeyReader::subkeys() const {
  std::vector<std::wstring> names;
  for (DWORD i = 0; key_ && i < kMaxSubkeys; ++i) {
    std::wstring name(kMaxKeyName, L'\0');
    DWORD length = kMaxKeyName;
    const LSTATUS status =
        RegEnumKeyExW(key_.get(), i, name.data(), &length, nullptr, nullptr, nullptr, nullptr);
    if (status == ERROR_NO_MORE_ITEMS) break;
    if (status != ERROR_SUCCESS) continue;
    name.resize(length);
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::wstring> KeyReader::value_names() const {
  std::vector<std::wstring> names;
  std::wstring name(kMaxValueName, L'\0');
  for (DWORD i = 0; key_ && i < kMaxValues; ++i) {
    DWORD length = kMaxValueName;
    const LSTATUS status =
        RegEnumValueW(key_.get(), i, name.data(), &length, nullptr, nullptr, nullptr, nullptr);
    if (status == ERROR_NO_MORE_ITEMS) break;
    if (status == ERROR_SUCCESS) names.push_back(name.substr(0, length));
  }
  return names;
}

KeyReader perflib_key() {
  return {HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"};
}

KeyReader services_key() { return {HKEY_LOCAL_MACHINE, kServicesPath}; }

KeyReader performance_key(const std::wstring& service) {
  return {HKEY_LOCAL_MACHINE, std::wstring(kServicesPath) + L'\\' + service + L"\\Performance"};
}

std::wstring expanded(const std::wstring& text) {
  constexpr DWORD kMaxPathChars = 32'768;
  std::wstring path(kMaxPathChars, L'\0');
  const DWORD length = ExpandEnvironmentStringsW(text.c_str(), path.data(), kMaxPathChars);
  if (length == 0 || length > kMaxPathChars) return text;
  path.resize(length - 1);
  return path;
}

}  // namespace winperf
