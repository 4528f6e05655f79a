// Memory that is shared with another process, and unmaps itself. Thread rule: as for a value.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace winperf::worker {

// The numbers of the descriptors that a worker inherits, as worker_process.cc assigns them and
// parent_link.cc uses them.
inline constexpr int kInheritedMemory = 3;
inline constexpr int kInheritedSocket = 4;
// Requests a worker's trace.
inline constexpr int kWhereSignal = SIGUSR1;

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
  // Bytes written so far by either process; the rest takes no memory.
  std::optional<std::uint64_t> used_bytes() const {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages((bytes_.size() + page - 1) / page);
    if (mincore(bytes_.data(), bytes_.size(), pages.data()) != 0) return std::nullopt;
    return static_cast<std::uint64_t>(
               std::ranges::count_if(pages, [](unsigned char one) { return (one & 1) != 0; })) *
           page;
  }

 private:
  SharedMapping(std::byte* at, std::size_t bytes) : bytes_(at, bytes) {}

  std::span<std::byte> bytes_;
};

}  // namespace winperf::worker
