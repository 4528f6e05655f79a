// The router's answer to /api/v1/doctor.
#include <httplib.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "exporter/api/doctor_document.h"
#include "exporter/http/router.h"

namespace winperf {
namespace {

void respond_no_diagnosis(httplib::Response& response, const api::Problem& problem) {
  response.set_header("Retry-After", std::to_string(KeptDiagnosis::kProblemKeptFor.count()));
  respond_problem(response, problem);
}

}  // namespace

void Router::doctor(const httplib::Request& request, httplib::Response& response, const Machine&) {
  if (!options_.doctor)
    return respond_problem(
        response,
        {.status = 404,
         .detail = "there is no diagnosis here: the countersets are those of a recording"});
  const auto show = [&](const api::MadeDiagnosis& made) {
    // A weak one, because its age grows.
    respond_document(request, response, api::doctor_document(made, options_.now()),
                     "W/\"" + std::to_string(made.made_at.ticks) + '"');
  };
  if (const auto kept = diagnosis_.fresh(options_.now())) return show(*kept);
  // The client of a HEAD request wants none to be made.
  if (request.method == "HEAD") return respond(response, 200, kDocumentType, {});
  if (const auto problem = diagnosis_.problem(options_.now()))
    return respond_no_diagnosis(response, *problem);
  const auto turn = diagnosis_.take_turn();
  if (!turn)
    return respond_no_diagnosis(
        response,
        {.status = 429, .detail = "another diagnosis is being made; only one is made at a time"});
  // The last one may have been finished since.
  if (const auto kept = diagnosis_.fresh(options_.now())) return show(*kept);
  const std::uint64_t generation = diagnosis_.generation();
  const SteadyTime began = options_.now();
  const auto text = options_.doctor();
  const auto fail = [&](const api::Problem& problem) {
    diagnosis_.keep(problem, options_.now(), generation);
    respond_no_diagnosis(response, problem);
  };
  if (!text) return fail(text.error());
  auto members = api::read_diagnosis(*text);
  if (!members)
    return fail({.status = 503, .detail = "no diagnosis was made: " + std::move(members).error()});
  const Instant finished = now();
  const auto made = std::make_shared<const api::MadeDiagnosis>(
      api::MadeDiagnosis{.members = *std::move(members),
                         .made_at = finished.wall,
                         .finished = finished.steady,
                         .duration = finished.steady - began});
  diagnosis_.keep(made, generation);
  show(*made);
}

}  // namespace winperf
