#include "collectors/sources/win/wine_quirk.h"

#include <windows.h>

#include "collectors/sources/block_gap.h"

namespace winperf {

WineQuirk WineQuirk::detect() {
  const HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
  return WineQuirk(ntdll != nullptr && GetProcAddress(ntdll, "wine_get_version") != nullptr);
}

std::size_t WineQuirk::usable(std::size_t capacity) const {
  if (!active_) return capacity;
  return capacity < kBlockGapBytes ? 0 : capacity - kBlockGapBytes;
}

void WineQuirk::repair(std::span<std::byte> buffer, std::size_t size) const {
  if (active_) close_block_gap(buffer, size);
}

}  // namespace winperf
