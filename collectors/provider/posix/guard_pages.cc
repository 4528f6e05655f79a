#include "collectors/provider/guarded_room.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace winperf {

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::span<std::byte> allocate_guarded(std::size_t bytes) {
  const std::size_t page = page_bytes();
  const std::size_t inner = (bytes + page - 1) / page * page;
  const std::size_t all = inner + 2 * page;
  void* const address = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  const std::span pages(static_cast<std::byte*>(address), all);
  if (mprotect(pages.subspan(page).data(), inner, PROT_READ | PROT_WRITE) != 0) {
    free_guarded(pages);
    throw std::bad_alloc();
  }
  return pages;
}

void free_guarded(std::span<std::byte> pages) { munmap(pages.data(), pages.size()); }

}  // namespace winperf
