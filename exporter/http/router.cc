#include "exporter/http/router.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/model/freshness.h"
#include "exporter/http/socket_address.h"
#include "exporter/json/json_text.h"
#include "exporter/json/state_documents.h"
#include "exporter/text/field_text.h"
#include "exporter/text/gzip.h"

namespace winperf {

ScrapeVerdict ScrapeWatch::note(const NetAddress& client, SteadyTime now,
                                std::chrono::milliseconds interval) {
  if (interval.count() == 0) return {};
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = clients_.try_emplace(client, Client{.last = now});
  if (is_new) {
    const auto last = [](const auto& entry) { return entry.second.last; };
    if (clients_.size() > kMaxClients) clients_.erase(std::ranges::min_element(clients_, {}, last));
    return {};
  }
  Client& seen = found->second;
  // Threads don't come here in the order in which they looked at the clock.
  now = std::max(now, seen.last);
  const auto between = std::chrono::duration_cast<std::chrono::milliseconds>(now - seen.last);
  seen.last = now;
  // No scraper is exact to the millisecond.
  const bool is_early = between < interval * 9 / 10;
  seen.early_in_a_row = is_early ? seen.early_in_a_row + 1 : 0;
  const bool is_news = seen.early_in_a_row >= kHabit && !seen.is_told;
  seen.is_told = seen.is_told || is_news;
  return {.is_early = is_early, .habit = is_news ? std::optional(between) : std::nullopt};
}

namespace {

std::string_view without_weakness(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  return tag;
}

}  // namespace

bool has_entity_tag(std::string_view if_none_match, std::string_view tag) {
  std::string_view rest = trimmed(if_none_match);
  if (rest == "*") return true;
  while (true) {
    while (rest.starts_with(',')) rest = trimmed(rest.substr(1));
    rest = without_weakness(rest);
    // A tag may have commas in it.
    const std::size_t end = rest.starts_with('"') ? rest.find('"', 1) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    if (rest.substr(0, end + 1) == without_weakness(tag)) return true;
    rest = trimmed(rest.substr(end + 1));
    if (!rest.starts_with(',')) return false;
  }
}

namespace {

constexpr char kPlainText[] = "text/plain; charset=utf-8";
constexpr char kJson[] = "application/json";
constexpr std::string_view kMetrics = "/metrics";
// Below this, compression costs more than it saves.
constexpr std::size_t kSmallestToCompress = 1024;

Response json_response(int status, std::string body) {
  return {status, kJson, std::move(body), {}};
}

// `varies`: the request's headers that the answer depends on.
void mark_gzipped(Response& response, bool gzipped, std::string varies = "Accept-Encoding") {
  if (gzipped) response.headers.emplace_back("Content-Encoding", "gzip");
  response.headers.emplace_back("Vary", std::move(varies));
}

// "GET, HEAD" or "POST".
std::string allowed_methods(std::string_view method) {
  return std::string(method) + (method == "GET" ? ", HEAD" : "");
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Response plain_response(int status, std::string body) {
  return {status, kPlainText, std::move(body), {}};
}

Router::Router(const SampleSlot& slot, ExporterRegistry& registry, RouterOptions options)
    : slot_(slot),
      registry_(registry),
      options_(std::move(options)),
      metrics_path_(options_.metrics_path),
      page_(make_page(options_.mapping)) {}

std::shared_ptr<MetricsPage> Router::make_page(const MappingOptions& mapping) {
  ReportTargets report;
  if (options_.targets != nullptr)
    report = [targets = options_.targets] { return targets->report(); };
  return std::make_shared<MetricsPage>(slot_, registry_, mapping, options_.now, options_.facts,
                                       std::move(report));
}

void Router::change_mapping(MappingOptions mapping) {
  auto page = make_page(mapping);
  const std::lock_guard lock(mutex_);
  page_ = std::move(page);
}

void Router::change_metrics_path(std::string path) {
  const std::lock_guard lock(mutex_);
  metrics_path_ = std::move(path);
}

std::string Router::metrics_path() {
  const std::lock_guard lock(mutex_);
  return metrics_path_;
}

// The route of the metrics is called /metrics wherever they are.
const Router::Route* Router::route_of(std::string_view path) {
  const bool is_metrics = path == metrics_path();
  if (path == kMetrics && !is_metrics) return nullptr;
  const auto route = std::ranges::find(routes(), is_metrics ? kMetrics : path, &Route::path);
  return route == routes().end() ? nullptr : &*route;
}

// A query asks for something of its own. What a decoder may still make of a path that is no route's
// isn't known here.
Effort Router::effort_of(std::string_view target) {
  const std::size_t end = target.find('?');
  const Route* const route = route_of(target.substr(0, end));
  if (route == nullptr || (end != target.npos && route->effort == Effort::kPlain))
    return Effort::kDear;
  return route->effort;
}

std::shared_ptr<MetricsPage> Router::page() {
  const std::lock_guard lock(mutex_);
  return page_;
}

// Null before the first sample.
std::shared_ptr<json::SampleDocument> Router::document() {
  const std::lock_guard lock(mutex_);
  auto sample = slot_.latest();
  if (sample == nullptr) return nullptr;
  if (document_ == nullptr || &document_->sample() != sample.get())
    document_ = std::make_shared<json::SampleDocument>(std::move(sample));
  return document_;
}

const std::vector<Router::Route>& Router::routes() {
  static const std::vector<Route> kRoutes{
      {kMetrics, "GET", Area::kMetrics, Effort::kPlain, &Router::metrics},
      {"/probe", "GET", Area::kMetrics, Effort::kDear, &Router::probe},
      {"/api/v1/targets", "GET", Area::kMetrics, Effort::kDear, &Router::targets},
      {"/api/v1/sample", "GET", Area::kApi, Effort::kDear, &Router::sample},
      {"/api/v1/discovery", "GET", Area::kApi, Effort::kDear, &Router::discovery},
      {"/api/v1/facts", "GET", Area::kApi, Effort::kDear, &Router::facts},
      {"/-/healthy", "GET", Area::kHealth, Effort::kPlain, &Router::healthy},
      {"/-/ready", "GET", Area::kHealth, Effort::kPlain, &Router::ready},
      {"/health", "GET", Area::kHealth, Effort::kPlain, &Router::health},
      {"/version", "GET", Area::kApi, Effort::kPlain, &Router::version},
      {"/-/reload", "POST", Area::kApi, Effort::kSlow, &Router::reload},
      {"/", "GET", Area::kPage, Effort::kPlain, &Router::landing},
  };
  return kRoutes;
}

// So that what nobody asks for any more doesn't stay in memory.
void Router::forget_old_document() {
  std::shared_ptr<json::SampleDocument> old;  // goes when the mutex is free again
  const std::lock_guard lock(mutex_);
  const auto sample = slot_.latest();
  if (document_ != nullptr && &document_->sample() != sample.get()) old.swap(document_);
}

Response Router::handle(const Request& request, const AccessRules& rules) {
  forget_old_document();
  const Route* const route = route_of(request.path);
  Response response =
      route != nullptr
          ? answer(*route, request, rules)
          : plain_response(404, "not found; the metrics are at " + metrics_path() + '\n');
  registry_.count_request(route != nullptr ? route->path : "other", response.status);
  return response;
}

Response Router::answer(const Route& route, const Request& request, const AccessRules& rules) {
  if ((request.method == "HEAD" ? "GET" : request.method) != route.method) {
    Response response =
        plain_response(405, "method not allowed; use " + std::string(route.method) + "\n");
    response.headers.emplace_back("Allow", allowed_methods(route.method));
    return response;
  }
  if (const auto reason = why_refused(route.area, route.path, rules, request.visitor))
    return plain_response(403, *reason + "\n");
  return (this->*route.answer)(request);
}

// A proxy's address says nothing about who scrapes, and a counterset without values has no rates.
void Router::watch_scraper(const Request& request) {
  const auto sample = slot_.latest();
  if (request.method != "GET" || request.visitor.is_forwarded || sample == nullptr) return;
  const SteadyTime now = options_.now();
  const CountersetState* rarest = nullptr;
  for (const CountersetState& state : sample->countersets)
    if (is_fresh(state, now) && (rarest == nullptr || state.interval > rarest->interval))
      rarest = &state;
  if (rarest == nullptr) return;
  const ScrapeVerdict verdict = scrapes_.note(request.visitor.address, now, rarest->interval);
  if (verdict.is_early) registry_.count_early_scrape();
  if (verdict.habit && options_.early_scraper)
    options_.early_scraper(
        {to_text(request.visitor.address), *verdict.habit, rarest->name, rarest->interval});
}

Response Router::metrics(const Request& request) {
  const auto facts = options_.facts.slot != nullptr ? options_.facts.slot->latest() : nullptr;
  const auto page = this->page();
  const auto countersets = request.query.empty() ? nullptr : page->countersets();
  const auto filter =
      page_filter(request.query, countersets.get(), facts.get(), options_.find_collector);
  if (!filter) return plain_response(400, filter.error() + '\n');
  // Two scrapes of different parts tell nothing.
  if (filter->admits_all()) watch_scraper(request);
  return page_response(request, *page, *filter);
}

Response Router::page_response(const Request& request, MetricsPage& page,
                               const PageFilter& filter) {
  const PageFormat format = preferred_format(request.accept);
  const bool gzipped = accepts_gzip(request.accept_encoding);
  Response response{200,
                    std::string(media_type(format)),
                    gzipped ? page.gzipped(format, filter) : page.text(format, filter),
                    {}};
  mark_gzipped(response, gzipped, "Accept, Accept-Encoding");
  return response;
}

Response Router::sample(const Request& request) {
  std::vector<std::string> names;
  for (const auto& [key, value] : request.query) {
    if (key != "counterset") {
      return json_response(400, json::error_document("unknown parameter '" + key +
                                                     "'; only counterset=NAME is accepted"));
    }
    names.push_back(value);
  }
  const auto document = this->document();
  if (document == nullptr)
    return json_response(503, json::error_document("no sample has been taken yet"));
  if (const auto unknown = document->unknown_counterset(names))
    return json_response(400, json::error_document("no counterset is called '" + *unknown + "'"));
  const SteadyTime now = options_.now();
  const std::string tag = document->etag(now);
  Response response{200, kJson, {}, {{"ETag", tag}, {"Cache-Control", "no-cache"}}};
  if (has_entity_tag(request.if_none_match, tag)) {
    response.status = 304;
  } else {
    response.body = document->text(names, now);
  }
  const bool gzipped =
      response.body.size() >= kSmallestToCompress && accepts_gzip(request.accept_encoding);
  if (gzipped) response.body = document->gzipped(names, now);
  mark_gzipped(response, gzipped);
  return response;
}

Response Router::facts(const Request& request) {
  std::optional<FactTopic> topic;
  for (const auto& [key, value] : request.query) {
    if (key != "topic" || !(topic = find_fact_topic(value)))
      return json_response(400,
                           json::error_document("unknown parameter or topic; only topic=NAME is "
                                                "accepted, with a name that is listed without it"));
  }
  const auto facts = page()->facts();
  if (!facts) return json_response(404, json::error_document("no facts are read"));
  return json_response(200, json::facts_document(*facts, topic, options_.now()));
}

Response Router::healthy(const Request&) {
  return plain_response(200, "winperf_exporter is healthy.\n");
}

bool Router::has_fresh_facts() const {
  const auto facts = options_.facts.slot != nullptr ? options_.facts.slot->latest() : nullptr;
  return facts != nullptr &&
         std::ranges::any_of(facts->topics, [now = options_.now()](const FactState& topic) {
           return is_fresh(topic, now);
         });
}

Response Router::ready(const Request&) {
  const auto sample = slot_.latest();
  if (sample == nullptr) return plain_response(503, "not ready: no sample has been taken yet\n");
  const auto fresh = [now = options_.now()](const CountersetState& state) {
    return is_fresh(state, now);
  };
  // Vacuously so without any.
  const bool are_all_absent = std::ranges::all_of(sample->countersets, &CountersetState::is_absent);
  if (are_all_absent && !has_fresh_facts())
    return plain_response(503,
                          "not ready: no facts have been read yet, and no counterset is sampled; "
                          "the log and /api/v1/facts say why\n");
  if (!are_all_absent && std::ranges::none_of(sample->countersets, fresh))
    return plain_response(503,
                          "not ready: no counterset has values that are new enough; the log and "
                          "/api/v1/sample say why, unless a query hangs\n");
  return plain_response(200, "winperf_exporter is ready.\n");
}

Response Router::health(const Request&) { return json_response(200, "{\"status\":\"ok\"}\n"); }

Response Router::discovery(const Request&) {
  const auto report = options_.discovery ? options_.discovery() : std::nullopt;
  if (!report)
    return json_response(404, json::error_document("nobody looks for countersets: none is sampled, "
                                                   "or they are those of a recording"));
  return json_response(200, json::discovery_document(*report));
}

Response Router::version(const Request&) {
  const std::pair<std::string_view, std::string_view> fields[] = {
      {"version", options_.build.version},   {"revision", options_.build.revision},
      {"compiler", options_.build.compiler}, {"os", options_.build.os},
      {"arch", options_.build.arch},
  };
  std::string body;
  for (const auto& [name, value] : fields) {
    body += body.empty() ? '{' : ',';
    json::append_string(body, name);
    body += ':';
    json::append_string(body, value);
  }
  return json_response(200, body + "}\n");
}

Response Router::reload(const Request&) {
  return options_.reload ? options_.reload()
                         : plain_response(404, "this program can't reload its configuration\n");
}

Response Router::landing(const Request&) {
  return {200, "text/html; charset=utf-8", landing_page(options_.build, metrics_path()), {}};
}

std::string landing_page(const BuildInfo& build, const std::string& metrics_path) {
  return R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>winperf_exporter</title>
<style>body{font-family:sans-serif;margin:3em}h1{color:#e6522c}li{margin:.4em 0}</style>
</head>
<body>
<h1>winperf_exporter</h1>
<p>Windows performance counters for Prometheus. Version )" +
         escaped(build.version) + R"(</p>
<ul>
<li><a href=")" +
         metrics_path.substr(1) + R"(">)" + metrics_path +
         R"(</a>: the latest sample as Prometheus metrics</li>
<li><a href="api/v1/sample">/api/v1/sample</a>: the latest sample as JSON, with raw and cooked values</li>
<li><a href="api/v1/facts">/api/v1/facts</a>: what isn't a counter, as JSON</li>
<li><a href="api/v1/discovery">/api/v1/discovery</a>: which countersets the machine has</li>
<li><a href="api/v1/targets">/api/v1/targets</a>: other machines, for Prometheus' service discovery;
/probe?target=HOST has their metrics</li>
<li><a href="-/healthy">/-/healthy</a>, <a href="-/ready">/-/ready</a>: health and readiness checks</li>
<li><a href="version">/version</a>: the version as JSON</li>
</ul>
</body>
</html>
)";
}

// The router's answers about other machines.

namespace {

struct Probe {
  std::string target{};
  std::string module = kDefaultModule;
  std::vector<std::pair<std::string, std::string>> rest{};  // what /metrics takes, too
};

std::expected<Probe, std::string> read_probe(
    const std::vector<std::pair<std::string, std::string>>& query) {
  Probe probe;
  std::size_t targets = 0;
  std::size_t modules = 0;
  for (const auto& [key, value] : query) {
    if (key == "target") {
      probe.target = value;
      ++targets;
    } else if (key == "module") {
      probe.module = value;
      ++modules;
    } else {
      probe.rest.emplace_back(key, value);
    }
  }
  if (targets != 1 || probe.target.empty())
    return std::unexpected("name one machine: /probe?target=HOST&module=NAME");
  if (modules > 1) return std::unexpected("name one module: /probe?target=HOST&module=NAME");
  return probe;
}

}  // namespace

Response Router::probe(const Request& request) {
  const auto probe = read_probe(request.query);
  if (!probe) return plain_response(400, probe.error() + '\n');
  if (options_.targets == nullptr)
    return plain_response(404, "this program reads no other machines\n");
  const ProbeAnswer answer =
      options_.targets->probe(probe->target, probe->module, request.visitor.address);
  if (answer.page == nullptr) {
    Response response = plain_response(answer.status, answer.reason + '\n');
    if (answer.retry_after.count() != 0)
      response.headers.emplace_back("Retry-After", std::to_string(answer.retry_after.count()));
    return response;
  }
  const auto countersets = probe->rest.empty() ? nullptr : answer.page->countersets();
  const auto filter = page_filter(probe->rest, countersets.get(), nullptr, options_.find_collector);
  if (!filter) return plain_response(400, filter.error() + '\n');
  return page_response(request, *answer.page, *filter);
}

Response Router::targets(const Request& request) {
  // Whoever asks reaches this program under that name.
  if (request.visitor.host.empty())
    return plain_response(400, "the request lacks a Host, which is the address of the targets\n");
  const TargetsReport report =
      options_.targets != nullptr ? options_.targets->report() : TargetsReport{};
  return {
      200, "application/json", json::targets_document(report.targets, request.visitor.host), {}};
}

}  // namespace winperf
