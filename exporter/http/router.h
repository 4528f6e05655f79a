// What the program answers to an HTTP request. No sockets: a request in, a response out.
//
//   /metrics         Prometheus text          /-/healthy, /health   the process lives
//   /api/v1/sample   JSON, ?counterset=NAME   /-/ready              a sample is there (503 before)
//   /version         JSON                     /                     a page with links
//   POST /-/reload   as RouterOptions::reload says, but to no page in a browser: any site could ask
// Otherwise GET and HEAD; other methods are answered with 405, other paths with 404. The response
// to HEAD has the body of GET: who sends it leaves the body out. Thread rule: any thread; all
// arguments of the constructor must outlive the router.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/sample_slot.h"
#include "exporter/text/exporter_registry.h"
#include "exporter/text/metrics_page.h"

namespace winperf {

struct Request {
  std::string method;
  std::string path;                                        // decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  std::string accept_encoding;
  bool from_page = false;  // sent by a page in a browser: it has an Origin, whatever that is
};

struct Response {
  int status = 200;
  std::string content_type;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // beyond type and length
};

// Text for people.
Response plain_response(int status, std::string body);

struct RouterOptions {
  BuildInfo build;
  MappingOptions mapping;
  std::function<Ticks100ns()> now;  // the clock of CountersetState::sampled_at
  // Answers POST /-/reload; without it there is no such route.
  std::function<Response()> reload{};
};

class Router {
 public:
  Router(const SampleSlot& slot, ExporterRegistry& registry, RouterOptions options);

  // Counts the request by its route and status.
  Response handle(const Request& request);

  // Of all requests from now on. What others are being answered with stays.
  void change_mapping(MappingOptions mapping);

  // For requests that fail before they get here (garbage, too large).
  void count_bad_request(int status) { registry_.count_request("invalid", status); }

 private:
  struct Route {
    std::string_view path;
    std::string_view method;  // GET stands for HEAD, too
    Response (Router::*answer)(const Request&);
  };
  static const std::vector<Route>& routes();

  Response metrics(const Request& request);
  Response sample(const Request& request);
  Response healthy(const Request& request);
  Response ready(const Request& request);
  Response health(const Request& request);
  Response version(const Request& request);
  Response landing(const Request& request);
  Response reload(const Request& request);
  std::shared_ptr<MetricsPage> page();

  const SampleSlot& slot_;
  ExporterRegistry& registry_;
  RouterOptions options_;
  std::mutex mutex_;
  std::shared_ptr<MetricsPage> page_;  // under the mutex; what it points to is not
};

// The page at "/": what this is, and links to what it serves.
std::string landing_page(const BuildInfo& build);

}  // namespace winperf
