// Registers the exporter's own counters with Windows, and removes them: which calls, in which
// order, with which arguments, and what is undone if one fails.
//
//   V1   the values of the service's Performance key; the event source of the DLL; then
//        LoadPerfCounterTextStringsW("lodctr INI") or, without that function, lodctr.exe
//   V2   lodctr.exe /M:MANIFEST FOLDER; it is removed by its provider, unlodctr.exe /G:GUID
//
// Removing is the reverse: what Windows has assigned goes first. Windows may report success and
// assign nothing, so its answer is compared with the registry each time. At most one of the two
// roads is left, or neither. A failure undoes, in reverse order, what was done before it.
//
// Each function writes its result to `out` and errors to `err`, and returns the exit code.
// Thread rule: one thread.
#pragma once

#include <string>

#include "service/scm/counter_registrar.h"
#include "service/scm/counter_state.h"
#include "service/scm/service_control.h"

namespace winperf {

struct CounterRequest {
  std::string service{};
  CounterRoad road = CounterRoad::kNone;
  std::string executable{};  // beside which the files are
  // Whether the road was asked for, instead of being the configuration's. That a service with
  // another name can't have these counters, or that the program is there without their files, is an
  // error only then.
  bool is_explicit = false;
  // Also if nothing seems to be wrong with what is there: for a repair.
  bool anew = false;
};

// Registers by that road and removes the other one; kNone removes both. Nothing is done if it is
// already as it should be, except that V2, of which Windows doesn't say whose file it has, is
// registered again.
int register_counters(CounterRegistrar& registrar, const CounterRequest& request,
                      ServiceConsole console);

// Removes whatever is registered. Another program's key of the same name is left alone. Nothing is
// undone: what can't be removed is named, and the rest is removed.
int unregister_counters(CounterRegistrar& registrar, const std::string& executable,
                        ServiceConsole console);

}  // namespace winperf
