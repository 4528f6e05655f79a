// Corrects what Wine does differently on HKEY_PERFORMANCE_DATA, right after the query, so that all
// other code sees a correct block. On Windows both functions do nothing.
//
// Wine 8 writes the objects 88 bytes further on than it counts (block_gap.h), so it may write 88
// bytes past the size that it was given. Therefore the query gives Wine a size that is 88 bytes
// smaller than the buffer, and repair() closes the gap. A reply of a Wine version without the gap
// stays unchanged.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>

namespace winperf {

class WineQuirk {
 public:
  // Active if ntdll exports wine_get_version.
  static WineQuirk detect();
  bool active() const { return active_; }

  // The size to pass to the system for a buffer of `capacity` bytes.
  std::size_t usable(std::size_t capacity) const;
  // `buffer` was zeroed before the query, which returned `size`.
  void repair(std::span<std::byte> buffer, std::size_t size) const;

 private:
  explicit WineQuirk(bool active) : active_(active) {}

  bool active_;
};

}  // namespace winperf
