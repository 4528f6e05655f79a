// Each way to allocate needs its counterpart: with the alignment of malloc(), and with a larger
// one.
#include "tests/support/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> made;
std::atomic<std::uint64_t> made_bytes;
std::atomic<std::uint64_t> held_bytes;
std::atomic<bool> is_failing;

void note(std::size_t bytes) {
  made.fetch_add(1, std::memory_order_relaxed);
  made_bytes.fetch_add(bytes, std::memory_order_relaxed);
}

void* held(void* memory) {
  if (memory != nullptr)
    held_bytes.fetch_add(malloc_usable_size(memory), std::memory_order_relaxed);
  return memory;
}

void release(void* memory) {
  if (memory != nullptr)
    held_bytes.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
  note(bytes);
  if (!is_failing)
    if (void* const memory = held(std::malloc(bytes == 0 ? 1 : bytes))) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  note(bytes);
  const auto step = static_cast<std::size_t>(alignment);
  // aligned_alloc() takes whole multiples only.
  if (void* const memory = held(std::aligned_alloc(step, (bytes + step - 1) / step * step)))
    return memory;
  throw std::bad_alloc();
}

// A sanitizer's library has all forms, each with its own counterpart.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  note(bytes);
  return is_failing ? nullptr : held(std::malloc(bytes == 0 ? 1 : bytes));
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t& none) noexcept {
  return operator new(bytes, none);
}

void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace winperf::testing {

Allocations allocations() { return {.count = made.load(), .bytes = made_bytes.load()}; }

std::uint64_t allocated_bytes() { return held_bytes.load(); }

FailingAllocations::FailingAllocations() { is_failing = true; }
FailingAllocations::~FailingAllocations() { is_failing = false; }

}  // namespace winperf::testing
