// The system's pdh.dll, loaded from System32 and nowhere else, and a query with one counter.
// Source: pdh.h; Microsoft's documentation of PdhCalculateCounterFromRawValue and
// PdhFormatFromRawValue.
#pragma once

#include <windows.h>
// After windows.h.
#include <pdh.h>

#include <optional>
#include <string>

namespace winperf::testing {

class PdhLibrary {
 public:
  // Fails the test where pdh.dll or one of its functions is missing.
  PdhLibrary();
  PdhLibrary(const PdhLibrary&) = delete;
  PdhLibrary& operator=(const PdhLibrary&) = delete;
  ~PdhLibrary();

  decltype(&PdhOpenQueryW) open_query = nullptr;
  decltype(&PdhCloseQuery) close_query = nullptr;
  decltype(&PdhAddCounterW) add_counter = nullptr;
  decltype(&PdhGetCounterInfoW) counter_info = nullptr;
  decltype(&PdhCalculateCounterFromRawValue) calculate = nullptr;
  // mingw's header has no declaration of it.
  using Format = PDH_STATUS(WINAPI*)(DWORD type, DWORD format, LONGLONG* time_base,
                                     PDH_RAW_COUNTER* newer, PDH_RAW_COUNTER* older,
                                     PDH_FMT_COUNTERVALUE* value);
  Format format = nullptr;

 private:
  HMODULE library_;
};

// A counter of this machine's, for the functions that want one.
class PdhCounter {
 public:
  // Fails the test where the counter cannot be added.
  PdhCounter(const PdhLibrary& pdh, const std::wstring& path);
  PdhCounter(const PdhCounter&) = delete;
  PdhCounter& operator=(const PdhCounter&) = delete;
  ~PdhCounter();

  DWORD type() const { return type_; }
  LONG default_scale() const { return default_scale_; }
  // Nothing where PDH refuses.
  std::optional<PDH_FMT_COUNTERVALUE> calculate(DWORD format, PDH_RAW_COUNTER older,
                                                PDH_RAW_COUNTER newer) const;

 private:
  void read_info();

  const PdhLibrary& pdh_;
  PDH_HQUERY query_ = nullptr;
  PDH_HCOUNTER counter_ = nullptr;
  DWORD type_ = 0;
  LONG default_scale_ = 0;
};

// True if a call ended in one of Wine's stubs, which raise an exception that nothing survives but
// the thread that it is called on.
bool ends_in_wine_stub(void (*call)(const PdhLibrary&), const PdhLibrary& pdh);

}  // namespace winperf::testing
