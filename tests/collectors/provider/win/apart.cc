// Two DLLs in a folder of their own: a provider, and one that it needs, as large products have
// them. The needed one is this file, too.
#include <windows.h>

#ifdef WINPERF_NEEDED

extern "C" __declspec(dllexport) DWORD needed_code() { return ERROR_PRINTER_ALREADY_EXISTS; }

#else

extern "C" __declspec(dllimport) DWORD needed_code();

extern "C" __declspec(dllexport) DWORD APIENTRY CollectApart(LPWSTR, LPVOID*, LPDWORD bytes,
                                                             LPDWORD objects) {
  *bytes = *objects = 0;
  return needed_code();
}

#endif
