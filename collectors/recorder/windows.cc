#include "collectors/recorder/windows.h"

#include <algorithm>
#include <utility>

#include "collectors/recorder/lives.h"

namespace winperf::recorder {
namespace {

// The samples at the ends of a window.
struct Ends {
  std::size_t from = 0;
  std::size_t to = 0;
};

// The last moment that isn't after that time, from `from` on.
std::size_t moment_at(const Lives& lives, std::int64_t time, std::size_t from) {
  std::size_t moment = from;
  for (std::size_t i = from + 1; i < lives.moments(); ++i)
    if (lives.at(i).wall.ticks <= time) moment = i;
  return moment;
}

std::vector<Ends> ends_of(const Lives& lives, const WindowQuery& query) {
  std::vector<Ends> ends;
  if (query.last_sample && lives.moments() != 0) {
    const std::size_t last = lives.moments() - 1;
    return {{.from = last == 0 ? 0 : last - 1, .to = last}};
  }
  if (lives.moments() < 2) return ends;
  const std::int64_t since = query.since.ticks;
  const std::int64_t until = query.until.ticks;
  if (since >= until) return ends;
  for (std::size_t to = 1; query.each_sample && to < lives.moments(); ++to)
    ends.push_back({to - 1, to});
  if (query.each_sample) return ends;
  const std::int64_t step = query.step_100ns > 0 ? query.step_100ns : until - since;
  std::size_t from = moment_at(lives, since, 0);
  std::int64_t begin = since;
  for (std::size_t i = 0; i < kMostSteps && begin < until; ++i) {
    begin += std::min(step, until - begin);
    const std::size_t to = moment_at(lives, begin, from);
    if (to == from) continue;
    ends.push_back({from, to});
    from = to;
  }
  return ends;
}

// The index of the life's point in a moment, or of the first one after it.
std::size_t point_at(const Life& life, std::size_t moment) {
  const auto found = std::ranges::lower_bound(life.points, moment, {}, &Point::moment);
  return static_cast<std::size_t>(found - life.points.begin());
}

void note_value(Window& window, double value) {
  window.lowest = std::min(window.lowest.value_or(value), value);
  window.highest = std::max(window.highest.value_or(value), value);
}

// Between each two samples.
void note_shortest(const Lives& lives, const Life& life, std::size_t from, std::size_t to,
                   Window& window) {
  double sum = 0;
  std::uint64_t count = 0;
  for (std::size_t i = from + 1; i <= to; ++i) {
    const auto length =
        lives.at(life.points[i].moment).steady - lives.at(life.points[i - 1].moment).steady;
    if (const auto range = lives.range(life.points[i])) {
      note_value(window, range->lowest);
      note_value(window, range->highest);
      sum += range->sum;
      count += range->count;
    } else if (const auto value = lives.cooked(life, i - 1, i)) {
      note_value(window, *value);
    } else {
      continue;
    }
    window.shortest = window.shortest.count() == 0 ? length : std::min(window.shortest, length);
  }
  if (count != 0) window.mean = sum / static_cast<double>(count);
}

std::optional<Window> window_of(const Lives& lives, const Life& life, const Ends& ends) {
  const std::size_t first = point_at(life, ends.from);
  const std::size_t after = point_at(life, ends.to + 1);
  if (first == after || life.points[first].moment == ends.to + 1) return std::nullopt;
  const std::size_t last = after - 1;
  Window window{.from = lives.at(ends.from),
                .to = lives.at(ends.to),
                .value = std::unexpected(NoValue::kFirstSample)};
  const bool dies = life.points[last].moment != ends.to;
  const bool is_born = life.points[first].moment != ends.from;
  // It has ended before the window, whose begin is its last sample.
  if (dies && !is_born && first == last) return std::nullopt;
  if (dies)
    window.value = std::unexpected(NoValue::kNotDelivered);
  else if (!is_born || !lives.needs_previous())
    window.value = lives.cooked(life, first, last);
  note_shortest(lives, life, first, last, window);
  return window;
}

}  // namespace

std::expected<std::vector<InstanceWindows>, Error> windows(const Track& track,
                                                           const WindowQuery& query) {
  auto reels = open_reels(track, query.since, query.until);
  if (!reels) return std::unexpected(reels.error());
  return windows(*std::move(reels), query);
}

std::expected<std::vector<InstanceWindows>, Error> windows(SharedReels reels,
                                                           const WindowQuery& query) {
  const auto lives = Lives::open(std::move(reels), query.counter);
  if (!lives) return std::unexpected(lives.error());
  const std::vector<Ends> all_ends = ends_of(*lives, query);
  std::vector<InstanceWindows> result;
  std::size_t count = 0;
  for (const Life& life : lives->lives()) {
    if (count > query.most) break;
    if (query.last_sample && life.points.back().moment + 1 != lives->moments()) continue;
    if (query.instances && !query.instances(life.instance)) continue;
    InstanceWindows found{.instance = life.instance, .windows = {}};
    for (const Ends& ends : all_ends)
      if (auto window = window_of(*lives, life, ends)) found.windows.push_back(*std::move(window));
    count += found.windows.size();
    if (!found.windows.empty()) result.push_back(std::move(found));
  }
  return result;
}

}  // namespace winperf::recorder
