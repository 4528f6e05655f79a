// The sampling of one target by the worker of one lane: its connection, its sampler, and when it is
// due next.
//
// The first step connects. A step in which no counterset could be read is a failure: after it the
// next one comes later, twice as late each time and five minutes at most; one that never succeeded
// begins anew, because what it knows (names, what the patterns stand for) may be nothing.
// Thread rule: the lane's thread.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "collectors/base/stop.h"
#include "collectors/sampler/sampler.h"
#include "service/targets/target.h"
#include "service/targets/target_tools.h"

namespace winperf {

class TargetSession {
 public:
  static constexpr std::chrono::minutes kLookInterval{5};  // for what patterns stand for

  // `due`: of the first step. The tools outlive the session.
  TargetSession(std::shared_ptr<Target> target, std::shared_ptr<worker::Worker> worker,
                const TargetTools& tools, SteadyTime due)
      : target_(std::move(target)), worker_(std::move(worker)), tools_(tools), due_(due) {}
  // Closes what is open of the machine.
  ~TargetSession() { close(); }
  TargetSession(const TargetSession&) = delete;
  TargetSession& operator=(const TargetSession&) = delete;

  SteadyTime due() const { return due_; }
  const std::shared_ptr<Target>& target() const { return target_; }

  // Samples what is due. False if that cost the worker its process.
  [[nodiscard]] bool step(const StopToken& stop);

  // Since when no step has cost a process; nothing if none has read anything since.
  std::optional<SteadyTime> well_since() const { return well_since_; }

 private:
  void open(const StopToken& stop);
  void close();
  // Looks again for what the patterns of its configuration stand for.
  void look_again(const StopToken& stop);
  // With what its patterns stand for there; the error is for people.
  [[nodiscard]] std::expected<Config, std::string> concrete_config(const StopToken& stop);
  void conclude(SteadyTime began, SteadyTime next, bool lost);
  // Nothing if any counterset was read since; otherwise why not, for people.
  std::optional<std::string> failure_since(SteadyTime began) const;
  void tell(const std::optional<std::string>& failure, bool lost);

  std::shared_ptr<Target> target_;
  std::shared_ptr<worker::Worker> worker_;
  const TargetTools& tools_;
  SteadyTime due_;
  std::optional<RemoteMachine> machine_;
  std::optional<Sampler> sampler_;
  Inventory inventory_;  // of the last look
  Config concrete_;      // what is sampled
  SteadyTime looked_at_{};
  std::string open_error_;  // what kept it from finding out what to sample
  bool has_read_ = false;
  unsigned failures_ = 0;  // in a row
  std::optional<SteadyTime> well_since_;
};

}  // namespace winperf
