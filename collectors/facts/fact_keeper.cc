#include "collectors/facts/fact_keeper.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

// The rows that a filter admits, including rows with an unknown name.
FactTable filtered(FactTable table, FactTopic topic, const Filter& filter) {
  const std::string_view name = info_of(topic).row_name;
  if (name.empty() || filter.accepts_all()) return table;
  std::erase_if(table.rows, [&](const FactRow& row) {
    return row.find(name) != nullptr && !filter.check(row.text_of(name)).accepted;
  });
  return table;
}

}  // namespace

FactKeeper::FactKeeper(FactSource& source, FactSlot& slot, std::vector<PlannedFacts> plan,
                       std::function<SteadyTime()> now, FactObserver observer)
    : source_(&source), slot_(slot), now_(std::move(now)), observer_(std::move(observer)) {
  change_plan(std::move(plan));
}

void FactKeeper::change_plan(std::vector<PlannedFacts> plan) {
  const SteadyTime now = now_();
  std::vector<Topic> topics;
  for (PlannedFacts& planned : plan) {
    const auto same = std::ranges::find(topics_, planned, &Topic::plan);
    if (same != topics_.end()) {
      topics.push_back(*same);
      continue;
    }
    FactState state{.topic = planned.request.topic, .stale_after = planned.stale_after};
    topics.push_back({.plan = std::move(planned), .state = std::move(state), .due = now});
  }
  topics_ = std::move(topics);
  publish();
}

SteadyTime FactKeeper::step(const StopToken& stop) {
  for (Topic& topic : topics_) {
    if (stop.stop_requested()) break;
    const SteadyTime now = now_();
    if (topic.due > now) continue;
    const bool is_first = topic.state.attempts == 0;
    read(topic, stop);
    // Missed readings are skipped.
    topic.due = std::max(topic.due + topic.plan.interval, now_());
    if (is_first) topic.due += kBesideSamples;
    publish();
  }
  SteadyTime next = SteadyTime::max();
  for (const Topic& topic : topics_) next = std::min(next, topic.due);
  if (source_->rest_until(next)) publish();
  return next;
}

void FactKeeper::read(Topic& topic, const StopToken& stop) {
  FactState& state = topic.state;
  const SteadyTime began = now_();
  auto table = source_->read(topic.plan.request, stop);
  const SteadyTime ended = now_();
  if (!table && table.error().code == ErrorCode::kCancelled) return;
  ++state.attempts;
  state.duration_seconds = std::chrono::duration<double>(ended - began).count();
  const std::optional<Error> error =
      table ? std::nullopt : std::optional<Error>(std::move(table).error());
  const bool is_news =
      error.has_value() != state.error.has_value() || (error && error->code != state.error->code);
  state.success = !error;
  state.error = error;
  if (table) {
    state.table = std::make_shared<const FactTable>(
        filtered(*std::move(table), state.topic, topic.plan.request.rows));
    state.read_at = ended;
  }
  if (is_news && observer_) observer_(state.topic, error ? &*error : nullptr);
}

void FactKeeper::publish() {
  auto snapshot = std::make_shared<FactSnapshot>();
  for (const Topic& topic : topics_) snapshot->topics.push_back(topic.state);
  for (const WorkerView* const worker : source_->workers())
    snapshot->workers.push_back(worker->state());
  slot_.publish(std::move(snapshot));
}

}  // namespace winperf
