// Memory that is shared with another process, and unmaps itself. Thread rule: as for a value.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <expected>
#include <span>
#include <utility>

namespace winperf::worker {

class SharedMapping {
 public:
  // The error is an errno.
  [[nodiscard]] static std::expected<SharedMapping, int> open(int memory, std::size_t bytes) {
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (at == MAP_FAILED) return std::unexpected(errno);
    return SharedMapping(static_cast<std::byte*>(at), bytes);
  }
  SharedMapping(SharedMapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  SharedMapping& operator=(SharedMapping&&) = delete;
  ~SharedMapping() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  SharedMapping(std::byte* at, std::size_t bytes) : bytes_(at, bytes) {}

  std::span<std::byte> bytes_;
};

}  // namespace winperf::worker
