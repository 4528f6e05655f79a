#include "collectors/model/error.h"

#include <algorithm>
#include <array>
#include <functional>

#include "collectors/base/hex.h"

namespace winperf {
namespace {

struct ErrorInfo {
  ErrorCode code;
  ErrorKind kind;
  std::string_view name;
  std::string_view sentence;
};

constexpr auto kErrors = [] {
  using enum ErrorCode;
  using Kind = ErrorKind;
  return std::array<ErrorInfo, kErrorCodeCount>{{
      {kTruncated, Kind::kCorrupt, "truncated", "ends past its container"},
      {kBadSignature, Kind::kCorrupt, "bad_signature", "is not a performance data block"},
      {kBadVersion, Kind::kCorrupt, "bad_version", "has an unknown version or byte order"},
      {kBadLength, Kind::kCorrupt, "bad_length", "has an impossible length"},
      {kBadOffset, Kind::kCorrupt, "bad_offset", "has an offset outside its container"},
      {kBadCount, Kind::kCorrupt, "bad_count", "counts more than its bytes can hold"},
      {kBadNumber, Kind::kCorrupt, "bad_number", "is not a decimal number"},
      {kBadText, Kind::kCorrupt, "bad_text", "is not valid text"},
      {kBadChecksum, Kind::kCorrupt, "bad_checksum", "is damaged (its checksum is wrong)"},
      {kLimitExceeded, Kind::kCorrupt, "limit_exceeded", "exceeds the accepted size"},
      {kDuplicateObject, Kind::kCorrupt, "duplicate_object", "occurs twice in one sample"},
      {kDuplicateIndex, Kind::kCorrupt, "duplicate_index", "occurs twice in the name table"},
      {kDuplicateCounter, Kind::kCorrupt, "duplicate_counter", "occurs twice in one result"},
      {kUnknownBlock, Kind::kCorrupt, "unknown_block", "is of an unknown kind"},
      {kPaddingLeftOut, Kind::kCorrupt, "padding_left_out",
       "omits a block's padding from its size"},
      {kNoCounters, Kind::kCorrupt, "no_counters", "has no counters"},
      {kNoSuchName, Kind::kAbsent, "no_such_name", "is not in the name table"},
      {kNoSuchObject, Kind::kAbsent, "no_such_object", "was not delivered by any provider"},
      {kNoSuchFile, Kind::kAbsent, "no_such_file", "does not exist"},
      {kEndOfCapture, Kind::kAbsent, "end_of_capture", "has no further sample"},
      {kUnknownIndex, Kind::kAbsent, "unknown_index", "has no name in the name table"},
      {kNotRegistered, Kind::kAbsent, "not_registered", "is not registered by any provider"},
      {kNotRunning, Kind::kAbsent, "not_running", "has no running provider"},
      {kLeftOut, Kind::kAbsent, "left_out", "is left out by the configuration"},
      {kUnsupported, Kind::kUnsupported, "unsupported", "is not supported here"},
      {kNotAFile, Kind::kUnsupported, "not_a_file",
       "is a folder, a pipe or a device instead of a file"},
      {kBusy, Kind::kNotYet, "busy", "is busy"},
      {kCancelled, Kind::kNotYet, "cancelled", "was cancelled"},
      {kPending, Kind::kNotYet, "pending", "has not answered yet"},
      {kWorkerStarting, Kind::kNotYet, "worker_starting",
       "waits for its worker process, which is still starting"},
      {kAccessDenied, Kind::kEnvironment, "access_denied", "may not be read by this account"},
      {kBufferLimit, Kind::kEnvironment, "buffer_limit", "does not fit into the largest buffer"},
      {kTimedOut, Kind::kEnvironment, "timed_out", "timed out"},
      {kWorkerCrashed, Kind::kEnvironment, "worker_crashed", "crashed its worker process"},
      {kWorkerExited, Kind::kEnvironment, "worker_exited", "ended its worker process"},
      {kWorkerLimit, Kind::kEnvironment, "worker_limit",
       "made its worker process exceed its limits"},
      {kWorkerReply, Kind::kEnvironment, "worker_reply",
       "made its worker process lose or damage the reply"},
      {kWorkerStart, Kind::kEnvironment, "worker_start",
       "has no worker process, because none can be started"},
      {kWorkerStartLate, Kind::kEnvironment, "worker_start_late",
       "has no worker process, because none started in time"},
      {kNoProcedure, Kind::kEnvironment, "no_procedure",
       "is not exported by the provider's library"},
      {kOsError, Kind::kEnvironment, "os_error", "failed"},
  }};
}();
// Each code has its row.
static_assert(std::ranges::adjacent_find(kErrors, std::ranges::greater_equal{}, &ErrorInfo::code) ==
              kErrors.end());

constexpr std::uint32_t kLastSignal = 64;  // exceptions of Windows are larger numbers

const ErrorInfo& info_of(ErrorCode code) { return kErrors.at(static_cast<std::size_t>(code)); }

}  // namespace

ErrorKind kind_of(ErrorCode code) { return info_of(code).kind; }

std::string_view name_of(ErrorCode code) { return info_of(code).name; }

std::string describe(const Error& error) {
  const ErrorInfo& info = info_of(error.code);
  std::string text = error.where;
  if (text.empty()) text = "data";
  text += ' ';
  text += info.sentence;
  if (info.kind == ErrorKind::kCorrupt) text += " at offset " + std::to_string(error.offset);
  if (error.actual != 0 || error.limit != 0) text += ": " + std::to_string(error.actual);
  // A missing item has no limit to exceed.
  const bool has_limit = error.limit != 0 || (error.actual != 0 && info.kind != ErrorKind::kAbsent);
  if (has_limit) text += " against " + std::to_string(error.limit);
  if (error.code == ErrorCode::kWorkerCrashed) return text + " (" + crash_text(error.os_code) + ")";
  if (error.code == ErrorCode::kWorkerExited)
    return text + " (exit code " + std::to_string(error.os_code) + ")";
  if (error.os_code != 0) text += " (system error " + std::to_string(error.os_code) + ")";
  return text;
}

bool is_lost(ErrorCode code) {
  return code == ErrorCode::kTimedOut || code == ErrorCode::kWorkerCrashed ||
         code == ErrorCode::kWorkerExited || code == ErrorCode::kWorkerLimit ||
         code == ErrorCode::kWorkerReply;
}

bool is_of_start(ErrorCode code) {
  return code == ErrorCode::kWorkerStarting || code == ErrorCode::kWorkerStart ||
         code == ErrorCode::kWorkerStartLate;
}

std::string crash_text(std::uint32_t os_code) {
  if (os_code <= kLastSignal) return "signal " + std::to_string(os_code);
  return "exception " + hex(os_code);  // the usual notation
}

}  // namespace winperf
