// Owners of COM resources: the apartment of a thread, interfaces, strings and variants. Thread
// rule: each belongs to the thread that created it.
#pragma once

#include <windows.h>

// After windows.h.
#include <objbase.h>
#include <oleauto.h>

#include <string>
#include <string_view>

#include "collectors/base/win/unique_handle.h"

namespace winperf {

// Initializes COM on this thread for the object's lifetime; all COM objects must be released
// before. If the thread is already in another kind of apartment, it stays in that.
class ComApartment {
 public:
  ComApartment() : result_(CoInitializeEx(nullptr, COINIT_MULTITHREADED)) {}
  ComApartment(const ComApartment&) = delete;
  ComApartment& operator=(const ComApartment&) = delete;
  ~ComApartment() {
    if (SUCCEEDED(result_)) CoUninitialize();
  }
  // Whether COM may be used.
  HRESULT result() const { return result_ == RPC_E_CHANGED_MODE ? S_FALSE : result_; }

 private:
  HRESULT result_;
};

template <class Interface>
struct ComTraits : NullableHandle<Interface*> {
  static void close(Interface* interface_pointer) { interface_pointer->Release(); }
};
template <class Interface>
using UniqueCom = UniqueHandle<ComTraits<Interface>>;

struct BstrTraits : NullableHandle<BSTR> {
  static void close(BSTR text) { SysFreeString(text); }
};
using UniqueBstr = UniqueHandle<BstrTraits>;

// Null if out of memory, which COM treats as an empty text.
inline UniqueBstr make_bstr(std::wstring_view text) {
  return UniqueBstr(SysAllocStringLen(text.data(), static_cast<UINT>(text.size())));
}
inline std::wstring_view view_of(BSTR text) {
  return {text != nullptr ? text : L"", SysStringLen(text)};
}

class Variant {
 public:
  Variant() { VariantInit(&variant_); }
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  ~Variant() { VariantClear(&variant_); }

  const VARIANT& get() const { return variant_; }
  [[nodiscard]] VARIANT* put() {
    VariantClear(&variant_);
    return &variant_;
  }

 private:
  VARIANT variant_{};
};

}  // namespace winperf
