// The seam to PerfLib's countersets of one machine: what providers have registered, and sets of
// requests, each of which is collected by one call. CounterSource is its counterpart for V1
// objects.
//
// Implementations: PerfLib's functions in this process (perflib_client.h), a worker process
// (collectors/worker), a recording (collectors/capture). Returned bytes are owned and unchecked.
// Errors, in addition to those of an implementation: kAccessDenied, kNotRegistered, kNotRunning,
// kUnsupported, kOsError. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "collectors/base/os_code.h"
#include "collectors/base/stop.h"
#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf {

inline constexpr std::size_t kMaxGuids = 65'536;  // of registered countersets

// The name of a set of requests.
enum class PerflibSet : std::uint32_t {};

// The index of a request's result in its set, nothing if unknown; or why the system refuses the
// request.
using ResultPlace = std::expected<std::optional<std::uint32_t>, Error>;

class PerflibSource {
 public:
  PerflibSource() = default;
  PerflibSource(const PerflibSource&) = delete;
  PerflibSource& operator=(const PerflibSource&) = delete;
  virtual ~PerflibSource() = default;

  [[nodiscard]] virtual std::expected<std::vector<Guid>, Error> countersets() = 0;
  // Empty if no instance is active.
  [[nodiscard]] virtual std::expected<Bytes, Error> instances(const Guid& counterset) = 0;
  [[nodiscard]] virtual std::expected<Bytes, Error> registration(const Guid& counterset,
                                                                 RegistrationInfo info,
                                                                 std::uint32_t argument = 0) = 0;

  // A name that no other set has.
  virtual PerflibSet new_set() = 0;
  // Makes the set consist of these requests, of which no two are alike, and returns the place of
  // each, in their order. The next call retries refused requests and those without a known place.
  // After an error nothing is open.
  [[nodiscard]] virtual std::expected<std::vector<ResultPlace>, Error> open(
      PerflibSet set, std::span<const v2::CounterRequest> requests) = 0;
  // The results of a set. After an error it isn't open any more.
  [[nodiscard]] virtual std::expected<Bytes, Error> collect(PerflibSet set) = 0;
  virtual void close(PerflibSet set) = 0;

  // The number of processes that such calls cost; without calls that failed because of an earlier
  // loss.
  virtual std::uint64_t losses() const { return 0; }
  // The process in which the calls are made, if it is another one.
  virtual WorkerView* worker() { return nullptr; }
  // Sets the stop that ends calls, where supported, and begins a round.
  virtual void set_stop(StopToken) {}
};

// From collect(): the set isn't open, for instance because its process was replaced.
[[nodiscard]] inline bool is_not_open(const Error& error) {
  return error.code == ErrorCode::kOsError && OsCode{error.os_code} == OsCode::kInvalidHandle;
}

// The V2 countersets of a recording, a capture or a log. collectors/capture implements PerfLib's
// functions with it (replay_perflib.h), which know the formats. Errors: missing or unreadable
// parts; the bytes are unchecked. Thread rule: one thread at a time.
class V2Recording {
 public:
  V2Recording() = default;
  V2Recording(const V2Recording&) = delete;
  V2Recording& operator=(const V2Recording&) = delete;
  virtual ~V2Recording() = default;

  virtual std::uint32_t samples() const = 0;
  // The GUIDs of the countersets, 16 bytes each.
  [[nodiscard]] virtual std::expected<Bytes, Error> countersets() = 0;
  // What PerfQueryCounterInfo returned: which counterset each result of a reply is for.
  [[nodiscard]] virtual std::expected<Bytes, Error> order() = 0;
  // What PerfQueryCounterSetRegistrationInfo returned.
  [[nodiscard]] virtual std::expected<Bytes, Error> registration(const Guid& counterset,
                                                                 RegistrationInfo info,
                                                                 std::uint32_t argument) = 0;
  // What PerfQueryCounterData returned for all of them in the n-th sample, counted from 0.
  [[nodiscard]] virtual std::expected<Bytes, Error> reply(std::uint32_t sample) = 0;
};

}  // namespace winperf
