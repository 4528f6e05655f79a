// Memory for a reply, which becomes usable as far as it is needed: where the system takes memory
// that is reserved for memory in use, a large room that nobody fills costs nothing.
// Thread rule: as for a span.
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <span>
#include <utility>

namespace winperf {

class ReplyRoom {
 public:
  // Makes the first bytes usable; false if the system has no memory for them.
  using Commit = std::function<bool(std::size_t bytes)>;

  // All of it is usable.
  ReplyRoom(std::span<std::byte> bytes) : bytes_(bytes) {}  // NOLINT(*-explicit-*)
  ReplyRoom(std::span<std::byte> bytes, Commit commit)
      : bytes_(bytes), commit_(std::move(commit)) {}

  std::size_t size() const { return bytes_.size(); }
  // `bytes`: at most size(). Throws std::bad_alloc if the system has no memory for them.
  std::span<std::byte> first(std::size_t bytes) const {
    if (commit_ && !commit_(bytes)) throw std::bad_alloc();
    return bytes_.first(bytes);
  }

 private:
  std::span<std::byte> bytes_;
  Commit commit_;
};

}  // namespace winperf
