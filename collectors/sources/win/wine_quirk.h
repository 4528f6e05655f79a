// What Wine does differently on HKEY_PERFORMANCE_DATA, undone right after the query, so that
// everything behind the source sees a correct block. On Windows both functions do nothing.
//
// Wine 8 writes the objects 88 bytes later than it counts them (see block_gap.h): with a buffer of
// exactly the size that it was told it writes past the end. So it is told 88 bytes less than the
// buffer has, and the gap is closed. A Wine without the gap is left as it is.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>

namespace winperf {

class WineQuirk {
 public:
  // Active where ntdll exports wine_get_version.
  static WineQuirk detect();
  bool active() const { return active_; }

  // How much of a buffer of `capacity` bytes the system may be told of.
  std::size_t usable(std::size_t capacity) const;
  // `buffer` was zeroed before the query, which returned `size`.
  void repair(std::span<std::byte> buffer, std::size_t size) const;

 private:
  explicit WineQuirk(bool active) : active_(active) {}

  bool active_;
};

}  // namespace winperf
