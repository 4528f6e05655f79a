// The three functions that Windows calls. winperf_exporter_perf.def exports them under their plain
// names. Source: Learn, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC.
#include <windows.h>
#include <winperf.h>

#include "exporter/counters/extension.h"
#include "exporter/counters/win/surroundings.h"

namespace winperf::own {
namespace {

constinit Extension extension{kWindowsSurroundings};

}  // namespace
}  // namespace winperf::own

static_assert(sizeof(DWORD) == sizeof(std::uint32_t) && sizeof(wchar_t) == sizeof(char16_t));

extern "C" {

// Devices, which Linkage\Export would name, there are none.
DWORD APIENTRY OpenWinperfExporter(LPWSTR) {
  // A consumer that unloads the DLL while another of its threads is in it would take the code away.
  winperf::own::stay_loaded();
  return winperf::own::extension.open();
}

DWORD APIENTRY CollectWinperfExporter(LPWSTR query, LPVOID* data, LPDWORD bytes, LPDWORD objects) {
  return winperf::own::extension.collect(reinterpret_cast<const char16_t*>(query), data,
                                         reinterpret_cast<std::uint32_t*>(bytes),
                                         reinterpret_cast<std::uint32_t*>(objects));
}

DWORD APIENTRY CloseWinperfExporter() { return winperf::own::extension.close(); }

}  // extern "C"
