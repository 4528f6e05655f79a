#include "collectors/sampling/perflib/perflib_connection.h"

#include <algorithm>
#include <utility>

namespace winperf {
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
  auto found = together_.find(due_);
  if (found != together_.end() && found->second.subscriptions != subscriptions_) {
    together_.erase(found);
    found = together_.end();
  }
  if (found == together_.end()) {
    // What was made for other countersets, or for a rare coincidence, is of no more use.
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

}  // namespace winperf
