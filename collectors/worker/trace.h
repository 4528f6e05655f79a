// Whose code a worker is running: the file names of the modules on the stack of the thread that
// makes its calls, or of one that crashes. The worker writes them into the shared memory in the
// middle of a crash, or when its parent asks why it hangs; the parent reads them after its end.
//
// Writing allocates nothing, calls nothing of the system, and has room for few modules. What is
// read was written by a process in which anything may have happened: no more than so many names,
// which are printable and not long; a half-written name is none. Thread rule: one writer at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/worker/frame.h"

namespace winperf::worker {

inline constexpr std::size_t kMaxModules = 8;
inline constexpr std::size_t kMaxModuleName = 63;

struct TraceFrame {
  std::uint32_t count;                                                  // of names that can be read
  std::uint32_t is_whole;                                               // 0: more may follow
  std::array<std::array<char, kMaxModuleName + 1>, kMaxModules> names;  // each with its NUL
};

// At the end of the shared memory's head.
inline constexpr std::size_t kTraceAt = kHeadBytes - sizeof(TraceFrame);

class TraceWriter {
 public:
  // What is in `shared` is a trace no more, until publish() or finish().
  explicit TraceWriter(std::span<std::byte> shared);
  // The module of the next frame, from the innermost on; nothing if it is that of the frame before,
  // or is on the list already.
  void add(std::string_view module);
  // What there is so far is a trace, should nothing follow.
  void publish();
  // It is whole.
  void finish();

 private:
  std::span<std::byte> shared_;
  TraceFrame frame_{};
  std::uint32_t count_ = 0;
};

// The innermost first; empty if there is no trace.
[[nodiscard]] std::vector<std::string> read_trace(std::span<const std::byte> shared);
// Whether nothing more follows.
[[nodiscard]] bool is_trace_whole(std::span<const std::byte> shared);
void clear_trace(std::span<std::byte> shared);

}  // namespace winperf::worker
