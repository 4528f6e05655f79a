#include "collectors/model/error.h"

#include <array>

#include "collectors/base/hex.h"

namespace winperf {
namespace {

struct ErrorInfo {
  ErrorCode code;
  ErrorKind kind;
  std::string_view name;
  std::string_view sentence;
};

constexpr std::array<ErrorInfo, kErrorCodeCount> kErrors{{
    {ErrorCode::kTruncated, ErrorKind::kCorrupt, "truncated", "ends past its container"},
    {ErrorCode::kBadSignature, ErrorKind::kCorrupt, "bad_signature",
     "is not a performance data block"},
    {ErrorCode::kBadVersion, ErrorKind::kCorrupt, "bad_version",
     "has an unknown version or byte order"},
    {ErrorCode::kBadLength, ErrorKind::kCorrupt, "bad_length", "has an impossible length"},
    {ErrorCode::kBadOffset, ErrorKind::kCorrupt, "bad_offset",
     "has an offset outside its container"},
    {ErrorCode::kBadCount, ErrorKind::kCorrupt, "bad_count", "counts more than its bytes can hold"},
    {ErrorCode::kBadNumber, ErrorKind::kCorrupt, "bad_number", "is not a decimal number"},
    {ErrorCode::kBadText, ErrorKind::kCorrupt, "bad_text", "is not valid text"},
    {ErrorCode::kBadChecksum, ErrorKind::kCorrupt, "bad_checksum",
     "is damaged (its checksum is wrong)"},
    {ErrorCode::kLimitExceeded, ErrorKind::kCorrupt, "limit_exceeded", "exceeds the accepted size"},
    {ErrorCode::kDuplicateObject, ErrorKind::kCorrupt, "duplicate_object",
     "occurs twice in one sample"},
    {ErrorCode::kDuplicateIndex, ErrorKind::kCorrupt, "duplicate_index",
     "occurs twice in the name table"},
    {ErrorCode::kDuplicateCounter, ErrorKind::kCorrupt, "duplicate_counter",
     "occurs twice in one result"},
    {ErrorCode::kUnknownBlock, ErrorKind::kCorrupt, "unknown_block", "is of an unknown kind"},
    {ErrorCode::kPaddingLeftOut, ErrorKind::kCorrupt, "padding_left_out",
     "omits a block's padding from its size"},
    {ErrorCode::kNoCounters, ErrorKind::kCorrupt, "no_counters", "has no counters"},
    {ErrorCode::kNoSuchName, ErrorKind::kAbsent, "no_such_name", "is not in the name table"},
    {ErrorCode::kNoSuchObject, ErrorKind::kAbsent, "no_such_object",
     "was not delivered by any provider"},
    {ErrorCode::kNoSuchFile, ErrorKind::kAbsent, "no_such_file", "doesn't exist"},
    {ErrorCode::kEndOfCapture, ErrorKind::kAbsent, "end_of_capture", "has no further sample"},
    {ErrorCode::kUnknownIndex, ErrorKind::kAbsent, "unknown_index",
     "has no name in the name table"},
    {ErrorCode::kNotRegistered, ErrorKind::kAbsent, "not_registered",
     "is not registered by any provider"},
    {ErrorCode::kNotRunning, ErrorKind::kAbsent, "not_running", "has no running provider"},
    {ErrorCode::kLeftOut, ErrorKind::kAbsent, "left_out", "is left out by the configuration"},
    {ErrorCode::kUnsupported, ErrorKind::kUnsupported, "unsupported", "is not supported here"},
    {ErrorCode::kNotAFile, ErrorKind::kUnsupported, "not_a_file",
     "is a folder, a pipe or a device instead of a file"},
    {ErrorCode::kBusy, ErrorKind::kNotYet, "busy", "is busy"},
    {ErrorCode::kCancelled, ErrorKind::kNotYet, "cancelled", "was cancelled"},
    {ErrorCode::kPending, ErrorKind::kNotYet, "pending", "has not answered yet"},
    {ErrorCode::kWorkerStarting, ErrorKind::kNotYet, "worker_starting",
     "waits for its worker process, which is still starting"},
    {ErrorCode::kAccessDenied, ErrorKind::kEnvironment, "access_denied",
     "may not be read by this account"},
    {ErrorCode::kBufferLimit, ErrorKind::kEnvironment, "buffer_limit",
     "doesn't fit into the largest buffer"},
    {ErrorCode::kTimedOut, ErrorKind::kEnvironment, "timed_out", "took too long"},
    {ErrorCode::kWorkerCrashed, ErrorKind::kEnvironment, "worker_crashed",
     "made its worker process crash"},
    {ErrorCode::kWorkerExited, ErrorKind::kEnvironment, "worker_exited",
     "ended its worker process"},
    {ErrorCode::kWorkerLimit, ErrorKind::kEnvironment, "worker_limit",
     "made its worker process exceed its limits"},
    {ErrorCode::kWorkerReply, ErrorKind::kEnvironment, "worker_reply",
     "made its worker process lose or spoil the reply"},
    {ErrorCode::kWorkerStart, ErrorKind::kEnvironment, "worker_start",
     "has no worker process, because it can't be started"},
    {ErrorCode::kWorkerStartLate, ErrorKind::kEnvironment, "worker_start_late",
     "has no worker process, because its worker could not start in time"},
    {ErrorCode::kNoProcedure, ErrorKind::kEnvironment, "no_procedure",
     "is not exported by the provider's library"},
    {ErrorCode::kOsError, ErrorKind::kEnvironment, "os_error", "failed"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kErrors.size(); ++i)
    if (static_cast<std::size_t>(kErrors[i].code) != i) return false;
  return true;
}
static_assert(in_order());

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
  // Something absent has no limit that it could exceed.
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
  return "exception " + hex(os_code);  // by which it is known
}

}  // namespace winperf
