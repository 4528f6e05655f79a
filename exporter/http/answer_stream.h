// The rest of an answer that has no end: what is pushed goes out as it comes, for as long as both
// sides want.
//
// Nobody waits for a slow client: if more is pushed than the queue holds, the client loses its
// answer; it sees only that the connection closes, so what is pushed should show its own end. The
// connection owns the stream. Whoever pushes keeps a weak pointer to it, which expires with the
// connection. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "exporter/http/socket.h"
#include "exporter/text/shared_text.h"

namespace winperf {

class AnswerStream {
 public:
  static constexpr std::size_t kMostBytes = 64 * 1024;  // that wait, as they count
  static constexpr std::size_t kPieceBytes = 64;        // that each piece counts besides its text

  struct Taken {
    SharedText text;       // all that waited
    bool is_last = false;  // nothing follows it
  };

  // Sent whole and in order, or not at all. Nothing is sent any more after too much.
  void push(const SharedText& text) {
    std::unique_lock lock(mutex_);
    if (state_ != State::kOpen) return;
    const std::size_t bytes = text.size() + kPieceBytes * text.pieces().size();
    const bool was_empty = bytes_ == 0;
    if (bytes > kMostBytes - bytes_ || !append(text)) {
      state_ = State::kOverflowed;
      waiting_ = {};
    } else {
      bytes_ += bytes;
    }
    if (was_empty || state_ == State::kOverflowed) wake(std::move(lock));
  }
  // Nothing else will be pushed.
  void end() {
    std::unique_lock lock(mutex_);
    if (state_ != State::kOpen) return;
    state_ = State::kEnded;
    wake(std::move(lock));
  }

  bool has_overflowed() const {
    const std::lock_guard lock(mutex_);
    return state_ == State::kOverflowed;
  }
  Taken take() {
    const std::lock_guard lock(mutex_);
    bytes_ = 0;
    return {.text = std::exchange(waiting_, {}), .is_last = state_ == State::kEnded};
  }
  // Who is woken when there is something to take.
  void wakes(std::shared_ptr<const Waker> waker) {
    const std::lock_guard lock(mutex_);
    waker_ = std::move(waker);
  }

 private:
  enum class State { kOpen, kEnded, kOverflowed };

  // False if memory is missing.
  bool append(const SharedText& text) {
    try {
      for (const SharedText::Piece& piece : text.pieces()) waiting_.add(piece);
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }
  // Not under the lock, which whoever is woken takes.
  void wake(std::unique_lock<std::mutex> lock) const {
    const std::shared_ptr<const Waker> waker = waker_;
    lock.unlock();
    if (waker != nullptr) waker->wake();
  }

  mutable std::mutex mutex_;
  SharedText waiting_;
  std::size_t bytes_ = 0;  // of it, as they count
  State state_ = State::kOpen;
  std::shared_ptr<const Waker> waker_;
};

}  // namespace winperf
