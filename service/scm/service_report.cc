#include "service/scm/service_report.h"

#include <array>
#include <nlohmann/json.hpp>

#include "service/console/text_columns.h"

namespace winperf {
namespace {

constexpr std::array<std::string_view, 4> kStateNames{"starting", "running", "stopping", "stopped"};
static_assert(kStateNames.size() == static_cast<std::size_t>(ServiceState::kStopped) + 1);

std::string_view name_of(ServiceState state) {
  return kStateNames.at(static_cast<std::size_t>(state));
}

}  // namespace

std::string service_to_text(const std::string& name, const ServiceFacts* facts) {
  if (facts == nullptr) return name + ": not installed\n";
  TextColumns columns({"service", name});
  columns.add({"state", std::string(name_of(facts->state))});
  if (facts->process_id != 0) columns.add({"process", std::to_string(facts->process_id)});
  columns.add({"start", std::string(name_of(facts->start))});
  columns.add({"account", facts->account});
  columns.add({"command line", facts->command_line});
  if (facts->state == ServiceState::kStopped && facts->exit_code != 0)
    columns.add({"exit code", std::to_string(facts->exit_code) + " of Windows, " +
                                  std::to_string(facts->own_exit_code) + " of the service"});
  return columns.text();
}

std::string service_to_json(const std::string& name, const ServiceFacts* facts) {
  nlohmann::ordered_json document{{"name", name}};
  if (facts == nullptr) {
    document["state"] = "not_installed";
  } else {
    document["state"] = name_of(facts->state);
    document["process_id"] = nullptr;
    if (facts->process_id != 0) document["process_id"] = facts->process_id;
    document["start"] = name_of(facts->start);
    document["account"] = facts->account;
    document["command_line"] = facts->command_line;
    document["exit_code"] = facts->exit_code;
    document["service_exit_code"] = facts->own_exit_code;
  }
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace winperf
