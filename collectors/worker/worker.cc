#include "collectors/worker/worker.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "collectors/base/back_off.h"
#include "collectors/worker/frame.h"

namespace winperf::worker {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::seconds kFirstRest{1};
constexpr std::chrono::seconds kLastRest{60};

// At first kFirstRest, or as long as the failure took; doubled by each further one in a row
// (`times`, from 1), up to kLastRest.
std::chrono::nanoseconds rest_after(unsigned times, std::chrono::nanoseconds took = {}) {
  return back_off(std::max(took, std::chrono::nanoseconds(kFirstRest)), times, kLastRest);
}

// For errors.
std::uint64_t milliseconds(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

// Decays by an eighth of the difference with each faster call.
void learn(std::optional<nanoseconds>& usual, nanoseconds time) {
  constexpr int kFading = 8;
  usual = usual ? std::max(time, *usual - *usual / kFading) : time;
}

}  // namespace

void Standstill::note(Time from, Time until) {
  if (until - from < kShortest) return;
  const std::lock_guard lock(mutex_);
  // Several workers may have waited during the same one.
  from_ = from <= until_ ? std::min(from_, from) : from;
  until_ = std::max(until_, until);
}

Standstill::Time::duration Standstill::within(Time from, Time until) const {
  const std::lock_guard lock(mutex_);
  return std::max(std::min(until_, until) - std::max(from_, from), Time::duration::zero());
}

Deadlines::Duration Deadlines::of(std::string_view call) const {
  const auto found = calls_.find(call);
  if (found == calls_.end()) return longest_first_;
  const Known& known = found->second;
  const auto& usual = relevant(known);
  const Duration limit = longest(known);
  if (!usual) return std::min(known.after_miss.value_or(limit), limit);
  return std::clamp(std::chrono::ceil<Duration>(*usual * kTimesUsual), shortest_, limit);
}

void Deadlines::took(std::string_view call, nanoseconds time) {
  if (call.empty()) return;
  Known& entry = known(call);
  learn(entry.worker == worker_ ? entry.usual : entry.first, time);
  entry.worker = worker_;
  entry.after_miss.reset();
}

void Deadlines::missed(std::string_view call) {
  if (call.empty()) return;
  const Duration half = of(call) / 2;
  Known& entry = known(call);
  const bool was_known = relevant(entry).has_value();
  entry.first.reset();
  entry.usual.reset();
  entry.after_miss = was_known ? std::max(longest_, longest_first_) : std::max(half, shortest_);
}

Deadlines::Known& Deadlines::known(std::string_view call) {
  const auto found = calls_.find(call);
  if (found != calls_.end()) return found->second;
  if (calls_.size() >= kMaxKnown) calls_.clear();
  return calls_[std::string(call)];
}

namespace {

constexpr std::chrono::milliseconds kIdleCheckInterval{5'000};  // between two checks of its use
constexpr std::chrono::milliseconds kBusyCheckInterval{250};
constexpr std::chrono::milliseconds kTimeToFinish{500};
constexpr std::size_t kMaxLost = 64;    // calls
constexpr std::size_t kMaxEvents = 64;  // not taken yet

// For messages; texts of other operations would mean nothing to a reader.
std::string describe(Operation operation, std::string_view text) {
  std::string words = where_of(operation);
  const bool shows_text = operation == Operation::kQuery || operation == Operation::kReadFile;
  return shows_text ? words + " \"" + std::string(text) + '"' : words;
}

// A late answer, or none because a provider was busy, doesn't count for the usual duration.
bool is_usual(const Reply& reply) {
  return std::ranges::all_of(reply.parts, [](const auto& part) {
    return part ||
           (part.error().code != ErrorCode::kTimedOut && part.error().code != ErrorCode::kBusy);
  });
}

// Whether the reply has a part if the request needs one.
bool is_answer(const Request& request, const Reply& reply) {
  // Every PerfLib operation except closing a set.
  const bool is_of_perflib = request.operation >= Operation::kEnumerateCountersets &&
                             request.operation < Operation::kCloseSet;
  const bool has_part = request.operation == Operation::kQuery || is_of_perflib ||
                        request.operation == Operation::kDiagnose ||
                        request.operation == Operation::kPdh;
  return !has_part || reply.parts.size() == 1;
}

}  // namespace

Worker::Worker(WorkerOptions options)
    : options_(std::move(options)),
      deadlines_(options_.limits.shortest_timeout, options_.limits.longest_timeout,
                 options_.limits.longest_first_timeout.value_or(options_.limits.longest_timeout)) {
  state_.name = options_.name;
}

std::expected<Reply, Error> Worker::call(Request request, std::string_view call,
                                         const StopToken& stop) {
  if (const auto begun = begin(std::move(request), call, stop); !begun)
    return std::unexpected(begun.error());
  return finish_by(Time::max(), stop);
}

std::expected<void, Error> Worker::begin(Request request, std::string_view call,
                                         const StopToken& stop) {
  const auto resting = lost_.find(call);
  if (resting != lost_.end() && options_.now() < resting->second.until)
    return std::unexpected(resting->second.error);
  replace_unfit();
  pending_ = {.request = std::move(request), .call = std::string(call)};
  return ask(stop);
}

std::expected<void, Error> Worker::ask(const StopToken& stop) {
  if (stop.stop_requested())
    return refuse({.code = ErrorCode::kCancelled, .where = where_of(pending_->request.operation)});
  if (const auto started = start(); !started) return refuse(started.error());
  pending_->is_sent = false;
  pending_->asked = options_.now();
  pending_->time = deadlines_.of(pending_->call);
  const auto told = await_start(pending_->asked, stop);
  if (!told && told.error().code == ErrorCode::kPending) return {};
  return told;
}

std::expected<void, Error> Worker::tell() {
  Request& request = pending_->request;
  request.sequence = ++sequence_;
  request.time_ms = milliseconds(pending_->time);
  const std::size_t texts = request.text.size() + request.whose.size();
  if (texts <= kMaxRequestBytes && !process_->commit(kHeadBytes + texts))
    return refuse({.code = ErrorCode::kBufferLimit, .where = where_of(request.operation)});
  if (const auto written = write_request(process_->shared(), request); !written)
    return refuse(written.error());
  pending_->is_sent = true;
  pending_->asked = pending_->looked_at = options_.now();
  pending_->deadline = pending_->asked + pending_->time;
  process_->wake();
  return {};
}

std::unexpected<Error> Worker::refuse(const Error& error) {
  pending_.reset();
  return std::unexpected(error);
}

Error Worker::pending() const {
  return {.code = ErrorCode::kPending,
          .where = where_of(pending_->request.operation),
          .actual = milliseconds(options_.now() - pending_->asked),
          .limit = milliseconds(pending_->time)};
}

std::expected<Reply, Error> Worker::finish_by(Time until, const StopToken& stop) {
  for (;;) {
    if (const auto told = await_start(until, stop); !told) return std::unexpected(told.error());
    auto reply = await(until, stop);
    if (!reply) return std::unexpected(pending());
    if (!settle(*reply)) {
      if (const auto asked = ask(stop); !asked) return std::unexpected(asked.error());
      continue;
    }
    pending_.reset();
    if (*reply) return **std::move(reply);
    return std::unexpected(reply->error().error);
  }
}

bool Worker::settle(std::expected<Reply, Loss>& reply) {
  const auto took = options_.now() - pending_->asked;
  ++state_.queries;
  // The worker's time is more precise for a reply that was picked up late.
  const auto busy = reply ? std::min<Time::duration>(reply->took, took) : took;
  state_.query_seconds += std::chrono::duration<double>(busy).count();
  const std::string what = describe(pending_->request.operation, pending_->request.text);
  if (reply) {
    if (is_usual(*reply)) deadlines_.took(pending_->call, busy);
    note_success(pending_->call, what);
    return true;
  }
  Loss& loss = reply.error();
  explain(loss, took);
  if (loss.end == WorkerEnd::kTimedOut) deadlines_.missed(pending_->call);
  // A process that ended before it began the call lost nothing.
  const bool again = loss.end && !loss.begun && !pending_->is_last;
  if (!loss.end) {
    forget_process();
  } else if (again) {
    replace_idle(loss);
    pending_->is_last = true;
  } else {
    give_up(loss, what, took);
  }
  return !again;
}

void Worker::explain(Loss& loss, Time::duration took) const {
  loss.error.where = where_of(pending_->request.operation);
  if (loss.end != WorkerEnd::kTimedOut) return;
  loss.error.actual = milliseconds(took);
  loss.error.limit = pending_->request.time_ms;
}

std::optional<std::expected<Reply, Worker::Loss>> Worker::await(Time until, const StopToken& stop) {
  const OnStop interrupting(stop, [this] { process_->interrupt(); });
  const Request& request = pending_->request;
  forgive_standstill();
  for (;;) {
    const auto now = options_.now();
    const Time then = std::min({until, pending_->deadline, now + kBusyCheckInterval});
    const Wake wake = process_->wait(then);
    options_.standstill->note(std::max(now, then), options_.now());
    forgive_standstill();
    if (wake == Wake::kInterrupted)
      return std::unexpected(Loss{.error = {.code = ErrorCode::kCancelled}});
    if (wake == Wake::kEnded) return std::unexpected(how_it_ended());
    if (wake == Wake::kReply) {
      auto reply = read_reply(process_->shared(), request.sequence);
      if (reply && !is_answer(request, *reply))
        reply = std::unexpected(Error{.code = ErrorCode::kWorkerReply});
      // Memory that the worker has written is committed already; memory that it only claims to have
      // written gets committed.
      if (reply && !process_->commit(reply->end))
        reply = std::unexpected(Error{.code = ErrorCode::kWorkerReply});
      if (reply) return *std::move(reply);
      return std::unexpected(Loss{.end = WorkerEnd::kBadReply, .error = reply.error()});
    }
    if (options_.now() >= pending_->deadline) return std::unexpected(why_it_hangs());
    if (options_.now() - checked_at_ >= kBusyCheckInterval)
      if (auto loss = too_much()) return std::unexpected(*std::move(loss));
    if (options_.now() >= until) return std::nullopt;
  }
}

// The process has stood still, too, also while other workers were waited for.
void Worker::forgive_standstill() {
  const auto now = options_.now();
  const auto lost = options_.standstill->within(pending_->looked_at, now);
  pending_->looked_at = now;
  pending_->asked += lost;
  pending_->deadline += lost;
}

Worker::Loss Worker::how_it_ended() {
  const bool begun = read_marker(process_->shared()).busy;
  const auto status = process_->end();
  Loss loss{.end = WorkerEnd::kBadReply,
            .error = {.code = ErrorCode::kWorkerReply},
            .modules = read_trace(process_->shared()),
            .begun = begun};
  if (!status) return loss;
  loss.end = status->crashed ? WorkerEnd::kCrashed : WorkerEnd::kExited;
  loss.error = {.code = status->crashed ? ErrorCode::kWorkerCrashed : ErrorCode::kWorkerExited,
                .os_code = status->code};
  return loss;
}

Worker::Loss Worker::why_it_hangs() {
  // It takes some milliseconds, and more while other processes have the processors.
  constexpr int kLooks = 500;
  constexpr std::chrono::milliseconds kPause{2};
  clear_trace(process_->shared());
  if (process_->ask_for_trace())
    for (int i = 0; i < kLooks && !is_trace_whole(process_->shared()); ++i)
      std::this_thread::sleep_for(kPause);
  return {.end = WorkerEnd::kTimedOut,
          .error = {.code = ErrorCode::kTimedOut},
          .modules = read_trace(process_->shared())};
}

ProcessUse Worker::note_use() {
  checked_at_ = options_.now();
  const ProcessUse use = process_->use();
  state_.private_bytes = use.private_bytes;
  state_.shared_bytes = use.shared_bytes;
  state_.handles = use.handles;
  state_.threads = use.threads;
  // The time of a process never falls, but may be unknown once it has ended.
  state_.cpu_seconds = std::max(state_.cpu_seconds, earlier_cpu_seconds_ + use.cpu_seconds);
  return use;
}

std::optional<Worker::Loss> Worker::too_much() {
  const ProcessUse use = note_use();
  const auto check = [](WorkerEnd end, std::uint64_t has, std::uint64_t may_have) {
    const Error error{.code = ErrorCode::kWorkerLimit, .actual = has, .limit = may_have};
    return has > may_have ? std::optional(Loss{.end = end, .error = error}) : std::nullopt;
  };
  const WorkerLimits& limits = options_.limits;
  auto loss = check(WorkerEnd::kMemory, use.private_bytes.value_or(0), limits.max_private_bytes);
  if (!loss) loss = check(WorkerEnd::kHandles, use.handles.value_or(0), limits.max_handles);
  if (!loss) loss = check(WorkerEnd::kThreads, use.threads.value_or(0), limits.max_threads);
  return loss;
}

void Worker::replace_unfit() {
  if (!process_ || !is_up_) return;
  const auto now = options_.now();
  if (process_->wait(now) == Wake::kEnded) {
    replace_idle(how_it_ended());
  } else if (now - checked_at_ >= kIdleCheckInterval) {
    if (const auto loss = too_much()) replace_idle(*loss);
  }
}

std::string Worker::doing(const std::string& what) const {
  const Marker marker = read_marker(process_->shared());
  return marker.busy ? describe(marker.operation, marker.text) : what;
}

void Worker::give_up(const Loss& loss, const std::string& what, Time::duration took) {
  const std::string& call = pending_->call;
  if (lost_.size() >= kMaxLost && !lost_.contains(call)) lost_.clear();
  Rest nameless;  // never blocked
  Rest& rest = call.empty() ? nameless : lost_[call];
  const bool changed = rest.end != loss.end;
  rest = {.end = loss.end, .error = loss.error, .times = rest.times + 1};
  rest.until = options_.now() + rest_after(rest.times, took);
  if (changed) note(loss, doing(what));
  replace(loss);
}

void Worker::replace_idle(const Loss& loss) {
  note_idle(loss);
  replace(loss);
}

void Worker::note_idle(const Loss& loss, bool was_starting) {
  const auto now = options_.now();
  const bool is_news = now >= idle_news_after_ || loss.end != idle_end_;
  idle_end_ = loss.end;
  idle_news_after_ = now + kLastRest;
  if (is_news) note(loss, "", was_starting);
}

void Worker::replace(const Loss& loss) {
  note_trace(loss);
  ++state_.ends.at(static_cast<std::size_t>(*loss.end));
  forget_process();
  // If that fails, the next call returns the error.
  static_cast<void>(start());
}

void Worker::forget_process() {
  process_.reset();
  is_up_ = false;
  earlier_cpu_seconds_ = state_.cpu_seconds;
  state_.process_id = 0;
  state_.private_bytes.reset();
  state_.shared_bytes.reset();
  state_.handles.reset();
  state_.threads.reset();
}

void Worker::note_success(std::string_view call, const std::string& what) {
  const auto lost = lost_.find(call);
  if (lost == lost_.end()) return;
  lost_.erase(lost);
  note({.worker = options_.name, .end = {}, .call = what});
}

void Worker::note_trace(const Loss& loss) {
  if (!loss.modules.empty() && traces_.size() < kMaxEvents)
    traces_.push_back({.modules = loss.modules, .error = loss.error});
}

void Worker::note(const Loss& loss, std::string call, bool was_starting) {
  note({.worker = options_.name,
        .process_id = state_.process_id,
        .end = loss.end,
        .call = std::move(call),
        .was_starting = was_starting,
        .error = loss.error,
        .modules = loss.modules});
}

void Worker::note(WorkerEvent event) {
  if (events_.size() < kMaxEvents) events_.push_back(std::move(event));
}

std::optional<Worker::Time> Worker::rests_until(std::string_view call) const {
  const auto lost = lost_.find(call);
  if (lost == lost_.end() || lost->second.until <= options_.now()) return std::nullopt;
  return lost->second.until;
}

void Worker::forget_losses() {
  for (auto& [call, rest] : lost_) rest.until = {};
}

std::expected<void, Error> Worker::start() {
  if (process_) return {};
  WorkerCommand command{.executable = options_.executable,
                        .words = options_.words,
                        .shared_bytes = kHeadBytes + options_.limits.max_reply_bytes,
                        .max_private_bytes = options_.limits.max_private_bytes,
                        .starts_workers = options_.starts_workers};
  command.words.push_back(options_.name);
  const auto now = options_.now();
  if (now < no_start_before_) return std::unexpected(start_error_);
  auto process = options_.start(command);
  if (!process) {
    start_error_ = process.error();
    no_start_before_ = now + kFirstRest;
    return std::unexpected(start_error_);
  }
  process_ = *std::move(process);
  started_at_ = now;
  waited_for_until_.reset();
  deadlines_.new_worker();
  checked_at_ = {};
  state_.process_id = process_->id();
  ++state_.starts;
  return {};
}

std::expected<void, Error> Worker::await_start(Time until, const StopToken& stop) {
  while (!pending_->is_sent) {
    if (is_up_) return tell();
    if (!waited_for_until_)
      waited_for_until_ =
          options_.waits_for_start ? start_deadline() : options_.now() + pending_->time;
    std::expected<void, Error> goes_on;
    switch (wait_for_start(std::min({until, *waited_for_until_, start_deadline()}), stop)) {
      case Wake::kReply:
        is_up_ = is_up(process_->shared());
        if (!is_up_)
          goes_on =
              fail_start({.end = WorkerEnd::kBadReply, .error = {.code = ErrorCode::kWorkerReply}});
        break;
      case Wake::kEnded:
        goes_on = fail_start(how_it_ended());
        break;
      case Wake::kTimeOver:
        goes_on = judge_start(until);
        break;
      case Wake::kInterrupted:
        forget_process();
        return refuse(
            {.code = ErrorCode::kCancelled, .where = where_of(pending_->request.operation)});
    }
    if (!goes_on) return goes_on;
    if (is_up_) note_up();
  }
  return {};
}

Wake Worker::wait_for_start(Time until, const StopToken& stop) {
  const OnStop interrupting(stop, [this] { process_->interrupt(); });
  return process_->wait(until);
}

void Worker::note_up() {
  failed_starts_ = 0;
  state_.start_seconds = std::chrono::duration<double>(options_.now() - started_at_).count();
}

std::expected<void, Error> Worker::judge_start(Time until) {
  const auto now = options_.now();
  const Error starting{.code = ErrorCode::kWorkerStarting,
                       .where = where_of(pending_->request.operation),
                       .actual = milliseconds(now - started_at_),
                       .limit = milliseconds(options_.limits.start_timeout)};
  if (now >= start_deadline()) {
    Error late = starting;
    late.code = ErrorCode::kWorkerStartLate;
    return fail_start({.end = WorkerEnd::kStartLate, .error = late});
  }
  if (now >= *waited_for_until_) return refuse(starting);
  if (now >= until) return std::unexpected(pending());
  return {};
}

// No provider code has run in it. A crash may be transient, so a second process is tried; a timeout
// isn't retried.
std::expected<void, Error> Worker::fail_start(const Loss& loss) {
  ++state_.ends.at(static_cast<std::size_t>(*loss.end));
  note_idle(loss, true);
  forget_process();
  const bool is_late = loss.end == WorkerEnd::kStartLate;
  if (!is_late && !pending_->is_last) {
    pending_->is_last = true;
    if (const auto started = start(); !started) return refuse(started.error());
    return {};
  }
  start_error_ = loss.error;
  if (!is_late) start_error_.code = ErrorCode::kWorkerStart;
  start_error_.where = where_of(pending_->request.operation);
  no_start_before_ = options_.now() + rest_after(++failed_starts_);
  return refuse(start_error_);
}

void Worker::finish() {
  if (!process_) return;
  if (std::exchange(pending_, std::nullopt) || !is_up_) return forget_process();
  note_use();
  const Request request{.operation = Operation::kEnd, .sequence = ++sequence_};
  if (write_request(process_->shared(), request)) {
    process_->wake();
    // An interruption may be pending from a stop that came together with a reply.
    const auto until = options_.now() + kTimeToFinish;
    Wake wake = Wake::kInterrupted;
    while (wake == Wake::kInterrupted) wake = process_->wait(until);
    if (wake == Wake::kEnded) judge_end();
  }
  forget_process();
}

// A provider may crash while it is closed.
void Worker::judge_end() {
  Loss loss = how_it_ended();
  const bool is_well = loss.end == WorkerEnd::kBadReply ||
                       (loss.end == WorkerEnd::kExited && loss.error.os_code == 0);
  if (is_well) return;
  loss.error.where = where_of(Operation::kEnd);
  note_trace(loss);
  note(loss, where_of(Operation::kEnd));
}

}  // namespace winperf::worker
