// Writes the provider's reports to Windows' event log: Application, source "sysperf". This DLL
// contains the texts of the messages (sysperf_messages.mc); README.md describes how to register it.
// Thread rule: any thread.
#pragma once

#include "tests/providers/sysperf/journal.h"

namespace sysperf {

// If the event log rejects a report, the report is lost.
void write_event(const Report& report);

}  // namespace sysperf
