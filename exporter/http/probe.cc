// The router's answers about other machines.
#include <utility>

#include "exporter/http/router.h"
#include "exporter/json/targets_document.h"

namespace winperf {
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
