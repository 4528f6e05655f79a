#include <windows.h>

// After windows.h.
#include <taskschd.h>

#include <cstdint>

#include "collectors/facts/win/com.h"
#include "collectors/facts/win/task_walk.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"

namespace winperf {
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
