#include "service/run/listeners.h"

#include <algorithm>
#include <utility>

#include "exporter/http/access.h"
#include "exporter/http/host_names.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// How long a retired server may take to finish its answers: as long as Prometheus waits for them,
// but less if a new one needs the same port.
constexpr std::chrono::seconds kRetireTimeout{10};
constexpr milliseconds kCloseTimeout{1000};

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

AccessRules rules_of(const ListenConfig& where) {
  AccessRules rules{.hosts = names_of_this_machine()};
  rules.hosts.push_back(where.address);
  rules.hosts.insert(rules.hosts.end(), where.hosts.begin(), where.hosts.end());
  if (!where.serve) return rules;
  rules.serve.emplace();
  for (const Served served : *where.serve) rules.serve->push_back(area_of(served));
  return rules;
}

// One timeout for several that are waited for in turn.
class Deadline {
 public:
  explicit Deadline(milliseconds timeout) : until_(Clock::now() + timeout) {}
  milliseconds left() const {
    return std::max(std::chrono::ceil<milliseconds>(until_ - Clock::now()), milliseconds(0));
  }

 private:
  Clock::time_point until_;
};

bool same_address(const ListenConfig& a, const ListenConfig& b) {
  return a.address == b.address && a.port == b.port;
}

}  // namespace

std::expected<void, std::string> Listeners::change(const std::vector<ListenConfig>& wanted) {
  addresses_ = wanted.size();
  std::vector<Place*> leaving;
  for (Place& place : places_) leaving.push_back(&place);
  std::vector<Place*> staying;  // of each that is wanted; null if there is none
  for (const ListenConfig& where : wanted) {
    const auto same = std::ranges::find_if(leaving, [&](const Place* place) {
      return !place->lost_port && same_address(place->where, where);
    });
    staying.push_back(same == leaving.end() ? nullptr : *same);
    if (same != leaving.end()) leaving.erase(same);
  }

  // Everything that can fail comes first.
  std::vector<Place> next;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    next.push_back({.where = wanted[i], .server = nullptr});
    if (staying[i] != nullptr) continue;
    auto server = open_instead(wanted[i], leaving);
    if (!server) {
      next.clear();  // what it has opened may be in the way of what was there before
      return std::unexpected(server.error() + restore(leaving));
    }
    next.back().server = *std::move(server);
  }

  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (staying[i] == nullptr) continue;
    next[i].server = std::move(staying[i]->server);
    next[i].server->change_rules(rules_of(wanted[i]));
  }
  for (Place* const place : leaving) retire(std::move(place->server));
  places_ = std::move(next);
  return {};
}

bool Listeners::maintain() {
  bool listens_again = false;
  for (Place& place : places_)
    if (place.lost_port && listen_again(place)) listens_again = true;
  const auto now = Clock::now();
  std::erase_if(retired_, [&](const Retired& retired) {
    return retired.server->is_idle() || now >= retired.until;
  });
  return listens_again;
}

void Listeners::stop() {
  for (Place& place : places_) retired_.push_back({.server = std::move(place.server), .until = {}});
  places_.clear();
  for (const Retired& retired : retired_) retired.server->retire(HttpServer::kStopTimeout);
  const Deadline deadline(HttpServer::kStopTimeout);
  for (const Retired& retired : retired_) retired.server->stop(deadline.left());
  retired_.clear();
}

std::string Listeners::urls() const {
  std::string urls;
  for (const Place& place : places_)
    if (!place.lost_port) urls += (urls.empty() ? "" : " and ") + place.server->url();
  return urls;
}

std::expected<Listeners::Server, std::string> Listeners::open(const ListenConfig& where) {
  HttpServerOptions options(where.address, where.port);
  options.rules = rules_of(where);
  options.front.fronts = addresses_;
  auto server = std::make_unique<HttpServer>(router_, std::move(options));
  if (const auto started = server->start(); !started) return std::unexpected(started.error());
  return server;
}

// Those that leave may be in the way: then they have to release their ports first.
std::expected<Listeners::Server, std::string> Listeners::open_instead(
    const ListenConfig& where, const std::vector<Place*>& leaving) {
  auto server = open(where);
  if (server) return server;
  std::vector<Place*> in_the_way;
  std::ranges::copy_if(leaving, std::back_inserter(in_the_way), [&](const Place* place) {
    return !place->lost_port && place->server->port() == where.port;
  });
  if (in_the_way.empty()) return server;
  // If the address is unavailable whatever the port, the old ones stay.
  if (!try_listening(where.address, 0)) return server;
  // All of them begin before the first one is waited for.
  for (Place* const place : in_the_way) place->server->retire(kCloseTimeout);
  const Deadline deadline(kCloseTimeout);
  for (Place* const place : in_the_way) {
    place->lost_port = where.port;
    place->server->close(deadline.left());
  }
  return open(where);
}

// Nothing, or what else has to be said about a change that has failed.
std::string Listeners::restore(const std::vector<Place*>& places) {
  std::string failures;
  for (Place* const place : places) {
    if (!place->lost_port) continue;
    if (const auto again = listen_again(*place); !again)
      failures +=
          "; the previous address is lost, too, and is retried every second: " + again.error();
  }
  return failures;
}

std::expected<void, std::string> Listeners::listen_again(Place& place) {
  ListenConfig where = place.where;
  where.port = *place.lost_port;
  auto server = open(where);
  if (!server) return std::unexpected(server.error());
  retire(std::exchange(place.server, *std::move(server)));
  place.lost_port.reset();
  return {};
}

void Listeners::retire(Server server) {
  server->retire(kCloseTimeout);  // it still finishes its answers
  retired_.push_back({.server = std::move(server), .until = Clock::now() + kRetireTimeout});
}

}  // namespace winperf
