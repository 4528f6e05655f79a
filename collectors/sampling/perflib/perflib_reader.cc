#include "collectors/sampling/perflib/perflib_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/wire/text.h"

namespace winperf {
namespace {

// The id of the counter with this name, if its value needs no other counter's.
std::optional<std::uint32_t> lone_counter(const V2Counterset& counterset, std::string_view name) {
  const auto named = std::ranges::find(counterset.counter_names, name,
                                       &std::pair<const std::uint32_t, std::string>::second);
  if (named == counterset.counter_names.end()) return std::nullopt;
  const v2::CounterRegistration* const counter = counterset.registration.find(named->first);
  const bool lone = counter != nullptr && !counter->base_id && !counter->perf_time_id &&
                    !counter->perf_freq_id && !counter->multi_id;
  return lone ? std::optional(counter->id) : std::nullopt;
}

}  // namespace

v2::CounterRequest make_request(const V2Counterset& counterset, const Selection& selection) {
  const v2::InstanceType type = counterset.registration.instance_type;
  v2::CounterRequest request{.counterset = counterset.registration.guid};
  if (selection.one_counter)
    request.counter_id =
        lone_counter(counterset, *selection.one_counter).value_or(v2::kAllCounters);
  const bool has_instances = v2::shows_instances(type) || v2::adds_instances_up(type);
  if (!has_instances) return request;
  request.instance_name = u"*";
  if (v2::adds_instances_up(type)) return request;
  if (!selection.instance_pattern.empty())
    request.instance_name = to_utf16(selection.instance_pattern);
  request.instance_id = selection.instance_id.value_or(v2::kAnyInstance);
  return request;
}

std::expected<PerflibReader::Reading, Error> PerflibReader::read(PerflibConnection& path,
                                                                 std::string_view name,
                                                                 std::vector<Error>& problems) {
  if (path.catalog_error() && path.catalog().generation() == 0)
    return std::unexpected(*path.catalog_error());
  const std::vector<Guid> guids = path.catalog().named(name);
  if (guids.empty()) {
    // It may be one of those whose name the system failed to give.
    return std::unexpected(path.catalog().failed_name().value_or(
        Error{.code = ErrorCode::kNotRegistered, .where = "counterset"}));
  }
  // Where two providers use one name, the first that the system names is kept.
  if (const auto followed = follow(path, guids.front(), problems); !followed)
    return std::unexpected(followed.error());

  const auto answer = path.session(interval_).answer(followed_->ticket);
  if (!answer && answer.error().code == ErrorCode::kNotRunning &&
      followed_->tracker.has_instances())
    return Reading{.sample = followed_->tracker.without_instances(), .bytes = 0};
  if (!answer) return std::unexpected(answer.error());
  if (answer->padding_left_out && !std::exchange(followed_->padding_reported, true))
    problems.push_back({.code = ErrorCode::kPaddingLeftOut,
                        .where = "v2.result",
                        .offset = answer->result.offset()});
  auto sample =
      followed_->tracker.update(answer->result, followed_->request, answer->clocks, problems);
  if (!sample) {
    // Perhaps the provider was installed anew and has changed what it registers.
    path.report_unknown();
    return std::unexpected(sample.error());
  }
  return Reading{.sample = *std::move(sample), .bytes = answer->bytes};
}

std::expected<void, Error> PerflibReader::follow(PerflibConnection& path, const Guid& guid,
                                                 std::vector<Error>& problems) {
  const auto counterset = path.catalog().counterset(guid);
  if (!counterset) return std::unexpected(counterset.error());
  if (followed_ && followed_->guid == guid) {
    if (followed_->counterset == *counterset) return {};
    if (same_registration(*followed_->counterset, **counterset)) {
      followed_->counterset = *counterset;
      return {};
    }
  }
  stop(path);
  PerflibSession& session = path.session(interval_);
  const v2::CounterRequest request = make_request(**counterset, selection_);
  followed_.emplace(Followed{.guid = guid,
                             .counterset = *counterset,
                             .request = request,
                             .ticket = session.subscribe(request),
                             .tracker = V2Tracker(*counterset, selection_)});
  problems.insert(problems.end(), (*counterset)->problems.begin(), (*counterset)->problems.end());
  return {};
}

void PerflibReader::stop(PerflibConnection& path) {
  if (followed_) path.session(interval_).unsubscribe(followed_->ticket);
  followed_.reset();
}

void PerflibReader::move_to(PerflibConnection& path, PerflibConnection::Interval interval) {
  if (followed_) {
    path.session(interval_).unsubscribe(followed_->ticket);
    followed_->ticket = path.session(interval).subscribe(followed_->request);
  }
  interval_ = interval;
}

}  // namespace winperf
