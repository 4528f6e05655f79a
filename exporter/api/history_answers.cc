#include "exporter/api/history_answers.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/leaders.h"
#include "collectors/recorder/lives.h"
#include "collectors/recorder/windows.h"
#include "exporter/api/recorded_path.h"
#include "exporter/json/range_document.h"
#include "exporter/json/top_document.h"

namespace winperf::api {
namespace {

using recorder::History;
using recorder::Track;

// That can't be read, which doesn't happen.
std::unexpected<Problem> damaged(const Error& error) {
  constexpr int kInternalError = 500;
  return std::unexpected(Problem{.status = kInternalError, .detail = describe(error)});
}

std::size_t count_windows(const std::vector<recorder::InstanceWindows>& instances) {
  std::size_t count = 0;
  for (const auto& one : instances) count += one.windows.size();
  return count;
}

// Paths of one counterset that follow one another share what is opened of it.
class LastReels {
 public:
  // Null if nothing is known of the moment.
  std::expected<recorder::SharedReels, Error> of(const Track& track, const RangeQuery& query) {
    if (track_ == &track) return reels_;
    auto opened = query.since ? recorder::open_reels(track, *query.since, query.until)
                              : recorder::open_moment(track, query.until);
    if (!opened) return opened;
    track_ = &track;
    return reels_ = *std::move(opened);
  }

 private:
  const Track* track_ = nullptr;
  recorder::SharedReels reels_;
};

recorder::WindowQuery windows_of(const RangeQuery& query) {
  constexpr std::int64_t kTicksPerMs = kTicks100nsPerSecond / 1'000;
  if (!query.since) return {.counter = {}, .last_sample = true};
  return {.counter = {},
          .since = *query.since,
          .until = query.until,
          .step_100ns = query.step ? query.step->count() * kTicksPerMs : 0};
}

std::unexpected<Problem> too_many(const RangeQuery& query, std::size_t most) {
  const std::string so_many =
      ": the answer would have more than " + std::to_string(most) + " values";
  Problem problem =
      query.since ? wrong_parameter("step",
                                    "must be longer, or the time shorter, or fewer "
                                    "instances meant" +
                                        so_many)
                  : wrong_parameter("path", "must mean fewer counters or instances" + so_many);
  problem.most_values = most;
  return std::unexpected(std::move(problem));
}

// The time at which the values of a moment begin, and the moment. A value that needs one sample has
// the same time twice. Nothing if nothing was recorded until then.
using Span = std::optional<std::pair<Ticks100ns, Ticks100ns>>;
std::expected<Span, Error> last_before(const Track& track, Ticks100ns moment, bool needs_previous) {
  // As far apart as samples may be when they are thinned out, and a bit.
  constexpr std::int64_t kFarthest = std::int64_t{10} * 60 * kTicks100nsPerSecond;
  const auto times = recorder::recorded_times(
      track, {std::max<std::int64_t>(0, moment.ticks - kFarthest)}, moment);
  if (!times) return std::unexpected(times.error());
  if (times->empty()) return std::nullopt;
  const bool has_two = needs_previous && times->size() > 1;
  return std::pair((*times)[times->size() - (has_two ? 2 : 1)].wall, times->back().wall);
}

}  // namespace

std::expected<std::string, Problem> range_answer(const History& history, const RangeQuery& query) {
  const std::size_t most = query.as_columns ? kMostWindowsAsColumns : kMostWindows;
  const auto step = query.step.transform(
      [](std::chrono::milliseconds one) { return std::chrono::duration<double>(one).count(); });
  json::RangeDocument document(
      {.since = query.since.value_or(query.until), .until = query.until, .step_seconds = step},
      query.as_columns, history.owners);
  recorder::WindowQuery wanted = windows_of(query);
  std::size_t count = 0;
  LastReels opened;
  for (const std::string& path : query.paths) {
    const auto selected = recorded_path(history, "path", path);
    if (!selected) return std::unexpected(selected.error());
    const auto reels = opened.of(*selected->track, query);
    if (!reels) return damaged(reels.error());
    wanted.instances = selected->instances;
    for (const CounterSchema* const counter : selected->counters) {
      json::RangeOfCounter found{.counterset = selected->track->name,
                                 .counter = counter->name,
                                 .type = counter->type,
                                 .instances = {}};
      wanted.counter = counter->name;
      wanted.most = most - count;
      if (*reels != nullptr) {
        auto windows = recorder::windows(*reels, wanted);
        if (!windows) return damaged(windows.error());
        found.instances = *std::move(windows);
      }
      count += count_windows(found.instances);
      if (count > most) return too_many(query, most);
      document.add(found);
    }
  }
  return std::move(document).finish();
}

std::expected<std::string, Problem> top_answer(const History& history, const TopQuery& query) {
  const bool is_path = query.counter.find('\\') != std::string::npos;
  const auto selected =
      recorded_path(history, "counter", is_path ? query.counter : "\\Process\\" + query.counter);
  if (!selected) return std::unexpected(selected.error());
  const CounterSchema& counter = *selected->counters.front();
  if (selected->counters.size() != 1)
    return std::unexpected(wrong_parameter("counter", "must name one counter"));
  json::Leaders document{.counterset = selected->track->name,
                         .counter = counter.name,
                         .type = counter.type,
                         .owners = history.owners};
  Span time;
  if (query.since) {
    time = {*query.since, query.until};
  } else {
    auto found = last_before(*selected->track, query.until, counter.info().needs_previous);
    if (!found) return damaged(found.error());
    time = *found;
  }
  if (!time) return json::top_document(document);
  auto leaders = recorder::leaders(*selected->track, {.counter = counter.name,
                                                      .since = time->first,
                                                      .until = time->second,
                                                      .count = query.count,
                                                      .instances = selected->instances,
                                                      .has_rivals = !selected->names_instance});
  if (!leaders) return damaged(leaders.error());
  document.since = time->first;
  document.until = time->second;
  document.leaders = *std::move(leaders);
  return json::top_document(document);
}

}  // namespace winperf::api
