// Pages of memory between two that can't be accessed. win/ and posix/ implement this.
#pragma once

#include <cstddef>
#include <span>

namespace winperf {

[[nodiscard]] std::size_t page_bytes();
// `bytes`: a multiple of page_bytes(). Returns these and the page on either side. Throws
// std::bad_alloc.
[[nodiscard]] std::span<std::byte> allocate_guarded(std::size_t bytes);
void free_guarded(std::span<std::byte> pages);

}  // namespace winperf
