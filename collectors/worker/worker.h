// One worker process of the same program, which makes queries in the place of this process, since
// they run other people's code: it is started when it is first needed, ended when a call takes too
// long or its reply makes no sense, and replaced at once.
//
// A process is starting, up, or asked. A start has a deadline of its own, and a call's deadline
// begins when the process is up: how long a busy machine takes to start one is nobody's fault. All
// the calls that a start keeps waiting wait for as long as one call may take, together; then each
// fails at once with kWorkerStarting, and the process stays for those that follow.
//
// A lost call is an Error with its reason; the next call goes to the new process. The same call
// isn't made again for a while, which grows as it is lost again and again: it has the same Error at
// once, so that nobody waits for it much of the time. Between calls a process that has grown beyond
// its limits is replaced, too; during a long call it is looked at a few times a second, because not
// every system enforces limits (Wine doesn't).
// Errors of call(): kTimedOut (milliseconds), kWorkerCrashed, kWorkerExited, kWorkerLimit (what it
// had, against the limit), kWorkerReply, kWorkerStart, kWorkerStartLate and kWorkerStarting (how
// long it has been starting, against its deadline), kLimitExceeded (the request is too long),
// kCancelled.
// Thread rule: one thread. docs/adr/0010-workers.md.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/model/error.h"
#include "collectors/sources/source.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker_process.h"

namespace winperf::worker {

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

struct WorkerLimits {
  std::chrono::milliseconds shortest_timeout{2'000};
  std::chrono::milliseconds longest_timeout{10'000};
  // Of the first call in each process, if it isn't the same.
  std::optional<std::chrono::milliseconds> longest_first_timeout{};
  // From when a process is started until it is up.
  std::chrono::milliseconds start_timeout{30'000};
  std::size_t max_reply_bytes = 64U << 20;
  std::uint64_t max_private_bytes = 512U << 20;
  std::uint64_t max_handles = 10'000;
  std::uint64_t max_threads = 500;
};

struct WorkerOptions {
  std::string name{};  // and the word that tells the process what it is for
  std::filesystem::path executable{};
  std::vector<std::string> words{};  // before the name
  WorkerLimits limits{};
  bool waits_for_start = false;  // a call waits for a start until its deadline, however long
  // Both are passed in so that tests control them.
  std::function<std::expected<std::unique_ptr<WorkerProcess>, Error>(const WorkerCommand&)> start =
      start_worker;
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

class Worker final : public WorkerView {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Worker(WorkerOptions options);
  // Lets it close its providers, for a moment.
  ~Worker() override { finish(); }

  // `call`: what the deadline goes by; without a name it is the longest, nothing is learnt from the
  // call, and it doesn't rest when it was lost: that is up to its maker. The parts of the reply are
  // valid until the next call, and only as bytes to be copied (frame.h). A requested stop ends the
  // worker.
  [[nodiscard]] std::expected<Reply, Error> call(Request request, std::string_view call,
                                                 const StopToken& stop);

  // The same in two steps, so that several workers are busy at the same time. While a call is
  // pending, no other one can begin.
  [[nodiscard]] std::expected<void, Error> begin(Request request, std::string_view call,
                                                 const StopToken& stop);
  // Waits until then at most, and never past the call's deadline. kPending: it goes on (how long it
  // has taken, against its deadline).
  [[nodiscard]] std::expected<Reply, Error> finish_by(Time until, const StopToken& stop);
  bool is_pending() const { return pending_.has_value(); }

  // Lets it close its providers, for a moment, and ends it.
  void finish();

  // Until when a call that was lost isn't made again; nothing if it would be made.
  std::optional<Time> rests_until(std::string_view call) const;

  // One that is asked for by a number has another one than all others that this worker has.
  std::uint32_t new_number() { return ++last_number_; }

  // What was lost is made again when it is asked for, without a rest.
  void forget_losses();

  bool is_running() const { return process_ != nullptr; }
  // It isn't up yet.
  bool is_starting() const { return process_ != nullptr && !is_up_; }
  const WorkerState& state() const override { return state_; }
  [[nodiscard]] std::vector<WorkerEvent> take_events() override {
    return std::exchange(events_, {});
  }
  [[nodiscard]] std::vector<WorkerTrace> take_traces() override {
    return std::exchange(traces_, {});
  }

 private:
  // Why there is no reply.
  struct Loss {
    std::optional<WorkerEnd> end{};  // nothing: there was none to be lost, or a stop was requested
    Error error;
    std::vector<std::string> modules{};  // on its stack, as far as that is known
    bool begun = true;                   // whether the worker had begun with the call
  };

  // A call that was lost: why, how often in a row, and until when it isn't made again.
  struct Rest {
    std::optional<WorkerEnd> end{};
    Error error;
    unsigned times = 0;
    Time until{};
  };

  // The call that the process was asked to make.
  struct Pending {
    Request request;
    std::string call;
    Deadlines::Duration time{};  // that it may take
    bool is_told = false;        // the process knows of it; before that, it isn't up
    Time asked{};
    Time deadline{};
    bool is_last = false;  // it isn't made again if the process had ended before it began
  };

  [[nodiscard]] std::expected<void, Error> start();
  // Has the pending call made as soon as the process is up.
  [[nodiscard]] std::expected<void, Error> ask(const StopToken& stop);
  [[nodiscard]] std::expected<void, Error> tell();
  std::unexpected<Error> refuse(const Error& error);
  // Waits until the process is up and knows of the pending call. kPending: it isn't by then.
  [[nodiscard]] std::expected<void, Error> await_start(Time until, const StopToken& stop);
  [[nodiscard]] Wake wait_for_start(Time until, const StopToken& stop);
  void note_up();
  // What follows if time is over; success if it is waited for longer.
  [[nodiscard]] std::expected<void, Error> judge_start(Time until);
  // The process has come to nothing. Success if another one is starting in its place.
  [[nodiscard]] std::expected<void, Error> fail_start(const Loss& loss);
  Time start_deadline() const { return started_at_ + options_.limits.start_timeout; }
  // Nothing: the call goes on.
  [[nodiscard]] std::optional<std::expected<Reply, Loss>> await(Time until, const StopToken& stop);
  Error pending() const;
  // What follows from its end. False if it is made once more.
  bool settle(std::expected<Reply, Loss>& reply);
  void explain(Loss& loss, Time::duration took) const;
  [[nodiscard]] Loss how_it_ended();
  // It has missed its deadline.
  [[nodiscard]] Loss why_it_hangs();
  // What it has too much of, if anything. Notes what it has in state().
  [[nodiscard]] std::optional<Loss> too_much();
  // One that ended, or grew too much, since the last call.
  void replace_unfit();
  // Ends the process, counts why, and starts another one.
  void replace(const Loss& loss);
  // The same for one that was doing nothing for this process.
  void replace_idle(const Loss& loss);
  void note_idle(const Loss& loss, bool was_starting = false);
  // The call's own loss: replaces the process, and lets the call rest.
  void give_up(const Loss& loss, const std::string& what, Time::duration took);
  void forget_process();
  // For people: what the process says that it is doing, which is nearer to the truth than what it
  // was asked for.
  std::string doing(const std::string& what) const;
  void note_success(std::string_view call, const std::string& what);
  void note(const Loss& loss, std::string call, bool was_starting = false);
  void note(WorkerEvent event);
  void note_trace(const Loss& loss);
  // It was told to end, and has.
  void judge_end();

  const WorkerOptions options_;
  Deadlines deadlines_;
  std::unique_ptr<WorkerProcess> process_;
  bool is_up_ = false;
  Time started_at_{};
  std::optional<Time> waited_for_until_;  // until when calls wait for this start
  unsigned failed_starts_ = 0;            // in a row
  std::optional<Pending> pending_;
  std::uint64_t sequence_ = 0;
  std::uint32_t last_number_ = 0;
  Time looked_at_;
  // The next end of an idle process is worth an event then, or if it is for another reason.
  Time idle_news_after_;
  std::optional<WorkerEnd> idle_end_;
  Time no_start_before_;  // after a failure to start
  Error start_error_;
  std::map<std::string, Rest, std::less<>> lost_;  // calls that were lost the last time
  WorkerState state_;
  std::vector<WorkerEvent> events_;
  std::vector<WorkerTrace> traces_;
};

}  // namespace winperf::worker
