#include "exporter/http/event_streams.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "exporter/json/json_text.h"

namespace winperf {
namespace {

constexpr int kTooManyRequests = 429;
constexpr char kHeartbeat[] = ":\n\n";
// How long a browser waits before it connects again.
constexpr char kRetry[] = "retry: 2000\n\n";

std::string event_text(std::string_view id, std::string_view name, std::string_view data) {
  std::string text;
  if (!id.empty()) text.append("id: ").append(id).append("\n");
  return text.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
}

std::string lost_text(std::string_view reason) {
  std::string data;
  json::append_field(data, "{\"reason\":", reason);
  return event_text({}, "lost", data + '}');
}

// Nothing if the text is none of this run.
std::optional<SteadyTime> time_of_id(std::string_view id, std::string_view run) {
  if (!id.starts_with(run) || id.substr(run.size(), 1) != "-") return std::nullopt;
  const std::string_view digits = id.substr(run.size() + 1);
  std::int64_t nanoseconds = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), nanoseconds);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return SteadyTime(
      std::chrono::duration_cast<SteadyTime::duration>(std::chrono::nanoseconds(nanoseconds)));
}

api::Problem no_sample_yet() { return {.status = 503, .detail = "no sample has been taken yet"}; }

}  // namespace

EventStreams::EventStreams(EventStreamOptions options)
    : options_(std::move(options)),
      run_(std::to_string(std::chrono::system_clock::now().time_since_epoch().count())) {}

EventStreams::~EventStreams() {
  {
    const std::lock_guard lock(news_mutex_);
    is_stopped_ = true;
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::optional<api::Problem> EventStreams::why_refused(const MachineView& machine,
                                                      const api::Query& query) {
  const auto sample = machine.sample();
  if (sample == nullptr) return no_sample_yet();
  const auto selection = api::EventSelection::open(sample, query);
  return selection ? std::nullopt : std::optional(selection.error());
}

// From the moment on in which it joins its group, a stream gets what comes; what was before is read
// without holding up others.
std::expected<OpenedStream, api::Problem> EventStreams::open(const Machine& machine,
                                                             const api::Query& query,
                                                             std::string_view last_id,
                                                             const NetAddress& network) {
  auto stream = std::make_shared<AnswerStream>(options_.most_bytes);
  std::shared_ptr<const Sample> sample;
  {
    const std::lock_guard lock(groups_mutex_);
    push_news();
    forget_ended();
    if (auto full = why_full(network)) return std::unexpected(*std::move(full));
    const auto group = group_of(machine, query);
    if (!group) return std::unexpected(group.error());
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    (*group)->second.streams.push_back({.answer = stream, .network = network});
    ++count_;
    sample = (*group)->second.shown;
  }
  {
    const std::lock_guard lock(news_mutex_);
    has_streams_ = has_news_ = true;  // what was published meanwhile
  }
  news_.notify_all();
  auto selection = api::EventSelection::open(sample, query);
  if (!selection) return std::unexpected(std::move(selection.error()));
  return OpenedStream{.begin = beginning(*machine, *std::move(selection), sample, last_id),
                      .rest = std::move(stream)};
}

// So that one client leaves some to others.
std::optional<api::Problem> EventStreams::why_full(const NetAddress& network) const {
  std::size_t own = 0;
  for (const auto& [key, group] : groups_)
    own += static_cast<std::size_t>(
        std::ranges::count(group.streams, network, [](const Stream& one) { return one.network; }));
  if (count_ < options_.most && own < options_.most_of_one) return std::nullopt;
  const bool is_share = own >= options_.most_of_one;
  return api::Problem{.status = kTooManyRequests,
                      .detail = std::to_string(is_share ? own : options_.most) + " event streams " +
                                (is_share ? "of this network " : "") +
                                "are already open; close one, or ask for several paths at once"};
}

std::expected<EventStreams::Groups::iterator, api::Problem> EventStreams::group_of(
    const Machine& machine, const api::Query& query) {
  Groups::key_type key(machine, api::values_of(query, "path"));
  if (const auto found = groups_.find(key); found != groups_.end()) return found;
  auto sample = machine->sample();
  if (sample == nullptr) return std::unexpected(no_sample_yet());
  auto selection = api::EventSelection::open(sample, query);
  if (!selection) return std::unexpected(std::move(selection.error()));
  static_cast<void>(selection->event(sample));
  Group group{.selection = *std::move(selection), .shown = std::move(sample), .streams = {}};
  return groups_.emplace(std::move(key), std::move(group)).first;
}

// What was missed, and then the sample that the others of its group have seen last.
std::string EventStreams::beginning(const MachineView& machine, api::EventSelection selection,
                                    const std::shared_ptr<const Sample>& sample,
                                    std::string_view last_id) const {
  std::string text = kRetry;
  if (!last_id.empty()) {
    SteadyTime after = SteadyTime::min();
    const SteadyTime until = api::EventSelection(selection).event(sample).at;
    text += missed(machine, selection, after, until, last_id);
    selection.skip(after);
  }
  return text + text_of(selection.event(sample));
}

// `after`: the time of the newest event that the client has then. What is newer than `until` comes
// with the stream.
std::string EventStreams::missed(const MachineView& machine, const api::EventSelection& selection,
                                 SteadyTime& after, SteadyTime until,
                                 std::string_view last_id) const {
  const auto last = time_of_id(last_id, run_);
  if (!last) return lost_text("the id is none of this run of the program");
  const Instant now = options_.now();
  after = std::min(*last, now.steady);
  const auto history = machine.history();
  if (history == nullptr) return lost_text("nothing has been recorded");
  const auto found = api::missed_events(*history, selection, after, now);
  std::string text = found.lost.empty() ? std::string() : lost_text(found.lost);
  for (const api::Event& event : found.events) {
    if (event.at > until) break;
    text += text_of(event);
    after = std::max(after, event.at);
  }
  return text;
}

// Empty if there is nothing new.
std::string EventStreams::text_of(const api::Event& event) const {
  if (event.document.empty()) return {};
  // That a counterset fails is no sample.
  if (event.at == SteadyTime{}) return event_text({}, "sample", event.document);
  const auto time =
      std::chrono::duration_cast<std::chrono::nanoseconds>(event.at.time_since_epoch());
  return event_text(run_ + '-' + std::to_string(time.count()), "sample", event.document);
}

void EventStreams::note_sample() {
  {
    const std::lock_guard lock(news_mutex_);
    if (!has_streams_) return;
    has_news_ = true;
  }
  news_.notify_all();
}

void EventStreams::run() {
  Time due;
  std::unique_lock lock(news_mutex_);
  while (!is_stopped_) {
    const auto is_woken = [&] { return has_news_ || is_stopped_; };
    if (has_streams_)
      news_.wait_until(lock, due, is_woken);
    else
      news_.wait(lock, is_woken);
    has_news_ = false;
    lock.unlock();
    const std::lock_guard groups(groups_mutex_);
    push_news();
    forget_ended();
    due = next_heartbeat();
    lock.lock();
    has_streams_ = has_streams_ && !groups_.empty();
  }
}

EventStreams::Time EventStreams::next_heartbeat() const {
  Time first = Time::max();
  for (const auto& [key, group] : groups_) first = std::min(first, group.pushed_at);
  return first == Time::max() ? first : first + options_.heartbeat;
}

void EventStreams::push_news() {
  const auto now = std::chrono::steady_clock::now();
  for (auto& [key, group] : groups_) {
    const MachineView& machine = *key.first;
    machine.note_use();
    std::string text = news_of(machine, group);
    // A stream of countersets that are rarely sampled has heartbeats between their samples.
    if (text.empty() && now - group.pushed_at >= options_.heartbeat) text = kHeartbeat;
    if (machine.is_retired()) text += lost_text("this target is no longer sampled");
    if (text.empty()) continue;
    group.pushed_at = now;
    push(group, std::move(text));
    if (machine.is_retired()) end(group);
  }
}

// Empty if there are none.
std::string EventStreams::news_of(const MachineView& machine, Group& group) const {
  const auto sample = machine.sample();
  if (sample == nullptr || group.shown == sample) return {};
  group.shown = sample;
  return text_of(group.selection.event(sample));
}

// A client that connects again is told what has become of the machine.
void EventStreams::end(Group& group) {
  for (const auto& one : group.streams)
    if (const auto stream = one.answer.lock()) stream->end();
}

void EventStreams::push(Group& group, const SharedText& text) {
  for (const auto& one : group.streams)
    if (const auto stream = one.answer.lock()) stream->push(text);
}

void EventStreams::forget_ended() {
  for (auto& [key, group] : groups_)
    count_ -= std::erase_if(group.streams, [](const Stream& one) { return one.answer.expired(); });
  std::erase_if(groups_, [](const auto& group) { return group.second.streams.empty(); });
}

}  // namespace winperf
