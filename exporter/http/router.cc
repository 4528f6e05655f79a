#include "exporter/http/router.h"

#include <httplib.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/model/sample.h"
#include "exporter/api/api_query.h"
#include "exporter/json/json_text.h"
#include "exporter/json/sample_document.h"
#include "exporter/text/gzip.h"
#include "exporter/text/page_format.h"

namespace winperf {

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

using httplib::Request;
using httplib::Response;

constexpr char kPlainText[] = "text/plain; charset=utf-8";
constexpr char kMetrics[] = "/metrics";
constexpr char kVary[] = "Vary";

void respond_json(Response& response, int status, std::string body) {
  respond(response, status, kDocumentType, std::move(body));
}

bool accepts_gzip(const Request& request) {
  return winperf::accepts_gzip(request.get_header_value("Accept-Encoding"));
}

bool has_path(const Router::Route& route, std::string_view path) {
  const std::size_t open = route.path.find('{');
  if (open == std::string_view::npos) return route.path == path;
  return path.starts_with(route.path.substr(0, open)) &&
         (has_rest(route) || path.find('/', open) == std::string_view::npos);
}

std::optional<api::Problem> query_problem(const Router::Route& route, const Request& request) {
  return is_api(route.path) ? api::why_refused(route.path, request.params) : std::nullopt;
}

api::Problem unknown_topic(std::string_view name) {
  std::vector<std::string_view> known;
  for (const FactTopicInfo& topic : kFactTopics) known.push_back(topic.name);
  return api::unknown_name("topic", name, " does not exist", known);
}

// Of a path that no route has.
api::Problem unknown_route(const std::string& path) {
  std::vector<std::string_view> known;
  for (const Router::Route& route : Router::routes())
    if (is_api(route.path)) known.push_back(route.path);
  return {.status = 404,
          .detail = "no route has the path " + api::excerpt(path),
          .nearest = api::nearest_name(path, known)};
}

}  // namespace

const Visitor& visitor_in(const Response& response) {
  return *response.user_data.get<Visitor>(kVisitor);
}

bool is_api(std::string_view path) { return path.starts_with(api::kApiRoot); }

void respond(Response& response, int status, const char* content_type, SharedText body) {
  response.status = status;
  if ((status == 503 || status == 429) && !response.has_header("Retry-After"))
    response.set_header("Retry-After", std::to_string(kRetryAfterSeconds));
  if (status == 304) return;
  if (body.size() == 0) return response.set_content("", content_type);
  // The library compresses a body that it has, so it gets the length alone.
  response.set_content_provider(body.size(), content_type,
                                [](std::size_t, std::size_t, httplib::DataSink&) { return false; });
  response.user_data.set(kBody, std::move(body));
}

void respond(Response& response, PlainAnswer answer) {
  respond(response, answer.status, kPlainText, std::move(answer.text));
}

void respond_problem(Response& response, const api::Problem& problem) {
  respond(response, problem.status, api::kProblemType, api::problem_document(problem));
}

void respond_error(Response& response, std::string_view path, int status, std::string sentence) {
  if (is_api(path))
    respond_problem(response, api::Problem{.status = status, .detail = std::move(sentence)});
  else
    respond(response, {status, sentence + '\n'});
}

Router::Router(const SampleSlot& slot, ExporterRegistry& registry, RouterOptions options)
    : slot_(slot),
      registry_(registry),
      options_(std::move(options)),
      own_(std::make_shared<MachineView>(slot, make_page(options_.mapping), options_.mapping,
                                         MachineViewOptions{.history = options_.history})),
      metrics_path_(options_.metrics_path),
      events_({.now = [this] { return this->now(); }}) {
  if (options_.news) options_.news->listen([this] { events_.note_sample(); });
}

Router::~Router() {
  if (options_.news) options_.news->listen({});
}

// Without a wall clock, it is 1601.
Instant Router::now() const {
  const auto& wall_now = options_.facts.wall_now;
  return {options_.now(), wall_now ? wall_now() : Ticks100ns{}};
}

std::shared_ptr<MetricsPage> Router::make_page(const MappingOptions& mapping) {
  ReportTargets report;
  if (options_.targets != nullptr)
    report = [targets = options_.targets] { return targets->report(); };
  return std::make_shared<MetricsPage>(slot_, registry_, mapping, options_.now, options_.facts,
                                       std::move(report));
}

void Router::change_mapping(const MappingOptions& mapping) {
  own_->change(make_page(mapping), mapping);
}

void Router::change_metrics_path(std::string path) {
  const std::lock_guard lock(mutex_);
  metrics_path_ = std::move(path);
}

std::string Router::metrics_path() {
  const std::lock_guard lock(mutex_);
  return metrics_path_;
}

std::string Router::route_path(std::string path) {
  if (path == metrics_path()) return kMetrics;
  return path == kMetrics ? std::string() : path;
}

// A query makes an answer specific to the client. What a decoder may make of an unknown path isn't
// known here.
Effort Router::effort_of(std::string_view target) {
  const std::size_t end = target.find('?');
  const Route* const route = route_of(route_path(std::string(target.substr(0, end))));
  if (route == nullptr || (end != target.npos && route->effort == Effort::kPlain))
    return Effort::kCostly;
  return route->effort;
}

bool has_rest(const Router::Route& route) { return route.path.ends_with("...}"); }

const Router::Route* Router::route_of(std::string_view path) {
  const auto all = routes();
  const auto route =
      std::ranges::find_if(all, [&](const auto& one) { return has_path(one, path); });
  return route == all.end() ? nullptr : &*route;
}

std::span<const Router::Route> Router::routes() {
#define ROUTE(path, method, area, effort, handler, title) \
  {path, method, Area::area, Effort::effort, &Router::handler, title},
  static constexpr Route kRoutes[] = {
#include "config/routes.inc"
  };
  return kRoutes;
}

namespace {

// Lets a page of a listed origin read the answer. A cache must not give it to another one.
void allow_origin(const AccessRules& rules, const Visitor& visitor, Response& response) {
  if (rules.origins.empty()) return;
  response.set_header(kVary, "Origin");
  if (!is_listed_origin(rules, visitor)) return;
  response.set_header("Access-Control-Allow-Origin", *visitor.origin);
  response.set_header("Access-Control-Expose-Headers", "ETag, Retry-After");
}

}  // namespace

void Router::answer(const Route& route, const AccessRules& rules, const Request& request,
                    Response& response) {
  own_->forget_old_documents();
  if (route.area == Area::kApi) allow_origin(rules, visitor_in(response), response);
  if (const auto reason = why_refused(route.area, route.path, rules, visitor_in(response)))
    respond_error(response, route.path, 403, *reason);
  else if (const auto problem = query_problem(route, request))
    respond_problem(response, *problem);
  else
    call_handler(route, request, response);
  registry_.count_request(route.path, response.status);
}

void Router::call_handler(const Route& route, const Request& request, Response& response) {
  if (!is_api(route.path)) return (this->*route.handler)(request, response, own_);
  const auto machine = machine_of(request, response);
  if (!machine) return respond_problem(response, machine.error());
  (this->*route.handler)(request, response, *machine);
}

// To pages of other origins an address without a list answers as if there were no such thing.
void Router::answer_preflight(const Route& route, const AccessRules& rules, const Request& request,
                              Response& response) {
  Visitor visitor = visitor_in(response);
  if (!is_listed_origin(rules, visitor)) return answer_elsewhere(rules, request, response);
  own_->forget_old_documents();
  visitor.only_reads = true;  // the request that it asks about
  allow_origin(rules, visitor, response);
  if (const auto reason = why_refused(route.area, route.path, rules, visitor)) {
    respond_error(response, route.path, 403, *reason);
  } else {
    response.status = 204;
    response.set_header("Access-Control-Allow-Methods", "GET, HEAD");
    response.set_header("Access-Control-Allow-Headers", "If-None-Match, Last-Event-ID");
    response.set_header("Access-Control-Max-Age", "600");
  }
  registry_.count_request(route.path, response.status);
}

// The library knows a route by its method as well.
void Router::answer_elsewhere(const AccessRules& rules, const Request& request,
                              Response& response) {
  own_->forget_old_documents();
  const Route* const route = route_of(request.path);
  if (is_api(request.path)) allow_origin(rules, visitor_in(response), response);
  if (route != nullptr) {
    const std::string method(route->method);
    response.set_header("Allow", method == "GET" ? "GET, HEAD" : method);
    respond_error(response, route->path, 405, "method not allowed; use " + method);
  } else if (is_api(request.path)) {
    respond_problem(response, unknown_route(request.path));
  } else {
    respond(response, {404, "not found; the metrics are at " + metrics_path() + '\n'});
  }
  registry_.count_request(route != nullptr ? route->path : "other", response.status);
}

namespace {

// Of those with values, because the others have no rates; null if there is none.
const CountersetState* sampled_least_often(const Sample* sample, SteadyTime now) {
  const CountersetState* rarest = nullptr;
  if (sample == nullptr) return rarest;
  for (const CountersetState& state : sample->countersets)
    if (is_fresh(state, now) && (rarest == nullptr || state.interval > rarest->interval))
      rarest = &state;
  return rarest;
}

}  // namespace

// The page shows what was before this scrape.
void Router::log_scrape(const Request& request, const Visitor& visitor, bool is_of_all) {
  const SteadyTime now = options_.now();
  const ScrapeLog::State state = scrape_log_.state(now);
  registry_.show_scrapes(state.clients, state.age_seconds);
  registry_.show_event_streams(events_.count());
  if (request.method != "GET" || (!is_of_all && visitor.is_local)) return;
  const auto sample = slot_.latest();
  // Scrapes of different parts can't be compared, and a proxy's address doesn't identify the
  // scraper.
  const bool is_comparable = is_of_all && !visitor.is_forwarded;
  const CountersetState* const rarest =
      is_comparable ? sampled_least_often(sample.get(), now) : nullptr;
  const ScrapeVerdict verdict = scrape_log_.note(
      {.client = visitor.address,
       .at = now,
       .interval = rarest != nullptr ? rarest->interval : std::chrono::milliseconds(),
       .user_agent = visitor.user_agent,
       .format = preferred_format(request.get_header_value("Accept")),
       .is_compressed = accepts_gzip(request)});
  if (verdict.is_early) registry_.count_early_scrape();
  if (verdict.habit && options_.early_scraper)
    options_.early_scraper(
        {to_text(visitor.address), *verdict.habit, rarest->name, rarest->interval});
}

void Router::metrics(const Request& request, Response& response, const Machine& machine) {
  const auto facts = options_.facts.latest();
  const auto page = machine->page();
  const auto countersets = request.params.empty() ? nullptr : page->countersets();
  const auto filter =
      page_filter(request.params, countersets.get(), facts.get(), options_.find_collector);
  if (!filter) return respond(response, {400, filter.error() + '\n'});
  log_scrape(request, visitor_in(response), filter->admits_all());
  respond_with_page(request, response, *page, *filter);
}

void Router::respond_with_page(const Request& request, Response& response, MetricsPage& page,
                               const PageFilter& filter) {
  const PageFormat format = preferred_format(request.get_header_value("Accept"));
  const bool gzipped = accepts_gzip(request);
  if (gzipped) response.set_header("Content-Encoding", "gzip");
  response.set_header(kVary, "Accept, Accept-Encoding");
  respond(response, 200, std::string(media_type(format)).c_str(),
          gzipped ? page.gzipped(format, filter) : page.text(format, filter));
  response.user_data.set(kScrape, true);
}

void Router::facts(const Request& request, Response& response, const Machine&) {
  std::optional<FactTopic> topic;
  if (const auto name = api::value_of(request.params, "topic")) {
    topic = find_fact_topic(*name);
    if (!topic) return respond_problem(response, unknown_topic(*name));
  }
  const auto facts = options_.facts.latest();
  if (facts == nullptr)
    return respond_problem(response, api::Problem{.status = 404, .detail = "no facts are read"});
  respond_document(request, response, json::facts_document(*facts, topic, options_.now()));
}

void Router::healthy(const Request&, Response& response, const Machine&) {
  respond(response, {200, "winperf_exporter is healthy.\n"});
}

bool Router::has_fresh_facts() const {
  const auto facts = options_.facts.latest();
  return facts != nullptr &&
         std::ranges::any_of(facts->topics, [now = options_.now()](const FactState& topic) {
           return is_fresh(topic, now);
         });
}

void Router::ready(const Request&, Response& response, const Machine&) {
  const auto sample = slot_.latest();
  if (sample == nullptr)
    return respond(response, {503, "not ready: no sample has been taken yet\n"});
  const auto fresh = [now = options_.now()](const CountersetState& state) {
    return is_fresh(state, now);
  };
  // Vacuously so without any.
  const bool are_all_absent = std::ranges::all_of(sample->countersets, &CountersetState::is_absent);
  if (are_all_absent && !has_fresh_facts())
    return respond(response, {503,
                              "not ready: no facts have been read yet, and no counterset is "
                              "sampled; the log and /api/v1/facts have the reason\n"});
  if (!are_all_absent && std::ranges::none_of(sample->countersets, fresh))
    return respond(response, {503,
                              "not ready: no counterset has fresh values; the log and "
                              "/api/v1/sample have the reason, unless a query hangs\n"});
  respond(response, {200, "winperf_exporter is ready.\n"});
}

void Router::health(const Request&, Response& response, const Machine&) {
  respond_json(response, 200, "{\"status\":\"ok\"}\n");
}

void Router::discovery(const Request& request, Response& response, const Machine&) {
  const auto report = options_.discovery ? options_.discovery() : std::nullopt;
  if (!report)
    return respond_problem(response,
                           api::Problem{.status = 404,
                                        .detail = "discovery is off: no counterset is sampled, or "
                                                  "the countersets are those of a recording"});
  respond_document(request, response, json::discovery_document(*report));
}

void Router::version(const Request&, Response& response, const Machine&) {
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
  respond_json(response, 200, body + "}\n");
}

void Router::reload(const Request&, Response& response, const Machine&) {
  respond(response, options_.reload
                        ? options_.reload()
                        : PlainAnswer{404, "this program cannot reload its configuration\n"});
}

// The router's answers about other machines.

namespace {

struct Probe {
  std::string target{};
  std::string module = kDefaultModule;
  httplib::Params rest{};  // what /metrics takes, too
};

std::expected<Probe, std::string> read_probe(const httplib::Params& query) {
  Probe probe;
  for (const auto& [key, value] : query) {
    if (key == "target")
      probe.target = value;
    else if (key == "module")
      probe.module = value;
    else
      probe.rest.emplace(key, value);
  }
  if (query.count("target") != 1 || probe.target.empty())
    return std::unexpected("exactly one target is needed: /probe?target=HOST&module=NAME");
  if (query.count("module") > 1)
    return std::unexpected("only one module is allowed: /probe?target=HOST&module=NAME");
  return probe;
}

// When a target may be asked for again, if that is known.
void tell_when(Response& response, const ProbeAnswer& answer) {
  if (answer.retry_after.count() != 0)
    response.set_header("Retry-After", std::to_string(answer.retry_after.count()));
}

}  // namespace

void Router::probe(const Request& request, Response& response, const Machine&) {
  const auto probe = read_probe(request.params);
  if (!probe) return respond(response, {400, probe.error() + '\n'});
  if (options_.targets == nullptr)
    return respond(response, {404, "this program samples no other machines\n"});
  const ProbeAnswer answer =
      options_.targets->probe(probe->target, probe->module, visitor_in(response).address);
  if (answer.machine == nullptr) {
    tell_when(response, answer);
    return respond(response, {answer.status, answer.reason + '\n'});
  }
  const auto page = answer.machine->page();
  const auto countersets = probe->rest.empty() ? nullptr : page->countersets();
  const auto filter = page_filter(probe->rest, countersets.get(), nullptr, options_.find_collector);
  if (!filter) return respond(response, {400, filter.error() + '\n'});
  respond_with_page(request, response, *page, *filter);
}

std::expected<Router::Machine, api::Problem> Router::machine_of(const Request& request,
                                                                Response& response) {
  const auto host = api::value_of(request.params, "target");
  const auto module = api::value_of(request.params, "module");
  if (!host && module)
    return std::unexpected(api::wrong_parameter("module", "is that of a target, which is missing"));
  if (!host) return own_;
  if (options_.targets == nullptr)
    return std::unexpected(api::Problem{
        .status = 404, .detail = "this program samples no other machines", .parameter = "target"});
  ProbeAnswer answer =
      options_.targets->probe(*host, module.value_or(kDefaultModule), visitor_in(response).address);
  if (answer.machine != nullptr && answer.reason.empty()) return std::move(answer.machine);
  tell_when(response, answer);
  return std::unexpected(no_machine(answer, *host));
}

api::Problem Router::no_machine(const ProbeAnswer& answer, const std::string& host) const {
  const int status = answer.machine != nullptr ? 503 : answer.status;
  if (status == 503) return {.status = status, .detail = answer.reason, .reason = answer.code};
  api::Problem problem{.status = status,
                       .detail = answer.reason,
                       .parameter = answer.is_module_unknown ? "module" : "target"};
  if (answer.is_module_unknown) return problem;
  const TargetsReport report = options_.targets->report();
  std::vector<std::string_view> known;
  for (const TargetState& target : report.targets)
    if (target.is_named) known.emplace_back(target.host);
  problem.nearest = api::nearest_name(host, known);
  return problem;
}

void Router::targets(const Request& request, Response& response, const Machine&) {
  // The client reaches this program under that name.
  const std::string& host = visitor_in(response).host;
  if (host.empty())
    return respond_problem(
        response, api::Problem{.detail = "the request has no Host field, which is needed as "
                                         "the address of the targets"});
  const TargetsReport report =
      options_.targets != nullptr ? options_.targets->report() : TargetsReport{};
  respond_document(request, response, json::targets_document(report.targets, host));
}

}  // namespace winperf
