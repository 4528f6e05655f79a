// The calls of one source by a worker: one of its own for this machine, or one that it shares with
// the sources of other machines.
//
// A machine that doesn't answer costs the shared worker its process, and with it what the other
// machines had open there. So it does that once in a round: after a call that was lost, all others
// of the round fail at once, with the same error; so they do when it can't be connected to. Errors:
// those of Worker::call(). Thread rule: that of the worker.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/worker/worker.h"

namespace winperf::worker {

class WorkerLink {
 public:
  explicit WorkerLink(WorkerOptions options)
      : worker_(std::make_shared<Worker>(std::move(options))) {}
  // `machine`: another one's name, in UTF-8.
  WorkerLink(std::shared_ptr<Worker> worker, std::string machine)
      : worker_(std::move(worker)), machine_(std::move(machine)) {}

  // As Worker::call(), about the link's machine.
  [[nodiscard]] std::expected<Reply, Error> call(Request request, std::string_view call,
                                                 const StopToken& stop);
  // What was lost in the round before is tried again.
  void begin_round() { loss_.reset(); }

  Worker& worker() const { return *worker_; }
  // Whether it is for another machine.
  bool is_shared() const { return !machine_.empty(); }
  const std::string& machine() const { return machine_; }
  // How many calls have cost the shared process.
  std::uint64_t losses() const { return losses_; }
  // Why the last call got nothing, if it did.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  std::shared_ptr<Worker> worker_;
  std::string machine_;
  std::optional<Error> loss_;  // of this round, or why there is no connection
  std::uint64_t losses_ = 0;
  std::optional<Error> failure_;
};

}  // namespace winperf::worker
