// The worker's side of the connection: shared memory and wake-ups. worker_process.h is the parent's
// side. win/ and posix/ implement it, chosen by CMake. Thread rule: one thread; another thread ends
// the process as soon as the parent has ended.
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
  // Waits for a request; false if the parent has ended.
  [[nodiscard]] virtual bool wait() = 0;
  // Signals that the reply is complete. False if the parent can't be woken.
  [[nodiscard]] virtual bool answer() = 0;
};

// `words`: the words that start_worker() added to the command line. Also prepares this process:
// crashes show no dialog and cause no report, and the working folder isn't the caller's. The error
// is a sentence.
[[nodiscard]] std::expected<std::unique_ptr<ParentLink>, std::string> adopt_link(
    const std::vector<std::string>& words);

// Ends this process immediately, without running any exit handler.
[[noreturn]] void end_now(int exit_code);

// Whether the heaps of this process are intact, as far as the system can tell. May crash if not.
[[nodiscard]] bool are_heaps_sound();

// State that a provider may change and that later calls rely on, as it is at construction: the
// floating-point environment, the locale, the working folder, and on Windows the priorities of
// thread and process.
class ThreadState {
 public:
  ThreadState();
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState();
  // The changes since then, as bits of SideEffect; heaps aren't checked.
  std::uint32_t changes() const;
  void restore() const;

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

}  // namespace winperf::worker
