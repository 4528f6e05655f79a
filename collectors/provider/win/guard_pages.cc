#include "collectors/provider/guarded_room.h"

#include <windows.h>

#include <new>

namespace winperf {

std::size_t page_bytes() {
  SYSTEM_INFO system{};
  GetSystemInfo(&system);
  return system.dwPageSize;
}

std::span<std::byte> allocate_guarded(std::size_t bytes) {
  const std::size_t page = page_bytes();
  const std::size_t inner = (bytes + page - 1) / page * page;
  const std::size_t all = inner + 2 * page;
  void* const address = VirtualAlloc(nullptr, all, MEM_RESERVE, PAGE_NOACCESS);
  if (address == nullptr) throw std::bad_alloc();
  const std::span pages(static_cast<std::byte*>(address), all);
  if (VirtualAlloc(pages.subspan(page).data(), inner, MEM_COMMIT, PAGE_READWRITE) == nullptr) {
    free_guarded(pages);
    throw std::bad_alloc();
  }
  return pages;
}

void free_guarded(std::span<std::byte> pages) { VirtualFree(pages.data(), 0, MEM_RELEASE); }

}  // namespace winperf
