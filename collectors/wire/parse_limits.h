// Limits on the performance data that the program accepts, and the check of its counts against
// them, which all walks share. Real data stays far below these limits; data that exceeds them is an
// error (kLimitExceeded), never silently truncated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "collectors/wire/byte_view.h"

namespace winperf {

struct ParseLimits {
  std::size_t block_bytes = std::size_t{1} << 30;
  std::uint32_t objects = 65'536;
  std::uint32_t counters_per_object = 65'536;
  std::uint32_t instances_per_object = 4'194'304;
  std::uint32_t name_bytes = 65'536;  // of one instance name
};

// The number of elements left in a walk, by a count from the data.
class ElementCount {
 public:
  ElementCount(std::uint32_t counted, std::uint32_t limit) : left_(counted), limit_(limit) {}

  bool done() const { return left_ == 0; }
  std::uint32_t taken() const { return taken_; }
  // The original count, however many have been taken.
  std::uint64_t counted() const { return std::uint64_t{taken_} + left_; }

  void take() {
    --left_;
    ++taken_;
  }
  // Ends the walk.
  void stop() { left_ = 0; }

  // Why no further element can be taken from the bytes that are left: the limit is reached, or
  // (kBadCount) there are none left.
  std::optional<Error> problem(const ByteView& rest) const {
    if (auto beyond = beyond_limit(rest)) return beyond;
    if (rest.size() == 0) return rest.error(ErrorCode::kBadCount, counted(), taken_);
    return std::nullopt;
  }
  bool is_at_limit() const { return taken_ >= limit_; }
  std::optional<Error> beyond_limit(const ByteView& rest) const {
    if (!is_at_limit()) return std::nullopt;
    return rest.error(ErrorCode::kLimitExceeded, counted(), limit_);
  }

 private:
  std::uint32_t left_;
  std::uint32_t taken_ = 0;
  std::uint32_t limit_;
};

}  // namespace winperf
