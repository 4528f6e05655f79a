#include "collectors/sources/query_policy.h"

#include <algorithm>
#include <utility>

#include "collectors/wire/v1_format.h"

namespace winperf {

namespace {

using std::chrono::milliseconds;

constexpr const char* kWhere = "registry.query";

enum class Remedy { kGrow, kPause, kReopen, kNone };

struct Verdict {
  Remedy remedy;
  ErrorCode error;  // if retries fail
};

Verdict judge(std::uint32_t os_code) {
  switch (OsCode{os_code}) {
    case OsCode::kMoreData:
      return {.remedy = Remedy::kGrow, .error = ErrorCode::kBufferLimit};
    case OsCode::kNotReady:
    case OsCode::kInsufficientBuffer:
    case OsCode::kLockFailed:
    case OsCode::kBusy:
    case OsCode::kWaitTimeout:
      return {.remedy = Remedy::kPause, .error = ErrorCode::kBusy};
    case OsCode::kInvalidHandle:
    case OsCode::kRpcServerUnavailable:
    case OsCode::kRpcCallFailed:
      return {.remedy = Remedy::kReopen, .error = ErrorCode::kOsError};
    case OsCode::kFileNotFound:
      return {.remedy = Remedy::kNone, .error = ErrorCode::kNoSuchFile};
    case OsCode::kAccessDenied:
      return {.remedy = Remedy::kNone, .error = ErrorCode::kAccessDenied};
    default:
      return {.remedy = Remedy::kNone, .error = ErrorCode::kOsError};
  }
}

std::unexpected<Error> failure(ErrorCode code, std::uint32_t os_code, std::uint64_t actual = 0,
                               std::uint64_t limit = 0) {
  return std::unexpected(
      Error{.code = code, .where = kWhere, .actual = actual, .limit = limit, .os_code = os_code});
}

}  // namespace

bool needs_close(ErrorCode code) {
  return code == ErrorCode::kOsError || code == ErrorCode::kAccessDenied ||
         code == ErrorCode::kBusy || code == ErrorCode::kTimedOut || code == ErrorCode::kBadLength;
}

std::expected<Bytes, Error> QueryPolicy::run(std::string_view value_name, const QueryCalls& calls,
                                             StopToken stop) {
  Bytes reply;
  const auto size = fill(renewed(reply), limits_.max_bytes, value_name, calls, stop);
  if (!size) return std::unexpected(size.error());
  reply.resize(*size);
  return reply;
}

std::expected<std::size_t, Error> QueryPolicy::run_in(const ReplyRoom& room,
                                                      std::string_view value_name,
                                                      const QueryCalls& calls, StopToken stop) {
  const auto place = [&room](std::size_t capacity) {
    const auto buffer = room.first(capacity);
    std::ranges::fill(buffer, std::byte{});
    return buffer;
  };
  return fill(place, std::min(limits_.max_bytes, room.size()), value_name, calls, stop);
}

std::expected<std::size_t, Error> QueryPolicy::fill(const Place& place, std::size_t max_bytes,
                                                    std::string_view value_name,
                                                    const QueryCalls& calls,
                                                    const StopToken& stop) {
  if (stop.stop_requested()) return failure(ErrorCode::kCancelled, 0);
  Spent spent{.started = clocks_.steady_now()};
  auto size = fill_place<std::byte>(
      {.first = first_capacity(value_name), .max = max_bytes}, kWhere, place, calls.query,
      [&](const FailedCall& call) { return recover(call, max_bytes, calls, spent, stop); });
  if (size) remember(value_name, *size);
  return size;
}

std::expected<std::size_t, Error> QueryPolicy::recover(const FailedCall& call,
                                                       std::size_t max_bytes,
                                                       const QueryCalls& calls, Spent& spent,
                                                       const StopToken& stop) const {
  const Verdict verdict = judge(call.os_code);
  if (verdict.remedy == Remedy::kNone) return failure(verdict.error, call.os_code);
  if (call.number >= limits_.max_calls)
    return failure(verdict.error, call.os_code, call.number, limits_.max_calls);
  const auto now = clocks_.steady_now();
  const auto took = std::chrono::duration_cast<milliseconds>(now - spent.started);
  if (took >= limits_.max_time)
    return failure(ErrorCode::kTimedOut, call.os_code, static_cast<std::uint64_t>(took.count()),
                   static_cast<std::uint64_t>(limits_.max_time.count()));

  std::size_t capacity = call.capacity;
  if (verdict.remedy == Remedy::kGrow) {
    if (capacity >= max_bytes) return failure(verdict.error, call.os_code, capacity, max_bytes);
    const std::size_t step = capacity < kDoublingUpTo ? capacity : capacity / 2;
    capacity += std::min(step, max_bytes - capacity);
  } else if (verdict.remedy == Remedy::kReopen) {
    if (std::exchange(spent.reopened, true)) return failure(verdict.error, call.os_code);
    calls.close();
  } else {
    clocks_.pause_until(
        now + std::min<SteadyTime::duration>(spent.pause.next(), limits_.max_time - took), stop);
  }
  if (stop.stop_requested()) return failure(ErrorCode::kCancelled, 0);
  return capacity;
}

std::size_t QueryPolicy::first_capacity(std::string_view value_name) const {
  const auto known = capacities_.find(value_name);
  return known == capacities_.end() ? kFirstBytes : known->second;
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

std::expected<Bytes, Error> PolicySource::block_of(std::string_view value_name, StopToken stop) {
  Bytes block;
  const auto asked =
      ask(value_name, [&](const QueryCalls& calls) -> std::expected<std::size_t, Error> {
        auto bytes = policy_.run(value_name, calls, std::move(stop));
        if (!bytes) return std::unexpected(bytes.error());
        block = *std::move(bytes);
        return block.size();
      });
  if (!asked) return std::unexpected(asked.error());
  return block;
}

std::expected<Reply, Error> PolicySource::query(std::string_view value_name, StopToken stop) {
  return reply_of(block_of(value_name, std::move(stop)));
}

std::expected<std::size_t, Error> PolicySource::query_in(const ReplyRoom& room,
                                                         std::string_view value_name,
                                                         StopToken stop) {
  return ask(value_name, [&](const QueryCalls& calls) {
    return policy_.run_in(room, value_name, calls, std::move(stop));
  });
}

bool close_block_gap(std::span<std::byte> buffer, std::size_t size) {
  if (size < v1::block::kBytes || size > buffer.size()) return false;
  if (buffer.size() - size < kBlockGapBytes) return false;
  const ByteView block(buffer.first(size), "block");
  if (block.get(v1::block::kSignature) != v1::kPerfSignature) return false;
  if (block.get(v1::block::kTotalByteLength) != size) return false;
  if (block.get(v1::block::kNumObjectTypes) == 0) return false;
  const std::size_t header = block.get(v1::block::kHeaderLength);
  if (header < v1::block::kBytes || header >= size) return false;

  const std::span<std::byte> gap = buffer.subspan(header, kBlockGapBytes);
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (!std::all_of(gap.begin(), gap.end(), is_zero)) return false;

  const std::span<std::byte> objects = buffer.subspan(header + kBlockGapBytes, size - header);
  std::copy(objects.begin(), objects.end(), gap.begin());
  const std::span<std::byte> rest = buffer.subspan(size, kBlockGapBytes);
  std::fill(rest.begin(), rest.end(), std::byte{0});
  return true;
}

}  // namespace winperf
