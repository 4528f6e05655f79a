// A real worker process whose time is simulated: what it does takes none of it, unless its provider
// hangs or is slow. Then the process isn't even asked, or its answer is held back, and the wait
// moves the time on. Thread rule: as WorkerProcess.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "collectors/worker/worker_process.h"
#include "tests/soak/timeline.h"

namespace winperf::soak {

class TimedProcess final : public worker::WorkerProcess {
 public:
  // `name`: what it reads, as setup.h says.
  TimedProcess(std::unique_ptr<WorkerProcess> process, std::string name, Timeline& timeline,
               const Board& board)
      : process_(std::move(process)), name_(std::move(name)), timeline_(timeline), board_(board) {}

  std::span<std::byte> shared() override { return process_->shared(); }
  std::uint64_t id() const override { return process_->id(); }
  void wake() override;
  worker::Wake wait(std::chrono::steady_clock::time_point until) override;
  void interrupt() override { process_->interrupt(); }
  std::optional<worker::EndStatus> end() override { return process_->end(); }
  worker::ProcessUse use() const override { return process_->use(); }

 private:
  // What is wrong with whoever answers the request in the shared memory.
  Trouble trouble_of_request();
  // The answer is not there before that.
  worker::Wake pass_until(Timeline::Time time);

  const std::unique_ptr<WorkerProcess> process_;
  const std::string name_;
  Timeline& timeline_;
  const Board& board_;
  bool is_asked_ = false;
  bool hangs_ = false;
  bool has_answered_ = false;  // though its answer is held back
  std::optional<Timeline::Time> answers_at_;
};

// For WorkerOptions::start.
[[nodiscard]] std::expected<std::unique_ptr<worker::WorkerProcess>, Error> start_timed(
    const worker::WorkerCommand& command, Timeline& timeline, const Board& board);

}  // namespace winperf::soak
