// The handlers of all routes (config/routes.inc), for the library's server. No sockets: a request
// in, a response out.
//
//   /metrics         page_query.h             /-/healthy, /health   the process runs
//   /api/v1/...      JSON, api_answers.cc     /-/ready              there are fresh values, or 503
//   /version         JSON                     /, /page/...          the page, page_answers.cc
//   /api/v1/facts   JSON: facts, ?topic=NAME
//   /api/v1/discovery   JSON: which countersets there are
//   /api/v1/range, /api/v1/top   JSON of the recent past: history_query.h
//   /api/v1/events   values as they come: event_streams.h
//   /api/v1/recording   a capture of it, as a ZIP archive
//   /api/v1/doctor   JSON: a diagnosis of this machine
//   /probe?target=HOST   the metrics of another machine, &module=NAME; else as /metrics; the same
//                        parameters make a route of the API show another machine
//   /api/v1/targets      those machines, for Prometheus' HTTP service discovery
//   POST /-/reload   what RouterOptions::reload says
// Any other method gets 405, any other path 404, and a refused client 403 with the reason
// (access.h). Errors of the API are documents (exporter/api/problem.h), and its parameters are
// checked before a handler is called. Thread rule: any thread; all arguments of the constructor
// must outlive the router.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include "collectors/model/clock.h"
#include "collectors/model/inventory.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/history.h"
#include "exporter/api/counterset_documents.h"
#include "exporter/api/history_query.h"
#include "exporter/api/metric_names.h"
#include "exporter/api/one_at_a_time.h"
#include "exporter/api/problem.h"
#include "exporter/api/service_documents.h"
#include "exporter/http/access.h"
#include "exporter/http/connection.h"
#include "exporter/http/event_streams.h"
#include "exporter/http/kept_diagnosis.h"
#include "exporter/http/machine_view.h"
#include "exporter/http/page_query.h"
#include "exporter/http/sample_news.h"
#include "exporter/http/scrape_log.h"
#include "exporter/http/targets.h"
#include "exporter/json/sample_document.h"
#include "exporter/text/exporter_registry.h"
#include "exporter/text/metrics_page.h"

namespace httplib {
struct Request;
struct Response;
}  // namespace httplib

namespace winperf {

// Comparing entity tags: whether a client already has what it asks for. Thread rule: pure function.
// Source: RFC 9110, sections 8.8.3.2 (weak comparison) and 13.1.2 (If-None-Match).

// Whether the value of If-None-Match, a list of tags or *, has this one. Anything that isn't such a
// list has no tag.
bool has_entity_tag(std::string_view if_none_match, std::string_view tag);

// In addition to httplib::Response: user_data carries the visitor to a handler, and the body back,
// because the library would copy it. The library only gets its length. It carries back the rest of
// an answer without an end, too.
inline constexpr char kVisitor[] = "visitor";  // a Visitor
inline constexpr char kBody[] = "body";        // a SharedText
inline constexpr char kStream[] = "stream";    // a std::shared_ptr<AnswerStream> that follows it
inline constexpr char kScrape[] = "scrape";    // true: an answer with metrics

// Who asks.
const Visitor& visitor_in(const httplib::Response& response);

// Completes the response: its fields come first.
void respond(httplib::Response& response, int status, const char* content_type, SharedText body);

// A text for people.
struct PlainAnswer {
  int status = 200;
  std::string text;
};
void respond(httplib::Response& response, PlainAnswer answer);

// Whether the path belongs to the API, whose errors are documents.
bool is_api(std::string_view path);
void respond_problem(httplib::Response& response, const api::Problem& problem);
// A document of the API, compressed if the client takes it and it is worth it. `tag`: an entity tag
// that changes with it; empty: that of its content.
void respond_document(const httplib::Request& request, httplib::Response& response,
                      std::string document, std::string tag = {});
// A document, or a line of text elsewhere.
void respond_error(httplib::Response& response, std::string_view path, int status,
                   std::string sentence);

inline constexpr int kRetryAfterSeconds = 1;  // after 429 and 503

struct EarlyScraper {
  std::string address;
  std::chrono::milliseconds between{};  // two of its scrapes
  std::string counterset;               // the one that is sampled least often
  std::chrono::milliseconds interval{};
};

inline constexpr char kDocumentType[] = "application/json";
inline constexpr char kRecordingType[] = "application/zip";

// A capture, as a file to download. Its name needs no quoting.
struct RecordingFile {
  std::string name;
  SharedText bytes;
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
  std::function<PlainAnswer()> reload{};
  std::string metrics_path = "/metrics";
  // The facts, if any are read.
  PageFacts facts{};
  // The other machines; null if there can be none.
  Targets* targets = nullptr;
  // What the recorder remembers of this machine; without it that is nothing.
  std::function<std::shared_ptr<const recorder::History>()> history{};
  // Makes a capture of what is remembered of a machine (MachineView::history()), for
  // /api/v1/recording, by the thread of the request; without it the answer is 404.
  std::function<std::expected<RecordingFile, api::Problem>(const MachineView&,
                                                           const api::RecordingQuery&)>
      recording{};
  // Has this machine diagnosed, for /api/v1/doctor, by the thread of the request: the text of a
  // worker, which may be anything. Without it the answer is 404.
  std::function<std::expected<std::string, api::Problem>()> doctor{};
  // For the countersets that fail.
  api::Advise advise{};
  // For the routes about the program itself.
  api::ServiceReports service{};
  // What the samples of all machines are announced by; without it event streams wait for ever.
  std::shared_ptr<SampleNews> news{};
};

class Router {
 public:
  using Machine = std::shared_ptr<MachineView>;
  struct Route {
    std::string_view path;
    std::string_view method;  // GET includes HEAD
    Area area;
    Effort effort;  // without a query
    // The machine: this one, except for requests of the API that name a target.
    void (Router::*handler)(const httplib::Request&, httplib::Response&, const Machine&);
    std::string_view title;  // in the list of links; empty: it isn't there
  };
  static std::span<const Route> routes();
  // Null if there is none.
  static const Route* route_of(std::string_view path);

  Router(const SampleSlot& slot, ExporterRegistry& registry, RouterOptions options);
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  // What the library calls for a route, if the visitor may have it. `rules`: of the address that
  // the request came to. Counts the request by its route and status.
  void answer(const Route& route, const AccessRules& rules, const httplib::Request& request,
              httplib::Response& response);
  // What a browser asks before a page of another origin may read a route: OPTIONS.
  void answer_preflight(const Route& route, const AccessRules& rules,
                        const httplib::Request& request, httplib::Response& response);
  // Answers a request that no route has.
  void answer_elsewhere(const AccessRules& rules, const httplib::Request& request,
                        httplib::Response& response);
  // The path of the route: that of the metrics is always /metrics, even if they are served
  // elsewhere, in which case /metrics itself has no route.
  std::string route_path(std::string path);

  // Of an answer to a request for this, as it was sent: a path, perhaps a query.
  Effort effort_of(std::string_view target);

  // Applies to all requests from now on; those that are being answered keep the old mapping.
  void change_mapping(const MappingOptions& mapping);
  // Where the metrics are from now on.
  void change_metrics_path(std::string path);

  // The configuration has changed: an earlier diagnosis isn't shown any more. Any thread.
  void forget_diagnosis() { diagnosis_.forget(); }

  ExporterRegistry& registry() { return registry_; }

  // Counts a request that fails before it gets here (garbage, too large).
  void count_bad_request(int status) { registry_.count_request("invalid", status); }

 private:
#define ROUTE(path, method, area, effort, handler, title)                    \
  void handler(const httplib::Request& request, httplib::Response& response, \
               const Machine& machine);
#include "config/routes.inc"
  void answer_from_history(const httplib::Request& request, httplib::Response& response,
                           const MachineView& machine, const auto& read, const auto& answer);
  void call_handler(const Route& route, const httplib::Request& request,
                    httplib::Response& response);
  [[nodiscard]] std::expected<Machine, api::Problem> machine_of(const httplib::Request& request,
                                                                httplib::Response& response);
  api::Problem no_machine(const ProbeAnswer& answer, const std::string& host) const;
  Ticks100ns wall_now() const;
  bool has_fresh_facts() const;
  // `page` as this request wants it.
  static void respond_with_page(const httplib::Request& request, httplib::Response& response,
                                MetricsPage& page, const PageFilter& filter);
  std::shared_ptr<MetricsPage> make_page(const MappingOptions& mapping);
  std::string metrics_path();
  Instant now() const;
  void log_scrape(const httplib::Request& request, const Visitor& visitor, bool is_of_all);

  const SampleSlot& slot_;
  ExporterRegistry& registry_;
  RouterOptions options_;
  ScrapeLog scrape_log_;
  const Machine own_;
  std::mutex mutex_;
  std::string metrics_path_;
  EventStreams events_;
  api::OneAtATime recording_turn_;
  KeptDiagnosis diagnosis_;
};

// Whether it has paths with any number of slashes.
bool has_rest(const Router::Route& route);

}  // namespace winperf
