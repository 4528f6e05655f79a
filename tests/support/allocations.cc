// Each way to allocate needs its counterpart: with the alignment of malloc(), and with a larger
// one.
#include "tests/support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> made;
std::atomic<std::uint64_t> made_bytes;

void note(std::size_t bytes) {
  made.fetch_add(1, std::memory_order_relaxed);
  made_bytes.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace

void* operator new(std::size_t bytes) {
  note(bytes);
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  note(bytes);
  const auto step = static_cast<std::size_t>(alignment);
  // aligned_alloc() takes whole multiples only.
  if (void* const memory = std::aligned_alloc(step, (bytes + step - 1) / step * step))
    return memory;
  throw std::bad_alloc();
}

// A sanitizer's library has all forms, each with its own counterpart.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  note(bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t& none) noexcept {
  return operator new(bytes, none);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace winperf::testing {

Allocations allocations() { return {.count = made.load(), .bytes = made_bytes.load()}; }

}  // namespace winperf::testing
