#include "collectors/sampling/perflib/perflib_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/wire/text.h"

namespace winperf {

PerflibSession::Ticket PerflibSession::subscribe(const v2::CounterRequest& request) {
  for (auto& [ticket, entry] : entries_) {
    if (!v2::alike(entry.request, request)) continue;
    ++entry.subscribers;
    return ticket;
  }
  const Ticket ticket{next_ticket_++};
  entries_[ticket].request = request;
  is_settled_ = false;
  round_.reset();
  return ticket;
}

void PerflibSession::unsubscribe(Ticket ticket) {
  const auto found = entries_.find(ticket);
  if (found == entries_.end() || --found->second.subscribers != 0) return;
  entries_.erase(found);
  is_settled_ = false;
  round_.reset();
  if (entries_.empty()) close();
}

std::expected<PerflibSession::Answer, Error> PerflibSession::answer(Ticket ticket) {
  Entry& entry = entries_.at(ticket);
  // Not in the round in which it was lost.
  if (entry.is_left_out && !round_error()) try_alone(entry);
  if (entry.is_left_out) return std::unexpected(entry.place.error());
  if (!round_) {
    round_ = ask();
    if (round_->error && is_not_open(*round_->error)) round_ = ask();
  }
  if (round_->error) return std::unexpected(*round_->error);
  if (!entry.place) return std::unexpected(entry.place.error());
  const auto position = *entry.place;
  if (!position || *position >= round_->results.size())
    return std::unexpected(Error{.code = ErrorCode::kBadCount,
                                 .where = "v2.result",
                                 .actual = position.value_or(0),
                                 .limit = round_->results.size()});
  const auto& result = round_->results[*position];
  if (!result) return std::unexpected(result.error());
  return Answer{.result = *result,
                .clocks = round_->clocks,
                .bytes = round_->bytes.size(),
                .padding_left_out = round_->padding_left_out || result->padding_left_out()};
}

PerflibSession::Round PerflibSession::ask() {
  Round round;
  const auto fail = [&round, this](const Error& error) {
    round.error = error;
    is_open_ = is_settled_ = false;
    return std::move(round);
  };
  if (!is_settled_)
    if (const auto opened = open(); !opened) return fail(opened.error());
  if (std::ranges::none_of(entries_,
                           [](const auto& entry) { return entry.second.place.has_value(); }))
    return round;

  auto bytes = source_.collect(set_);
  if (!bytes) return fail(bytes.error());
  round.bytes = *std::move(bytes);
  const auto data = v2::DataView::parse(round.bytes);
  if (!data) {
    // The set is well; only this answer is corrupt.
    round.error = data.error();
    return round;
  }
  round.clocks = data->clocks();
  v2::ResultWalk walk = data->results();
  while (const auto result = walk.next()) round.results.push_back(*result);
  round.padding_left_out = walk.padding_left_out();
  return round;
}

std::expected<void, Error> PerflibSession::open() {
  std::vector<Entry*> wanted;
  for (auto& [ticket, entry] : entries_)
    if (!entry.is_left_out) wanted.push_back(&entry);
  const std::uint64_t losses = source_.losses();
  auto opened = opens_one_by_one_ ? open_one_by_one(wanted) : open(wanted);
  if (!opened && is_lost(opened.error().code) && entries_.size() > 1) {
    // A call that was lost in an earlier round, and isn't retried yet, costs no process now.
    if (!std::exchange(opens_one_by_one_, true) && source_.losses() == losses)
      opened = open_one_by_one(wanted);
  }
  if (!opened) return opened;
  is_settled_ = std::ranges::all_of(
      wanted, [](const Entry* entry) { return entry->place.value_or(std::nullopt).has_value(); });
  return {};
}

std::expected<void, Error> PerflibSession::open_one_by_one(std::span<Entry* const> wanted) {
  std::vector<Entry*> entries;
  bool is_whole = true;
  for (Entry* const next : wanted) {
    const std::uint64_t losses = source_.losses();
    entries.push_back(next);
    is_whole = true;
    const auto opened = open(entries);
    if (opened) continue;
    if (!is_lost(opened.error().code)) return opened;
    entries.pop_back();
    next->place = std::unexpected(opened.error());
    next->is_left_out = source_.losses() != losses;
    if (next->is_left_out) return opened;
    is_whole = false;
  }
  opens_one_by_one_ = entries.size() < wanted.size();
  return is_whole ? std::expected<void, Error>() : open(entries);
}

std::expected<void, Error> PerflibSession::open(std::span<Entry* const> entries) {
  if (entries.empty()) {
    close();
    return {};
  }
  std::vector<v2::CounterRequest> requests;
  for (const Entry* const entry : entries) requests.push_back(entry->request);
  const auto places = source_.open(set_, requests);
  if (!places) return std::unexpected(places.error());
  for (std::size_t i = 0; i < places->size(); ++i) entries[i]->place = (*places)[i];
  is_open_ = true;
  return {};
}

// It may be lost again. A call that the worker doesn't retry yet fails without that.
void PerflibSession::try_alone(Entry& entry) {
  const auto places = source_.open(alone_, {&entry.request, 1});
  if (!places) {
    entry.place = std::unexpected(places.error());
    return;
  }
  source_.close(alone_);
  entry.is_left_out = is_settled_ = false;
}

bool PerflibSession::leaves_out() const {
  return std::ranges::any_of(entries_, [](const auto& entry) { return entry.second.is_left_out; });
}

void PerflibSession::close() {
  if (std::exchange(is_open_, false)) source_.close(set_);
}

namespace {
constexpr std::chrono::minutes kRefreshInterval{5};
constexpr std::chrono::minutes kUnknownRefreshInterval{1};
constexpr std::chrono::seconds kFirstNameDelay{5};
constexpr std::chrono::minutes kApart{1};  // after something went wrong with several together
constexpr std::size_t kMaxTogether = 8;    // sets
}  // namespace

PerflibConnection::PerflibConnection(PerflibSource& source, Language names, Time now)
    : source_(source), catalog_(source, names), names_delay_(kFirstNameDelay, kRefreshInterval) {
  refresh(now);
}

void PerflibConnection::begin_round(Time now, std::span<const Interval> due) {
  now_ = now;
  const auto age = now - refreshed_at_;
  if (age >= kRefreshInterval || (unknown_reported_ && age >= kUnknownRefreshInterval))
    refresh(now);
  else if (catalog_.failed_name() && now - names_asked_at_ >= names_delay_.length())
    retry_names(now);
  for (auto& [interval, session] : sessions_) session.begin_round();
  for (auto& [intervals, all] : together_) all.session.begin_round();
  due_.assign(due.begin(), due.end());
  std::ranges::sort(due_);
  due_.erase(std::ranges::unique(due_).begin(), due_.end());
}

void PerflibConnection::refresh(Time now) {
  refreshed_at_ = now;
  unknown_reported_ = false;
  const auto refreshed = catalog_.refresh();
  catalog_error_ = refreshed ? std::nullopt : std::optional(refreshed.error());
  if (catalog_error_) unknown_reported_ = true;
  names_asked_at_ = now;
  names_delay_.reset();
  names_delay_.next();
}

void PerflibConnection::retry_names(Time now) {
  catalog_.retry_names();
  names_asked_at_ = now;
  names_delay_.next();
}

PerflibSession& PerflibConnection::session(Interval interval) {
  return sessions_.try_emplace(interval, source_).first->second;
}

PerflibConnection::Ticket PerflibConnection::subscribe(Interval interval,
                                                       const v2::CounterRequest& request) {
  ++subscriptions_;
  return session(interval).subscribe(request);
}

void PerflibConnection::unsubscribe(Interval interval, Ticket ticket) {
  ++subscriptions_;
  session(interval).unsubscribe(ticket);
}

std::expected<PerflibSession::Answer, Error> PerflibConnection::answer(Interval interval,
                                                                       Ticket ticket) {
  if (Together* const all = together(interval)) {
    auto answer = all->session.answer(all->tickets.at({interval, ticket}));
    const auto failed = all->session.round_error();
    if (!failed) return answer;
    apart_until_ = now_ + kApart;
    if (is_lost(failed->code) || is_of_start(failed->code)) return answer;
  }
  return session(interval).answer(ticket);
}

PerflibConnection::Together* PerflibConnection::together(Interval interval) {
  if (now_ < apart_until_) return nullptr;
  std::erase_if(due_, [this](Interval due) { return session(due).empty(); });
  if (due_.size() < 2 || !std::ranges::binary_search(due_, interval)) return nullptr;
  if (std::ranges::any_of(due_, [this](Interval due) { return session(due).leaves_out(); }))
    return nullptr;
  auto found = together_.find(due_);
  if (found != together_.end() && found->second.subscriptions != subscriptions_) {
    together_.erase(found);
    found = together_.end();
  }
  if (found == together_.end()) {
    // Sessions for other countersets, or for rare combinations, are no longer useful.
    if (together_.size() >= kMaxTogether) together_.clear();
    found = together_.try_emplace(due_, source_).first;
    found->second.subscriptions = subscriptions_;
    for (const Interval due : due_) {
      sessions_.at(due).for_each_request([&](Ticket own, const v2::CounterRequest& request) {
        found->second.tickets[{due, own}] = found->second.session.subscribe(request);
      });
    }
  }
  return &found->second;
}

void PerflibConnection::release() {
  sessions_.clear();
  together_.clear();
}

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
