// The policy for calling RegQueryValueEx on the performance keys, without the call itself.
//
// These keys have special rules. A buffer that is too small gives ERROR_MORE_DATA and an undefined
// size, so the buffer grows from its own capacity: 64 KiB, doubling to 1 MiB, then by half. A busy
// performance library is called again after a pause that doubles from 10 ms to 1 s. A broken handle
// is closed once and opened again. Bytes, calls, time and the stop token limit all of this; a stop
// also ends a pause. A call itself can't be interrupted. The next query of a value name starts with
// its last good size and a quarter more. Not validated: the bytes of the answer; only that the
// reported size fits the buffer. Errors: kBufferLimit, kBusy, kTimedOut (milliseconds), kBadLength
// (a reported size larger than the buffer), kCancelled, kAccessDenied, kNoSuchFile (no such value
// name), kOsError. Thread rule: one thread at a time. Source: Learn, RegQueryValueEx; reference in
// docs/registry-path.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/base/back_off.h"
#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/sources/fill_buffer.h"
#include "collectors/sources/source.h"

namespace winperf {

struct QueryLimits {
  std::size_t max_bytes = 256U << 20;
  std::uint32_t max_calls = 64;  // for one query
  std::chrono::milliseconds max_time{60'000};
};

struct QueryCalls {
  // One call: `buffer` is zeroed, `size` is its size and becomes the reported size. Returns the
  // system's error code.
  std::function<std::uint32_t(std::span<std::byte> buffer, std::size_t& size)> query;
  // Closes the key; the next call opens it again.
  std::function<void()> close;
};

// Whether the key should be closed after this error, so that the next query reopens it: not for our
// own errors (limits, cancelled) or those of the value name.
[[nodiscard]] bool needs_close(ErrorCode code);

class QueryPolicy {
 public:
  static constexpr std::size_t kFirstBytes = 64U << 10;
  static constexpr std::size_t kDoublingUpTo = 1U << 20;
  static constexpr std::size_t kMaxRemembered = 256;  // value names
  static constexpr std::chrono::milliseconds kFirstPause{10};
  static constexpr std::chrono::milliseconds kLastPause{1000};

  QueryPolicy(const QueryLimits& limits, ClockSource clocks)
      : limits_(limits), clocks_(std::move(clocks)) {}

  // Of each further query.
  void limit_time(std::chrono::milliseconds max_time) { limits_.max_time = max_time; }

  [[nodiscard]] std::expected<Bytes, Error> run(std::string_view value_name,
                                                const QueryCalls& calls, StopToken stop);
  // The same with the answer at the beginning of `room`, which limits its size, too. Returns the
  // answer's size.
  [[nodiscard]] std::expected<std::size_t, Error> run_in(const ReplyRoom& room,
                                                         std::string_view value_name,
                                                         const QueryCalls& calls, StopToken stop);

 private:
  // A zeroed buffer of this capacity; see fill_place().
  using Place = std::function<std::span<std::byte>(std::size_t capacity)>;

  // The use of one query so far.
  struct Spent {
    std::chrono::steady_clock::time_point started;
    BackOff pause{kFirstPause, kLastPause};
    bool reopened = false;
  };

  [[nodiscard]] std::expected<std::size_t, Error> fill(const Place& place, std::size_t max_bytes,
                                                       std::string_view value_name,
                                                       const QueryCalls& calls,
                                                       const StopToken& stop);
  // The capacity for the next call, after pausing or closing the key if `call` requires it.
  [[nodiscard]] std::expected<std::size_t, Error> recover(const FailedCall& call,
                                                          std::size_t max_bytes,
                                                          const QueryCalls& calls, Spent& spent,
                                                          const StopToken& stop) const;
  std::size_t first_capacity(std::string_view value_name) const;
  void remember(std::string_view value_name, std::size_t size);

  QueryLimits limits_;
  ClockSource clocks_;
  std::map<std::string, std::size_t, std::less<>> capacities_;  // value name -> where to start
};

// A source whose reply is one block, for which the policy makes the calls.
class PolicySource : public CounterSource {
 public:
  bool is_live() const override { return true; }
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  [[nodiscard]] std::expected<std::size_t, Error> query_in(const ReplyRoom& room,
                                                           std::string_view value_name,
                                                           StopToken stop) override;
  void limit_time(std::chrono::milliseconds time) override { policy_.limit_time(time); }

 protected:
  // Returns the size of the block.
  using Query = std::function<std::expected<std::size_t, Error>(const QueryCalls&)>;

  PolicySource(const QueryLimits& limits, ClockSource clocks)
      : policy_(limits, std::move(clocks)) {}
  // Makes a query with the calls that this value name needs.
  [[nodiscard]] virtual std::expected<std::size_t, Error> ask(std::string_view value_name,
                                                              const Query& query) = 0;
  [[nodiscard]] std::expected<Bytes, Error> block_of(std::string_view value_name, StopToken stop);

  QueryPolicy policy_;
};

// Corrects a deviation of Wine on HKEY_PERFORMANCE_DATA right after the query, so that all other
// code sees a correct block.
//
// Wine (seen in 8.0) writes the first object sizeof(PERF_DATA_BLOCK) = 88 bytes after HeaderLength;
// the size that it returns and TotalByteLength don't count these 88 bytes. They are never written,
// so they are zero in a buffer that was zeroed before the query, while no object can begin with a
// TotalByteLength of zero. This distinguishes a block with the gap from one without. So Wine may
// write 88 bytes past the size that it was given: the query gives it a size that is 88 bytes
// smaller than the buffer, and repair() closes the gap. A reply of a Wine version without the gap
// stays unchanged. Validated: nothing is moved unless the header, the gap and the objects lie
// within the buffer; apart from that the block stays as it is. The content of the objects isn't
// examined. Thread rule: any thread. Source: winperf.h, PERF_DATA_BLOCK; docs/registry-path.md,
// "Wine".
inline constexpr std::size_t kBlockGapBytes = 88;

// `buffer` is the whole buffer, zeroed before the query; `size` is what the query returned. True if
// there was a gap: then the objects were moved, the block is `size` bytes long, and the bytes after
// it are zero.
bool close_block_gap(std::span<std::byte> buffer, std::size_t size);

// On Windows, where it isn't active, both functions do nothing.
class WineQuirk {
 public:
  explicit WineQuirk(bool active) : active_(active) {}

  // The size to pass to the system for a buffer of `capacity` bytes.
  std::size_t usable(std::size_t capacity) const {
    if (!active_) return capacity;
    return capacity < kBlockGapBytes ? 0 : capacity - kBlockGapBytes;
  }
  // Like close_block_gap().
  void repair(std::span<std::byte> buffer, std::size_t size) const {
    if (active_) close_block_gap(buffer, size);
  }

 private:
  bool active_;
};

}  // namespace winperf
