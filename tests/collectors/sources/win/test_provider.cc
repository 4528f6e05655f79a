#include "tests/collectors/sources/win/test_provider.h"

#include <winperf.h>

#include <cstring>

#include "collectors/base/win/unique_handle.h"

namespace winperf::testing {
namespace {

TestProvider* current = nullptr;  // the one that the exported functions serve

bool set_text(HKEY key, const wchar_t* name, const std::wstring& text) {
  return RegSetValueExW(key, name, 0, REG_SZ, reinterpret_cast<const BYTE*>(text.c_str()),
                        static_cast<DWORD>((text.size() + 1) * sizeof(wchar_t))) == ERROR_SUCCESS;
}

bool register_as(const std::wstring& path) {
  wchar_t program[MAX_PATH] = {};
  if (GetModuleFileNameW(nullptr, program, MAX_PATH) == 0) return false;
  UniqueKey key;
  if (RegCreateKeyExW(HKEY_LOCAL_MACHINE, (path + L"\\Performance").c_str(), 0, nullptr,
                      REG_OPTION_VOLATILE, KEY_ALL_ACCESS, nullptr, key.put(),
                      nullptr) != ERROR_SUCCESS)
    return false;
  return set_text(key.get(), L"Library", program) &&
         set_text(key.get(), L"Open", L"winperf_test_open") &&
         set_text(key.get(), L"Collect", L"winperf_test_collect") &&
         set_text(key.get(), L"Close", L"winperf_test_close");
}

// Writes one object with one counter, and a counter block that holds `value`.
void write_object(std::byte* at, std::uint32_t index, std::uint32_t bytes, std::uint64_t value) {
  PERF_OBJECT_TYPE object{};
  object.TotalByteLength = bytes;
  object.DefinitionLength = sizeof(PERF_OBJECT_TYPE) + sizeof(PERF_COUNTER_DEFINITION);
  object.HeaderLength = sizeof(PERF_OBJECT_TYPE);
  object.ObjectNameTitleIndex = index;
  object.ObjectHelpTitleIndex = index + 1;
  object.DetailLevel = PERF_DETAIL_NOVICE;
  object.NumCounters = 1;
  object.NumInstances = PERF_NO_INSTANCES;

  PERF_COUNTER_DEFINITION counter{};
  counter.ByteLength = sizeof(counter);
  counter.CounterNameTitleIndex = index + 1000;
  counter.DetailLevel = PERF_DETAIL_NOVICE;
  counter.CounterType = PERF_COUNTER_LARGE_RAWCOUNT;
  counter.CounterSize = sizeof(value);
  counter.CounterOffset = 8;

  PERF_COUNTER_BLOCK block{};
  block.ByteLength = 16;

  std::memset(at, 0xA5, bytes);
  std::memcpy(at, &object, sizeof(object));
  std::memcpy(at + sizeof(object), &counter, sizeof(counter));
  std::memcpy(at + object.DefinitionLength, &block, sizeof(block));
  std::memcpy(at + object.DefinitionLength + 8, &value, sizeof(value));
}

}  // namespace

TestProvider::TestProvider(int registrations) {
  current = this;
  for (int i = 0; i < registrations; ++i) {
    key_paths_.push_back(L"SYSTEM\\CurrentControlSet\\Services\\winperf_test_" +
                         std::to_wstring(GetCurrentProcessId()) + L"_" + std::to_wstring(i));
    registered_ = registered_ && register_as(key_paths_.back());
  }
}

TestProvider::~TestProvider() {
  for (const std::wstring& path : key_paths_) RegDeleteTreeW(HKEY_LOCAL_MACHINE, path.c_str());
  current = nullptr;
}

DWORD TestProvider::collect(const wchar_t* query, void** data, DWORD* bytes, DWORD* object_types) {
  ++collects;
  queries.emplace_back(query);
  on_collect();
  const std::uint32_t each = kObjectBytes + padding_bytes;
  const std::uint32_t needed = objects * each;
  const DWORD room = *bytes;
  *bytes = 0;
  *object_types = 0;
  if (room < needed) return ERROR_MORE_DATA;
  auto* at = static_cast<std::byte*>(*data);
  for (std::uint32_t i = 0; i < objects; ++i, at += each)
    write_object(at, kFirstObject + 2 * i, each, static_cast<std::uint64_t>(collects));
  *data = at;
  *bytes = needed;
  *object_types = objects;
  return ERROR_SUCCESS;
}

}  // namespace winperf::testing

extern "C" {

__declspec(dllexport) DWORD WINAPI winperf_test_open(LPWSTR) {
  if (winperf::testing::current == nullptr) return ERROR_NOT_READY;
  ++winperf::testing::current->opens;
  return ERROR_SUCCESS;
}

__declspec(dllexport) DWORD WINAPI winperf_test_collect(LPWSTR query, LPVOID* data, LPDWORD bytes,
                                                        LPDWORD object_types) {
  return winperf::testing::current->collect(query, data, bytes, object_types);
}

__declspec(dllexport) DWORD WINAPI winperf_test_close() {
  if (winperf::testing::current != nullptr) ++winperf::testing::current->closes;
  return ERROR_SUCCESS;
}

}  // extern "C"
