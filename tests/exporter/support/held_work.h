// Work that lasts until a second client has been answered meanwhile. Thread rule: hold() is for the
// thread that works, while_held() for another one.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace winperf::testing {

class HeldWork {
 public:
  // Returns when the work may end.
  void hold() {
    std::unique_lock lock(mutex_);
    has_begun_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return may_end_; });
  }

  // What a first client gets, whose request does the work, and a second one that asks meanwhile.
  template <class Answer>
  struct Answers {
    Answer first{};
    Answer second{};
  };
  template <class Ask>
  auto while_held(const Ask& ask) {
    Answers<decltype(ask())> answers;
    std::thread client([&] { answers.first = ask(); });
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return has_begun_; });
    }
    answers.second = ask();
    {
      const std::lock_guard lock(mutex_);
      may_end_ = true;
    }
    changed_.notify_all();
    client.join();
    return answers;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_begun_ = false;
  bool may_end_ = false;
};

}  // namespace winperf::testing
