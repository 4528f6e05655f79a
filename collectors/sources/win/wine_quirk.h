// Undoes what Wine does differently on HKEY_PERFORMANCE_DATA, right after the query, so that all
// other code sees a correct block. On Windows both functions do nothing.
//
// Wine 8 writes the objects 88 bytes later than it counts them (block_gap.h): with a buffer of
// exactly the size that it was told, it writes past the end. So it is told 88 bytes less than the
// buffer has, and the gap is closed. A Wine version without the gap is left alone.
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

  // The size that the system may be told for a buffer of `capacity` bytes.
  std::size_t usable(std::size_t capacity) const;
  // `buffer` was zeroed before the query, which returned `size`.
  void repair(std::span<std::byte> buffer, std::size_t size) const;

 private:
  explicit WineQuirk(bool active) : active_(active) {}

  bool active_;
};

}  // namespace winperf
