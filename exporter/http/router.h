// The responses to HTTP requests. No sockets: a request in, a response out.
//
//   /metrics         page_query.h             /-/healthy, /health   the process runs
//   /api/v1/sample   JSON, ?counterset=NAME   /-/ready              there are fresh values, or 503
//   /version         JSON                     /                     a page with links
//   /api/v1/facts   JSON: what is not a counter, ?topic=NAME
//   /api/v1/discovery   JSON: which countersets there are
//   /probe?target=HOST   the metrics of another machine, &module=NAME; else as /metrics
//   /api/v1/targets      those machines, for Prometheus' HTTP service discovery
//   POST /-/reload   the response of RouterOptions::reload
// The other paths are for GET and HEAD. Any other method gets 405, any other path 404, and whoever
// may not have it 403 with the reason (access.h). The response to HEAD has the body of GET; the
// server doesn't send it. Thread rule: any thread; all arguments of the constructor must outlive
// the router.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/inventory.h"
#include "collectors/model/sample_slot.h"
#include "exporter/http/access.h"
#include "exporter/http/effort.h"
#include "exporter/http/page_query.h"
#include "exporter/http/port_owner.h"
#include "exporter/http/targets.h"
#include "exporter/json/sample_document.h"
#include "exporter/text/exporter_registry.h"
#include "exporter/text/metrics_page.h"

namespace winperf {

// Notices clients that scrape more often than a counterset is sampled. Two of their scrapes may
// show the same sample, so that a rate over both is 0, and the next one is too high
// (docs/scraping.md). Sampling knows nothing of this. Thread rule: any thread.
struct ScrapeVerdict {
  bool is_early = false;
  // Since the same client's previous one, if it has now been early so often that it isn't somebody
  // who tries something out. Said once of each client.
  std::optional<std::chrono::milliseconds> habit{};
};

class ScrapeWatch {
 public:
  static constexpr std::size_t kMaxClients = 64;  // the one that was seen least recently is dropped
  static constexpr int kHabit = 3;                // early scrapes in a row

  // `interval`: of the counterset that is sampled least often; 0: unknown, so that nothing is
  // early.
  ScrapeVerdict note(const NetAddress& client, SteadyTime now, std::chrono::milliseconds interval);

 private:
  struct Client {
    SteadyTime last{};
    int early_in_a_row = 0;
    bool is_told = false;
  };

  std::mutex mutex_;
  std::map<NetAddress, Client> clients_;
};

// Comparing entity tags: whether a client already has what it asks for. Thread rule: pure function.
// Source: RFC 9110, sections 8.8.3.2 (weak comparison) and 13.1.2 (If-None-Match).

// Whether the value of If-None-Match, a list of tags or *, has this one. Anything that isn't such a
// list has no tag.
bool has_entity_tag(std::string_view if_none_match, std::string_view tag);

struct Request {
  std::string method;
  std::string path;                                        // decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  std::string accept_encoding;
  std::string if_none_match{};
  Visitor visitor{};
  std::string accept{};
};

struct Response {
  int status = 200;
  std::string content_type;
  SharedText body;
  std::vector<std::pair<std::string, std::string>> headers;  // beyond type and length
};

// A text for people.
Response plain_response(int status, std::string body);

struct EarlyScraper {
  std::string address;
  std::chrono::milliseconds between{};  // two of its scrapes
  std::string counterset;               // the one that is sampled least often
  std::chrono::milliseconds interval{};
};

struct RouterOptions {
  BuildInfo build;
  MappingOptions mapping;
  std::function<SteadyTime()> now;  // the clock of CountersetState::sampled_at.steady
  // For collect[]; without it there are none.
  FindCollector find_collector{};
  // Called once for each client that scrapes more often than a counterset is sampled.
  std::function<void(const EarlyScraper&)> early_scraper{};
  // For /api/v1/discovery; without one, or if it returns nothing, the answer is 404.
  std::function<std::optional<DiscoveryReport>()> discovery{};
  // Answers POST /-/reload; without it the answer is 404.
  std::function<Response()> reload{};
  std::string metrics_path = "/metrics";
  // What is not a counter.
  PageFacts facts{};
  // The other machines; null if there can be none.
  Targets* targets = nullptr;
};

class Router {
 public:
  Router(const SampleSlot& slot, ExporterRegistry& registry, RouterOptions options);

  // `rules`: of the address that the request came to. Counts it by its route and status.
  Response handle(const Request& request, const AccessRules& rules);

  // Of an answer to a request for this, as it was sent: a path, perhaps a query.
  Effort effort_of(std::string_view target);

  // Applies to all requests from now on; those that are being answered keep the old mapping.
  void change_mapping(MappingOptions mapping);
  // Where the metrics are from now on.
  void change_metrics_path(std::string path);

  ExporterRegistry& registry() { return registry_; }

  // Counts a request that fails before it gets here (garbage, too large).
  void count_bad_request(int status) { registry_.count_request("invalid", status); }

 private:
  struct Route {
    std::string_view path;
    std::string_view method;  // GET includes HEAD
    Area area;
    Effort effort;  // without a query
    Response (Router::*answer)(const Request&);
  };
  static const std::vector<Route>& routes();

  Response metrics(const Request& request);
  Response sample(const Request& request);
  Response probe(const Request& request);
  Response targets(const Request& request);
  Response discovery(const Request& request);
  Response facts(const Request& request);
  Response healthy(const Request& request);
  Response ready(const Request& request);
  bool has_fresh_facts() const;
  Response health(const Request& request);
  Response version(const Request& request);
  Response landing(const Request& request);
  Response reload(const Request& request);
  Response answer(const Route& route, const Request& request, const AccessRules& rules);
  // `page` as this request wants it.
  static Response page_response(const Request& request, MetricsPage& page,
                                const PageFilter& filter);
  std::shared_ptr<MetricsPage> make_page(const MappingOptions& mapping);
  std::shared_ptr<MetricsPage> page();
  std::string metrics_path();
  const Route* route_of(std::string_view path);
  std::shared_ptr<json::SampleDocument> document();
  void forget_old_document();
  void watch_scraper(const Request& request);

  const SampleSlot& slot_;
  ExporterRegistry& registry_;
  RouterOptions options_;
  ScrapeWatch scrapes_;
  std::mutex mutex_;  // guards the pointers, not what they point to
  std::string metrics_path_;
  std::shared_ptr<MetricsPage> page_;
  std::shared_ptr<json::SampleDocument> document_;  // of the sample that was asked for last
};

// The page at "/": the program's name and version, and links to the endpoints.
std::string landing_page(const BuildInfo& build, const std::string& metrics_path);

}  // namespace winperf
