#include "tests/formula_pdh/pdh_library.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace winperf::testing {
namespace {

constexpr DWORD kWineStubException = 0x8000'0100;
constexpr DWORD kWineStubExit = 100;

template <class Function>
void bind(HMODULE library, const char* name, Function& function) {
  const FARPROC address = library == nullptr ? nullptr : GetProcAddress(library, name);
  EXPECT_NE(address, nullptr) << name;
  function = reinterpret_cast<Function>(reinterpret_cast<void*>(address));
}

LONG CALLBACK leave_thread_of_stub(EXCEPTION_POINTERS* exception) {
  if (exception->ExceptionRecord->ExceptionCode != kWineStubException)
    return EXCEPTION_CONTINUE_SEARCH;
  ExitThread(kWineStubExit);
}

struct Call {
  void (*function)(const PdhLibrary&);
  const PdhLibrary* pdh;
};

DWORD WINAPI run(void* parameter) {
  const Call& call = *static_cast<const Call*>(parameter);
  call.function(*call.pdh);
  return 0;
}

}  // namespace

PdhLibrary::PdhLibrary()
    : library_(LoadLibraryExW(L"pdh.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32)) {
  EXPECT_NE(library_, nullptr) << "no pdh.dll: " << GetLastError();
  bind(library_, "PdhOpenQueryW", open_query);
  bind(library_, "PdhCloseQuery", close_query);
  bind(library_, "PdhAddCounterW", add_counter);
  bind(library_, "PdhGetCounterInfoW", counter_info);
  bind(library_, "PdhCalculateCounterFromRawValue", calculate);
  bind(library_, "PdhFormatFromRawValue", format);
}

PdhLibrary::~PdhLibrary() {
  if (library_ != nullptr) FreeLibrary(library_);
}

PdhCounter::PdhCounter(const PdhLibrary& pdh, const std::wstring& path) : pdh_(pdh) {
  EXPECT_EQ(pdh_.open_query(nullptr, 0, &query_), ERROR_SUCCESS);
  const PDH_STATUS added = pdh_.add_counter(query_, path.c_str(), 0, &counter_);
  EXPECT_EQ(added, ERROR_SUCCESS);
  if (added == ERROR_SUCCESS) read_info();
}

void PdhCounter::read_info() {
  std::vector<PDH_COUNTER_INFO_W> info(64);
  auto bytes = static_cast<DWORD>(info.size() * sizeof info[0]);
  ASSERT_EQ(pdh_.counter_info(counter_, FALSE, &bytes, info.data()), ERROR_SUCCESS);
  type_ = info[0].dwType;
  default_scale_ = info[0].lDefaultScale;
}

PdhCounter::~PdhCounter() {
  if (query_ != nullptr) pdh_.close_query(query_);
}

std::optional<PDH_FMT_COUNTERVALUE> PdhCounter::calculate(DWORD format, PDH_RAW_COUNTER older,
                                                          PDH_RAW_COUNTER newer) const {
  PDH_FMT_COUNTERVALUE value{};
  // Microsoft's documentation calls the newer sample the first.
  if (pdh_.calculate(counter_, format, &newer, &older, &value) != ERROR_SUCCESS)
    return std::nullopt;
  return value;
}

bool ends_in_wine_stub(void (*call)(const PdhLibrary&), const PdhLibrary& pdh) {
  void* const handler = AddVectoredExceptionHandler(1, leave_thread_of_stub);
  Call parameter{call, &pdh};
  const HANDLE thread = CreateThread(nullptr, 0, run, &parameter, 0, nullptr);
  DWORD exit_code = 0;
  if (thread != nullptr) {
    WaitForSingleObject(thread, INFINITE);
    GetExitCodeThread(thread, &exit_code);
    CloseHandle(thread);
  }
  RemoveVectoredExceptionHandler(handler);
  return exit_code == kWineStubExit;
}

}  // namespace winperf::testing
