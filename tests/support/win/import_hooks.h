// Replaces a function that this executable imports from a DLL by a test's own, so that a test sees
// what the program asks of Windows, and what it does when Windows refuses it. What Wine ignores
// (accounts, limits of jobs, mitigation policies) can be tested in no other way.
//
// A hook changes the executable's import tables, also those of delayed imports, while it lives. It
// doesn't affect other modules, nor functions that were found by GetProcAddress(). The replacement
// gets no context: it writes to what the test has made global. Not validated: that the replacement
// has the function's type. Errors: is_set(). Thread rule: one thread, while no other one calls the
// function. Source: Learn, "PE Format", import and delay-load tables.
#pragma once

#include <windows.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace winperf {

class ImportHook {
 public:
  template <class Function>
  ImportHook(const char* name, Function* replacement) {
    replace(name, std::bit_cast<std::uintptr_t>(replacement));
  }
  ImportHook(const ImportHook&) = delete;
  ImportHook& operator=(const ImportHook&) = delete;
  // The last hook of a function goes first.
  ~ImportHook();

  // Whether the executable imports the function.
  bool is_set() const { return !changed_.empty(); }
  // What the calls went to before; null if it isn't set.
  template <class Function>
  Function* original() const {
    return is_set() ? std::bit_cast<Function*>(changed_.front().before) : nullptr;
  }

 private:
  struct Changed {
    std::uintptr_t* place;
    std::uintptr_t before;
  };
  void replace(const char* name, std::uintptr_t replacement);

  std::vector<Changed> changed_;
};

}  // namespace winperf
