// Where the provider's reports go: Windows' event log, Application, source "sysperf". The texts of
// the messages are in this DLL (sysperf_messages.mc), which README.md says how to register.
// Thread rule: any thread.
#pragma once

#include "tests/providers/sysperf/journal.h"

namespace sysperf {

// A report that the event log does not take is lost: there is nobody else to tell.
void write_event(const Report& report);

}  // namespace sysperf
