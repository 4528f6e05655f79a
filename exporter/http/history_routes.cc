// The router's answers from what the recorder remembers.
#include <httplib.h>

#include <expected>
#include <string>
#include <utility>

#include "exporter/http/history_answers.h"
#include "exporter/http/router.h"
#include "exporter/text/gzip.h"

namespace winperf {
namespace {

constexpr char kHistoryType[] = "application/json";
// Below this, compression costs more than it saves.
constexpr std::size_t kSmallestHistory = 1024;

using HistoryAnswer = std::expected<std::string, HistoryRefusal>;

void respond_with(const httplib::Request& request, httplib::Response& response,
                  HistoryAnswer answer) {
  if (!answer)
    return respond_problem(response, {.status = answer.error().status,
                                      .detail = describe(answer.error()),
                                      .parameter = answer.error().parameter});
  response.set_header("Vary", "Accept-Encoding");
  response.set_header("Cache-Control", "no-cache");
  if (answer->size() < kSmallestHistory ||
      !accepts_gzip(request.get_header_value("Accept-Encoding")))
    return respond(response, 200, kHistoryType, *std::move(answer));
  response.set_header("Content-Encoding", "gzip");
  GzipFile file;
  file.add(deflate_part(*answer));
  respond(response, 200, kHistoryType, std::move(file).finish());
}

// `read`: the query, from the parameters and the time.
HistoryAnswer answer_from(const RouterOptions& options, const QueryParameters& parameters,
                          const auto& read, const auto& answer) {
  const auto query =
      read(parameters, options.facts.wall_now ? options.facts.wall_now() : Ticks100ns{});
  if (!query) return std::unexpected(query.error());
  const auto history = options.history ? options.history() : nullptr;
  if (history == nullptr)
    return std::unexpected(HistoryRefusal{
        .status = 503, .problem = "nothing has been recorded yet, or recorder.memory is 0"});
  return answer(*history, *query);
}

}  // namespace

void Router::range(const httplib::Request& request, httplib::Response& response) {
  respond_with(request, response, answer_from(options_, request.params, range_query, range_answer));
}

void Router::top(const httplib::Request& request, httplib::Response& response) {
  respond_with(request, response, answer_from(options_, request.params, top_query, top_answer));
}

}  // namespace winperf
