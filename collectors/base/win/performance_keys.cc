#include "collectors/base/win/performance_keys.h"

namespace winperf {
namespace {

constexpr DWORD kMaxPathChars = 32'768;

}  // namespace

KeyReader perflib_key() {
  return {HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"};
}

KeyReader services_key() { return {HKEY_LOCAL_MACHINE, kServicesPath}; }

KeyReader performance_key(const std::wstring& service) {
  return {HKEY_LOCAL_MACHINE, std::wstring(kServicesPath) + L'\\' + service + L"\\Performance"};
}

std::wstring expanded(const std::wstring& text) {
  std::wstring path(kMaxPathChars, L'\0');
  const DWORD length = ExpandEnvironmentStringsW(text.c_str(), path.data(), kMaxPathChars);
  if (length == 0 || length > kMaxPathChars) return text;
  path.resize(length - 1);
  return path;
}

}  // namespace winperf
