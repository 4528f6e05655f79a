#include <windows.h>

#include <optional>
#include <string>
#include <string_view>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/registry_topics.h"

namespace winperf {
namespace {

void add_text(FactRow& row, std::string_view field, const std::optional<std::wstring>& text) {
  if (text && !text->empty()) row.text(field, to_utf8(*text));
}

void add_setup(FactTable& table, const KeyReader& setup, const std::string& instance) {
  if (setup.status() != ERROR_SUCCESS) {
    table.problems.push_back(problem_text("The setup of SQL Server's instance " + instance,
                                          static_cast<DWORD>(setup.status())));
    return;
  }
  FactRow& row = table.rows.back();
  add_text(row, "edition", setup.text(L"Edition"));
  add_text(row, "version", setup.text(L"Version"));
  add_text(row, "patch", setup.text(L"PatchLevel"));
}

}  // namespace

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

FactAnswer read_sql_servers() {
  return read_sql_servers(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Microsoft SQL Server");
}

}  // namespace winperf
