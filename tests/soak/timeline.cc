#include "tests/soak/timeline.h"

#include <algorithm>
#include <stdexcept>

namespace winperf::soak {
namespace {

// Any moment, but one at which nothing is near zero.
constexpr Timeline::Time kStart{std::chrono::hours(1'000)};
constexpr std::chrono::minutes kStalled{3};
constexpr std::size_t kThreads = 2;  // those of samples and of facts

using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

}  // namespace

ClockSource Timeline::clocks() {
  return {.steady_now = [this] { return now(); },
          .wall_now = [this] { return wall_now(); },
          .pause_until = [this](Time time, const StopToken& stop) { pause_until(time, stop); }};
}

Timeline::Time Timeline::now() const { return kStart + Ticks(board_.elapsed_100ns); }

Ticks100ns Timeline::wall_now() const { return {now_of(board_).time_100ns}; }

std::chrono::duration<double> Timeline::elapsed() const { return now() - kStart; }

void Timeline::advance_to(Time time) {
  const std::lock_guard lock(mutex_);
  // Not to the tick before: who waits until then would find that it isn't over.
  const std::int64_t ticks = std::chrono::ceil<Ticks>(time - kStart).count();
  board_.elapsed_100ns = std::max<std::int64_t>(board_.elapsed_100ns, ticks);
  std::erase_if(pauses_,
                [now = now()](Pause* pause) { return pause->is_over = now >= pause->until; });
  changed_.notify_all();
}

void Timeline::set_wall(std::chrono::seconds by) { board_.wall_offset_100ns += Ticks(by).count(); }

Timeline::Time Timeline::wait_until_idle() {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kStalled, [this] { return pauses_.size() == kThreads; }))
    throw std::runtime_error("the server's threads have made no progress for three minutes");
  return std::ranges::min(pauses_, {}, &Pause::until)->until;
}

void Timeline::pause_until(Time time, const StopToken& stop) {
  Pause pause{.until = time};
  // By whoever requests it, so that wait_until_idle() doesn't take a pause for one that goes on.
  const OnStop waking(stop, [&] {
    const std::lock_guard lock(mutex_);
    pause.is_over = true;
    std::erase(pauses_, &pause);
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  if (pause.is_over || now() >= time) return;
  pauses_.push_back(&pause);
  changed_.notify_all();
  changed_.wait(lock, [&] { return pause.is_over; });
}

}  // namespace winperf::soak
