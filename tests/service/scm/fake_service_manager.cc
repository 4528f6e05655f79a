#include "tests/service/scm/fake_service_manager.h"

namespace winperf::testing {
namespace {

std::unexpected<SystemError> failure(std::uint32_t code) {
  return std::unexpected(SystemError{code, "as Windows says it"});
}

}  // namespace

ServiceResult<FakeService*> FakeServiceManager::find(const std::string& call,
                                                     const std::string& name) {
  if (const auto error = failing.find(call); error != failing.end())
    return std::unexpected(error->second);
  const auto found = services.find(name);
  if (found == services.end()) return failure(1060);
  return &found->second;
}

ServiceResult<bool> FakeServiceManager::put(const ServiceDefinition& definition) {
  if (const auto error = failing.find("put"); error != failing.end())
    return std::unexpected(error->second);
  const bool existed = services.contains(definition.name);
  FakeService& service = services[definition.name];
  service.definition = definition;
  service.facts.start = definition.start;
  service.facts.account = definition.account;
  service.facts.command_line = definition.command_line;
  return existed;
}

ServiceResult<std::string> FakeServiceManager::set(ServicePart part,
                                                   const ServiceDefinition& definition) {
  if (const auto error = failing_parts.find(part); error != failing_parts.end())
    return std::unexpected(error->second);
  services.at(definition.name).parts.push_back(part);
  return "";
}

ServiceResult<void> FakeServiceManager::clear(ServicePart part, const std::string&) {
  if (const auto error = failing_parts.find(part); error != failing_parts.end())
    return std::unexpected(error->second);
  cleared.push_back(part);
  return {};
}

std::optional<std::string> FakeServiceManager::message_file(const std::string& name) {
  const auto found = message_files.find(name);
  return found == message_files.end() ? std::nullopt : std::optional(found->second);
}

ServiceResult<std::string> FakeServiceManager::make_data_folder(const std::string& name) {
  if (const auto error = failing.find("make_data_folder"); error != failing.end())
    return std::unexpected(error->second);
  made_folders.push_back(name);
  return data_folder(name);
}

ServiceResult<RememberedService> FakeServiceManager::remembered() {
  if (!installer) return failure(2);
  return *installer;
}

std::optional<std::string> FakeServiceManager::why_others_may_change(const std::string& file) {
  const auto found = open_to_others.find(file);
  return found == open_to_others.end() ? std::nullopt : std::optional(found->second);
}

ServiceResult<void> FakeServiceManager::remove_empty_folders(const std::string& name) {
  removed_empty_folders.push_back(name);
  return {};
}

ServiceResult<void> FakeServiceManager::remove_logs(const std::string& name) {
  if (const auto error = failing.find("remove_logs"); error != failing.end())
    return std::unexpected(error->second);
  removed_logs.push_back(name);
  return {};
}

ServiceResult<ServiceFacts> FakeServiceManager::facts(const std::string& name) {
  const auto service = find("facts", name);
  if (!service) return std::unexpected(service.error());
  return (*service)->facts;
}

ServiceResult<void> FakeServiceManager::set_start(const std::string& name, StartKind start) {
  const auto service = find("set_start", name);
  if (!service) return std::unexpected(service.error());
  (*service)->facts.start = start;
  return {};
}

ServiceResult<void> FakeServiceManager::start(const std::string& name) {
  const auto service = find("start", name);
  if (!service) return std::unexpected(service.error());
  if ((*service)->facts.state != ServiceState::kStopped) return failure(1056);
  (*service)->facts.state = ServiceState::kStarting;
  return {};
}

ServiceResult<void> FakeServiceManager::request_stop(const std::string& name) {
  const auto service = find("request_stop", name);
  if (!service) return std::unexpected(service.error());
  if (busy_stops > 0) {
    --busy_stops;
    return failure(1061);
  }
  if ((*service)->facts.state == ServiceState::kStopped) return failure(1062);
  (*service)->facts.state = ServiceState::kStopping;
  return {};
}

ServiceResult<void> FakeServiceManager::request_reload(const std::string& name) {
  const auto service = find("request_reload", name);
  if (!service) return std::unexpected(service.error());
  if ((*service)->facts.state == ServiceState::kStopped) return failure(1062);
  ++(*service)->reloads;
  return {};
}

ServiceResult<void> FakeServiceManager::remove(const std::string& name) {
  const auto service = find("remove", name);
  if (!service) return std::unexpected(service.error());
  if ((*service)->pauses_to_go == 0) {
    services.erase(name);
  } else {
    (*service)->removed = true;
  }
  return {};
}

void FakeServiceManager::pause(std::chrono::milliseconds) {
  ++pauses;
  for (auto it = services.begin(); it != services.end();) {
    FakeService& service = it->second;
    const ServiceState state = service.facts.state;
    const bool pending = state == ServiceState::kStarting || state == ServiceState::kStopping;
    if (pending && --service.pauses_to_change <= 0) {
      const bool runs = state == ServiceState::kStarting && !service.ends_at_start;
      service.facts.state = runs ? ServiceState::kRunning : ServiceState::kStopped;
      service.facts.process_id = runs ? 4711 : 0;
    }
    it = service.removed && --service.pauses_to_go <= 0 ? services.erase(it) : std::next(it);
  }
}

}  // namespace winperf::testing
