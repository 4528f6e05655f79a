// Reads the tasks of a folder of the task scheduler and of all folders in it, hidden tasks
// included, as windows_exporter does. Thread rule: one thread, in a COM apartment.
#pragma once

#include <windows.h>

// After windows.h.
#include <taskschd.h>

#include "collectors/facts/fact_table.h"

namespace winperf {

inline constexpr int kMaxTaskFolderDepth = 32;
inline constexpr int kMaxTaskFolders = 10'000;

// The result is that of `root`; errors of other folders and tasks are among the problems.
HRESULT walk_tasks(ITaskFolder& root, FactTable& table);

// Adds a row for a task. Thread rule: one thread, in a COM apartment.

// A task without a path has no row; the result is that of reading the path.
HRESULT add_task(IRegisteredTask& task, FactTable& table);

}  // namespace winperf
