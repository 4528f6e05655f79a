#include "tests/soak/timeline.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace winperf::soak {
namespace {

// Any moment, but one at which nothing is near zero.
constexpr Timeline::Time kStart{std::chrono::hours(1'000)};
constexpr std::chrono::minutes kStalled{3};
constexpr std::size_t kThreads = 2;  // at least: those of samples and of facts

using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

}  // namespace

class Timeline::Participation {
 public:
  explicit Participation(std::shared_ptr<State> state) : state_(std::move(state)) {
    ++state_->participants;  // under the lock
  }
  Participation(const Participation&) = delete;
  Participation& operator=(const Participation&) = delete;
  ~Participation() {
    const std::lock_guard lock(state_->mutex);
    --state_->participants;
    state_->changed.notify_all();
  }

 private:
  const std::shared_ptr<State> state_;
};

ClockSource Timeline::clocks() {
  return {.steady_now = [this] { return now(); },
          .wall_now = [this] { return wall_now(); },
          .pause_until = [this](Time time, const StopToken& stop) { pause_until(time, stop); }};
}

Timeline::Time Timeline::now() const { return kStart + Ticks(board_.elapsed_100ns); }

Ticks100ns Timeline::wall_now() const { return {now_of(board_).time_100ns}; }

std::chrono::duration<double> Timeline::elapsed() const { return now() - kStart; }

void Timeline::advance_to(Time time) {
  const std::lock_guard lock(state_->mutex);
  // Not to the tick before: who waits until then would find that it isn't over.
  const std::int64_t ticks = std::chrono::ceil<Ticks>(time - kStart).count();
  board_.elapsed_100ns = std::max<std::int64_t>(board_.elapsed_100ns, ticks);
  std::erase_if(state_->pauses,
                [now = now()](Pause* pause) { return pause->is_over = now >= pause->until; });
  state_->changed.notify_all();
}

void Timeline::set_wall(std::chrono::seconds by) { board_.wall_offset_100ns += Ticks(by).count(); }

Timeline::Time Timeline::wait_until_idle() {
  std::unique_lock lock(state_->mutex);
  if (!state_->changed.wait_for(lock, kStalled, [this] {
        return state_->pauses.size() == std::max(kThreads, state_->participants);
      }))
    throw std::runtime_error("the server's threads have made no progress for three minutes");
  return std::ranges::min(state_->pauses, {}, &Pause::until)->until;
}

std::size_t Timeline::others() const {
  const std::lock_guard lock(state_->mutex);
  return state_->pauses.size() - std::min(kThreads, state_->pauses.size());
}

void Timeline::pause_until(Time time, const StopToken& stop) {
  Pause pause{.until = time};
  // By whoever requests it, so that wait_until_idle() doesn't take a pause for one that goes on.
  const OnStop waking(stop, [&] {
    const std::lock_guard lock(state_->mutex);
    pause.is_over = true;
    std::erase(state_->pauses, &pause);
    state_->changed.notify_all();
  });
  std::unique_lock lock(state_->mutex);
  thread_local std::optional<Participation> participation;
  if (!participation) participation.emplace(state_);
  if (pause.is_over || now() >= time) return;
  state_->pauses.push_back(&pause);
  state_->changed.notify_all();
  state_->changed.wait(lock, [&] { return pause.is_over; });
}

}  // namespace winperf::soak
