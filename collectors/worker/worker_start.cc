// How a worker's process comes up, or doesn't: see worker.h.
#include <algorithm>

#include "collectors/worker/rest.h"
#include "collectors/worker/worker.h"

namespace winperf::worker {

std::expected<void, Error> Worker::start() {
  if (process_) return {};
  WorkerCommand command{.executable = options_.executable,
                        .words = options_.words,
                        .shared_bytes = kHeadBytes + options_.limits.max_reply_bytes,
                        .max_private_bytes = options_.limits.max_private_bytes};
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
  looked_at_ = {};
  state_.process_id = process_->id();
  ++state_.starts;
  return {};
}

std::expected<void, Error> Worker::await_start(Time until, const StopToken& stop) {
  while (!pending_->is_told) {
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

// Nothing of a provider has run in it. What has ended it may be over, so that a second process is
// tried; one that took too long was given its time.
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

}  // namespace winperf::worker
