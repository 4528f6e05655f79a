// What went wrong, as a value: no allocation, no exception, comparable in tests.
// An error says its code, where in the data it was met (a static path such as "object.counter"),
// at which byte offset, and both numbers: what was found and what the limit was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf {

// Who has to act. Never merged into one another.
enum class ErrorKind {
  kAbsent,       // not there; the user decides whether that matters
  kCorrupt,      // the data contradicts itself; the provider's vendor
  kUnsupported,  // sound, but this program does not handle it; us
  kNotYet,       // ask again later
  kEnvironment,  // the operating system said no; see os_code
};

enum class ErrorCode : std::uint8_t {
  // corrupt data
  kTruncated,         // a structure ends behind the end of its container
  kBadSignature,      // not a performance data block
  kBadVersion,        // a version or byte order that no Windows produces
  kBadLength,         // a length smaller than the structure that it measures, or zero as a stride
  kBadOffset,         // an offset that leads out of its container
  kBadCount,          // a count that the bytes present cannot hold
  kBadNumber,         // text that should be a decimal number and is not
  kBadText,           // text that is not terminated or not decodable
  kBadChecksum,       // bytes whose checksum is not the one that was written with them
  kLimitExceeded,     // larger than the limits this program accepts
  kDuplicateObject,   // the same object twice in one sample; the first one counts
  kDuplicateIndex,    // the same title index twice in a name table; the first one counts
  kDuplicateCounter,  // the same counter id twice in one V2 block; the first one counts
  kUnknownBlock,      // a V2 result block of a kind that Windows does not document
  kPaddingLeftOut,    // a V2 block whose size leaves out the padding after it; read all the same
  // absent
  kNoSuchName,     // the name is not in the name table
  kNoSuchObject,   // no provider delivered the object
  kNoSuchFile,     // a file or directory that is not there
  kEndOfCapture,   // a replayed capture has no further sample
  kUnknownIndex,   // a title index without a name
  kNotRegistered,  // no provider has registered the counterset, or the counter in it
  kNotRunning,     // the counterset is registered, but no provider supplies data right now
  // unsupported
  kUnsupported,  // this source or platform cannot do that
  kNotAFile,     // a folder, a pipe or a device where a file is wanted
  // not yet
  kBusy,       // the system's performance library did not answer in time
  kCancelled,  // the program is stopping
  // environment
  kAccessDenied,  // os_code tells which check
  kBufferLimit,   // the reply did not fit into the largest buffer that we offer
  kTimedOut,      // the query took longer than it may
  kOsError,       // any other operating system error; os_code is its number
};

inline constexpr std::size_t kErrorCodeCount = static_cast<std::size_t>(ErrorCode::kOsError) + 1;

struct Error {
  ErrorCode code = ErrorCode::kOsError;
  const char* where = "";     // static text
  std::uint64_t offset = 0;   // bytes from the start of the block, where it applies
  std::uint64_t actual = 0;   // what was found
  std::uint64_t limit = 0;    // what it was compared with
  std::uint32_t os_code = 0;  // Win32 error or errno, 0 where none
  bool operator==(const Error&) const = default;
};

ErrorKind kind_of(ErrorCode code);
// Stable snake_case name, used as the label value `reason` of problem counters.
std::string_view name_of(ErrorCode code);
// "object.counter at offset 168: length 12 is below 40": lower case, no full stop, both numbers.
std::string describe(const Error& error);

}  // namespace winperf
