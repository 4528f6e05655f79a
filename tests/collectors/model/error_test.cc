#include "collectors/model/error.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace winperf {
namespace {

TEST(ErrorTable, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kErrorCodeCount; ++i) {
    const std::string_view name = name_of(static_cast<ErrorCode>(i));
    EXPECT_FALSE(name.empty()) << i;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos)
        << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

// Names and kinds are in the order of the enumeration: one row of each kind's first and last.
TEST(ErrorTable, IsInTheOrderOfTheEnumeration) {
  struct Row {
    ErrorCode code;
    std::string_view name;
    ErrorKind kind;
  };
  const Row rows[] = {
      {ErrorCode::kTruncated, "truncated", ErrorKind::kCorrupt},
      {ErrorCode::kBadSignature, "bad_signature", ErrorKind::kCorrupt},
      {ErrorCode::kBadVersion, "bad_version", ErrorKind::kCorrupt},
      {ErrorCode::kBadLength, "bad_length", ErrorKind::kCorrupt},
      {ErrorCode::kBadOffset, "bad_offset", ErrorKind::kCorrupt},
      {ErrorCode::kBadCount, "bad_count", ErrorKind::kCorrupt},
      {ErrorCode::kBadNumber, "bad_number", ErrorKind::kCorrupt},
      {ErrorCode::kBadText, "bad_text", ErrorKind::kCorrupt},
      {ErrorCode::kBadChecksum, "bad_checksum", ErrorKind::kCorrupt},
      {ErrorCode::kLimitExceeded, "limit_exceeded", ErrorKind::kCorrupt},
      {ErrorCode::kDuplicateObject, "duplicate_object", ErrorKind::kCorrupt},
      {ErrorCode::kDuplicateIndex, "duplicate_index", ErrorKind::kCorrupt},
      {ErrorCode::kDuplicateCounter, "duplicate_counter", ErrorKind::kCorrupt},
      {ErrorCode::kUnknownBlock, "unknown_block", ErrorKind::kCorrupt},
      {ErrorCode::kPaddingLeftOut, "padding_left_out", ErrorKind::kCorrupt},
      {ErrorCode::kNoCounters, "no_counters", ErrorKind::kCorrupt},
      {ErrorCode::kNoSuchName, "no_such_name", ErrorKind::kAbsent},
      {ErrorCode::kNoSuchObject, "no_such_object", ErrorKind::kAbsent},
      {ErrorCode::kNoSuchFile, "no_such_file", ErrorKind::kAbsent},
      {ErrorCode::kEndOfCapture, "end_of_capture", ErrorKind::kAbsent},
      {ErrorCode::kUnknownIndex, "unknown_index", ErrorKind::kAbsent},
      {ErrorCode::kNotRegistered, "not_registered", ErrorKind::kAbsent},
      {ErrorCode::kNotRunning, "not_running", ErrorKind::kAbsent},
      {ErrorCode::kLeftOut, "left_out", ErrorKind::kAbsent},
      {ErrorCode::kUnsupported, "unsupported", ErrorKind::kUnsupported},
      {ErrorCode::kNotAFile, "not_a_file", ErrorKind::kUnsupported},
      {ErrorCode::kBusy, "busy", ErrorKind::kNotYet},
      {ErrorCode::kCancelled, "cancelled", ErrorKind::kNotYet},
      {ErrorCode::kPending, "pending", ErrorKind::kNotYet},
      {ErrorCode::kWorkerStarting, "worker_starting", ErrorKind::kNotYet},
      {ErrorCode::kAccessDenied, "access_denied", ErrorKind::kEnvironment},
      {ErrorCode::kBufferLimit, "buffer_limit", ErrorKind::kEnvironment},
      {ErrorCode::kTimedOut, "timed_out", ErrorKind::kEnvironment},
      {ErrorCode::kWorkerCrashed, "worker_crashed", ErrorKind::kEnvironment},
      {ErrorCode::kWorkerExited, "worker_exited", ErrorKind::kEnvironment},
      {ErrorCode::kWorkerLimit, "worker_limit", ErrorKind::kEnvironment},
      {ErrorCode::kWorkerReply, "worker_reply", ErrorKind::kEnvironment},
      {ErrorCode::kWorkerStart, "worker_start", ErrorKind::kEnvironment},
      {ErrorCode::kWorkerStartLate, "worker_start_late", ErrorKind::kEnvironment},
      {ErrorCode::kNoProcedure, "no_procedure", ErrorKind::kEnvironment},
      {ErrorCode::kOsError, "os_error", ErrorKind::kEnvironment},
  };
  EXPECT_EQ(std::size(rows), kErrorCodeCount);
  for (const Row& row : rows) {
    EXPECT_EQ(name_of(row.code), row.name);
    EXPECT_EQ(kind_of(row.code), row.kind) << row.name;
  }
}

TEST(ErrorText, SaysPlaceOffsetAndBothNumbers) {
  const auto text = [](std::uint64_t actual, std::uint64_t limit) {
    return describe({.code = ErrorCode::kBadLength,
                     .where = "object.counter",
                     .offset = 168,
                     .actual = actual,
                     .limit = limit});
  };
  const std::string start = "object.counter has an impossible length at offset 168";
  EXPECT_EQ(text(12, 40), start + ": 12 against 40");
  EXPECT_EQ(text(12, 0), start + ": 12 against 0");
  EXPECT_EQ(text(0, 40), start + ": 0 against 40");
  EXPECT_EQ(text(0, 0), start);
}

TEST(ErrorText, OfNoPlaceIsThatOfData) {
  EXPECT_EQ(describe({.code = ErrorCode::kBusy}), "data is busy");
}

TEST(ErrorText, WhatIsAbsent_IsHeldAgainstNothing) {
  EXPECT_EQ(describe({.code = ErrorCode::kUnknownIndex, .where = "counter", .actual = 408}),
            "counter has no name in the name table: 408");
  EXPECT_EQ(
      describe({.code = ErrorCode::kUnknownIndex, .where = "counter", .actual = 4, .limit = 9}),
      "counter has no name in the name table: 4 against 9");
}

TEST(ErrorText, EveryCodeHasASentence) {
  std::set<std::string> texts;
  for (std::size_t i = 0; i < kErrorCodeCount; ++i)
    EXPECT_TRUE(texts.insert(describe({.code = static_cast<ErrorCode>(i)})).second) << i;
}

TEST(ErrorText, NamesTheSystemsError) {
  const std::string text =
      describe({.code = ErrorCode::kOsError, .where = "registry", .os_code = 1722});
  EXPECT_NE(text.find("1722"), std::string::npos) << text;
}

TEST(ErrorText, OfAWorkerSaysHowItsProcessEnded) {
  const auto text = [](ErrorCode code, std::uint32_t os_code, std::uint64_t actual = 0,
                       std::uint64_t limit = 0) {
    return describe({.code = code,
                     .where = "registry.query",
                     .actual = actual,
                     .limit = limit,
                     .os_code = os_code});
  };
  EXPECT_EQ(text(ErrorCode::kWorkerCrashed, 11),
            "registry.query crashed its worker process (signal 11)");
  EXPECT_EQ(text(ErrorCode::kWorkerCrashed, 0xC0000005),
            "registry.query crashed its worker process (exception 0xc0000005)");
  EXPECT_EQ(text(ErrorCode::kWorkerExited, 3),
            "registry.query ended its worker process (exit code 3)");
  EXPECT_EQ(text(ErrorCode::kWorkerExited, 0),
            "registry.query ended its worker process (exit code 0)");
  EXPECT_EQ(text(ErrorCode::kWorkerLimit, 0, 700, 512),
            "registry.query made its worker process exceed its limits: 700 against 512");
  EXPECT_EQ(text(ErrorCode::kWorkerReply, 0),
            "registry.query made its worker process lose or damage the reply");
  EXPECT_EQ(text(ErrorCode::kWorkerStart, 2),
            "registry.query has no worker process, because none can be started (system error 2)");
}

TEST(CrashText, TellsSignalsFromExceptions) {
  EXPECT_EQ(crash_text(0), "signal 0");
  EXPECT_EQ(crash_text(64), "signal 64");
  EXPECT_EQ(crash_text(65), "exception 0x00000041");
  EXPECT_EQ(crash_text(0xC00000FD), "exception 0xc00000fd");
}

TEST(IsLost, IsAQueryThatWasMadeAndGotNoAnswer) {
  const std::set<ErrorCode> lost{ErrorCode::kTimedOut, ErrorCode::kWorkerCrashed,
                                 ErrorCode::kWorkerExited, ErrorCode::kWorkerLimit,
                                 ErrorCode::kWorkerReply};
  for (std::size_t i = 0; i < kErrorCodeCount; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(is_lost(code), lost.contains(code)) << name_of(code);
  }
}

TEST(Error, EqualsOneThatSaysTheSame) {
  const char here[] = "object", there[] = "object";
  const Error error{.code = ErrorCode::kBadLength,
                    .where = here,
                    .offset = 1,
                    .actual = 2,
                    .limit = 3,
                    .os_code = 4};
  Error other = error;
  other.where = there;
  EXPECT_EQ(error, other) << "the texts have two addresses";
  const auto differs = [&](auto Error::* member, auto value) {
    Error changed = error;
    changed.*member = value;
    return changed != error;
  };
  EXPECT_TRUE(differs(&Error::code, ErrorCode::kBadCount));
  EXPECT_TRUE(differs(&Error::where, "counter"));
  EXPECT_TRUE(differs(&Error::offset, 9U));
  EXPECT_TRUE(differs(&Error::actual, 9U));
  EXPECT_TRUE(differs(&Error::limit, 9U));
  EXPECT_TRUE(differs(&Error::os_code, 9U));
}

}  // namespace
}  // namespace winperf
