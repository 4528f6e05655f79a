// The calls about one other machine, made by a worker that serves several machines.
//
// A machine that doesn't answer costs its worker's process, and with it what the other machines
// had open there. So it does that once in a round: after a call that was lost, all others of the
// round fail at once, with the same error; so they do when it can't be connected to. Thread rule:
// that of the worker.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/worker/caller.h"
#include "collectors/worker/worker.h"

namespace winperf {

class RemoteLink final : public worker::Caller {
 public:
  // `machine`: its name, in UTF-8.
  RemoteLink(std::shared_ptr<worker::Worker> worker, std::string machine)
      : worker_(std::move(worker)), machine_(std::move(machine)) {}

  [[nodiscard]] std::expected<worker::Reply, Error> call(worker::Request request,
                                                         std::string_view call,
                                                         const StopToken& stop) override;
  bool is_running() const override { return worker_->is_running(); }
  std::uint64_t generation() const override { return worker_->generation(); }
  void begin_round() override { loss_.reset(); }

  const std::string& machine() const { return machine_; }
  // How many calls have cost the process.
  std::uint64_t losses() const { return losses_; }
  // Why the last call got nothing, if it did.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  std::shared_ptr<worker::Worker> worker_;
  std::string machine_;
  std::optional<Error> loss_;  // of this round, or why there is no connection
  std::uint64_t losses_ = 0;
  std::optional<Error> failure_;
};

}  // namespace winperf
