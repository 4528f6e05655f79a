#include "collectors/model/worker_state.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace winperf {
namespace {

constexpr char kCall[] = "registry.query \"238 2\"";

// What is said of a worker with the process 4711.
std::string said(WorkerEnd end, const std::string& call, std::optional<Error> error = {}) {
  return describe(
      {.worker = "registry", .process_id = 4711, .end = end, .call = call, .error = error});
}

TEST(WorkerEnd, NamesAreInTheOrderOfTheEnumeration) {
  struct Row {
    WorkerEnd end;
    std::string_view name;
  };
  const Row rows[] = {
      {WorkerEnd::kCrashed, "crashed"},    {WorkerEnd::kExited, "exited"},
      {WorkerEnd::kTimedOut, "timed_out"}, {WorkerEnd::kMemory, "memory"},
      {WorkerEnd::kHandles, "handles"},    {WorkerEnd::kThreads, "threads"},
      {WorkerEnd::kBadReply, "bad_reply"}, {WorkerEnd::kStartLate, "start_late"},
  };
  ASSERT_EQ(std::size(rows), kWorkerEndCount);
  for (std::size_t i = 0; i < kWorkerEndCount; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(rows[i].end), i);
    EXPECT_EQ(name_of(rows[i].end), rows[i].name);
  }
}

TEST(WorkerEvent, EachEndIsASentenceWithProcessCallAndNumbers) {
  struct Row {
    WorkerEnd end;
    Error error;
    std::string_view text;
  };
  const Row rows[] = {
      {WorkerEnd::kCrashed,
       {.code = ErrorCode::kWorkerCrashed, .os_code = 0xC0000005},
       "process 4711 crashed during registry.query \"238 2\" (exception 0xc0000005)"},
      {WorkerEnd::kCrashed,
       {.code = ErrorCode::kWorkerCrashed, .os_code = 11},
       "process 4711 crashed during registry.query \"238 2\" (signal 11)"},
      {WorkerEnd::kExited,
       {.code = ErrorCode::kWorkerExited, .os_code = 3},
       "process 4711 exited during registry.query \"238 2\" (exit code 3)"},
      {WorkerEnd::kExited,
       {.code = ErrorCode::kWorkerExited, .os_code = 0},
       "process 4711 exited during registry.query \"238 2\" (exit code 0)"},
      {WorkerEnd::kTimedOut,
       {.code = ErrorCode::kTimedOut, .actual = 2'001, .limit = 2'000},
       "process 4711 was terminated because it did not answer in time during registry.query \"238 "
       "2\" (2001 ms, limit 2000 ms)"},
      {WorkerEnd::kMemory,
       {.code = ErrorCode::kWorkerLimit, .actual = 700, .limit = 512},
       "process 4711 was terminated because it used too much memory during registry.query \"238 "
       "2\" (700 bytes, limit 512 bytes)"},
      {WorkerEnd::kHandles,
       {.code = ErrorCode::kWorkerLimit, .actual = 101, .limit = 100},
       "process 4711 was terminated because it had too many handles during registry.query \"238 "
       "2\" (101, limit 100)"},
      {WorkerEnd::kThreads,
       {.code = ErrorCode::kWorkerLimit, .actual = 11, .limit = 10},
       "process 4711 was terminated because it had too many threads during registry.query \"238 "
       "2\" (11, limit 10)"},
      {WorkerEnd::kBadReply,
       {.code = ErrorCode::kWorkerReply},
       "process 4711 was terminated because its reply was lost or damaged during registry.query "
       "\"238 2\""},
  };
  for (const Row& row : rows) EXPECT_EQ(said(row.end, kCall, row.error), row.text);
}

TEST(WorkerEvent, WithoutACallTheWorkerHadNothingToDo) {
  EXPECT_EQ(said(WorkerEnd::kCrashed, "", Error{.code = ErrorCode::kWorkerCrashed, .os_code = 11}),
            "process 4711 crashed while idle (signal 11)");
  EXPECT_EQ(said(WorkerEnd::kMemory, "",
                 Error{.code = ErrorCode::kWorkerLimit, .actual = 700, .limit = 512}),
            "process 4711 was terminated because it used too much memory while idle (700 bytes, "
            "limit 512 bytes)");
}

TEST(WorkerEvent, WithoutAnErrorThereAreNoNumbers) {
  EXPECT_EQ(said(WorkerEnd::kCrashed, ""), "process 4711 crashed while idle");
  EXPECT_EQ(said(WorkerEnd::kExited, kCall), "process 4711 exited during registry.query \"238 2\"");
}

TEST(WorkerEvent, ANumberThatIsZeroIsStillSaid) {
  EXPECT_EQ(said(WorkerEnd::kThreads, kCall, Error{.code = ErrorCode::kWorkerLimit, .limit = 10}),
            "process 4711 was terminated because it had too many threads during registry.query "
            "\"238 2\" (0, limit 10)");
  EXPECT_EQ(said(WorkerEnd::kTimedOut, kCall, Error{.code = ErrorCode::kTimedOut, .actual = 7}),
            "process 4711 was terminated because it did not answer in time during registry.query "
            "\"238 2\" (7 ms, limit 0 ms)");
}

TEST(WorkerEvent, WithoutAnEndTheCallWorksAgain) {
  EXPECT_EQ(describe({.worker = "registry", .process_id = 4711, .end = {}, .call = kCall}),
            "answers registry.query \"238 2\" again");
}

}  // namespace
}  // namespace winperf
