// Memory with an inaccessible page on either side, for code that may write outside: that ends the
// process at once, where otherwise somebody else's memory would be damaged, unseen.
// The room ends exactly at the page behind it, as far as its alignment allows.
// Throws std::bad_alloc. Thread rule: one thread. win/ and posix/ implement it.
#pragma once

#include <cstddef>
#include <span>

namespace winperf {

// Pages of memory between two that can't be accessed. win/ and posix/ implement this.
[[nodiscard]] std::size_t page_bytes();
// `bytes`: a multiple of page_bytes(). Returns these and the page on either side. Throws
// std::bad_alloc.
[[nodiscard]] std::span<std::byte> allocate_guarded(std::size_t bytes);
void free_guarded(std::span<std::byte> pages);

class GuardedRoom {
 public:
  static constexpr std::size_t kAlignment = 8;

  GuardedRoom() = default;
  // `bytes`: a multiple of kAlignment. All zero.
  explicit GuardedRoom(std::size_t bytes);
  GuardedRoom(GuardedRoom&& other) noexcept;
  GuardedRoom& operator=(GuardedRoom&& other) noexcept;
  GuardedRoom(const GuardedRoom&) = delete;
  GuardedRoom& operator=(const GuardedRoom&) = delete;
  ~GuardedRoom();

  std::span<std::byte> bytes() const { return room_; }

 private:
  std::span<std::byte> pages_;  // with the guards
  std::span<std::byte> room_;
};

}  // namespace winperf
