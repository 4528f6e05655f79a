// Loads the DLLs of delayed imports (packaging/cmake/delayed_imports.cmake) from Windows' own
// folder, in each process of this program and independent of its other search paths. The variable
// is read by the function of mingw-w64's library that loads them, before it loads one. Source:
// Learn, "Notification hooks" of delay-loaded DLLs; mingw-w64's delayimp.h.
#include <windows.h>
// After windows.h:
#include <delayimp.h>

namespace {

FARPROC WINAPI load_from_system_folder(unsigned event, DelayLoadInfo* info) {
  if (event != dliNotePreLoadLibrary) return nullptr;  // as if there were no hook
  return reinterpret_cast<FARPROC>(
      LoadLibraryExA(info->szDll, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32));
}

}  // namespace

extern "C" {
PfnDliHook __pfnDliNotifyHook2 = load_from_system_folder;
}
