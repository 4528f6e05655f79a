#include "collectors/hosting/hosted_source.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/kept_text.h"
#include "collectors/hosting/soundness.h"
#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

// The end of all names of listings but those of costly objects.
constexpr std::string_view kGlobal = "Global";

// Whether what one worker made of all providers says that one of them has spoilt it for the others.
bool is_harm(const std::expected<Reply, Error>& reply) {
  if (reply) return !is_sound(*reply);
  const ErrorCode code = reply.error().code;
  return is_lost(code) || code == ErrorCode::kBufferLimit || kind_of(code) == ErrorKind::kCorrupt;
}

constexpr Error kTooMany{.code = ErrorCode::kLimitExceeded,
                         .where = "provider hosts",
                         .actual = HostedSource::kMaxHosts + 1,
                         .limit = HostedSource::kMaxHosts};

// For people, and for ever.
const char* name_of(const ProviderRegistration& provider, const char* otherwise) {
  return kept_text(title_of(provider), otherwise);
}

// All together have missed a deadline. Whoever is late now that they are parted has had it, too.
void blame_who_is_late(std::expected<Reply, Error>& parted, const Error& loss) {
  const auto blame = [&loss](Error& error) {
    if (error.code != ErrorCode::kPending) return;
    const char* const who = error.where;
    error = loss;
    error.where = who;
  };
  if (!parted) return blame(parted.error());
  for (MissingObject& missing : parted->missing) blame(missing.reason);
}

bool is_cancelled(const std::expected<Reply, Error>& reply) {
  return !reply && reply.error().code == ErrorCode::kCancelled;
}

}  // namespace

std::expected<Reply, Error> HostedSource::query(std::string_view value_name, StopToken stop) {
  if (is_parted()) return query_hosts(value_name, stop);
  const auto before = now_();
  auto reply = whole_->query(value_name, stop);
  if (isolation_ == Isolation::kRegistry) return reply;
  if (is_harm(reply)) {
    part(reply ? "the objects of a reply can't be told apart" : describe(reply.error()));
    auto parted = query_hosts(value_name, stop);
    if (!reply && reply.error().code == ErrorCode::kTimedOut)
      blame_who_is_late(parted, reply.error());
    return parted;
  }
  if (reply && is_slow(value_name, now_() - before))
    part("several of them wait for one that is slow");
  return reply;
}

void HostedSource::part(std::string why) {
  was_harmed_ = true;
  parting_ = std::move(why);
  whole_->release();  // hosts make the queries now
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

std::expected<Reply, Error> HostedSource::query_hosts(std::string_view value_name,
                                                      const StopToken& stop) {
  const std::vector<Share> shares = shares_of(value_name);
  for (const Share& share : shares)
    if (share.host != nullptr) share.host->begin(share.value_name, stop);
  Reply all;
  std::optional<Error> last;
  for (const Share& share : shares) {
    auto reply = share.host != nullptr ? share.host->finish(stop)
                                       : std::expected<Reply, Error>(std::unexpect, *share.refused);
    if (is_cancelled(reply)) return reply;
    if (reply) {
      std::ranges::move(reply->blocks, std::back_inserter(all.blocks));
      continue;
    }
    last = reply.error();
    for (const ObjectIndex object : share.objects) all.missing.push_back({object, *last});
    if (share.objects.empty()) all.missing.push_back({.reason = *last});
  }
  if (all.blocks.empty() && last) return std::unexpected(*last);
  return all;
}

std::vector<HostedSource::Share> HostedSource::shares_of(std::string_view value_name) {
  const auto objects = indices_in(value_name);
  if (!objects) return shares_of_listing(value_name);
  std::vector<Share> shares;
  for (const ObjectIndex object : *objects) {
    const Share mine = share_of(owner_of(object));
    auto share = std::ranges::find_if(shares, [&](const Share& other) {
      return other.host == mine.host && other.refused == mine.refused;
    });
    if (share == shares.end()) share = shares.insert(share, mine);
    share->objects.push_back(object);
  }
  for (Share& share : shares) share.value_name = index_list(share.objects);
  return shares;
}

std::vector<HostedSource::Share> HostedSource::shares_of_listing(std::string_view value_name) {
  std::vector<Share> shares;
  std::vector<ObjectIndex> without_host;
  for (const ProviderRegistration& provider : registrations()) {
    if (provider.disabled || is_left_out(provider)) continue;
    if (has_host(provider)) {
      shares.push_back(share_of(&provider));
      shares.back().value_name = value_name;
    } else {
      without_host.insert(without_host.end(), provider.objects.begin(), provider.objects.end());
    }
  }
  // Asked of all providers together, the listing itself would load those that have hosts.
  if (value_name.ends_with(kGlobal) && !without_host.empty()) {
    shares.push_back(share_of(nullptr));
    shares.back().objects = without_host;
    shares.back().value_name = index_list(without_host);
  }
  return shares;
}

bool HostedSource::has_host(const ProviderRegistration& provider) {
  const auto known = have_hosts_.find(provider.service);
  if (known != have_hosts_.end()) return known->second;
  const bool has = !needs_perf_host(machine_->library_head(provider));
  return have_hosts_.emplace(provider.service, has).first->second;
}

const std::vector<ProviderRegistration>& HostedSource::registrations() {
  if (!registrations_) registrations_ = machine_->registrations();
  return *registrations_;
}

const ProviderRegistration* HostedSource::owner_of(ObjectIndex object) {
  // A list says more than a range, whichever provider comes first.
  for (const bool by_list : {true, false})
    for (const ProviderRegistration& provider : registrations())
      if (!provider.disabled && provider.objects.empty() != by_list && supplies(provider, object))
        return &provider;
  return nullptr;
}

bool HostedSource::is_left_out(const ProviderRegistration& provider) const {
  return std::ranges::any_of(left_out_, [&](const std::string& service) {
    return equal_names(service, provider.service);
  });
}

HostedSource::Share HostedSource::share_of(const ProviderRegistration* provider) {
  if (provider != nullptr && is_left_out(*provider))
    return {.refused = Error{.code = ErrorCode::kLeftOut, .where = name_of(*provider, "provider")}};
  if (provider != nullptr && !has_host(*provider)) provider = nullptr;
  const std::string service = provider != nullptr ? provider->service : std::string();
  const auto known = hosts_.find(service);
  if (known != hosts_.end()) return {.host = known->second.get()};
  if (hosts_.size() >= kMaxHosts) return {.refused = kTooMany};
  return {.host = hosts_.emplace(service, make_host_(provider)).first->second.get()};
}

void HostedSource::take_back(Reply reply) {
  if (!is_parted()) whole_->take_back(std::move(reply));
}

void HostedSource::release() {
  whole_->release();
  for (const auto& [service, host] : hosts_) host->release();
  registrations_.reset();
  have_hosts_.clear();
}

std::vector<WorkerView*> HostedSource::workers() {
  std::vector<WorkerView*> all = whole_->workers();
  for (const auto& [service, host] : hosts_)
    std::ranges::copy(host->workers(), std::back_inserter(all));
  return all;
}

std::vector<ProviderState> HostedSource::provider_states() {
  std::vector<ProviderState> states;
  for (const auto& [service, host] : hosts_) {
    if (service.empty()) continue;
    states.push_back(host->state());
    states.back().provider = service;
  }
  return states;
}

const char* HostedSource::supplier_of(ObjectIndex object) {
  const ProviderRegistration* const owner = owner_of(object);
  return owner != nullptr ? name_of(*owner, nullptr) : nullptr;
}

}  // namespace winperf
