// Owns one handle of the operating system. A traits struct defines the handle's type, its invalid
// value and how it is closed:
//   struct Traits {
//     using Handle = ...;
//     static Handle invalid();
//     static void close(Handle handle);
//   };
// reset() and the destructor preserve the thread's last error, so that closing a handle after a
// failure doesn't hide the failure.
// Thread rule: as for a value.
#pragma once

#include <windows.h>

#include <bit>
#include <utility>

namespace winperf {

template <class Traits>
class UniqueHandle {
 public:
  using Handle = typename Traits::Handle;

  UniqueHandle() = default;
  explicit UniqueHandle(Handle handle) : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(other.release()) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  UniqueHandle(const UniqueHandle&) = delete;
  UniqueHandle& operator=(const UniqueHandle&) = delete;
  ~UniqueHandle() { reset(); }

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != Traits::invalid(); }
  [[nodiscard]] Handle release() { return std::exchange(handle_, Traits::invalid()); }

  void reset(Handle handle = Traits::invalid()) {
    const Handle old = std::exchange(handle_, handle);
    if (old == Traits::invalid()) return;
    const DWORD last_error = GetLastError();
    Traits::close(old);
    SetLastError(last_error);
  }

  // For functions that return a handle through a pointer.
  [[nodiscard]] Handle* put() {
    reset();
    return &handle_;
  }

 private:
  Handle handle_ = Traits::invalid();
};

// Traits of handles that are null if they are invalid, without close().
template <class H>
struct NullableHandle {
  using Handle = H;
  static H invalid() { return nullptr; }
};

// What CloseHandle() closes. Functions differ in the value that they return for a failure: null for
// tokens, events, processes and threads, INVALID_HANDLE_VALUE for files and snapshots.
struct KernelHandleTraits : NullableHandle<HANDLE> {
  static void close(HANDLE handle) { CloseHandle(handle); }
};
using UniqueKernelHandle = UniqueHandle<KernelHandleTraits>;

struct FileHandleTraits {
  using Handle = HANDLE;
  static HANDLE invalid() { return INVALID_HANDLE_VALUE; }
  static void close(HANDLE handle) { CloseHandle(handle); }
};
using UniqueFileHandle = UniqueHandle<FileHandleTraits>;

// An opened registry key; not for predefined keys.
struct RegistryKeyTraits : NullableHandle<HKEY> {
  static void close(HKEY key) { RegCloseKey(key); }
};
using UniqueKey = UniqueHandle<RegistryKeyTraits>;

// A library that was loaded.
struct LibraryTraits : NullableHandle<HMODULE> {
  static void close(HMODULE library) { FreeLibrary(library); }
};
using UniqueLibrary = UniqueHandle<LibraryTraits>;

// A library of the system; invalid if it doesn't exist.
inline UniqueLibrary load_system_library(const wchar_t* name) {
  return UniqueLibrary(LoadLibraryExW(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32));
}

// One of the library's functions; null if it doesn't export it, or there is no library.
template <class Function>
Function function_in(HMODULE library, const char* name) {
  return library == nullptr ? nullptr : std::bit_cast<Function>(GetProcAddress(library, name));
}
// The same; returns whether the function exists.
template <class Function>
bool find_function(HMODULE library, const char* name, Function& function) {
  function = function_in<Function>(library, name);
  return function != nullptr;
}
// One of ntdll.dll, which isn't linked, since its import library has functions of the C library,
// too. Null if this Windows doesn't have it.
template <class Function>
Function ntdll_function(const char* name) {
  return function_in<Function>(GetModuleHandleW(L"ntdll.dll"), name);
}

// The service control manager, or one of its services.
struct ServiceHandleTraits : NullableHandle<SC_HANDLE> {
  static void close(SC_HANDLE handle) { CloseServiceHandle(handle); }
};
using UniqueService = UniqueHandle<ServiceHandleTraits>;

}  // namespace winperf
