// A service manager in memory: services change their state as time is let pass, and any call can be
// told to fail.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "service/scm/service_manager.h"

namespace winperf::testing {

struct FakeService {
  ServiceDefinition definition;
  ServiceFacts facts;
  std::vector<ServicePart> parts;
  int pauses_to_change = 2;  // from starting to running, from stopping to stopped
  int reloads = 0;
  int pauses_to_go = 0;        // after remove()
  bool ends_at_start = false;  // with facts.exit_code
  bool removed = false;
};

class FakeServiceManager final : public ServiceManager {
 public:
  std::map<std::string, FakeService> services;
  std::map<std::string, SystemError> failing;  // by call: "put", "start", ...
  std::map<ServicePart, SystemError> failing_parts;
  std::vector<ServicePart> cleared;
  std::map<std::string, std::string> message_files;  // by event source
  std::vector<std::string> removed_logs;
  std::vector<std::string> removed_empty_folders;
  std::vector<std::string> made_folders;
  std::optional<RememberedService> installer;         // what it remembers
  std::map<std::string, std::string> open_to_others;  // files, and why
  int busy_stops = 0;  // so many request_stop() are refused because the service still starts
  int pauses = 0;

  ServiceResult<bool> put(const ServiceDefinition& definition) override;
  ServiceResult<std::string> set(ServicePart part, const ServiceDefinition& definition) override;
  ServiceResult<void> clear(ServicePart part, const std::string& name) override;
  std::optional<std::string> message_file(const std::string& name) override;
  ServiceResult<void> remove_logs(const std::string& name) override;
  ServiceResult<void> remove_empty_folders(const std::string& name) override;
  ServiceResult<ServiceFacts> facts(const std::string& name) override;
  ServiceResult<void> set_start(const std::string& name, StartKind start) override;
  ServiceResult<void> start(const std::string& name) override;
  ServiceResult<void> request_stop(const std::string& name) override;
  ServiceResult<void> request_reload(const std::string& name) override;
  ServiceResult<void> remove(const std::string& name) override;
  void pause(std::chrono::milliseconds time) override;
  std::string executable() override { return "winperf_exporter.exe"; }
  ServiceResult<std::string> data_folder(const std::string& name) override {
    return "C:\\ProgramData\\" + name;
  }
  ServiceResult<std::string> make_data_folder(const std::string& name) override;
  ServiceResult<RememberedService> remembered() override;
  std::optional<std::string> why_others_may_change(const std::string& file) override;

 private:
  ServiceResult<FakeService*> find(const std::string& call, const std::string& name);
};

}  // namespace winperf::testing
