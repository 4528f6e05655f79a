// A row of what the task scheduler tells of a task. Thread rule: one thread, in a COM apartment.
#pragma once

#include <windows.h>

// After windows.h.
#include <taskschd.h>

#include "collectors/facts/fact_table.h"

namespace winperf {

// Without its path a task has no row; the result is that of asking for it.
HRESULT add_task(IRegisteredTask& task, FactTable& table);

}  // namespace winperf
