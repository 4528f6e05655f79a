#include "exporter/http/answer_pool.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

namespace winperf {

AnswerQueue::AnswerQueue(std::size_t threads, std::size_t most)
    : half_(std::max<std::size_t>(threads / 2, 1)),
      all_but_one_(threads > 1 ? threads - 1 : 1),
      most_(most) {}

// Everything that may throw precedes any change, except for adding a sender without jobs.
AnswerQueue::Jobs AnswerQueue::add(AnswerJob job) {
  const NetAddress network = job.from.network;
  const std::size_t effort = index_of(job.effort);
  const std::size_t group = job.from.was_answered ? 1 : 0;
  Circle place{network};
  Jobs added;
  added.push_back(std::move(job));
  Line& line = senders_[network].lines.at(effort);
  Circle& circle = circles_.at(effort);
  if (line.size() == 0) circle.splice(circle.end(), place);
  line.jobs.at(group).splice(line.jobs.at(group).end(), added);
  return ++size_ > most_ ? shed(network) : Jobs();
}

// On a tie, the newcomer loses.
AnswerQueue::Jobs AnswerQueue::shed(const NetAddress& newcomer) {
  auto most = senders_.find(newcomer);
  for (auto sender = senders_.begin(); sender != senders_.end(); ++sender)
    if (sender->second.waiting() > most->second.waiting()) most = sender;
  Effort effort = Effort::kPlain;
  auto& lines = most->second.lines;
  for (const Effort other : kAllEfforts)
    if (lines.at(index_of(other)).size() >= lines.at(index_of(effort)).size()) effort = other;
  auto& [others, answered_before] = lines.at(index_of(effort)).jobs;
  Jobs& longest = others.size() >= answered_before.size() ? others : answered_before;
  Jobs gone;
  gone.splice(gone.end(), longest, std::prev(longest.end()));
  --size_;
  leave_if_empty(NetAddress(most->first), effort);
  return gone;
}

void AnswerQueue::leave_if_empty(const NetAddress& network, Effort effort) {
  const auto sender = senders_.find(network);
  if (sender->second.lines.at(index_of(effort)).size() == 0)
    circles_.at(index_of(effort)).remove(network);
  if (sender->second.waiting() == 0 && sender->second.in_the_making == 0) senders_.erase(sender);
}

bool AnswerQueue::may_begin(Effort effort) const {
  if (circles_.at(index_of(effort)).empty()) return false;
  if (effort == Effort::kPlain) return true;
  const std::size_t not_plain =
      in_the_making_.at(index_of(Effort::kCostly)) + in_the_making_.at(index_of(Effort::kSlow));
  return in_the_making_.at(index_of(effort)) < half_ && not_plain < all_but_one_;
}

// Every other one is plain; of the others, the one that was begun longest ago.
std::optional<Effort> AnswerQueue::next_effort() const {
  std::optional<Effort> other;
  for (const Effort effort : {Effort::kCostly, Effort::kSlow})
    if (may_begin(effort) && (!other || begun_.at(index_of(effort)) < begun_.at(index_of(*other))))
      other = effort;
  if (may_begin(Effort::kPlain) && (!last_was_plain_ || !other)) return Effort::kPlain;
  return other;
}

// Ends soon: at most one answer per thread is in the making.
AnswerQueue::Circle::iterator AnswerQueue::next_in(Circle& circle) {
  auto next = circle.begin();
  std::size_t fewest = senders_.find(*next)->second.in_the_making;
  for (auto one = std::next(next); fewest > 0 && one != circle.end(); ++one) {
    const std::size_t in_the_making = senders_.find(*one)->second.in_the_making;
    if (in_the_making >= fewest) continue;
    fewest = in_the_making;
    next = one;
  }
  return next;
}

AnswerQueue::Jobs AnswerQueue::take() {
  const auto effort = next_effort();
  if (!effort) return {};
  Circle& circle = circles_.at(index_of(*effort));
  const auto place = next_in(circle);
  Sender& sender = senders_.find(*place)->second;
  Line& line = sender.lines.at(index_of(*effort));
  auto& [others, answered_before] = line.jobs;
  const bool takes_others = answered_before.empty() || (line.others_are_next && !others.empty());
  line.others_are_next = !takes_others;
  Jobs& from = takes_others ? others : answered_before;
  Jobs taken;
  taken.splice(taken.end(), from, from.begin());
  --size_;
  ++sender.in_the_making;
  ++in_the_making_.at(index_of(*effort));
  begun_.at(index_of(*effort)) = ++begun_in_all_;
  last_was_plain_ = *effort == Effort::kPlain;
  if (line.size() == 0)
    circle.erase(place);
  else
    circle.splice(circle.end(), circle, place);
  return taken;
}

void AnswerQueue::done(const AnswerJob& job) {
  --in_the_making_.at(index_of(job.effort));
  const auto sender = senders_.find(job.from.network);
  --sender->second.in_the_making;
  if (sender->second.waiting() == 0 && sender->second.in_the_making == 0) senders_.erase(sender);
}

AnswerQueue::Jobs AnswerQueue::take_all() {
  Jobs all;
  for (auto& [network, sender] : senders_)
    for (Line& line : sender.lines)
      for (Jobs& jobs : line.jobs) all.splice(all.end(), jobs);
  for (Circle& circle : circles_) circle.clear();
  std::erase_if(senders_, [](const auto& entry) { return entry.second.in_the_making == 0; });
  size_ = 0;
  return all;
}

AnswerPool::AnswerPool(std::size_t threads, std::size_t queue) : waiting_(threads, queue) {
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    stop();  // those that have begun
    throw;
  }
}

void AnswerPool::submit(AnswerJob job) {
  AnswerQueue::Jobs refused;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_)
      refused.push_back(std::move(job));
    else
      refused = waiting_.add(std::move(job));
  }
  changed_.notify_one();
  for (const AnswerJob& one : refused) one.refuse();
}

std::size_t AnswerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void AnswerPool::stop() {
  AnswerQueue::Jobs forgotten;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    forgotten = waiting_.take_all();
  }
  forgotten.clear();
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

// A waiting job may have to leave free threads to others; the thread whose end changes that takes
// it.
void AnswerPool::work() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    AnswerQueue::Jobs taken = waiting_.take();
    if (taken.empty()) {
      changed_.wait(lock);
      continue;
    }
    lock.unlock();
    AnswerJob& job = taken.front();
    job.answer();
    job.answer = job.refuse = nullptr;  // what they hold goes before others have to wait for it
    lock.lock();
    waiting_.done(job);
  }
}

}  // namespace winperf
