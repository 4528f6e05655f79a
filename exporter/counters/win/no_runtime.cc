// What stands in for the C runtime, which the DLL doesn't have: its entry, and the functions that
// GCC calls where it copies or fills memory. Only for GNU's linker; Microsoft's takes these from
// the static runtime.
#include <windows.h>

#include <cstddef>

extern "C" {

BOOL WINAPI DllMainCRTStartup(HINSTANCE module, DWORD reason, LPVOID) {
  if (reason == DLL_PROCESS_ATTACH) DisableThreadLibraryCalls(module);
  return TRUE;
}

// Instructions of the processor, because GCC makes a call of memcpy from a loop that copies.
void* memcpy(void* to, const void* from, std::size_t size) {
  void* const begin = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return begin;
}

void* memset(void* to, int byte, std::size_t size) {
  void* const begin = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
  return begin;
}

}  // extern "C"
