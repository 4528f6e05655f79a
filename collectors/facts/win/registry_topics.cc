#include <windows.h>

#include <string>
#include <vector>

#include "collectors/base/win/file_time.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

struct FindHandleTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return INVALID_HANDLE_VALUE; }
  static void close(HANDLE handle) { FindClose(handle); }
};
using UniqueFind = UniqueHandle<FindHandleTraits>;

// From the folder, because the file itself can't be opened.
void add_size(FactTable& table, const std::string& file) {
  WIN32_FIND_DATAW found{};
  const UniqueFind handle(FindFirstFileW(to_wide(file).c_str(), &found));
  if (!handle) {
    table.problems.push_back(problem_text("The size of " + file, GetLastError()));
    return;
  }
  table.rows.back().number("size",
                           static_cast<double>(joined(found.nFileSizeHigh, found.nFileSizeLow)));
}

void add_setup(FactTable& table, const KeyReader& setup, const std::string& instance) {
  if (setup.status() != ERROR_SUCCESS) {
    table.problems.push_back(problem_text("The setup of SQL Server's instance " + instance,
                                          static_cast<DWORD>(setup.status())));
    return;
  }
  FactRow& row = table.rows.back();
  put_known(row, "edition", to_utf8(setup.text(L"Edition").value_or(L"")));
  put_known(row, "version", to_utf8(setup.text(L"Version").value_or(L"")));
  put_known(row, "patch", to_utf8(setup.text(L"PatchLevel").value_or(L"")));
}

}  // namespace

FactAnswer read_pagefiles(HKEY root, const std::wstring& path) {
  FactTable table;
  const auto files = KeyReader(root, path).strings(L"ExistingPageFiles");
  for (const std::wstring& listed : files.value_or(std::vector<std::wstring>())) {
    const std::string file(without_object_prefix(to_utf8(listed)));
    if (file.empty()) continue;
    table.add().text("file", file);
    add_size(table, file);
  }
  return table;
}

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

FactAnswer read_sql_servers(HKEY root, const std::wstring& path) {
  FactTable table;
  const KeyReader instances(root, path + L"\\Instance Names\\SQL");
  if (instances.status() != ERROR_SUCCESS && instances.status() != ERROR_FILE_NOT_FOUND)
    return os_failure(static_cast<DWORD>(instances.status()), "sql_servers");
  for (const std::wstring& name : instances.value_names()) {
    const auto id = instances.text(name.c_str());  // "MSSQL16.MSSQLSERVER"
    if (name.empty() || !id || id->empty()) continue;
    const std::string instance = to_utf8(name);
    table.add().text("instance", instance);
    add_setup(table, KeyReader(root, path + L'\\' + *id + L"\\Setup"), instance);
  }
  return table;
}

}  // namespace winperf
