// Memory with an inaccessible page on either side, for code that may write out of bounds: that ends
// the process immediately, instead of damaging other memory unnoticed. The room ends exactly at the
// guard page, as far as its alignment allows. Throws std::bad_alloc. Thread rule: one thread. win/
// and posix/ implement it.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace winperf {

// Pages of memory between two that can't be accessed. win/ and posix/ implement this.
[[nodiscard]] std::size_t page_bytes();
// Returns as many pages as `bytes` need, and the one on either side. Throws std::bad_alloc.
[[nodiscard]] std::span<std::byte> allocate_guarded(std::size_t bytes);
void free_guarded(std::span<std::byte> pages);

class GuardedRoom {
 public:
  static constexpr std::size_t kAlignment = 8;

  GuardedRoom() = default;
  // `bytes`: a multiple of kAlignment. All zero.
  explicit GuardedRoom(std::size_t bytes)
      : pages_(allocate_guarded(bytes)), room_(pages_.last(page_bytes() + bytes).first(bytes)) {}
  GuardedRoom(GuardedRoom&& other) noexcept { *this = std::move(other); }
  GuardedRoom& operator=(GuardedRoom&& other) noexcept {
    std::swap(pages_, other.pages_);
    std::swap(room_, other.room_);
    return *this;
  }
  GuardedRoom(const GuardedRoom&) = delete;
  GuardedRoom& operator=(const GuardedRoom&) = delete;
  ~GuardedRoom() {
    if (!pages_.empty()) free_guarded(pages_);
  }

  std::span<std::byte> bytes() const { return room_; }

 private:
  std::span<std::byte> pages_;  // with the guards
  std::span<std::byte> room_;
};

}  // namespace winperf
