// The router's answer to /api/v1/recording.
#include <httplib.h>

#include <utility>

#include "exporter/api/history_query.h"
#include "exporter/http/router.h"

namespace winperf {
namespace {

// As long as a recording usually takes.
constexpr char kNextRecording[] = "10";

}  // namespace

void Router::recording(const httplib::Request& request, httplib::Response& response,
                       const Machine& machine) {
  const auto query = api::recording_query(request.params, now().wall);
  if (!query) return respond_problem(response, query.error());
  if (!options_.recording)
    return respond_problem(response, {.status = 404, .detail = "nothing is recorded here"});
  // The client of a HEAD request wants no recording.
  if (request.method == "HEAD") return respond(response, 200, kRecordingType, {});
  const auto turn = recording_turn_.take();
  if (!turn) {
    response.set_header("Retry-After", kNextRecording);
    return respond_problem(
        response,
        {.status = 429, .detail = "another recording is being made; only one is made at a time"});
  }
  auto made = options_.recording(*machine, *query);
  if (!made) return respond_problem(response, made.error());
  response.set_header("Content-Disposition", "attachment; filename=\"" + made->name + '"');
  response.set_header("Cache-Control", "no-store");
  respond(response, 200, kRecordingType, std::move(made->bytes));
}

}  // namespace winperf
