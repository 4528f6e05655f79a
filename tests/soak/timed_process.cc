#include "tests/soak/timed_process.h"

#include <algorithm>
#include <stdexcept>

#include "collectors/sources/value_names.h"
#include "collectors/worker/frame.h"
#include "service/plan/setup.h"
#include "tests/simulator/faulty_provider.h"

namespace winperf::soak {
namespace {

constexpr std::chrono::milliseconds kAnswer{1};  // what a call takes
constexpr std::chrono::seconds kSlowAnswer{3};
constexpr std::chrono::minutes kRealDeadline{3};

bool concerns_faulty(std::string_view value_name) {
  const auto objects = indices_in(value_name);
  return !objects ||
         std::ranges::find(*objects, ObjectIndex{simulator::kFaultyObject}) != objects->end();
}

}  // namespace

Trouble TimedProcess::trouble_of_request() {
  const auto request = worker::read_request(shared());
  if (!request || request->operation == worker::Operation::kEnd) return Trouble::kNone;
  if (name_ == kPerflibWorker) return board_.perflib;
  if (request->operation != worker::Operation::kQuery) return Trouble::kNone;
  return concerns_faulty(request->text) ? board_.provider.load() : Trouble::kNone;
}

void TimedProcess::wake() {
  const Trouble trouble = trouble_of_request();
  hangs_ = trouble == Trouble::kHang;
  has_answered_ = false;
  answers_at_.reset();
  if (trouble == Trouble::kSlow) answers_at_ = timeline_.now() + kSlowAnswer;
  is_asked_ = true;
  if (!hangs_) process_->wake();
}

worker::Wake TimedProcess::pass_until(Timeline::Time time) {
  using worker::Wake;
  // A stop ends the wait, and so does the end of the process.
  const Wake seen =
      has_answered_ ? Wake::kTimeOver : process_->wait(std::chrono::steady_clock::now());
  if (seen == Wake::kInterrupted || seen == Wake::kEnded) return seen;
  has_answered_ |= seen == Wake::kReply;
  timeline_.advance_to(time);
  return Wake::kTimeOver;
}

worker::Wake TimedProcess::wait(std::chrono::steady_clock::time_point until) {
  using worker::Wake;
  // Its start takes no time, however long it really takes.
  if (!worker::is_up(shared()))
    return process_->wait(std::chrono::steady_clock::now() + kRealDeadline);
  if (!is_asked_) return process_->wait(std::chrono::steady_clock::now());
  if (hangs_ || (answers_at_ && until < *answers_at_)) return pass_until(until);
  if (!has_answered_) {
    const Wake wake = process_->wait(std::chrono::steady_clock::now() + kRealDeadline);
    if (wake == Wake::kTimeOver)
      throw std::runtime_error("the worker " + name_ + " has not answered for three minutes");
    if (wake != Wake::kReply) return wake;
  }
  is_asked_ = false;
  timeline_.advance_to(answers_at_.value_or(timeline_.now() + kAnswer));
  return Wake::kReply;
}

std::expected<std::unique_ptr<worker::WorkerProcess>, Error> start_timed(
    const worker::WorkerCommand& command, Timeline& timeline, const Board& board) {
  auto process = worker::start_worker(command);
  if (!process) return std::unexpected(process.error());
  return std::make_unique<TimedProcess>(*std::move(process), command.words.back(), timeline, board);
}

}  // namespace winperf::soak
