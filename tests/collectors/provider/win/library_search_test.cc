// Where the DLLs are searched for that a provider's DLL needs.
#include <gmock/gmock.h>
#include <windows.h>

#include <map>
#include <string>

#include "collectors/base/win/wide.h"
#include "collectors/provider/provider_machine.h"
#include "tests/support/win/import_hooks.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::wstring full_path_of(const wchar_t* path) {
  std::wstring full(MAX_PATH, L'\0');
  full.resize(GetFullPathNameW(path, MAX_PATH, full.data(), nullptr));
  return full;
}

std::map<std::string, DWORD>* loaded = nullptr;

HMODULE WINAPI note_load(LPCWSTR file, HANDLE, DWORD flags) {
  (*loaded)[to_utf8(file)] = flags;
  SetLastError(ERROR_MOD_NOT_FOUND);
  return nullptr;
}

TEST(LibrarySearch, BeginsBesideTheProvider) {
  const std::wstring provider = full_path_of(APART_DLL);
  ASSERT_NE(GetFileAttributesW(provider.c_str()), INVALID_FILE_ATTRIBUTES);
  ASSERT_EQ(GetModuleHandleW(L"needed.dll"), nullptr);
  const auto library =
      make_provider_machine()->load({.library = to_utf8(provider), .collect = "CollectApart"});
  ASSERT_TRUE(library) << library.error().os_code << ": what it needs isn't found";
  void* data = nullptr;
  std::uint32_t bytes = 1;
  std::uint32_t objects = 1;
  EXPECT_EQ((*library)->collect(u"Global", data, bytes, objects),
            std::uint32_t{ERROR_PRINTER_ALREADY_EXISTS})
      << "the code of the other one";
  EXPECT_EQ(objects, 0U);
}

// Of a name alone, Windows leaves it undefined.
TEST(LibrarySearch, IsWindowsUsualOneForAName) {
  std::map<std::string, DWORD> all;
  loaded = &all;
  const ImportHook hook("LoadLibraryExW", &note_load);
  ASSERT_TRUE(hook.is_set());
  const auto machine = make_provider_machine();
  for (const char* const file : {"perfos.dll", R"(C:\Windows\System32\perfos.dll)",
                                 R"(\\server\share\other.dll)", R"(sub\other.dll)"}) {
    const auto library = machine->load({.library = file, .collect = "Collect"});
    ASSERT_FALSE(library);
    EXPECT_EQ(library.error().os_code, std::uint32_t{ERROR_MOD_NOT_FOUND});
  }
  EXPECT_THAT(
      all,
      ElementsAre(Pair(R"(C:\Windows\System32\perfos.dll)", DWORD{LOAD_WITH_ALTERED_SEARCH_PATH}),
                  Pair(R"(\\server\share\other.dll)", DWORD{LOAD_WITH_ALTERED_SEARCH_PATH}),
                  Pair("perfos.dll", 0U), Pair(R"(sub\other.dll)", 0U)));
  loaded = nullptr;
}

}  // namespace
}  // namespace winperf
