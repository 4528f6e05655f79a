#include "collectors/sampling/perflib/perflib_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/wire/text.h"

namespace winperf {
namespace {

// The id of the counter with this name, if its value needs no other counter's.
std::optional<std::uint32_t> lone_counter(const V2Counterset& counterset, std::string_view name) {
  std::optional<std::uint32_t> id;
  for (const auto* const names : {&counterset.counter_names, &counterset.local_counter_names})
    for (const auto& [known, text] : *names)
      if (!id && text == name) id = known;
  if (!id) return std::nullopt;
  const v2::CounterRegistration* const counter = counterset.registration.find(*id);
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

ReadResult PerflibReader::read(PerflibConnection& perflib, std::string_view name) {
  const auto guid = find(perflib, name);
  if (!guid) return std::unexpected(ReadFailure{.error = guid.error()});
  auto registration_problems = follow(perflib, *guid);
  if (!registration_problems)
    return std::unexpected(ReadFailure{.error = registration_problems.error()});
  return with_earlier(*std::move(registration_problems), read_followed(perflib));
}

std::expected<Guid, Error> PerflibReader::find(PerflibConnection& perflib, std::string_view name) {
  const V2Catalog& catalog = perflib.catalog();
  if (perflib.catalog_error() && catalog.generation() == 0)
    return std::unexpected(*perflib.catalog_error());
  const std::vector<Guid> guids = catalog.named(name);
  // If two providers use one name, the first one that the system lists is taken.
  if (!guids.empty()) return guids.front();
  // It may be one of those whose name the system failed to give.
  return std::unexpected(catalog.failed_name().value_or(
      Error{.code = ErrorCode::kNotRegistered, .where = "counterset"}));
}

ReadResult PerflibReader::read_followed(PerflibConnection& perflib) {
  const auto answer = perflib.answer(interval_, followed_->ticket);
  if (!answer && answer.error().code == ErrorCode::kNotRunning &&
      followed_->tracker.has_instances())
    return Reading{.sample = followed_->tracker.without_instances()};
  if (!answer) return std::unexpected(ReadFailure{.error = answer.error()});
  std::vector<Error> problems;
  if (answer->padding_left_out && !std::exchange(followed_->padding_reported, true))
    problems.push_back({.code = ErrorCode::kPaddingLeftOut,
                        .where = "v2.result",
                        .offset = answer->result.offset()});
  auto result = followed_->tracker.update(answer->result, followed_->request, answer->clocks);
  if (result)
    result->bytes = answer->bytes;
  else
    // Perhaps the provider was installed again and has changed its registration.
    perflib.report_unknown();
  return with_earlier(std::move(problems), std::move(result));
}

std::expected<std::vector<Error>, Error> PerflibReader::follow(PerflibConnection& perflib,
                                                               const Guid& guid) {
  const auto counterset = perflib.catalog().counterset(guid);
  if (!counterset) return std::unexpected(counterset.error());
  if (followed_ && followed_->guid == guid) {
    if (followed_->counterset == *counterset) return {};
    if (same_registration(*followed_->counterset, **counterset)) {
      followed_->counterset = *counterset;
      return {};
    }
  }
  stop(perflib);
  const v2::CounterRequest request = make_request(**counterset, selection_);
  followed_.emplace(Followed{.guid = guid,
                             .counterset = *counterset,
                             .request = request,
                             .ticket = perflib.subscribe(interval_, request),
                             .tracker = V2Tracker(*counterset, selection_)});
  return (*counterset)->problems;
}

void PerflibReader::stop(PerflibConnection& perflib) {
  if (followed_) perflib.unsubscribe(interval_, followed_->ticket);
  followed_.reset();
}

void PerflibReader::move_to(PerflibConnection& perflib, PerflibConnection::Interval interval) {
  if (followed_) {
    perflib.unsubscribe(interval_, followed_->ticket);
    followed_->ticket = perflib.subscribe(interval, followed_->request);
  }
  interval_ = interval;
}

}  // namespace winperf
