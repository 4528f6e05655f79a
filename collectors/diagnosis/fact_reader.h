// Looks up on this machine what bears on whether counters can be read: Perflib's key, every V1
// provider's registration and DLL, the account. Reads alone: keys are opened with KEY_READ, in the
// 64-bit view; no DLL is loaded and no provider is called.
// Implemented in win/; elsewhere (posix/) nothing is known. The name tables come from the source,
// see note_name_tables().
// Thread rule: any thread.
// Source: Learn, "Creating the Application's Performance Key" and "Using the Registry Functions to
// Consume Counter Data" (Perflib's values).
#pragma once

#include "collectors/diagnosis/facts.h"

namespace winperf {

MachineFacts read_machine_facts();

}  // namespace winperf
