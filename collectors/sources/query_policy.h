// How to get an answer out of RegQueryValueEx on the performance keys, without the call itself.
//
// The keys have rules of their own. A buffer that is too small gives ERROR_MORE_DATA and an
// undefined size, so the buffer grows from our own capacity: 64 KiB, doubling to 1 MiB, then by
// half. A busy performance library is asked again after a pause that doubles from 10 ms to 1 s. A
// broken handle is closed once and asked again. Everything ends: by bytes, by calls, by time, or by
// the stop token, which also ends a pause. A call itself can't be interrupted.
// The last good size of a value name, and a quarter more, is where its next query starts.
// Not validated: the bytes of the answer; only that the reported size fits the buffer.
// Errors: kBufferLimit, kBusy, kTimedOut (milliseconds), kBadLength (a reported size larger than
// the buffer), kCancelled, kAccessDenied, kNoSuchFile (no such value name), kOsError.
// Thread rule: one thread at a time.
// Source: Learn, RegQueryValueEx; reference in docs/registry-path.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "collectors/sources/source.h"

namespace winperf {

struct QueryLimits {
  std::size_t max_bytes = 256U << 20;
  std::uint32_t max_calls = 64;  // for one query, all reasons together
  std::chrono::milliseconds max_time{60'000};
};

// Time, so that tests need none.
class Waiter {
 public:
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  virtual ~Waiter() = default;
  virtual std::chrono::steady_clock::time_point now() = 0;
  // Returns early when stopped.
  virtual void wait(std::chrono::milliseconds pause, std::stop_token stop) = 0;
};

class SteadyWaiter final : public Waiter {
 public:
  std::chrono::steady_clock::time_point now() override { return std::chrono::steady_clock::now(); }
  void wait(std::chrono::milliseconds pause, std::stop_token stop) override;
};

struct QueryCalls {
  // One call: `buffer` is zeroed, `size` is its size and becomes what the system reports. Returns
  // the system's error code.
  std::function<std::uint32_t(std::span<std::byte> buffer, std::size_t& size)> query;
  // Closes the key; the next call opens it again.
  std::function<void()> close;
};

// The Win32 error codes that the policy tells apart.
enum class OsCode : std::uint32_t {
  kSuccess = 0,
  kFileNotFound = 2,
  kAccessDenied = 5,
  kInvalidHandle = 6,
  kNotReady = 21,
  kInsufficientBuffer = 122,
  kLockFailed = 167,
  kBusy = 170,
  kMoreData = 234,
  kWaitTimeout = 258,
  kRpcServerUnavailable = 1722,
  kRpcCallFailed = 1726,
};

// Whether the key should be closed after this error, so that the next query starts afresh: not
// where the error is ours (limits, cancelled) or that of the value name.
bool needs_close(ErrorCode code);

class QueryPolicy {
 public:
  static constexpr std::size_t kFirstBytes = 64U << 10;
  static constexpr std::size_t kDoublingUpTo = 1U << 20;
  static constexpr std::size_t kMaxRemembered = 256;  // value names
  static constexpr std::chrono::milliseconds kFirstPause{10};
  static constexpr std::chrono::milliseconds kLastPause{1000};

  // `waiter` outlives the policy.
  QueryPolicy(const QueryLimits& limits, Waiter& waiter) : limits_(limits), waiter_(waiter) {}

  std::expected<Bytes, Error> run(std::string_view value_name, const QueryCalls& calls,
                                  std::stop_token stop);

 private:
  std::size_t first_capacity(std::string_view value_name) const;
  std::size_t grown(std::size_t capacity) const;
  void remember(std::string_view value_name, std::size_t size);
  std::expected<Bytes, Error> accept(std::string_view value_name, Bytes buffer, std::size_t size);

  QueryLimits limits_;
  Waiter& waiter_;
  std::map<std::string, std::size_t, std::less<>> capacities_;  // value name -> where to start
};

}  // namespace winperf
