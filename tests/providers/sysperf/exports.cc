// The three functions that Windows calls. sysperf.def exports them under their plain names.
//
// Each consumer of performance data in a process calls Open once, and Close at its end; consumers
// are counted. Several threads may call Collect at the same time. It only returns ERROR_SUCCESS and
// ERROR_MORE_DATA; other errors are reported to the event log. There is no DllMain, so nothing
// happens before Open.
// Source: Learn, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC.
#include <windows.h>
#include <winperf.h>

#include <chrono>
#include <cstring>
#include <exception>

#include "tests/providers/sysperf/collect.h"
#include "tests/providers/sysperf/devices.h"
#include "tests/providers/sysperf/event_log.h"
#include "tests/providers/sysperf/journal.h"

namespace sysperf {
namespace {

constexpr const wchar_t* kPerformanceKey =
    L"SYSTEM\\CurrentControlSet\\Services\\sysperf\\Performance";

SRWLOCK lock = SRWLOCK_INIT;
// Guarded by the lock.
unsigned users = 0;
FirstIndices first_indices;
Devices devices;

Journal& journal() {
  static Journal instance([] { return std::chrono::milliseconds(GetTickCount64()); }, write_event);
  return instance;
}

class ExclusiveLock {
 public:
  ExclusiveLock() { AcquireSRWLockExclusive(&lock); }
  ~ExclusiveLock() { ReleaseSRWLockExclusive(&lock); }
  ExclusiveLock(const ExclusiveLock&) = delete;
  ExclusiveLock& operator=(const ExclusiveLock&) = delete;
};

DWORD read_value(const wchar_t* name, DWORD& value) {
  DWORD size = sizeof value;
  return static_cast<DWORD>(RegGetValueW(HKEY_LOCAL_MACHINE, kPerformanceKey, name,
                                         RRF_RT_REG_DWORD, nullptr, &value, &size));
}

DWORD read_first_indices(FirstIndices& first) {
  const DWORD error = read_value(L"First Counter", first.counter);
  return error != ERROR_SUCCESS ? error : read_value(L"First Help", first.help);
}

// Keeps the DLL loaded. It contains a C++ runtime, which leaks 73 KiB (its reserve for exceptions)
// whenever the DLL is unloaded, and Wine unloads providers after each query.
void stay_loaded() {
  HMODULE self = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                     reinterpret_cast<LPCWSTR>(&stay_loaded), &self);
}

// Called for the first of several consumers.
DWORD start(const wchar_t* device_names) {
  DWORD error = read_first_indices(first_indices);
  if (error != ERROR_SUCCESS) {
    journal().failed(Subject::kRegistration, error);
    return error;
  }
  journal().succeeded(Subject::kRegistration);
  error = devices.open(device_names);
  if (error != ERROR_SUCCESS) {
    journal().failed(Subject::kDevices, error, devices.failed());
    return error;
  }
  journal().succeeded(Subject::kDevices);
  return ERROR_SUCCESS;
}

DWORD open(const wchar_t* device_names) {
  stay_loaded();
  const ExclusiveLock guard;
  const DWORD error = users == 0 ? start(device_names) : ERROR_SUCCESS;
  if (error == ERROR_SUCCESS) ++users;
  return error;
}

void close() {
  const ExclusiveLock guard;
  if (users == 0) return;
  if (--users == 0) devices.close();
}

bool is_open(FirstIndices& first) {
  AcquireSRWLockShared(&lock);
  const bool open = users > 0;
  first = first_indices;
  ReleaseSRWLockShared(&lock);
  return open;
}

DWORD copy_reply(const Reply& reply, DWORD room, LPVOID* data, LPDWORD bytes, LPDWORD objects) {
  const size_t size = reply.bytes().size();
  if (size > room) return ERROR_MORE_DATA;
  if (size == 0) return ERROR_SUCCESS;
  std::memcpy(*data, reply.bytes().data(), size);
  *data = static_cast<std::byte*>(*data) + size;
  *bytes = static_cast<DWORD>(size);
  *objects = reply.objects();
  return ERROR_SUCCESS;
}

// If there is no memory for the report either, it is lost.
void report_out_of_memory() {
  try {
    journal().failed(Subject::kReply, ERROR_NOT_ENOUGH_MEMORY);
  } catch (const std::exception&) {
  }
}

}  // namespace
}  // namespace sysperf

extern "C" {

DWORD WINAPI OpenSysPerf(LPWSTR device_names) {
  try {
    return sysperf::open(device_names);
  } catch (const std::exception&) {
    return ERROR_NOT_ENOUGH_MEMORY;  // no exception may reach the consumer
  }
}

DWORD WINAPI CollectSysPerf(LPWSTR query, LPVOID* data, LPDWORD bytes, LPDWORD objects) {
  const DWORD room = *bytes;
  *bytes = 0;
  *objects = 0;
  sysperf::FirstIndices first;
  if (!sysperf::is_open(first)) return ERROR_SUCCESS;
  try {
    const sysperf::Reply reply =
        sysperf::collect(sysperf::Query::parse(query), first, sysperf::journal());
    sysperf::journal().succeeded(sysperf::Subject::kReply);
    return sysperf::copy_reply(reply, room, data, bytes, objects);
  } catch (const std::exception&) {
    sysperf::report_out_of_memory();
    return ERROR_SUCCESS;  // with no data; no exception may reach the consumer
  }
}

DWORD WINAPI CloseSysPerf() {
  sysperf::close();
  return ERROR_SUCCESS;
}

}  // extern "C"
