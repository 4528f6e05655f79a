// A V1 provider that lives in the test program itself: registered with this program as its library,
// the system loads what is already loaded, so that a test sees and steers each call.
// Registration writes to HKLM, so it is for Wine prefixes only: tests skip elsewhere.
// Thread rule: the test's thread; the system calls a provider on the thread of the query.
#pragma once

#include <windows.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace winperf::testing {

class TestProvider {
 public:
  static constexpr std::uint32_t kFirstObject = 990'000;
  static constexpr std::uint32_t kObjectBytes = 120;  // of an object without padding

  // Registered `registrations` times over: the system takes each for a provider of its own.
  explicit TestProvider(int registrations = 1);
  TestProvider(const TestProvider&) = delete;
  TestProvider& operator=(const TestProvider&) = delete;
  ~TestProvider();

  bool registered() const { return registered_; }

  // What it delivers: `objects` objects, numbered from kFirstObject, of kObjectBytes and
  // `padding_bytes` (a multiple of 8) each, filled with 0xA5; their one counter counts Collects.
  std::uint32_t objects = 1;
  std::uint32_t padding_bytes = 0;
  std::function<void()> on_collect = [] {};

  int opens = 0;
  int collects = 0;
  int closes = 0;
  std::vector<std::wstring> queries;  // value names as they arrived

  DWORD collect(const wchar_t* query, void** data, DWORD* bytes, DWORD* object_types);

 private:
  std::vector<std::wstring> key_paths_;
  bool registered_ = true;
};

}  // namespace winperf::testing
