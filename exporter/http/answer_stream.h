// The rest of an answer that has no end: what is pushed goes out as it comes, for as long as both
// sides want.
//
// Nobody waits for a slow client: if more waits than the queue holds, the client loses its answer.
// The connection owns the stream. Whoever pushes keeps a weak pointer to it, which expires with the
// connection. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "exporter/http/socket.h"
#include "exporter/text/shared_text.h"

namespace winperf {

class AnswerStream {
 public:
  // As much as an answer may hold without a permission.
  static constexpr std::size_t kMostBytes = 64 * 1024;

  enum class State { kOpen, kEnded, kOverflowed };
  struct Taken {
    SharedText text;  // all that waited
    State state;      // what follows it: more, or nothing
  };

  // Sent whole and in order, or not at all.
  void push(const SharedText& text) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::kOpen) return;
    if (text.size() > kMostBytes - waiting_.size()) {
      state_ = State::kOverflowed;
      waiting_ = {};
    } else {
      for (const SharedText::Piece& piece : text.pieces()) waiting_.add(piece);
    }
    wake();
  }
  // Nothing else will be pushed.
  void end() {
    const std::lock_guard lock(mutex_);
    if (state_ != State::kOpen) return;
    state_ = State::kEnded;
    wake();
  }

  Taken take() {
    const std::lock_guard lock(mutex_);
    return {.text = std::exchange(waiting_, {}), .state = state_};
  }
  // Who is woken when there is something to take.
  void wakes(std::shared_ptr<const Waker> waker) {
    const std::lock_guard lock(mutex_);
    waker_ = std::move(waker);
  }

 private:
  void wake() const {
    if (waker_ != nullptr) waker_->wake();
  }

  std::mutex mutex_;
  SharedText waiting_;
  State state_ = State::kOpen;
  std::shared_ptr<const Waker> waker_;
};

}  // namespace winperf
