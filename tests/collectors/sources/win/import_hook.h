// Puts a test's function in the place of one that this program imports from a DLL, for as long as
// the object lives. The program's own calls get there; those of DLLs don't.
#pragma once

#include <windows.h>

namespace winperf::testing {

template <class Function>
class ImportHook {
 public:
  // `slot` is the entry of the import table.
  ImportHook(Function& slot, Function replacement) : slot_(slot), original_(slot) {
    set(replacement);
  }
  ImportHook(const ImportHook&) = delete;
  ImportHook& operator=(const ImportHook&) = delete;
  ~ImportHook() { set(original_); }

  Function original() const { return original_; }

 private:
  void set(Function function) {
    DWORD protection = 0;  // some linkers make the table read-only
    VirtualProtect(&slot_, sizeof(slot_), PAGE_READWRITE, &protection);
    slot_ = function;
    VirtualProtect(&slot_, sizeof(slot_), protection, &protection);
  }

  Function& slot_;
  const Function original_;
};

}  // namespace winperf::testing
