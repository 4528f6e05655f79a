#include "collectors/hosting/hosted_source.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/kept_text.h"
#include "collectors/hosting/library_owners.h"
#include "collectors/hosting/provider_error.h"
#include "collectors/hosting/soundness.h"
#include "collectors/sources/value_names.h"
#include "collectors/worker/reply_bytes.h"

namespace winperf {

std::expected<Reply, Error> SharedProviders::query(const ProviderRegistration& provider,
                                                   std::string_view value_name,
                                                   const StopToken& stop) {
  const char* const name = kept_text(title_of(provider), "provider");
  // Each has a deadline of its own, and rests alone.
  const auto reply = worker_.call({.operation = worker::Operation::kQuery,
                                   .text = std::string(value_name),
                                   .whose = provider.service},
                                  provider.service, stop);
  if (!reply) return std::unexpected(named_after(reply.error(), name));
  left_behind_ |= reply->left_behind;
  auto block = worker::copied(reply->parts.front(), name);
  if (!block) return std::unexpected(named_after(block.error(), name));
  Reply answer;
  answer.blocks.push_back(*std::move(block));
  return answer;
}

namespace {

// Whether what one worker made of all providers says that one of them has spoilt it for the others.
bool is_harm(const std::expected<Reply, Error>& reply) {
  if (reply) return !is_sound(*reply);
  const ErrorCode code = reply.error().code;
  return is_lost(code) || code == ErrorCode::kBufferLimit || kind_of(code) == ErrorKind::kCorrupt;
}

// In which modules a process was that ended badly, if that is known: " in ntdll.dll, ...".
std::string where_text(const std::vector<WorkerView*>& workers) {
  std::string text;
  for (WorkerView* const worker : workers)
    for (const WorkerTrace& trace : worker->take_traces())
      if (text.empty() && !trace.modules.empty()) text = " in " + describe(trace);
  return text;
}

bool is_cancelled(const std::expected<Reply, Error>& reply) {
  return !reply && reply.error().code == ErrorCode::kCancelled;
}

}  // namespace

std::expected<Reply, Error> HostedSource::query(std::string_view value_name, StopToken stop) {
  if (sharing_.mode() == Sharing::Mode::kTogether) return query_together(value_name, stop);
  regroup();
  if (sharing_.mode() == Sharing::Mode::kTogether) return query_together(value_name, stop);
  return query_parts(value_name, stop);
}

std::expected<Reply, Error> HostedSource::query_together(std::string_view value_name,
                                                         const StopToken& stop) {
  const auto before = now_();
  auto reply = whole_->query(value_name, stop);
  const std::string whose = accuse_by_traces(whole_health_.workers());
  const std::string left_over = whole_health_.take_left_over();  // of this call alone
  if (isolation_ == Isolation::kRegistry) return reply;
  if (is_harm(reply)) return query_after(reply, whose, value_name, stop);
  if (!whose.empty()) {
    part("a process of theirs has ended in " + whose);
  } else if (!left_over.empty()) {
    part("one of them has " + left_over);
  } else if (reply && is_slow(value_name, now_() - before)) {
    part("several of them wait for one that is slow");
  }
  return reply;
}

std::expected<Reply, Error> HostedSource::query_after(const std::expected<Reply, Error>& harm,
                                                      const std::string& whose,
                                                      std::string_view value_name,
                                                      const StopToken& stop) {
  const bool is_timeout = !harm && harm.error().code == ErrorCode::kTimedOut;
  if (is_timeout && whose.empty() && sharing_.forgives(now_())) {
    whole_health_.forget_losses();
    auto again = whole_->query(value_name, stop);
    const std::string whose_again = accuse_by_traces(whole_health_.workers());
    return is_harm(again) ? query_after(again, whose_again, value_name, stop) : again;
  }
  std::string why = harm ? "the objects of a reply can't be told apart" : describe(harm.error());
  part(whose.empty() ? std::move(why) : why + " in " + whose);
  return query_parts(value_name, stop, is_timeout ? &harm.error() : nullptr);
}

void HostedSource::part(std::string why) {
  sharing_.part(now_());
  news_.push_back({.change = SharingChange::kParted, .text = std::move(why)});
  whole_->release();  // hosts make the queries now
  static_cast<void>(accuse_by_traces(whole_health_.workers()));
}

std::string HostedSource::accuse_by_traces(const std::vector<WorkerView*>& workers,
                                           const ProviderRegistration* asked) {
  std::string whose;
  for (WorkerView* const worker : workers) {
    for (const WorkerTrace& trace : worker->take_traces()) {
      const std::string where = describe(trace);
      auto owners = owners_of(trace.modules, registrations());
      if (std::ranges::find(owners, asked) != owners.end()) owners = {asked};
      for (const ProviderRegistration* const owner : owners) {
        accuse(*owner, describe(trace.error) + " in " + where);
        whose += (whose.empty() ? "" : ", ") + library_file(*owner) + " (" + title_of(*owner) + ')';
      }
    }
  }
  return whose;
}

void HostedSource::accuse(const ProviderRegistration& provider, const std::string& what) {
  Harm& harm = harms_[provider.service];
  ++harm.times;
  harm.last = what;
  harm.library = library_file(provider);
  const bool is_news = sharing_.accuse(provider.service, now_()) || harm.times == 1;
  if (!is_news) return;
  std::string text = what;
  if (!harm.library.empty() && ascii_lower(what).find(harm.library) == std::string::npos)
    text += "; its library is " + harm.library;
  news_.push_back(
      {.change = SharingChange::kHarm, .provider = provider.service, .text = std::move(text)});
}

void HostedSource::regroup() {
  const auto now = now_();
  if (sharing_.pass(now)) {
    const bool is_all = sharing_.mode() == Sharing::Mode::kTogether;
    news_.push_back({.change = SharingChange::kTogether,
                     .text = is_all ? "all of them share one worker again"
                                    : "those that have done no harm share one worker again"});
    if (is_all) shared_.reset();
  }
  if (sharing_.mode() == Sharing::Mode::kParted) return;
  const bool is_all = sharing_.mode() == Sharing::Mode::kTogether;
  std::erase_if(hosts_, [&](const auto& host) {
    const bool goes = is_all || (!host.first.empty() && !sharing_.is_apart(host.first, now));
    if (goes && !host.first.empty()) {
      const ProviderState state = host.second->state();
      counts_[host.first].queries += state.queries;
      counts_[host.first].failures += state.failures;
    }
    return goes;
  });
}

bool HostedSource::is_slow(std::string_view value_name, std::chrono::steady_clock::duration took) {
  const auto objects = indices_in(value_name);
  if (!objects) return false;  // a listing, which nobody makes time after time
  const auto have_one_owner = [&] {
    return std::ranges::all_of(*objects, [&](ObjectIndex object) {
      return owner_of(object) == owner_of(objects->front());
    });
  };
  const auto known = slow_queries_.find(value_name);
  if (took <= kSlow || have_one_owner()) {
    if (known != slow_queries_.end()) slow_queries_.erase(known);
    return false;
  }
  if (known != slow_queries_.end()) return ++known->second >= kSlowTimes;
  if (slow_queries_.size() >= kMaxSlowQueries) slow_queries_.clear();
  slow_queries_.emplace(value_name, 1);
  return false;
}

std::expected<Reply, Error> HostedSource::query_parts(std::string_view value_name,
                                                      const StopToken& stop, const Error* loss) {
  const std::vector<Share> shares = shares_of(value_name);
  for (const Share& share : shares)
    if (share.host != nullptr && !share.is_next) share.host->begin(share.value_name, stop);
  Reply all;
  std::optional<Error> last;
  bool has_failed = false;  // the share before
  for (const Share& share : shares) {
    // Whoever doesn't answer one question isn't asked the next one.
    const bool is_given_up = share.is_next && has_failed;
    auto reply = is_given_up ? std::unexpected(*last) : finish(share, stop, loss);
    if (is_cancelled(reply)) return reply;
    has_failed = !reply;
    if (reply) {
      std::ranges::move(reply->blocks, std::back_inserter(all.blocks));
      continue;
    }
    last = reply.error();
    for (const ObjectIndex object : share.objects) all.missing.push_back({object, *last});
    if (share.objects.empty() && !is_given_up) all.missing.push_back({.reason = *last});
  }
  if (all.blocks.empty() && last) return std::unexpected(*last);
  return all;
}

std::expected<Reply, Error> HostedSource::finish(const Share& share, const StopToken& stop,
                                                 const Error* loss) {
  if (share.refused) return std::unexpected(*share.refused);
  if (share.host == nullptr) return ask_shared(share, stop);
  if (share.is_next) share.host->begin(share.value_name, stop);
  auto reply = share.host->finish(stop);
  if (reply && share.provider == nullptr)
    for (auto& [v1_only, rest] : rest_) rest.learn(share.value_name, *reply);
  if (const auto harm = share.host->take_harm(); harm && share.provider != nullptr)
    accuse(*share.provider, *harm + where_text(share.host->workers()));
  // All together have missed a deadline. Whoever is late now that they are parted has had it, too.
  if (loss == nullptr || reply || reply.error().code != ErrorCode::kPending ||
      !share.host->is_late(reply.error()))
    return reply;
  Error late = *loss;
  late.where = reply.error().where;
  return std::unexpected(late);
}

std::expected<Reply, Error> HostedSource::ask_shared(const Share& share, const StopToken& stop) {
  if (shared_ == nullptr) shared_ = make_.shared();
  const double busy_before = shared_->query_seconds();
  // Then it isn't asked, and the error is that of its last call, in which another one may have been
  // at fault.
  const bool rests = shared_->rests(*share.provider);
  auto reply = shared_->query(*share.provider, share.value_name, stop);
  if (rests) return reply;
  const std::string whose = accuse_by_traces({shared_->view()}, share.provider);
  if (const std::string left = shared_->take_left_over(); !left.empty())
    accuse(*share.provider, title_of(*share.provider) + ' ' + left);
  if (reply || !is_lost(reply.error().code)) {
    note_time(*share.provider,
              std::chrono::duration<double>(shared_->query_seconds() - busy_before));
  } else if (whose.empty()) {
    accuse(*share.provider, describe(reply.error()));
  }
  return reply;
}

void HostedSource::note_time(const ProviderRegistration& provider,
                             std::chrono::duration<double> took) {
  SlowCalls& calls = slow_in_shared_[provider.service];
  const std::uint64_t process = shared_->processes();
  if (calls.process != process) {
    calls = {.process = process};
    return;
  }
  calls.times = took > kSlow ? calls.times + 1 : 0;
  if (calls.times < kSlowTimes) return;
  calls.times = 0;
  accuse(provider, "it keeps the others waiting");
}

void HostedSource::take_back(Reply reply) {
  if (sharing_.mode() == Sharing::Mode::kTogether) whole_->take_back(std::move(reply));
}

void HostedSource::release() {
  whole_->release();
  for (const auto& [service, host] : hosts_) host->release();
  if (shared_ != nullptr) shared_->release();
  registrations_.reset();
  have_hosts_.clear();
  rest_.clear();
}

std::vector<WorkerView*> HostedSource::workers() {
  std::vector<WorkerView*> all = whole_health_.workers();
  if (shared_ != nullptr) all.push_back(shared_->view());
  for (const auto& [service, host] : hosts_)
    std::ranges::copy(host->workers(), std::back_inserter(all));
  return all;
}

std::vector<ProviderState> HostedSource::provider_states() {
  std::map<std::string, ProviderState> by_service;
  for (const auto& [service, host] : hosts_)
    if (!service.empty()) by_service[service] = host->state();
  const bool is_shared = sharing_.mode() != Sharing::Mode::kParted;
  const auto known = [&](const std::string& service) -> ProviderState& {
    const auto [entry, is_new] = by_service.try_emplace(service);
    if (is_new && is_shared) entry->second.standing = ProviderStanding::kShared;
    return entry->second;
  };
  // Counters go on when a provider gets a host again.
  for (const auto& [service, counts] : counts_) {
    ProviderState& state = known(service);
    state.queries += counts.queries;
    state.failures += counts.failures;
  }
  for (const auto& [service, harm] : harms_) {
    ProviderState& state = known(service);
    state.harms = harm.times;
    state.last_harm = harm.last;
    state.library = harm.library;
    state.apart_seconds = std::chrono::duration<double>(sharing_.left(service, now_())).count();
  }
  std::vector<ProviderState> states;
  for (auto& [service, state] : by_service) {
    state.provider = service;
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace winperf
