#include "service/targets/lane.h"

#include <algorithm>
#include <utility>

#include "collectors/base/system_text.h"
#include "service/targets/target_session.h"

namespace winperf {

Lane::Lane(std::size_t number, std::shared_ptr<worker::Worker> worker, const TargetTools& tools,
           LaneKind kind, Leave leave)
    : number_(number),
      worker_(std::move(worker)),
      tools_(tools),
      kind_(kind),
      leave_(std::move(leave)),
      worker_state_(worker_->state()),
      thread_([this] { run(changes_.stop_token()); }, [this] { changes_.request_stop(); }) {}

void Lane::add(std::shared_ptr<Target> target, SteadyTime due) {
  ++size_;
  changes_.put([&](std::optional<Arrivals>& arrivals) {
    if (!arrivals) arrivals.emplace();
    arrivals->push_back({std::move(target), due});
  });
}

void Lane::look() {
  changes_.put([](std::optional<Arrivals>& arrivals) {
    if (!arrivals) arrivals.emplace();
  });
}

WorkerState Lane::worker_state() const {
  const std::lock_guard lock(mutex_);
  return worker_state_;
}

void Lane::run(const StopToken& stop) {
  while (!stop.stop_requested()) {
    const auto first = first_due();
    const SteadyTime due = first == sessions_.end() ? SteadyTime::max() : (*first)->due();
    if (due <= tools_.clocks.steady_now() && !(*first)->target()->is_retired()) step(first, stop);
    // Somebody may have come, or have to go, however busy the lane is.
    const auto next = first_due();
    take(changes_.wait(next == sessions_.end() ? SteadyTime::max() : (*next)->due(), tools_.clocks)
             .value_or(Arrivals{}));
  }
  // What is open is closed without calls that could hang: the worker's process ends.
  worker_->finish();
  sessions_.clear();
}

void Lane::take(Arrivals arrivals) {
  for (Arrival& arrival : arrivals)
    sessions_.push_back(
        std::make_unique<TargetSession>(std::move(arrival.target), worker_, tools_, arrival.due));
  size_ -=
      std::erase_if(sessions_, [](const auto& session) { return session->target()->is_retired(); });
}

void Lane::step(Sessions::iterator session, const StopToken& stop) {
  bool is_well = false;
  try {
    is_well = (*session)->step(stop);
  } catch (const std::exception& error) {
    begin_anew(session, exception_text(error));
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    worker_state_ = worker_->state();
  }
  if (has_to_leave(**session, is_well)) let_go(session);
}

bool Lane::has_to_leave(const TargetSession& session, bool is_well) const {
  switch (kind_) {
    case LaneKind::kCommon:
      return !is_well;
    case LaneKind::kHanging:
      return session.well_since() &&
             tools_.clocks.steady_now() - *session.well_since() >= kWellAgain;
    case LaneKind::kTrial:
      break;
  }
  return true;
}

void Lane::begin_anew(Sessions::iterator session, const std::string& why) {
  Target& target = *(*session)->target();
  if (kind_ == LaneKind::kTrial) {
    target.update([&](TargetState& state) { state.error = why; });
    return let_go(session);
  }
  tools_.logger->write(Event::kTargetFails, target.host(), "can't be read: " + why);
  // Like one that was just added.
  *session = std::make_unique<TargetSession>((*session)->target(), worker_, tools_,
                                             tools_.clocks.steady_now() + kLongestRetryPause);
}

Lane::Sessions::iterator Lane::first_due() {
  return std::ranges::min_element(sessions_, {},
                                  [](const auto& session) { return session->due(); });
}

void Lane::let_go(Sessions::iterator session) {
  auto target = (*session)->target();
  sessions_.erase(session);
  --size_;
  leave_(std::move(target));
}

}  // namespace winperf
