#include "service/run/listeners.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "collectors/diagnosis/port_owner.h"
#include "exporter/http/access.h"

namespace winperf {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// The time for a retired server to finish its answers: Prometheus' timeout, but less if a new
// server needs the same port.
constexpr std::chrono::seconds kRetireTimeout{10};
constexpr milliseconds kCloseTimeout{1000};
// Threads that still compare a password for a closed address.
constexpr std::size_t kMostEnding = 16;

Area area_of(Served served) {
  switch (served) {
    case Served::kMetrics:
      return Area::kMetrics;
    case Served::kApi:
      return Area::kApi;
    case Served::kPage:
      return Area::kPage;
  }
  std::unreachable();
}

AccessRules access_of(const ListenConfig& where) {
  AccessRules rules{.hosts = names_of_this_machine(), .origins = where.cors};
  rules.hosts.push_back(where.address);
  rules.hosts.insert(rules.hosts.end(), where.hosts.begin(), where.hosts.end());
  if (!where.serve) return rules;
  rules.serve.emplace();
  for (const Served served : *where.serve) rules.serve->push_back(area_of(served));
  return rules;
}

AnswerRules rules_of(const ListenConfig& where) {
  return {.access = access_of(where), .headers = headers_of(where.web.headers)};
}

// One timeout for several consecutive waits.
class Deadline {
 public:
  explicit Deadline(milliseconds timeout) : until_(Clock::now() + timeout) {}
  milliseconds left() const {
    return std::max(std::chrono::ceil<milliseconds>(until_ - Clock::now()), milliseconds(0));
  }

 private:
  Clock::time_point until_;
};

struct Safeguard {
  bool (*is_there)(const WebConfig&);
  const char* name;
};
constexpr Safeguard kSafeguards[] = {
    {[](const WebConfig& web) { return web.has_tls(); }, "TLS"},
    {[](const WebConfig& web) { return !web.users.empty(); }, "passwords"}};

constexpr char kNeedsRestart[] = "; restart the program to apply this";

// A truncated file, as on a full disk, must not remove an address's protection. Nothing, or why the
// change is refused.
std::optional<std::string> loss_of(const WebConfig& used, const WebConfig& next) {
  for (const Safeguard& one : kSafeguards)
    if (one.is_there(used) && !one.is_there(next))
      return std::string("the new configuration removes ") + one.name + " from it" + kNeedsRestart;
  return std::nullopt;
}

bool same_address(const ListenConfig& a, const ListenConfig& b) {
  return a.address == b.address && a.port == b.port;
}

}  // namespace

std::vector<AddressNotices> CertificateWatch::due(std::vector<AddressNotices> current,
                                                  SteadyTime now) {
  std::erase_if(reported_, [&](const auto& reported) {
    return std::ranges::find(current, reported.first, &AddressNotices::address) == current.end();
  });
  std::erase_if(current, [&](const AddressNotices& one) {
    Reported& reported = reported_[one.address];
    if (reported.notices == one.notices && now - reported.at < kRepeatAfter) return true;
    reported = {.notices = one.notices, .at = now};
    return false;
  });
  return current;
}

FrontOptions front_options(std::size_t addresses, std::size_t max_requests) {
  FrontOptions options;
  options.fronts = addresses;
  options.queue = max_requests;
  return options;
}

// Reuses the address's protection if it is unchanged, so that its sessions continue.
std::expected<Listeners::Place, std::string> Listeners::prepare(const ListenConfig& where,
                                                                const Place* same) const {
  const auto refused = [&](const std::string& reason) {
    return std::unexpected("cannot serve " + authority_of(where.address, where.port) + ": " +
                           reason);
  };
  if (same != nullptr)
    if (const auto loss = loss_of(same->where.web, where.web)) return refused(*loss);
  auto web = load_web(where.web);
  if (!web) return refused(web.error());
  Place place{.where = where, .web = *std::move(web), .protection = {}, .server = nullptr};
  if (same != nullptr && same->web == place.web) {
    place.protection = same->protection;
    place.is_new = false;
    return place;
  }
  auto protection = protection_of(place.web);
  if (!protection) return refused(protection.error());
  place.protection = *std::move(protection);
  return place;
}

std::expected<void, std::string> Listeners::open_first(
    const std::vector<ListenConfig>& wanted, std::size_t max_requests,
    const std::function<bool(const std::string& address)>& pause) {
  await_port_ = [&](const NetAddress& address, int port) {
    return !is_listened_on(address, port) && pause(authority_of(to_text(address), port));
  };
  auto opened = change(wanted, max_requests);
  await_port_ = {};
  return opened;
}

std::expected<void, std::string> Listeners::change(const std::vector<ListenConfig>& wanted,
                                                   std::size_t max_requests) {
  addresses_ = wanted.size();
  max_requests_ = max_requests;
  std::vector<Place*> leaving;
  for (Place& place : places_) leaving.push_back(&place);
  std::vector<Place*> staying;  // for each wanted address; null if it is new
  for (const ListenConfig& where : wanted) {
    const auto same = std::ranges::find_if(leaving, [&](const Place* place) {
      return !place->lost_port && same_address(place->where, where);
    });
    staying.push_back(same == leaving.end() ? nullptr : *same);
    if (same != leaving.end()) leaving.erase(same);
  }

  // Steps that can fail come first, and those that fail without a gap before the others.
  if (const auto good = check_ending(); !good && !leaving.empty()) return good;
  if (const auto good = check_safeguards(wanted); !good) return good;
  std::vector<Place> next;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto place = prepare(wanted[i], staying[i]);
    if (!place) return std::unexpected(place.error());
    next.push_back(*std::move(place));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (staying[i] != nullptr) continue;
    auto server = open_instead(next[i], leaving);
    if (!server) {
      // The sockets that it opened may block the previous ones.
      for (Place& opened : next)
        if (opened.server != nullptr) give_up(std::move(opened.server));
      return std::unexpected(server.error() + restore(leaving));
    }
    next[i].server = *std::move(server);
  }

  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (staying[i] == nullptr) continue;
    next[i].server = std::move(staying[i]->server);
    next[i].server->change_rules(rules_of(wanted[i]));
    next[i].server->change_protection(next[i].protection);
  }
  for (Place* const place : leaving) retire(std::move(place->server));
  places_ = std::move(next);
  return {};
}

std::vector<ListenConfig> Listeners::newly_protected() const {
  std::vector<ListenConfig> places;
  for (const Place& place : places_)
    if (place.is_new) places.push_back(place.where);
  return places;
}

std::vector<AddressNotices> Listeners::certificate_notices(std::chrono::sys_seconds now) const {
  std::vector<AddressNotices> all;
  for (const Place& place : places_)
    if (auto notices = validity_notices(place.protection, now); !notices.empty())
      all.push_back({authority_of(place.where.address, place.where.port), std::move(notices)});
  return all;
}

bool Listeners::maintain() {
  bool listens_again = false;
  for (Place& place : places_)
    if (place.lost_port && listen_again(place)) listens_again = true;
  const auto now = Clock::now();
  std::erase_if(retired_, [&](Retired& retired) {
    if (!retired.server->is_idle() && now < retired.until) return false;
    give_up(std::move(retired.server));
    return true;
  });
  std::erase_if(ending_, std::mem_fn(&BackgroundThread::has_ended));
  return listens_again;
}

bool Listeners::is_settled() const {
  const bool lacks_port =
      std::ranges::any_of(places_, [](const Place& place) { return place.lost_port.has_value(); });
  return !lacks_port && retired_.empty() && ending_.empty();
}

void Listeners::stop() {
  for (Place& place : places_) retired_.push_back({.server = std::move(place.server), .until = {}});
  places_.clear();
  for (const Retired& retired : retired_) retired.server->retire(HttpServer::kStopTimeout);
  const Deadline deadline(HttpServer::kStopTimeout);
  for (Retired& retired : retired_) {
    retired.server->stop(deadline.left());
    give_up(std::move(retired.server));
  }
  retired_.clear();
  std::erase_if(ending_, std::mem_fn(&BackgroundThread::has_ended));
}

bool Listeners::still_compares() const {
  return !std::ranges::all_of(ending_, &BackgroundThread::has_ended);
}

std::string Listeners::urls() const {
  std::string urls;
  for (const Place& place : places_)
    if (!place.lost_port) urls += (urls.empty() ? "" : " and ") + place.server->url();
  return urls;
}

std::expected<Listeners::Server, std::string> Listeners::open(const Place& place,
                                                              std::uint16_t port) {
  HttpServerOptions options(place.where.address, port);
  options.rules = rules_of(place.where);
  options.protection = place.protection;
  options.front = front_options(addresses_, max_requests_);
  options.describe_owners = describe_owners;
  options.await_port = await_port_;
  auto server = std::make_unique<HttpServer>(router_, std::move(options));
  if (const auto started = server->start(); !started) return std::unexpected(started.error());
  return server;
}

// Servers that leave may block the ports: then they have to release them first.
std::expected<Listeners::Server, std::string> Listeners::open_instead(
    const Place& wanted, const std::vector<Place*>& leaving) {
  const ListenConfig& where = wanted.where;
  auto server = open(wanted, where.port);
  if (server) return server;
  std::vector<Place*> in_the_way;
  std::ranges::copy_if(leaving, std::back_inserter(in_the_way), [&](const Place* place) {
    return !place->lost_port && place->server->port() == where.port;
  });
  if (in_the_way.empty()) return server;
  // If the address is unavailable on any port, the old servers stay.
  if (!try_listening(where.address, 0)) return server;
  // All are stopped before waiting for the first.
  for (Place* const place : in_the_way) place->server->retire(kCloseTimeout);
  const Deadline deadline(kCloseTimeout);
  for (Place* const place : in_the_way) {
    place->lost_port = where.port;
    place->server->close(deadline.left());
  }
  return open(wanted, where.port);
}

// The same as loss_of(), for changed addresses.
std::expected<void, std::string> Listeners::check_safeguards(
    const std::vector<ListenConfig>& wanted) const {
  for (const Safeguard& one : kSafeguards) {
    const bool is_used = std::ranges::any_of(
        places_, [&](const Place& place) { return one.is_there(place.where.web); });
    const bool is_wanted = std::ranges::any_of(
        wanted, [&](const ListenConfig& where) { return one.is_there(where.web); });
    if (is_used && !is_wanted)
      return std::unexpected(std::string("the new configuration removes ") + one.name +
                             " from every address" + kNeedsRestart);
  }
  return {};
}

// Each closed address may leave a thread that is still running.
std::expected<void, std::string> Listeners::check_ending() {
  std::erase_if(ending_, std::mem_fn(&BackgroundThread::has_ended));
  if (ending_.size() < kMostEnding) return {};
  return std::unexpected(
      "cannot close an address, because passwords are still being compared for " +
      std::to_string(ending_.size()) +
      " that were closed before; wait, and use hashes with a lower cost");
}

// Nothing, or further consequences of a failed change.
std::string Listeners::restore(const std::vector<Place*>& places) {
  std::string failures;
  for (Place* const place : places) {
    if (!place->lost_port) continue;
    if (const auto again = listen_again(*place); !again)
      failures +=
          "; the previous address is lost as well and is retried every second: " + again.error();
  }
  return failures;
}

std::expected<void, std::string> Listeners::listen_again(Place& place) {
  auto server = open(place, *place.lost_port);
  if (!server) return std::unexpected(server.error());
  retire(std::exchange(place.server, *std::move(server)));
  place.lost_port.reset();
  return {};
}

void Listeners::retire(Server server) {
  server->retire(kCloseTimeout);  // it still finishes its answers
  retired_.push_back({.server = std::move(server), .until = Clock::now() + kRetireTimeout});
}

void Listeners::give_up(Server server) {
  server->stop();
  ending_.push_back(server->end_passwords());
}

}  // namespace winperf
