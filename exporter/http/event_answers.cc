// The router's answer that has no end.
#include <httplib.h>

#include <utility>

#include "exporter/http/router.h"

namespace winperf {

void Router::events(const httplib::Request& request, httplib::Response& response,
                    const Machine& machine) {
  if (request.method == "HEAD") {
    if (const auto problem = EventStreams::why_refused(*machine, request.params))
      return respond_problem(response, *problem);
    return respond(response, 200, api::kEventType, {});
  }
  auto opened = events_.open(machine, request.params, request.get_header_value("Last-Event-ID"),
                             network_of(visitor_in(response).address));
  if (!opened) return respond_problem(response, opened.error());
  response.set_header("Cache-Control", "no-cache");
  // A proxy must not wait for more before it passes on what there is.
  response.set_header("X-Accel-Buffering", "no");
  respond(response, 200, api::kEventType, std::move(opened->begin));
  response.user_data.set(kStream, std::move(opened->rest));
}

}  // namespace winperf
