#include "collectors/sources/query_policy.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "collectors/base/pause.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kWhere = "registry.query";

enum class Answer { kDone, kGrow, kPause, kReopen, kGiveUp };

struct OsAnswer {
  OsCode os_code;
  Answer answer;
  ErrorCode error;  // what it is called when it is the last word
};

constexpr std::array kAnswers{
    OsAnswer{OsCode::kSuccess, Answer::kDone, ErrorCode::kOsError},
    OsAnswer{OsCode::kFileNotFound, Answer::kGiveUp, ErrorCode::kNoSuchFile},
    OsAnswer{OsCode::kAccessDenied, Answer::kGiveUp, ErrorCode::kAccessDenied},
    OsAnswer{OsCode::kInvalidHandle, Answer::kReopen, ErrorCode::kOsError},
    OsAnswer{OsCode::kNotReady, Answer::kPause, ErrorCode::kBusy},
    OsAnswer{OsCode::kInsufficientBuffer, Answer::kPause, ErrorCode::kBusy},
    OsAnswer{OsCode::kLockFailed, Answer::kPause, ErrorCode::kBusy},
    OsAnswer{OsCode::kBusy, Answer::kPause, ErrorCode::kBusy},
    OsAnswer{OsCode::kMoreData, Answer::kGrow, ErrorCode::kBufferLimit},
    OsAnswer{OsCode::kWaitTimeout, Answer::kPause, ErrorCode::kBusy},
    OsAnswer{OsCode::kRpcServerUnavailable, Answer::kReopen, ErrorCode::kOsError},
    OsAnswer{OsCode::kRpcCallFailed, Answer::kReopen, ErrorCode::kOsError},
};

OsAnswer answer_to(std::uint32_t os_code) {
  for (const OsAnswer& row : kAnswers)
    if (static_cast<std::uint32_t>(row.os_code) == os_code) return row;
  return {static_cast<OsCode>(os_code), Answer::kGiveUp, ErrorCode::kOsError};
}

std::unexpected<Error> failure(ErrorCode code, std::uint32_t os_code, std::uint64_t actual = 0,
                               std::uint64_t limit = 0) {
  return std::unexpected(Error{code, kWhere, 0, actual, limit, os_code});
}

// Makes `buffer` `size` zeroed bytes, without holding the old and the new one at the same time.
bool allocate(Bytes& buffer, std::size_t size) {
  try {
    buffer = Bytes();
    buffer.resize(size);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

void SteadyWaiter::wait(milliseconds pause, std::stop_token stop) {
  pause_until(steady_clock::now() + pause, stop);
}

bool needs_close(ErrorCode code) {
  return code == ErrorCode::kOsError || code == ErrorCode::kAccessDenied ||
         code == ErrorCode::kBusy || code == ErrorCode::kTimedOut || code == ErrorCode::kBadLength;
}

std::expected<Bytes, Error> QueryPolicy::run(std::string_view value_name, const QueryCalls& calls,
                                             std::stop_token stop) {
  const steady_clock::time_point started = waiter_.now();
  std::size_t capacity = first_capacity(value_name);
  milliseconds pause = kFirstPause;
  bool reopened = false;
  for (std::uint32_t call = 1;; ++call) {
    if (stop.stop_requested()) return failure(ErrorCode::kCancelled, 0);
    Bytes buffer;
    if (!allocate(buffer, capacity))
      return failure(ErrorCode::kBufferLimit, 0, capacity, limits_.max_bytes);
    std::size_t size = capacity;
    const std::uint32_t os_code = calls.query(buffer, size);
    const OsAnswer answer = answer_to(os_code);
    if (answer.answer == Answer::kDone) return accept(value_name, std::move(buffer), size);
    if (answer.answer == Answer::kGiveUp) return failure(answer.error, os_code);
    if (call >= limits_.max_calls) return failure(answer.error, os_code, call, limits_.max_calls);
    const auto spent = std::chrono::duration_cast<milliseconds>(waiter_.now() - started);
    if (spent >= limits_.max_time)
      return failure(ErrorCode::kTimedOut, os_code, static_cast<std::uint64_t>(spent.count()),
                     static_cast<std::uint64_t>(limits_.max_time.count()));

    if (answer.answer == Answer::kGrow) {
      if (capacity >= limits_.max_bytes)
        return failure(answer.error, os_code, capacity, limits_.max_bytes);
      capacity = grown(capacity);
    } else if (answer.answer == Answer::kReopen) {
      if (std::exchange(reopened, true)) return failure(answer.error, os_code);
      calls.close();
    } else {
      waiter_.wait(std::min(pause, limits_.max_time - spent), stop);
      pause = std::min(pause * 2, kLastPause);
    }
  }
}

std::size_t QueryPolicy::first_capacity(std::string_view value_name) const {
  const auto known = capacities_.find(value_name);
  const std::size_t capacity = known == capacities_.end() ? kFirstBytes : known->second;
  return std::min(capacity, limits_.max_bytes);
}

std::size_t QueryPolicy::grown(std::size_t capacity) const {
  const std::size_t step = capacity < kDoublingUpTo ? capacity : capacity / 2;
  // At least one more byte, so that even a limit of a few bytes is reached.
  const std::size_t room = limits_.max_bytes - capacity;
  return capacity + std::min(std::max<std::size_t>(step, 1), room);
}

void QueryPolicy::remember(std::string_view value_name, std::size_t size) {
  const std::size_t capacity = std::max(size + size / 4, kFirstBytes);
  const auto known = capacities_.find(value_name);
  if (known != capacities_.end()) {
    known->second = capacity;
    return;
  }
  // A forgotten name costs a few calls when it comes back.
  if (capacities_.size() >= kMaxRemembered) capacities_.clear();
  capacities_.emplace(value_name, capacity);
}

std::expected<Bytes, Error> QueryPolicy::accept(std::string_view value_name, Bytes buffer,
                                                std::size_t size) {
  if (size > buffer.size()) return failure(ErrorCode::kBadLength, 0, size, buffer.size());
  buffer.resize(size);
  remember(value_name, size);
  return buffer;
}

}  // namespace winperf
