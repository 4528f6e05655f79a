// The names read from a system DLL's file are those that the loader has found in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <windows.h>

#include <cstring>
#include <string>
#include <vector>

#include "collectors/diagnosis/facts.h"

namespace winperf::testing {
namespace {

// Of a loaded DLL, by the SDK's own structures.
std::vector<std::string> names_in_memory(HMODULE module) {
  const auto* const image = reinterpret_cast<const std::byte*>(module);
  IMAGE_DOS_HEADER dos{};
  std::memcpy(&dos, image, sizeof dos);
  IMAGE_NT_HEADERS nt{};
  std::memcpy(&nt, image + dos.e_lfanew, sizeof nt);
  IMAGE_EXPORT_DIRECTORY table{};
  const auto& directory = nt.OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
  std::memcpy(&table, image + directory.VirtualAddress, sizeof table);
  std::vector<std::string> names;
  for (DWORD i = 0; i < table.NumberOfNames; ++i) {
    DWORD address = 0;
    std::memcpy(&address, image + table.AddressOfNames + i * sizeof address, sizeof address);
    names.emplace_back(reinterpret_cast<const char*>(image + address));
  }
  return names;
}

TEST(PeExportsOnWindows, AreTheNamesThatTheLoaderHas) {
  for (const wchar_t* name : {L"kernel32.dll", L"advapi32.dll"}) {
    const HMODULE module = LoadLibraryW(name);
    ASSERT_NE(module, nullptr) << GetLastError();
    wchar_t path[MAX_PATH] = L"";
    ASSERT_NE(GetModuleFileNameW(module, path, MAX_PATH), 0u);
    const LibraryFile file = inspect_library(path);
    ASSERT_TRUE(file.exports) << describe(file.exports_error.value_or(Error{}));
    EXPECT_EQ(file.exports->unreadable, 0u);
    EXPECT_GT(file.exports->names.size(), 100u);
    EXPECT_THAT(file.exports->names, ::testing::ElementsAreArray(names_in_memory(module)));
    FreeLibrary(module);
  }
}

}  // namespace
}  // namespace winperf::testing
