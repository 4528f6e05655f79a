#include "exporter/api/recorded_path.h"

#include <utility>

#include "collectors/base/wording.h"
#include "collectors/match/filter.h"
#include "config/patterns.h"

namespace winperf::api {
namespace {

using recorder::History;
using recorder::Track;

constexpr std::string_view kExample = "; write, for example, \\Process(*)\\% Processor Time";

const CountersetSchema& newest_schema(const Track& track) {
  return *track.chunks.back()->shape->schema;
}

std::expected<const Track*, Problem> track_called(const History& history, const PerfmonPath& path) {
  std::vector<std::string_view> names;
  for (const auto& track : history.tracks) {
    const std::string_view object = newest_schema(*track).name;
    const bool is_there = path.machine.empty() || equal_names(track->machine, path.machine);
    if (is_there && (equal_names(track->name, path.object) || equal_names(object, path.object)))
      return track.get();
    names.push_back(track->name);
  }
  const std::string whose = path.machine.empty() ? "" : " of " + excerpt(path.machine);
  return std::unexpected(
      unknown_name("counterset", path.object, whose + " is not recorded", names));
}

std::expected<std::vector<const CounterSchema*>, Problem> counters_called(const Track& track,
                                                                          const std::string& name) {
  const CountersetSchema& schema = newest_schema(track);
  const auto filter = filter_of(name);
  if (!filter) return std::unexpected(Problem{.detail = excerpt(name) + ' ' + filter.error()});
  std::vector<const CounterSchema*> found;
  std::vector<std::string_view> names;
  for (const CounterSchema& counter : schema.counters) {
    const bool is_meant =
        is_pattern(name) ? filter->check(counter.name).accepted : is_called(counter, name);
    if (is_meant && !counter.name.empty()) found.push_back(&counter);
    names.push_back(counter.name);
  }
  if (found.empty())
    return std::unexpected(
        unknown_name("counter", name, " does not exist in " + excerpt(schema.name), names));
  return found;
}

}  // namespace

std::expected<RecordedPath, Problem> recorded_path(const History& history,
                                                   std::string_view parameter,
                                                   const std::string& text) {
  const auto refused = [&](Problem problem) {
    problem.parameter = parameter;
    return std::unexpected(std::move(problem));
  };
  const auto path = parse_perfmon_path(text);
  if (!path || path->object.empty() || path->counter.empty())
    return std::unexpected(wrong_parameter(parameter, "must be a perfmon path with a counter" +
                                                          std::string(kExample) + ", not " +
                                                          in_quotes(text)));
  const auto track = track_called(history, *path);
  if (!track) return refused(track.error());
  auto counters = counters_called(**track, path->counter);
  if (!counters) return refused(std::move(counters).error());
  auto instances = filter_of(path->instance);
  if (!instances) return refused({.detail = excerpt(path->instance) + ' ' + instances.error()});
  RecordedPath selected{.track = *track, .counters = *std::move(counters)};
  selected.names_instance = !path->instance.empty() && !is_pattern(path->instance);
  if (!instances->accepts_all())
    selected.instances = [filter = *std::move(instances)](const InstanceSchema& instance) {
      return filter.check(display_name(instance)).accepted;
    };
  return selected;
}

}  // namespace winperf::api
