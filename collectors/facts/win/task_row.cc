#include "collectors/facts/win/task_row.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "collectors/base/win/file_time.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/label_texts.h"
#include "collectors/facts/win/com.h"
#include "collectors/facts/windows_times.h"

namespace winperf {
namespace {

constexpr LONG kHasNotRun = 0x41303;  // SCHED_S_TASK_HAS_NOT_RUN

// The task scheduler's dates are in the machine's time zone. In the hour that a change to winter
// time repeats, the date doesn't tell which one it is.
std::optional<double> unix_seconds_of_date(DATE date) {
  const auto local = file_time_of_date(date);
  if (!local) return std::nullopt;
  FILETIME time{.dwLowDateTime = static_cast<DWORD>(*local),
                .dwHighDateTime = static_cast<DWORD>(*local >> 32U)};
  SYSTEMTIME fields{};
  SYSTEMTIME utc{};
  if (!FileTimeToSystemTime(&time, &fields) ||
      !TzSpecificLocalTimeToSystemTime(nullptr, &fields, &utc) ||
      !SystemTimeToFileTime(&utc, &time))
    return std::nullopt;
  return unix_seconds(ticks_of(time));
}

void add_last_run(IRegisteredTask& task, FactRow& row) {
  LONG result = 0;
  if (task.get_LastTaskResult(&result) != S_OK || result == kHasNotRun) return;
  row.number("last_result", static_cast<std::uint32_t>(result));
  LONG missed = 0;
  if (task.get_NumberOfMissedRuns(&missed) == S_OK && missed >= 0)
    row.number("missed_runs", missed);
  DATE date = 0;
  if (task.get_LastRunTime(&date) == S_OK) put_known(row, "last_run", unix_seconds_of_date(date));
}

}  // namespace

HRESULT add_task(IRegisteredTask& task, FactTable& table) {
  UniqueBstr path;
  const HRESULT result = task.get_Path(path.put());
  if (FAILED(result)) return result;
  FactRow row;
  row.text("task", task_label(to_utf8(view_of(path.get()))));
  TASK_STATE state = TASK_STATE_UNKNOWN;
  if (task.get_State(&state) == S_OK)
    put_known(row, "state", task_state_name(static_cast<std::uint32_t>(state)));
  add_last_run(task, row);
  DATE next = 0;
  if (task.get_NextRunTime(&next) == S_OK) put_known(row, "next_run", unix_seconds_of_date(next));
  table.rows.push_back(std::move(row));
  return S_OK;
}

}  // namespace winperf
