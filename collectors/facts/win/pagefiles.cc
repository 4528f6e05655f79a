#include <windows.h>

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/registry_topics.h"

namespace winperf {
namespace {

struct FindHandleTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return INVALID_HANDLE_VALUE; }
  static void close(HANDLE handle) { FindClose(handle); }
};
using UniqueFind = UniqueHandle<FindHandleTraits>;

// From the folder: nobody may open the file itself.
void add_size(FactTable& table, const std::string& file) {
  WIN32_FIND_DATAW found{};
  const UniqueFind handle(FindFirstFileW(to_wide(file).c_str(), &found));
  if (!handle) {
    table.problems.push_back(problem_text("The size of " + file, GetLastError()));
    return;
  }
  const std::uint64_t size = std::uint64_t{found.nFileSizeHigh} << 32U | found.nFileSizeLow;
  table.rows.back().number("size", static_cast<double>(size));
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

FactAnswer read_pagefiles() {
  return read_pagefiles(HKEY_LOCAL_MACHINE,
                        L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management");
}

}  // namespace winperf
