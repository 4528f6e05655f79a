#include "collectors/facts/win/tasks.h"

#include <windows.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "collectors/base/win/file_time.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/com.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"

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

namespace {

// Windows' own code, if the result is made of one.
DWORD code_of(HRESULT result) {
  return HRESULT_FACILITY(result) == FACILITY_WIN32 ? static_cast<DWORD>(HRESULT_CODE(result))
                                                    : static_cast<DWORD>(result);
}

VARIANT index_of(LONG number) {
  VARIANT index{};
  index.vt = VT_I4;
  index.lVal = number;
  return index;
}

class Walk {
 public:
  explicit Walk(FactTable& table) : table_(table) {}

  HRESULT enter(ITaskFolder& folder, int depth) {
    UniqueCom<IRegisteredTaskCollection> tasks;
    UniqueCom<ITaskFolderCollection> folders;
    HRESULT result = folder.GetTasks(TASK_ENUM_HIDDEN, tasks.put());
    if (SUCCEEDED(result)) result = folder.GetFolders(0, folders.put());
    if (FAILED(result)) return result;
    result = for_each<IRegisteredTask>(tasks, refused_tasks_, [this](IRegisteredTask& task) {
      return table_.rows.size() < kMaxFactRows ? add_task(task, table_) : S_OK;
    });
    if (FAILED(result)) return result;
    return for_each<ITaskFolder>(folders, refused_folders_, [this, depth](ITaskFolder& inner) {
      if (depth < kMaxTaskFolderDepth && ++folders_ < kMaxTaskFolders)
        return enter(inner, depth + 1);
      ++left_out_;
      return S_OK;
    });
  }

  void report() const {
    refused_tasks_.report(table_);
    refused_folders_.report(table_);
    if (left_out_ > 0)
      table_.problems.push_back(std::to_string(left_out_) +
                                " folders of tasks are left out: too many, or nested too deeply");
  }

 private:
  // The collection's items are counted from 1. The result is the collection's own.
  template <class Item, class Collection, class Use>
  HRESULT for_each(const UniqueCom<Collection>& items, Refusals& refusals, Use use) {
    LONG count = 0;
    const HRESULT counted = items ? items.get()->get_Count(&count) : E_POINTER;
    if (FAILED(counted)) return counted;
    for (LONG number = 1; number <= count; ++number) {
      UniqueCom<Item> item;
      HRESULT result = items.get()->get_Item(index_of(number), item.put());
      if (SUCCEEDED(result)) result = item ? use(*item.get()) : E_POINTER;
      const DWORD code = code_of(result);
      // A task that was removed since isn't a problem.
      if (FAILED(result) && code != ERROR_FILE_NOT_FOUND && code != ERROR_PATH_NOT_FOUND)
        refusals.add(code);
    }
    return S_OK;
  }

  FactTable& table_;
  Refusals refused_tasks_{"scheduled tasks"};
  Refusals refused_folders_{"folders of scheduled tasks"};
  int folders_ = 0;
  int left_out_ = 0;
};

}  // namespace

HRESULT walk_tasks(ITaskFolder& root, FactTable& table) {
  Walk walk(table);
  const HRESULT result = walk.enter(root, 0);
  walk.report();
  return result;
}

namespace {

constexpr std::uint32_t kServiceNotRunning = 0x80041315;  // SCHED_E_SERVICE_NOT_RUNNING

std::unexpected<Error> failure(HRESULT result) {
  Error error = com_error(result, "tasks");
  if (result == E_NOTIMPL) error.code = ErrorCode::kUnsupported;
  if (error.os_code == kServiceNotRunning) error.code = ErrorCode::kNotRunning;
  return std::unexpected(error);
}

}  // namespace

FactAnswer read_tasks() {
  const ComApartment apartment;
  if (FAILED(apartment.result())) return failure(apartment.result());
  UniqueCom<ITaskService> service;
  HRESULT result = CoCreateInstance(CLSID_TaskScheduler, nullptr, CLSCTX_INPROC_SERVER,
                                    IID_ITaskService, reinterpret_cast<void**>(service.put()));
  if (FAILED(result)) return failure(result);
  const VARIANT none{};  // this machine, as this process' account
  result = service.get()->Connect(none, none, none, none);
  if (FAILED(result)) return failure(result);
  UniqueCom<ITaskFolder> root;
  result = service.get()->GetFolder(make_bstr(L"\\").get(), root.put());
  if (FAILED(result)) return failure(result);
  FactTable table;
  result = walk_tasks(*root.get(), table);
  if (FAILED(result)) return failure(result);
  return table;
}

}  // namespace winperf
