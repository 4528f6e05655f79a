// Functions of the system's libraries that are loaded when they are first needed, since hardly
// anybody who starts this program needs them. They stay loaded.
// Thread rule: any thread.
#pragma once

#include <windows.h>

#include <bit>

namespace winperf {

// Null if there is none of this name.
inline HMODULE system_library(const wchar_t* name) {
  return LoadLibraryExW(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
}

// False if the library doesn't export it.
template <class Function>
bool find_function(HMODULE library, const char* name, Function& function) {
  if (library != nullptr) function = std::bit_cast<Function>(GetProcAddress(library, name));
  return function != nullptr;
}

}  // namespace winperf
