// How long a worker may take for a call, from what that call usually takes.
//
// A call is known by its name. What it usually takes is the longest of its recent times, which
// fades slowly; its deadline is several times that, between a shortest and a longest one. A call
// that hasn't been made yet gets the longest. The first call in each new worker goes by earlier
// first calls, because it loads the providers; its deadline may have a limit of its own. What was
// known of a call is forgotten when it misses its deadline, since it may have become slower; as
// long as nothing is known, each miss makes the next deadline half as long, so that a call that
// never ends costs less and less. Nothing is known of a call without a name. Thread rule: one
// thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace winperf::worker {

class Deadlines {
 public:
  using Duration = std::chrono::milliseconds;
  static constexpr int kTimesUsual = 8;
  static constexpr std::size_t kMaxKnown = 512;  // calls; a forgotten one is a new one

  // `longest_first`: of the first call in each new worker.
  Deadlines(Duration shortest, Duration longest, Duration longest_first)
      : shortest_(std::min({shortest, longest, longest_first})),
        longest_(longest),
        longest_first_(longest_first) {}
  Deadlines(Duration shortest, Duration longest) : Deadlines(shortest, longest, longest) {}

  // All calls are first ones again.
  void new_worker() { ++worker_; }

  Duration of(std::string_view call) const;
  void took(std::string_view call, std::chrono::nanoseconds time);
  void missed(std::string_view call);

 private:
  struct Known {
    std::uint64_t worker = 0;                       // the last one in which the call succeeded
    std::optional<std::chrono::nanoseconds> first;  // what it takes in a new worker
    std::optional<std::chrono::nanoseconds> usual;
    std::optional<Duration> after_miss;
  };
  const std::optional<std::chrono::nanoseconds>& relevant(const Known& known) const {
    return known.worker == worker_ && known.usual ? known.usual : known.first;
  }
  Duration longest(const Known& known) const {
    return known.worker == worker_ ? longest_ : longest_first_;
  }
  Known& known(std::string_view call);

  Duration shortest_;
  Duration longest_;
  Duration longest_first_;
  std::uint64_t worker_ = 1;
  std::map<std::string, Known, std::less<>> calls_;
};

}  // namespace winperf::worker
