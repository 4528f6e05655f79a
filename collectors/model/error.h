// What went wrong, as a value: no allocation, no exception, comparable in tests.
// An error has its code, where in the data it occurred (a static path such as "object.counter"), at
// which byte offset, and both numbers: what was found and what the limit was.
// Thread rule: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf {

// The party that has to act. These kinds are never merged.
enum class ErrorKind {
  kAbsent,       // missing; the user decides whether that matters
  kCorrupt,      // the data contradicts itself; the provider's vendor
  kUnsupported,  // sound, but this program doesn't handle it; its authors
  kNotYet,       // ask again later
  kEnvironment,  // the operating system refused; see os_code
};

enum class ErrorCode : std::uint8_t {
  // corrupt data
  kTruncated,         // a structure ends past the end of its container
  kBadSignature,      // not a performance data block
  kBadVersion,        // a version or byte order that no Windows produces
  kBadLength,         // a length below the size of the structure it measures, or a stride of zero
  kBadOffset,         // an offset that leads outside its container
  kBadCount,          // a count that the bytes present cannot hold
  kBadNumber,         // text that should be a decimal number but isn't
  kBadText,           // text that is not terminated or can't be decoded
  kBadChecksum,       // bytes that don't match the checksum written with them
  kLimitExceeded,     // larger than this program accepts
  kDuplicateObject,   // the same object twice in one sample; the first one counts
  kDuplicateIndex,    // the same title index twice in a name table; the first one counts
  kDuplicateCounter,  // the same counter id twice in one V2 block; the first one counts
  kUnknownBlock,      // a V2 result block of an undocumented kind
  kPaddingLeftOut,    // a V2 block whose size omits the padding after it; it is read nevertheless
  kNoCounters,        // an object that defines no counter
  // absent
  kNoSuchName,     // the name is not in the name table
  kNoSuchObject,   // no provider delivered the object
  kNoSuchFile,     // a file or folder that doesn't exist
  kEndOfCapture,   // a replayed capture has no further sample
  kUnknownIndex,   // a title index without a name
  kNotRegistered,  // no provider has registered the counterset, or the counter in it
  kNotRunning,     // the counterset is registered, but no provider supplies data now
  kLeftOut,        // the configuration leaves the provider out
  // unsupported
  kUnsupported,  // this source or platform can't do that
  kNotAFile,     // a folder, a pipe or a device instead of a file
  // not yet
  kBusy,            // the system's performance library didn't answer in time
  kCancelled,       // the program is stopping
  kPending,         // no answer yet; the query continues in the background; actual: milliseconds
  kWorkerStarting,  // the worker process isn't up yet; actual: milliseconds
  // environment
  kAccessDenied,  // os_code says which check failed
  kBufferLimit,   // the reply does not fit into the largest buffer we offer
  kTimedOut,      // the query took too long
  // The worker process that made the query; the query is lost.
  kWorkerCrashed,  // os_code: the exception, or the signal's number
  kWorkerExited,   // it exited; os_code: its exit code
  kWorkerLimit,    // it was terminated: too much memory, or too many handles or threads
  kWorkerReply,    // it was terminated: its reply is inconsistent, or its connection was lost
  // Not a provider's fault: none runs before its worker is up.
  kWorkerStart,      // it can't be started, or ended before it was up
  kWorkerStartLate,  // it was terminated: not up in time (milliseconds)
  kNoProcedure,      // a provider's library doesn't export a function that its registration names
  kOsError,          // any other operating system error; os_code is its number
};

inline constexpr std::size_t kErrorCodeCount = static_cast<std::size_t>(ErrorCode::kOsError) + 1;

struct Error {
  ErrorCode code = ErrorCode::kOsError;
  const char* where = "";     // static text
  std::uint64_t offset = 0;   // bytes from the start of the block, if applicable
  std::uint64_t actual = 0;   // what was found
  std::uint64_t limit = 0;    // what it was compared with
  std::uint32_t os_code = 0;  // Win32 error or errno; 0: none
};

// Compares `where` as text, because equal texts may have different addresses.
constexpr bool operator==(const Error& a, const Error& b) {
  return a.code == b.code && std::string_view(a.where) == b.where && a.offset == b.offset &&
         a.actual == b.actual && a.limit == b.limit && a.os_code == b.os_code;
}

ErrorKind kind_of(ErrorCode code);
// Stable snake_case name, used as the label value `reason` of problem counters.
std::string_view name_of(ErrorCode code);
// "object.counter has an impossible length at offset 168: 12 against 40": lower case, no full stop,
// both numbers.
std::string describe(const Error& error);
// Whether a query was made, but got no answer: its worker process was lost, or it timed out.
bool is_lost(ErrorCode code);
// Whether no query was made because its worker process isn't up, which isn't a provider's fault.
bool is_of_start(ErrorCode code);
// How a process crashed, by the code of kWorkerCrashed: "exception 0xc0000005", or "signal 11".
std::string crash_text(std::uint32_t os_code);

}  // namespace winperf
