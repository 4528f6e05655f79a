// PerfLib's nine consumer functions as a DLL: the simulated machine and its network behind the
// signatures of Windows.
#include <windows.h>

#include "tests/simulator/codes.h"
#include "tests/simulator/network/network_perflib.h"
#include "tests/simulator/scenario.h"

namespace {

// The exporter opens the library anew with each source. Each time it is loaded, its runtime takes
// one of the process' 1,088 indices of thread-local storage, and none is given back. It stays
// loaded, as Windows' own does.
struct StaysLoaded {
  StaysLoaded() {
    static const char inside = 0;
    HMODULE module = nullptr;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       reinterpret_cast<LPCWSTR>(&inside), &module);
  }
};
const StaysLoaded stays_loaded;

using winperf::Guid;
using winperf::PerflibHandle;
using winperf::simulator::kInvalidParameter;

winperf::PerflibApi& face() {
  using namespace winperf::simulator;
  static const auto machine = scenario_of_environment();
  static Network network(real_time_100ns);
  static NetworkPerflib face(*machine, network);
  return face;
}

std::u16string name_of(const wchar_t* machine) {
  return machine == nullptr ? std::u16string()
                            : std::u16string(reinterpret_cast<const char16_t*>(machine));
}

std::span<std::byte> buffer_of(void* buffer, DWORD size) {
  return {static_cast<std::byte*>(buffer), size};
}

PerflibHandle handle_of(HANDLE query) {
  return static_cast<PerflibHandle>(reinterpret_cast<std::uintptr_t>(query));
}

const Guid& guid_of(const GUID* guid) { return *reinterpret_cast<const Guid*>(guid); }

// The contract: a buffer may be null only where its size is 0.
bool is_wrong(const void* buffer, DWORD size, const DWORD* actual) {
  return actual == nullptr || (buffer == nullptr && size != 0);
}

}  // namespace

extern "C" {

__declspec(dllexport) ULONG WINAPI PerfEnumerateCounterSet(const wchar_t* machine, GUID* guids,
                                                           DWORD count, DWORD* actual) {
  if (is_wrong(guids, count, actual)) return kInvalidParameter;
  std::uint32_t stored = 0;
  const auto status = face().enumerate_countersets(name_of(machine),
                                                   {reinterpret_cast<Guid*>(guids), count}, stored);
  *actual = stored;
  return status;
}

__declspec(dllexport) ULONG WINAPI PerfEnumerateCounterSetInstances(const wchar_t* machine,
                                                                    const GUID* set, void* buffer,
                                                                    DWORD size, DWORD* actual) {
  if (set == nullptr || is_wrong(buffer, size, actual)) return kInvalidParameter;
  std::uint32_t stored = 0;
  const auto status =
      face().enumerate_instances(name_of(machine), guid_of(set), buffer_of(buffer, size), stored);
  *actual = stored;
  return status;
}

__declspec(dllexport) ULONG WINAPI PerfQueryCounterSetRegistrationInfo(const wchar_t* machine,
                                                                       const GUID* set, DWORD code,
                                                                       DWORD argument, BYTE* buffer,
                                                                       DWORD size, DWORD* actual) {
  if (set == nullptr || is_wrong(buffer, size, actual)) return kInvalidParameter;
  std::uint32_t stored = 0;
  const auto status = face().query_registration(name_of(machine), guid_of(set),
                                                static_cast<winperf::RegistrationInfo>(code),
                                                argument, buffer_of(buffer, size), stored);
  *actual = stored;
  return status;
}

__declspec(dllexport) ULONG WINAPI PerfOpenQueryHandle(const wchar_t* machine, HANDLE* query) {
  if (query == nullptr) return kInvalidParameter;
  PerflibHandle handle{};
  const auto status = face().open_query(name_of(machine), handle);
  *query = reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(handle));
  return status;
}

__declspec(dllexport) ULONG WINAPI PerfCloseQueryHandle(HANDLE query) {
  return face().close_query(handle_of(query));
}

__declspec(dllexport) ULONG WINAPI PerfQueryCounterInfo(HANDLE query, void* buffer, DWORD size,
                                                        DWORD* actual) {
  if (is_wrong(buffer, size, actual)) return kInvalidParameter;
  std::uint32_t stored = 0;
  const auto status = face().query_counter_info(handle_of(query), buffer_of(buffer, size), stored);
  *actual = stored;
  return status;
}

__declspec(dllexport) ULONG WINAPI PerfQueryCounterData(HANDLE query, void* buffer, DWORD size,
                                                        DWORD* actual) {
  if (is_wrong(buffer, size, actual)) return kInvalidParameter;
  std::uint32_t stored = 0;
  const auto status = face().query_counter_data(handle_of(query), buffer_of(buffer, size), stored);
  *actual = stored;
  return status;
}

__declspec(dllexport) ULONG WINAPI PerfAddCounters(HANDLE query, void* identifiers, DWORD size) {
  return face().add_counters(handle_of(query), buffer_of(identifiers, size));
}

__declspec(dllexport) ULONG WINAPI PerfDeleteCounters(HANDLE query, void* identifiers, DWORD size) {
  return face().delete_counters(handle_of(query), buffer_of(identifiers, size));
}

}  // extern "C"
