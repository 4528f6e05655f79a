// A DLL that lies beside a program under the name of one of Windows', as in a folder of downloads:
// it leaves a file FILE.loaded behind when a program loads it. With WINPERF_PLANT_VICTIM, a program
// that imports a function of it and calls it.
#include <windows.h>

#include <string>

#ifdef WINPERF_PLANT_VICTIM
extern "C" __declspec(dllimport) DWORD WINAPI NetApiBufferFree(void*);

int wmain() { return static_cast<int>(NetApiBufferFree(nullptr)); }
#else
extern "C" __declspec(dllexport) DWORD WINAPI NetApiBufferFree(void*) { return 0; }

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, void*) {
  if (reason != DLL_PROCESS_ATTACH) return TRUE;
  std::wstring path(MAX_PATH, L'\0');
  path.resize(GetModuleFileNameW(library, path.data(), MAX_PATH));
  path += L".loaded";
  CloseHandle(CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, 0, nullptr));
  return TRUE;
}
#endif
