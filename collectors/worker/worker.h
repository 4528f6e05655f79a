// One worker process of the same program, which makes queries instead of this process, because they
// run third-party code: it is started when it is first needed, terminated when a call times out or
// its reply is invalid, and replaced immediately.
//
// A process is starting, up, or asked. A start has a separate deadline, and a call's deadline
// begins when the process is up, because a slow start on a busy machine isn't a provider's fault.
// Time in which the machine stood still (sleep, a pause of a virtual machine) doesn't count for a
// call.
//
// The calls that a start delays wait together for as long as one call may take; then each fails
// immediately with kWorkerStarting, and the process is kept for later calls.
//
// A lost call is an Error with its reason; the next call goes to the new process. The same call
// isn't retried for a while, which grows with each loss: until then it fails immediately with the
// same Error, so that it rarely delays its caller. A process that exceeds its limits is replaced
// between calls; during a long call it is checked a few times a second, because not every system
// enforces limits (Wine doesn't). Errors of call(): kTimedOut (milliseconds), kWorkerCrashed,
// kWorkerExited, kWorkerLimit (its use, against the limit), kWorkerReply, kWorkerStart,
// kWorkerStartLate and kWorkerStarting (how long it has been starting, against its deadline),
// kLimitExceeded (the request is too long), kCancelled. Thread rule: one thread.
// docs/adr/0010-workers.md.
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
#include <mutex>
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

// The deadline of a call to a worker, based on the call's usual duration.
//
// A call is identified by its name. Its usual duration is the longest of its recent ones, which
// decays slowly; its deadline is several times that, between a minimum and a maximum. A new call
// gets the maximum. The first call in each new worker is judged by earlier first calls, because it
// loads the providers; its deadline may have a separate maximum. The usual duration is forgotten
// when a call misses its deadline, since it may have become slower; while it is unknown, each miss
// halves the next deadline, so that a call that never ends costs less and less. Calls without a
// name have no history. Thread rule: one thread.
class Deadlines {
 public:
  using Duration = std::chrono::milliseconds;
  static constexpr int kTimesUsual = 8;
  static constexpr std::size_t kMaxKnown = 512;  // calls; a forgotten one counts as new

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
    std::uint64_t worker = 0;                       // the last worker in which the call succeeded
    std::optional<std::chrono::nanoseconds> first;  // its duration in a new worker
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

// The last time in which the machine stood still: it slept, or it is a virtual one that was paused.
// A wait that ends so much too late shows it. Thread rule: any thread.
class Standstill {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kShortest{1'000};

  // A wait that should have ended at `from` has ended.
  void note(Time from, Time until);
  // How much of it was between these.
  Time::duration within(Time from, Time until) const;

 private:
  mutable std::mutex mutex_;
  Time from_{};
  Time until_{};
};

struct WorkerLimits {
  std::chrono::milliseconds shortest_timeout{2'000};
  std::chrono::milliseconds longest_timeout{10'000};
  // Of the first call in each process, if different.
  std::optional<std::chrono::milliseconds> longest_first_timeout{};
  // From the start of a process until it is up.
  std::chrono::milliseconds start_timeout{30'000};
  std::size_t max_reply_bytes = 64U << 20;
  std::uint64_t max_private_bytes = 512U << 20;
  std::uint64_t max_handles = 10'000;
  std::uint64_t max_threads = 500;
};

struct WorkerOptions {
  std::string name{};  // also the word that selects the process' task
  std::filesystem::path executable{};
  std::vector<std::string> words{};  // before the name
  WorkerLimits limits{};
  bool waits_for_start = false;  // a call waits for a start until its deadline, however long
  bool starts_workers = false;   // the process has workers of its own
  // What all workers see that are made from copies of these options.
  std::shared_ptr<Standstill> standstill = std::make_shared<Standstill>();
  // Both are passed in so that tests control them.
  std::function<std::expected<std::unique_ptr<WorkerProcess>, Error>(const WorkerCommand&)> start =
      start_worker;
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

class Worker final : public WorkerView {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Worker(WorkerOptions options);
  // Gives it a moment to close its providers.
  ~Worker() override { finish(); }

  // `call`: the name that determines the deadline; without one the deadline is the maximum, the
  // duration isn't recorded, and a lost call may be repeated immediately. The parts of the reply
  // are valid until the next call, and only as bytes to be copied (frame.h). A requested stop ends
  // the worker.
  [[nodiscard]] std::expected<Reply, Error> call(Request request, std::string_view call,
                                                 const StopToken& stop);

  // The same in two steps, so that several workers are busy at the same time. While a call is
  // pending, no other one can begin.
  [[nodiscard]] std::expected<void, Error> begin(Request request, std::string_view call,
                                                 const StopToken& stop);
  // Waits until then at most, and never past the call's deadline. kPending: it still runs (its
  // duration so far, against its deadline).
  [[nodiscard]] std::expected<Reply, Error> finish_by(Time until, const StopToken& stop);
  bool is_pending() const { return pending_.has_value(); }

  // Gives it a moment to close its providers, and ends it.
  void finish();

  // The time until which a lost call isn't retried; nothing if it isn't blocked.
  std::optional<Time> rests_until(std::string_view call) const;

  // A number that is unique in this worker.
  std::uint32_t new_number() { return ++last_number_; }

  // Lost calls may be retried immediately.
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
    std::optional<WorkerEnd> end{};  // nothing: no process was lost, or a stop was requested
    Error error;
    std::vector<std::string> modules{};  // on its stack, if known
    bool begun = true;                   // whether the worker had begun the call
  };

  // A lost call: the reason, the losses in a row, and the time of the next attempt.
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
    Deadlines::Duration time{};  // until its deadline
    bool is_sent = false;        // whether it was sent; before that, the process isn't up
    Time asked{};
    Time deadline{};
    Time looked_at{};
    bool is_last = false;  // whether it isn't repeated if the process ended before it began
  };

  [[nodiscard]] std::expected<void, Error> start();
  // Sends the pending call as soon as the process is up.
  [[nodiscard]] std::expected<void, Error> ask(const StopToken& stop);
  [[nodiscard]] std::expected<void, Error> tell();
  std::unexpected<Error> refuse(const Error& error);
  // Waits until the process is up and the pending call is sent. kPending: not yet.
  [[nodiscard]] std::expected<void, Error> await_start(Time until, const StopToken& stop);
  [[nodiscard]] Wake wait_for_start(Time until, const StopToken& stop);
  void note_up();
  // Handles the end of the time; success if the wait continues.
  [[nodiscard]] std::expected<void, Error> judge_start(Time until);
  // Handles a failed start. Success if another process is starting instead.
  [[nodiscard]] std::expected<void, Error> fail_start(const Loss& loss);
  Time start_deadline() const { return started_at_ + options_.limits.start_timeout; }
  // Nothing: the call still runs.
  [[nodiscard]] std::optional<std::expected<Reply, Loss>> await(Time until, const StopToken& stop);
  void forgive_standstill();
  Error pending() const;
  // Handles the end of the call. False if the call is repeated.
  bool settle(std::expected<Reply, Loss>& reply);
  void explain(Loss& loss, Time::duration took) const;
  [[nodiscard]] Loss how_it_ended();
  // The loss of a call that missed its deadline.
  [[nodiscard]] Loss why_it_hangs();
  // Records what it uses in state().
  ProcessUse note_use();
  // The limit that it exceeds, if any. Records its use.
  [[nodiscard]] std::optional<Loss> too_much();
  // Replaces a process that ended, or exceeded a limit, since the last call.
  void replace_unfit();
  // Ends the process, counts the reason, and starts another one.
  void replace(const Loss& loss);
  // The same for an idle process.
  void replace_idle(const Loss& loss);
  void note_idle(const Loss& loss, bool was_starting = false);
  // Handles the loss of the call: replaces the process, and blocks the call for a while.
  void give_up(const Loss& loss, const std::string& what, Time::duration took);
  void forget_process();
  // For messages: the activity that the process itself reports, which is more precise than the
  // request.
  std::string doing(const std::string& what) const;
  void note_success(std::string_view call, const std::string& what);
  void note(const Loss& loss, std::string call, bool was_starting = false);
  void note(WorkerEvent event);
  void note_trace(const Loss& loss);
  // Handles a process that ended on request.
  void judge_end();

  const WorkerOptions options_;
  Deadlines deadlines_;
  std::unique_ptr<WorkerProcess> process_;
  bool is_up_ = false;
  Time started_at_{};
  std::optional<Time> waited_for_until_;  // deadline of the calls that wait for this start
  unsigned failed_starts_ = 0;            // in a row
  std::optional<Pending> pending_;
  std::uint64_t sequence_ = 0;
  std::uint32_t last_number_ = 0;
  Time checked_at_;
  double earlier_cpu_seconds_ = 0;  // of processes before this one
  // From then on, the end of an idle process is an event again; before, only for another reason.
  Time idle_news_after_;
  std::optional<WorkerEnd> idle_end_;
  Time no_start_before_;  // after a failure to start
  Error start_error_;
  std::map<std::string, Rest, std::less<>> lost_;  // calls whose last attempt was lost
  WorkerState state_;
  std::vector<WorkerEvent> events_;
  std::vector<WorkerTrace> traces_;
};

}  // namespace winperf::worker
