// The last diagnosis of this machine, which is given again for a minute, or why there is none, for
// some seconds; and whose turn it is to have another one made. Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "collectors/base/clock.h"
#include "exporter/api/doctor_document.h"
#include "exporter/api/one_at_a_time.h"
#include "exporter/api/problem.h"

namespace winperf {

class KeptDiagnosis {
 public:
  static constexpr std::chrono::seconds kKeptFor{60};
  // About as long as a diagnosis usually takes.
  static constexpr std::chrono::seconds kProblemKeptFor{10};

  using Shared = std::shared_ptr<const api::MadeDiagnosis>;

  // Null if there is none, or it is too old.
  Shared fresh(SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    return kept_ != nullptr && now - kept_->finished < kKeptFor ? kept_ : nullptr;
  }

  // For a diagnosis that begins: owns the turn, or not if another request has it.
  [[nodiscard]] api::OneAtATime::Turn take_turn() { return turn_.take(); }
  // How often everything was forgotten.
  std::uint64_t generation() const {
    const std::lock_guard lock(mutex_);
    return generation_;
  }
  // Not if something was forgotten since `generation`, because it may be what this one shows.
  void keep(Shared made, std::uint64_t generation) {
    const std::lock_guard lock(mutex_);
    if (generation == generation_) kept_ = std::move(made);
  }

  // Nothing if none was noted lately.
  std::optional<api::Problem> problem(SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    return problem_ && now - problem_at_ < kProblemKeptFor ? problem_ : std::nullopt;
  }
  void keep(api::Problem problem, SteadyTime now, std::uint64_t generation) {
    const std::lock_guard lock(mutex_);
    if (generation != generation_) return;
    problem_ = std::move(problem);
    problem_at_ = now;
  }

  void forget() {
    const std::lock_guard lock(mutex_);
    ++generation_;
    kept_.reset();
    problem_.reset();
  }

 private:
  api::OneAtATime turn_;
  mutable std::mutex mutex_;
  Shared kept_;
  std::optional<api::Problem> problem_;
  SteadyTime problem_at_{};
  std::uint64_t generation_ = 0;
};

}  // namespace winperf
