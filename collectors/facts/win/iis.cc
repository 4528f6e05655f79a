#include <windows.h>

#include <string>

#include "collectors/base/win/key_reader.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/registry_topics.h"

namespace winperf {

FactAnswer read_iis(HKEY root, const std::wstring& path) {
  FactTable table;
  const KeyReader key(root, path);
  if (key.status() != ERROR_SUCCESS && key.status() != ERROR_FILE_NOT_FOUND)
    return os_failure(static_cast<DWORD>(key.status()), "iis");
  const auto major = key.number(L"MajorVersion");
  const auto minor = key.number(L"MinorVersion");
  // The key may outlive the installation.
  if (!major || !minor || *major == 0) return table;
  table.add()
      .number("major_version", *major)
      .number("minor_version", *minor)
      .text("version", std::to_string(*major) + '.' + std::to_string(*minor));
  return table;
}

FactAnswer read_iis() { return read_iis(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\InetStp"); }

}  // namespace winperf
