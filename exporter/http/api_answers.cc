// The router's answers under /api/v1 that show samples.
#include <httplib.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "exporter/api/api_query.h"
#include "exporter/api/counterset_documents.h"
#include "exporter/api/documents.h"
#include "exporter/api/history_answers.h"
#include "exporter/api/history_query.h"
#include "exporter/api/sample_query.h"
#include "exporter/http/router.h"

namespace winperf {
namespace {

// A weak one, because it is the same for the compressed document.
std::string content_tag(const std::string& document) {
  return "W/\"" + std::to_string(document.size()) + '-' +
         std::to_string(std::hash<std::string>()(document)) + '"';
}

// Below this, compression costs more than it saves.
constexpr std::size_t kSmallestToCompress = 1024;

api::Problem no_sample() { return {.status = 503, .detail = "no sample has been taken yet"}; }

api::Problem unknown_counterset(const Sample& sample, std::string_view name) {
  std::vector<std::string_view> known;
  for (const CountersetState& state : sample.countersets) known.push_back(state.name);
  return api::unknown_name("counterset", name, " is not sampled", known);
}

// A document of its part, for one request.
std::expected<std::shared_ptr<json::SampleDocument>, api::Problem> part_of(
    const json::SampleDocument& document, json::SampleForm form, const httplib::Params& query) {
  auto part = api::select_sample(document.index(), query);
  if (!part) return std::unexpected(part.error());
  auto made = std::make_shared<json::SampleDocument>(std::move(part->sample), form);
  if (part->next) made->set_next(*std::move(part->next));
  return made;
}

std::string missing_parameter(std::string_view name) {
  return "the parameter " + std::string(name) + " is needed";
}

}  // namespace

void respond_document(const httplib::Request& request, httplib::Response& response,
                      std::string document, std::string tag) {
  response.set_header("Vary", "Accept-Encoding");
  response.set_header("Cache-Control", "no-cache");
  if (tag.empty()) tag = content_tag(document);
  response.set_header("ETag", tag);
  if (has_entity_tag(request.get_header_value("If-None-Match"), tag))
    return respond(response, 304, kDocumentType, {});
  SharedText body(std::move(document));
  if (body.size() >= kSmallestToCompress &&
      accepts_gzip(request.get_header_value("Accept-Encoding"))) {
    GzipFile file;
    file.add(deflate_part(*body.pieces().front()));
    body = std::move(file).finish();
    response.set_header("Content-Encoding", "gzip");
  }
  respond(response, 200, kDocumentType, std::move(body));
}

void Router::sample(const httplib::Request& request, httplib::Response& response,
                    const Machine& machine) {
  const auto as_columns = api::wants_columns(request.params);
  if (!as_columns) return respond_problem(response, as_columns.error());
  const auto form = *as_columns ? json::SampleForm::kColumns : json::SampleForm::kRows;
  auto document = machine->document(form);
  if (document == nullptr) return respond_problem(response, no_sample());
  const SteadyTime now = options_.now();
  const std::string tag = document->etag(now);
  std::vector<std::string> names;
  if (api::is_of_whole_countersets(request.params)) {
    names = api::values_of(request.params, "counterset");
    if (const auto unknown = document->unknown_counterset(names))
      return respond_problem(response, unknown_counterset(document->sample(), *unknown));
  } else {
    auto part = part_of(*document, form, request.params);
    if (!part) return respond_problem(response, part.error());
    document = *std::move(part);
  }
  response.set_header("ETag", tag);
  response.set_header("Cache-Control", "no-cache");
  const bool is_known = has_entity_tag(request.get_header_value("If-None-Match"), tag);
  SharedText body = is_known ? SharedText() : document->text(names, now);
  if (body.size() >= kSmallestToCompress &&
      accepts_gzip(request.get_header_value("Accept-Encoding"))) {
    body = document->gzipped(names, now);
    response.set_header("Content-Encoding", "gzip");
  }
  response.set_header("Vary", "Accept-Encoding");
  respond(response, is_known ? 304 : 200, kDocumentType, std::move(body));
}

void Router::machine(const httplib::Request& request, httplib::Response& response,
                     const Machine& machine) {
  const auto sample = machine->sample();
  const auto facts = machine == own_ ? options_.facts.latest() : nullptr;
  const auto& wall_now = options_.facts.wall_now;
  const api::MachineNow now{.steady = options_.now(),
                            .wall = wall_now ? std::optional(wall_now()) : std::nullopt};
  const auto history = machine->history();
  respond_document(request, response,
                   api::machine_document(
                       {.sample = sample.get(), .facts = facts.get(), .history = history.get()},
                       options_.build, now, machine->host()));
}

void Router::countersets(const httplib::Request& request, httplib::Response& response,
                         const Machine& machine) {
  const auto found = machine->page()->series();
  if (found.sample == nullptr) return respond_problem(response, no_sample());
  respond_document(request, response,
                   api::countersets_document(*found.sample, found.series, options_.now(),
                                             machine == own_ ? options_.advise : api::Advise{}));
}

void Router::counterset(const httplib::Request& request, httplib::Response& response,
                        const Machine& machine) {
  const auto document = machine->document(json::SampleForm::kColumns);
  if (document == nullptr) return respond_problem(response, no_sample());
  const std::string name = request.path.substr(request.path.rfind('/') + 1);
  const auto places = document->index().called(name);
  if (places.empty()) {
    api::Problem problem = unknown_counterset(document->sample(), name);
    problem.status = 404;
    problem.parameter = "name";
    return respond_problem(response, problem);
  }
  respond_document(
      request, response,
      api::counterset_document(document->sample(), places.front(), *machine->metric_names(),
                               options_.now(), machine == own_ ? options_.advise : api::Advise{}));
}

void Router::counters(const httplib::Request& request, httplib::Response& response,
                      const Machine& machine) {
  const auto sample = machine->sample();
  if (sample == nullptr) return respond_problem(response, no_sample());
  const std::string text = api::value_of(request.params, "q").value_or("");
  respond_document(request, response, api::counters_document(*sample, text));
}

void Router::names(const httplib::Request& request, httplib::Response& response,
                   const Machine& machine) {
  const auto path = api::value_of(request.params, "path");
  if (!path)
    return respond_problem(response,
                           api::Problem{.detail = missing_parameter("path"), .parameter = "path"});
  const auto document = machine->document(json::SampleForm::kColumns);
  if (document == nullptr) return respond_problem(response, no_sample());
  auto names = api::names_document(document->index(), *path, *machine->metric_names());
  if (!names) return respond_problem(response, names.error());
  respond_document(request, response, *std::move(names));
}

// `read`: the query, from the parameters and the time; `answer`: its document.
void Router::answer_from_history(const httplib::Request& request, httplib::Response& response,
                                 const MachineView& machine, const auto& read, const auto& answer) {
  const auto query = read(request.params, wall_now());
  if (!query) return respond_problem(response, query.error());
  const auto history = machine.history();
  if (history == nullptr) return respond_problem(response, machine.no_history());
  auto document = answer(*history, *query);
  if (!document) return respond_problem(response, document.error());
  respond_document(request, response, *std::move(document));
}

void Router::range(const httplib::Request& request, httplib::Response& response,
                   const Machine& machine) {
  answer_from_history(request, response, *machine, api::range_query, api::range_answer);
}

void Router::top(const httplib::Request& request, httplib::Response& response,
                 const Machine& machine) {
  answer_from_history(request, response, *machine, api::top_query, api::top_answer);
}

void Router::families(const httplib::Request& request, httplib::Response& response,
                      const Machine& machine) {
  const bool takes_gzip = accepts_gzip(request.get_header_value("Accept-Encoding"));
  const auto facts = machine == own_ ? options_.facts.latest() : nullptr;
  auto answer = machine->families().answer(
      {.page = machine->page(), .sample = machine->sample(), .facts = facts},
      {.steady = options_.now(), .wall = wall_now()}, request.get_header_value("If-None-Match"),
      takes_gzip);
  const bool is_known = answer.text.size() == 0;
  if (takes_gzip && !is_known) response.set_header("Content-Encoding", "gzip");
  response.set_header("ETag", answer.tag);
  response.set_header("Cache-Control", "no-cache");
  response.set_header("Vary", "Accept-Encoding");
  respond(response, is_known ? 304 : 200, kDocumentType, std::move(answer.text));
}

void Router::openapi(const httplib::Request& request, httplib::Response& response, const Machine&) {
  respond_document(request, response, api::openapi_document());
}

}  // namespace winperf
