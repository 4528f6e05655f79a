// Which process gets which part of a query.
#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/file_failure.h"
#include "collectors/hosting/hosted_source.h"
#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

// The end of all names of listings but those of costly objects.
constexpr std::string_view kGlobal = "Global";
// The beginning of those without what is translated from V2.
constexpr std::string_view kOld = "OLD_";

constexpr Error kTooMany{.code = ErrorCode::kLimitExceeded,
                         .where = "provider hosts",
                         .actual = HostedSource::kMaxHosts + 1,
                         .limit = HostedSource::kMaxHosts};

// For people, and for ever.
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
  // Asked of all providers together, the listing itself would load those that have hosts.
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
  if (provider != nullptr && is_left_out(*provider)) return {.refused = left_out(*provider)};
  if (provider == nullptr || !has_host(*provider)) return share_of_rest();
  const bool is_apart =
      sharing_.mode() == Sharing::Mode::kParted || sharing_.is_apart(provider->service, now_());
  if (!is_apart) return {.provider = provider};
  ProviderHost* const host = host_of(provider);
  if (host == nullptr) return {.provider = provider, .refused = kTooMany};
  return {.provider = provider, .host = host};
}

HostedSource::Share HostedSource::share_of_rest() {
  for (const ProviderRegistration& provider : registrations())
    if (!provider.disabled && provider.objects.empty() && is_left_out(provider))
      return {.refused = left_out(provider)};
  ProviderHost* const host = host_of(nullptr);
  if (host == nullptr) return {.refused = kTooMany};
  return {.host = host};
}

ProviderHost* HostedSource::host_of(const ProviderRegistration* provider) {
  const std::string service = provider != nullptr ? provider->service : std::string();
  const auto known = hosts_.find(service);
  if (known != hosts_.end()) return known->second.get();
  if (hosts_.size() >= kMaxHosts) return nullptr;
  ProviderHost& host = *hosts_.emplace(service, make_.host(provider)).first->second;
  if (provider != nullptr && isolation_ == Isolation::kAuto) host.try_close();
  return &host;
}

const char* HostedSource::supplier_of(ObjectIndex object) {
  const ProviderRegistration* const owner = owner_of(object);
  return owner != nullptr ? name_of(*owner, nullptr) : nullptr;
}

}  // namespace winperf
