// A worker's side of its connection: the shared memory, and being woken by its parent.
// worker_process.h is the other side. win/ and posix/ implement it, chosen by CMake.
// Thread rule: one thread; a thread of its own ends the process as soon as the parent is gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace winperf::worker {

class ParentLink {
 public:
  ParentLink() = default;
  ParentLink(const ParentLink&) = delete;
  ParentLink& operator=(const ParentLink&) = delete;
  virtual ~ParentLink() = default;

  virtual std::span<std::byte> shared() = 0;
  // Makes its first bytes usable, of which the head always is. False if the system has no memory
  // for them.
  [[nodiscard]] virtual bool commit(std::size_t) { return true; }
  // Waits for a request; false if there is no parent any more.
  [[nodiscard]] virtual bool wait() = 0;
  // The reply is complete. False if the parent can't be told.
  [[nodiscard]] virtual bool answer() = 0;
};

// `words`: what start_worker() added to the command line. Also prepares this process: no dialog or
// report when it crashes, a working folder that is not the caller's. The error is a sentence.
[[nodiscard]] std::expected<std::unique_ptr<ParentLink>, std::string> adopt_link(
    const std::vector<std::string>& words);

// Ends this process at once, without running anybody's code.
[[noreturn]] void end_now(int exit_code);

// Whether the heaps of this process are sound, as far as the system can tell. It may crash if not.
[[nodiscard]] bool are_heaps_sound();

// What a provider may change and later ones, or this program, rely on: the floating-point
// environment, the locale and the working folder, and on Windows the priorities of thread and
// process, as they are when it is made.
class ThreadState {
 public:
  ThreadState();
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState();
  // What isn't as it was, as bits of LeftBehind; without that of heaps.
  std::uint32_t changes() const;
  void restore() const;

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

}  // namespace winperf::worker
