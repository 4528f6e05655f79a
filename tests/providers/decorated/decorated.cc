// A provider that does it wrong on purpose: without extern "C" and without a module definition
// file, Windows can't find its functions by their names.
#include <windows.h>

__declspec(dllexport) DWORD WINAPI OpenDecorated(LPWSTR /*device_names*/) { return ERROR_SUCCESS; }

__declspec(dllexport) DWORD WINAPI CollectDecorated(LPWSTR /*query*/, LPVOID* /*data*/,
                                                    LPDWORD bytes, LPDWORD objects) {
  *bytes = 0;
  *objects = 0;
  return ERROR_SUCCESS;
}

__declspec(dllexport) DWORD WINAPI CloseDecorated() { return ERROR_SUCCESS; }
