#include "collectors/hosting/hosted_source.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/file_failure.h"
#include "collectors/sources/value_names.h"

namespace winperf {

bool Sharing::pass(Time now) {
  if (isolation_ != Isolation::kAuto || mode_ == Mode::kTogether) return false;
  if (mode_ == Mode::kIsolated && now - quiet_since_ < quiet_.length()) return false;
  const bool any_isolated =
      std::ranges::any_of(terms_, [now](const auto& one) { return one.second.until > now; });
  const Mode next = any_isolated ? Mode::kFaultless : Mode::kTogether;
  if (next == mode_) return false;
  mode_ = next;
  rejoined_at_ = now;
  return true;
}

void Sharing::isolate_all(Time now) {
  mode_ = Mode::kIsolated;
  const bool is_soon_again = rejoined_at_ && now - *rejoined_at_ < kLastQuiet;
  if (!is_soon_again) quiet_.reset();
  quiet_.next();
  quiet_since_ = now;
}

bool Sharing::record_fault(std::string_view service, Time now) {
  const auto known = terms_.find(service);
  Term& term = known != terms_.end() ? known->second : terms_[std::string(service)];
  const bool was_with_others = term.until <= now;
  if (now - term.until >= kLastTerm) term.length.reset();
  if (was_with_others) {
    term.length.next();
    quiet_since_ = now;
  }
  term.until = now + term.length.length();
  return was_with_others;
}

bool Sharing::is_isolated(std::string_view service, Time now) const {
  return mode_ == Mode::kIsolated || left(service, now) > Time::duration::zero();
}

Sharing::Time::duration Sharing::left(std::string_view service, Time now) const {
  const auto known = terms_.find(service);
  return known != terms_.end() && known->second.until > now ? known->second.until - now
                                                            : Time::duration::zero();
}

bool Sharing::forgives(Time now) {
  if (forgave_at_ && now - *forgave_at_ < kForgiveness) return false;
  forgave_at_ = now;
  return true;
}

namespace {

// Whether the reply of the shared worker shows that one provider has damaged it.
bool is_harm(const std::expected<Reply, Error>& reply) {
  if (reply) return !reply->blocks.is_sound();
  const ErrorCode code = reply.error().code;
  return is_lost(code) || code == ErrorCode::kBufferLimit || kind_of(code) == ErrorKind::kCorrupt;
}

// The modules in which a process ended badly, if known: " in ntdll.dll, ...".
std::string where_text(const std::vector<WorkerView*>& workers) {
  std::string text;
  for (WorkerView* const worker : workers)
    for (const WorkerTrace& trace : worker->take_traces())
      if (text.empty() && !trace.modules.empty()) text = " in " + describe(trace);
  return text;
}

}  // namespace

std::expected<Reply, Error> HostedSource::query(std::string_view value_name, StopToken stop) {
  if (sharing_.mode() != Sharing::Mode::kTogether) regroup();
  return sharing_.mode() == Sharing::Mode::kTogether ? query_together(value_name, stop)
                                                     : query_parts(value_name, stop);
}

std::expected<Reply, Error> HostedSource::query_together(std::string_view value_name,
                                                         const StopToken& stop) {
  const auto before = now_();
  auto reply = whole_->query(value_name, stop);
  // A trace names the culprit's library. Without one the culprit of a lost query is unknown, and
  // all providers are isolated to find it.
  const std::string whose = record_faults_by_traces(whole_health_.workers());
  const std::string side_effects = whole_health_.take_side_effect_text();  // of this call only
  if (isolation_ == Isolation::kRegistry) return reply;
  if (is_harm(reply)) return query_after(reply, whose, value_name, stop);
  if (!whose.empty()) {
    isolate_all("a shared worker crashed in " + whose);
  } else if (!side_effects.empty()) {
    isolate_all("one of them " + side_effects);
  } else if (reply && is_slow(value_name, now_() - before)) {
    isolate_all("one of them is slow and delays the others");
  }
  return reply;
}

std::expected<Reply, Error> HostedSource::query_after(const std::expected<Reply, Error>& harm,
                                                      const std::string& whose,
                                                      std::string_view value_name,
                                                      const StopToken& stop) {
  const bool is_timeout = !harm && harm.error().code == ErrorCode::kTimedOut;
  // A machine that is busy for a moment looks like a hanging provider. A second hang isn't a
  // coincidence.
  if (is_timeout && whose.empty() && sharing_.forgives(now_())) {
    whole_health_.forget_losses();
    auto again = whole_->query(value_name, stop);
    const std::string whose_again = record_faults_by_traces(whole_health_.workers());
    return is_harm(again) ? query_after(again, whose_again, value_name, stop) : again;
  }
  std::string why = harm ? "the objects of a reply cannot be separated" : describe(harm.error());
  isolate_all(whose.empty() ? std::move(why) : why + " in " + whose);
  return query_parts(value_name, stop, is_timeout ? &harm.error() : nullptr);
}

void HostedSource::isolate_all(std::string why) {
  sharing_.isolate_all(now_());
  news_.push_back({.change = SharingChange::kIsolated, .text = std::move(why)});
  whole_->release();  // hosts make the queries from now on
  static_cast<void>(record_faults_by_traces(whole_health_.workers()));
}

std::string HostedSource::record_faults_by_traces(const std::vector<WorkerView*>& workers,
                                                  const ProviderRegistration* asked) {
  std::string whose;
  for (WorkerView* const worker : workers) {
    for (const WorkerTrace& trace : worker->take_traces()) {
      const std::string where = describe(trace);
      auto owners = owners_of(trace.modules, registrations());
      if (std::ranges::find(owners, asked) != owners.end()) owners = {asked};
      for (const ProviderRegistration* const owner : owners) {
        record_fault(*owner, describe(trace.error) + " in " + where);
        whose += (whose.empty() ? "" : ", ") + library_file(*owner) + " (" + title_of(*owner) + ')';
      }
    }
  }
  return whose;
}

void HostedSource::record_fault(const ProviderRegistration& provider, const std::string& what) {
  // Every fault is counted. The first one is logged, and each that isolates the provider again, so
  // that one that crashes each minute isn't logged each minute.
  Record& record = records_[provider.service];
  ++record.harms;
  record.last_harm = what;
  record.library = library_file(provider);
  const bool is_news = sharing_.record_fault(provider.service, now_()) || record.harms == 1;
  if (!is_news) return;
  std::string text = what;
  if (!record.library.empty() && ascii_lower(what).find(record.library) == std::string::npos)
    text += "; its library is " + record.library;
  news_.push_back(
      {.change = SharingChange::kHarm, .provider = provider.service, .text = std::move(text)});
}

void HostedSource::regroup() {
  const auto now = now_();
  if (sharing_.pass(now)) {
    const bool is_all = sharing_.mode() == Sharing::Mode::kTogether;
    news_.push_back({.change = SharingChange::kTogether,
                     .text = is_all ? "all of them share one worker again"
                                    : "those that caused no fault share one worker again"});
    if (is_all) shared_.reset();
  }
  if (sharing_.mode() == Sharing::Mode::kIsolated) return;
  const bool is_all = sharing_.mode() == Sharing::Mode::kTogether;
  // The counts of queries outlive their host.
  std::erase_if(hosts_, [&](const auto& host) {
    const bool goes = is_all || (!host.first.empty() && !sharing_.is_isolated(host.first, now));
    if (goes && !host.first.empty()) {
      const ProviderState state = host.second->state();
      Record& record = records_[host.first];
      record.queries += state.queries;
      record.failures += state.failures;
    }
    return goes;
  });
}

bool HostedSource::is_slow(std::string_view value_name, std::chrono::steady_clock::duration took) {
  // Only a query that several providers share shows that one of them delays the others.
  const auto objects = indices_in(value_name);
  if (!objects) return false;  // a listing, which isn't made regularly
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
  // All hosts begin before the first wait, so the query takes as long as its slowest provider, not
  // as long as all together.
  for (const Share& share : shares)
    if (share.host != nullptr && !share.is_next) share.host->begin(share.value_name, stop);
  Reply all;
  std::optional<Error> last;
  bool has_failed = false;  // the previous share
  for (const Share& share : shares) {
    // A host that doesn't answer one request isn't sent the next one.
    const bool is_given_up = share.is_next && has_failed;
    auto reply = is_given_up ? std::unexpected(*last) : finish(share, stop, loss);
    if (!reply && reply.error().code == ErrorCode::kCancelled) return reply;
    has_failed = !reply;
    if (reply) {
      all.blocks.append(std::move(reply->blocks));
      continue;
    }
    last = reply.error();
    for (const ObjectIndex object : share.objects) all.missing.push_back({object, *last});
    if (share.objects.empty() && !is_given_up) all.missing.push_back({.reason = *last});
  }
  // The query itself has failed only if all have failed alike: otherwise each keeps its own reason.
  const auto is_alike = [&](const MissingObject& part) { return part.reason.code == last->code; };
  if (all.blocks.empty() && last && std::ranges::all_of(all.missing, is_alike))
    return std::unexpected(*last);
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
    record_fault(*share.provider, *harm + where_text(share.host->workers()));
  // All together have missed a deadline. A provider that is late in isolation caused that.
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
  // Then it isn't called, and the error is that of its last call, which another provider may have
  // caused.
  const bool rests = shared_->rests(*share.provider);
  auto reply = shared_->query(*share.provider, share.value_name, stop);
  if (rests) return reply;
  const std::string whose = record_faults_by_traces({shared_->view()}, share.provider);
  if (const std::string left = shared_->take_side_effect_text(); !left.empty())
    record_fault(*share.provider, title_of(*share.provider) + ' ' + left);
  if (reply || !is_lost(reply.error().code)) {
    note_time(*share.provider,
              std::chrono::duration<double>(shared_->query_seconds() - busy_before));
  } else if (whose.empty()) {
    record_fault(*share.provider, describe(reply.error()));
  }
  return reply;
}

void HostedSource::note_time(const ProviderRegistration& provider,
                             std::chrono::duration<double> took) {
  // In the shared process providers are called one after the other, so one that is repeatedly slow
  // delays all others. It gets a host, where it delays none.
  SlowCalls& calls = slow_in_shared_[provider.service];
  const std::uint64_t process = shared_->processes();
  if (calls.process != process) {
    calls = {.process = process};
    return;
  }
  calls.times = took > kSlow ? calls.times + 1 : 0;
  if (calls.times < kSlowTimes) return;
  calls.times = 0;
  record_fault(provider, "it delays the others");
}

// Distribution of a query among processes.
namespace {

// The end of all listing names except those of costly objects.
constexpr std::string_view kGlobal = "Global";
// The beginning of listing names that exclude objects translated from V2.
constexpr std::string_view kOld = "OLD_";

constexpr Error kTooMany{.code = ErrorCode::kLimitExceeded,
                         .where = "provider hosts",
                         .actual = HostedSource::kMaxHosts + 1,
                         .limit = HostedSource::kMaxHosts};

// For messages; never freed.
const char* name_of(const ProviderRegistration& provider, const char* otherwise) {
  return kept_text(title_of(provider), otherwise);
}

Error left_out(const ProviderRegistration& provider) {
  return {.code = ErrorCode::kLeftOut, .where = name_of(provider, "provider")};
}

}  // namespace

std::vector<HostedSource::Share> HostedSource::shares_of(std::string_view value_name) {
  const auto objects = indices_in(value_name);
  if (!objects) return shares_of_listing(value_name);
  std::vector<Share> shares;
  for (const ObjectIndex object : *objects) {
    const Share mine = share_of(owner_of(object));
    auto share = std::ranges::find_if(shares, [&](const Share& other) {
      return other.provider == mine.provider && other.host == mine.host &&
             other.refused == mine.refused;
    });
    if (share == shares.end()) share = shares.insert(share, mine);
    share->objects.push_back(object);
  }
  for (Share& share : shares) share.value_name = index_list(share.objects);
  return shares;
}

std::vector<HostedSource::Share> HostedSource::shares_of_listing(std::string_view value_name) {
  std::vector<Share> shares;
  for (const ProviderRegistration& provider : registrations()) {
    if (provider.disabled || is_left_out(provider) || !has_host(provider)) continue;
    shares.push_back(share_of(&provider));
    shares.back().value_name = value_name;
  }
  // In the host of all providers, the listing itself would load those that have hosts.
  if (value_name.ends_with(kGlobal)) add_rest(shares, value_name.starts_with(kOld));
  return shares;
}

void HostedSource::add_rest(std::vector<Share>& shares, bool v1_only) {
  auto found = rest_.find(v1_only);
  if (found == rest_.end()) found = rest_.emplace(v1_only, rest_objects(v1_only)).first;
  RestObjects& rest = found->second;
  if (rest.needs_names()) {
    const auto tables = whole_->text_tables(TextTable::kCounter, Language::kEnglish);
    if (const auto taken = rest.take_names(tables); !taken)
      shares.push_back({.refused = taken.error()});
  }
  const auto [untried, known] = rest.lists();
  bool is_next = false;
  for (const auto* const lists : {&untried, &known}) {
    for (const std::string& list : *lists) {
      Share& share = shares.emplace_back(share_of_rest());
      share.value_name = list;
      share.is_next = std::exchange(is_next, true);
      if (lists == &known) share.objects = *indices_in(list);
    }
  }
}

RestObjects HostedSource::rest_objects(bool v1_only) {
  std::vector<ProviderRegistration> elsewhere;
  std::vector<ProviderRegistration> hostless;
  for (const ProviderRegistration& provider : registrations())
    if (!provider.disabled)
      (is_left_out(provider) || has_host(provider) ? elsewhere : hostless).push_back(provider);
  return {std::move(elsewhere), std::move(hostless), v1_only};
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
  // An object list takes precedence over a range, regardless of the order of providers.
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
  if (provider != nullptr && is_left_out(*provider)) return {.refused = left_out(*provider)};
  if (provider == nullptr || !has_host(*provider)) return share_of_rest();
  if (!sharing_.is_isolated(provider->service, now_())) return {.provider = provider};
  return share_with_host(provider);
}

HostedSource::Share HostedSource::share_of_rest() {
  for (const ProviderRegistration& provider : registrations())
    if (!provider.disabled && provider.objects.empty() && is_left_out(provider))
      return {.refused = left_out(provider)};
  return share_with_host(nullptr);
}

HostedSource::Share HostedSource::share_with_host(const ProviderRegistration* provider) {
  const std::string service = provider != nullptr ? provider->service : std::string();
  auto host = hosts_.find(service);
  if (host == hosts_.end()) {
    if (hosts_.size() >= kMaxHosts) return {.provider = provider, .refused = kTooMany};
    host = hosts_.emplace(service, make_.host(provider)).first;
    if (provider != nullptr && isolation_ == Isolation::kAuto) host->second->try_close();
  }
  return {.provider = provider, .host = host->second.get()};
}

const char* HostedSource::supplier_of(ObjectIndex object) {
  const ProviderRegistration* const owner = owner_of(object);
  return owner != nullptr ? name_of(*owner, nullptr) : nullptr;
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
  // A provider's state is in two places: its current host, if any, and its record, with the counts
  // of earlier hosts and its faults in any process.
  std::map<std::string, ProviderState> by_service;
  for (const auto& [service, host] : hosts_)
    if (!service.empty()) by_service[service] = host->state();
  const bool is_shared = sharing_.mode() != Sharing::Mode::kIsolated;
  for (const auto& [service, record] : records_) {
    const auto [entry, is_new] = by_service.try_emplace(service);
    ProviderState& state = entry->second;
    if (is_new && is_shared) state.standing = ProviderStanding::kShared;
    // Counters continue when a provider gets a host again.
    state.queries += record.queries;
    state.failures += record.failures;
    state.harms = record.harms;
    state.last_harm = record.last_harm;
    state.library = record.library;
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
