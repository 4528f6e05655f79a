#include "collectors/worker/win/module_table.h"

#include <windows.h>
#include <winternl.h>

#include <psapi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>

#include "collectors/worker/trace.h"

namespace winperf::worker {
namespace {

constexpr std::size_t kMaxRanges =
    1'024;  // more modules than a process has; further ones are unknown

// Written under the loader's lock, by one thread at a time; a name is complete before its `end`.
struct Range {
  std::atomic<std::uintptr_t> begin = 0;
  std::atomic<std::uintptr_t> end = 0;  // 0: not in use
  std::array<char, kMaxModuleName + 1> name{};
};
std::array<Range, kMaxRanges> ranges;

void name_range(Range& range, std::wstring_view name) {
  std::size_t length = 0;
  for (const wchar_t character : name.substr(0, kMaxModuleName))
    range.name.at(length++) =
        character > 0 && character < 0x7F ? static_cast<char>(character) : '?';
  range.name.at(length) = '\0';
}

// What was there before is there no more.
void add_range(std::uintptr_t begin, std::size_t bytes, std::wstring_view name) {
  const std::uintptr_t end = begin + bytes;
  for (Range& range : ranges)
    if (range.end > begin && range.begin < end) range.end = 0;
  const auto place =
      std::ranges::find_if(ranges, [](const Range& range) { return range.end == 0; });
  if (place == ranges.end()) return;
  name_range(*place, name);
  place->begin = begin;
  place->end = end;
}

void add_present() {
  std::array<HMODULE, kMaxRanges> modules{};
  DWORD bytes = 0;
  if (!EnumProcessModules(GetCurrentProcess(), modules.data(), sizeof modules, &bytes)) return;
  const std::size_t count = std::min<std::size_t>(bytes / sizeof(HMODULE), modules.size());
  for (HMODULE const module : std::span(modules).first(count)) {
    MODULEINFO info{};
    std::array<wchar_t, MAX_PATH> name{};
    const DWORD length = GetModuleBaseNameW(GetCurrentProcess(), module, name.data(), MAX_PATH);
    if (GetModuleInformation(GetCurrentProcess(), module, &info, sizeof info))
      add_range(reinterpret_cast<std::uintptr_t>(info.lpBaseOfDll), info.SizeOfImage,
                {name.data(), length});
  }
}

// LDR_DLL_NOTIFICATION_DATA, which the SDK doesn't declare: it is the same for both reasons.
struct DllNotice {
  ULONG flags;
  const UNICODE_STRING* full_name;
  const UNICODE_STRING* base_name;
  void* base;
  ULONG bytes;
};
constexpr ULONG kLoaded = 1;

void CALLBACK on_notice(ULONG reason, const DllNotice* notice, void* /*context*/) {
  if (reason != kLoaded || notice->base_name == nullptr) return;
  add_range(reinterpret_cast<std::uintptr_t>(notice->base), notice->bytes,
            {notice->base_name->Buffer, notice->base_name->Length / sizeof(wchar_t)});
}

}  // namespace

void keep_module_table() {
  using Register =
      NTSTATUS(NTAPI*)(ULONG, void(CALLBACK*)(ULONG, const DllNotice*, void*), void*, void**);
  const auto follow = reinterpret_cast<Register>(reinterpret_cast<void*>(
      GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "LdrRegisterDllNotification")));
  static void* cookie = nullptr;  // for ever
  if (follow != nullptr) follow(0, on_notice, nullptr, &cookie);
  add_present();
}

std::string_view module_at(std::uintptr_t address) {
  for (const Range& range : ranges)
    if (range.end > address && range.begin <= address) return range.name.data();
  return {};
}

}  // namespace winperf::worker
