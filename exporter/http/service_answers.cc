// The router's answers under /api/v1 about the program itself.
#include <httplib.h>

#include <string>
#include <utility>
#include <vector>

#include "exporter/api/service_documents.h"
#include "exporter/http/router.h"

namespace winperf {
namespace {

template <class Report>
auto report_of(const std::function<Report()>& report) {
  return report ? report() : Report();
}

void respond_document_or_problem(const httplib::Request& request, httplib::Response& response,
                                 std::expected<std::string, api::Problem> document) {
  if (!document) return respond_problem(response, document.error());
  respond_document(request, response, *std::move(document));
}

// Whether it is about a target, but not about this one: such an event has the name as its subject.
bool is_of_another_target(const api::Message& message, const std::string& host) {
  return message.event.starts_with("target_") && message.subject != host &&
         !message.subject.starts_with(host + " (");
}

}  // namespace

Ticks100ns Router::wall_now() const {
  return options_.facts.wall_now ? options_.facts.wall_now() : Ticks100ns{};
}

void Router::log(const httplib::Request& request, httplib::Response& response, const Machine&) {
  const std::vector<api::Message> messages = report_of(options_.service.messages);
  respond_document_or_problem(request, response,
                              api::log_document(messages, request.params, wall_now()));
}

void Router::annotations(const httplib::Request& request, httplib::Response& response,
                         const Machine& machine) {
  std::vector<api::Message> landmarks = report_of(options_.service.landmarks);
  if (const std::string& host = machine->host(); !host.empty())
    std::erase_if(landmarks,
                  [&](const api::Message& one) { return is_of_another_target(one, host); });
  const auto history = machine->history();
  respond_document_or_problem(
      request, response,
      api::annotations_document(landmarks, history.get(), request.params, wall_now()));
}

void Router::scrapers(const httplib::Request& request, httplib::Response& response,
                      const Machine&) {
  const auto scrapers = scrape_log_.scrapers({.steady = options_.now(), .wall = wall_now()});
  respond_document(request, response, api::scrapers_document(scrapers));
}

void Router::workers(const httplib::Request& request, httplib::Response& response, const Machine&) {
  const auto sample = slot_.latest();
  const auto facts = options_.facts.latest();
  const TargetsReport targets =
      options_.targets != nullptr ? options_.targets->report() : TargetsReport{};
  respond_document(request, response,
                   api::workers_document(sample.get(), facts.get(), targets.workers));
}

void Router::config(const httplib::Request& request, httplib::Response& response, const Machine&) {
  const auto settings = report_of(options_.service.config.settings);
  respond_document(request, response,
                   api::config_document(options_.service.config.file,
                                        settings != nullptr ? *settings : Settings()));
}

}  // namespace winperf
