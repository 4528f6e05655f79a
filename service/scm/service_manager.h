// The services of this machine, as far as the commands need them: Windows' service control manager,
// or a test's own. Every call stands for itself and asks for no more rights than it needs.
//
// Errors carry Windows' code and its words for it; what they mean to an administrator is said by
// service/scm/service_control.h. Implemented in service/win and, as an error, in service/posix.
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "service/scm/service_definition.h"
#include "service/scm/service_status.h"

namespace winperf {

struct SystemError {
  std::uint32_t code = 0;
  std::string text;
};

template <class Value>
using ServiceResult = std::expected<Value, SystemError>;

struct ServiceFacts {
  ServiceState state = ServiceState::kStopped;
  std::uint32_t process_id = 0;  // 0: none
  // Of the last run: of Windows, and the service's own where that is kServiceSpecificError.
  std::uint32_t exit_code = 0;
  std::uint32_t own_exit_code = 0;
  StartKind start = StartKind::kManual;
  std::string account;
  std::string command_line;
};

class ServiceManager {
 public:
  virtual ~ServiceManager() = default;

  // Makes the service, or changes the one that is there (true) to be as defined.
  virtual ServiceResult<bool> put(const ServiceDefinition& definition) = 0;
  // What was done in a few words, where that is not clear from the part alone.
  virtual ServiceResult<std::string> set(ServicePart part, const ServiceDefinition& definition) = 0;
  // Takes back what set() has done outside of the service's own entry: its event log source and, of
  // a virtual account, the membership in a group.
  virtual ServiceResult<void> clear(ServicePart part, const std::string& name) = 0;

  // Deletes the files of the service's log folder and the folders that are empty then.
  virtual ServiceResult<void> remove_logs(const std::string& name) = 0;

  virtual ServiceResult<ServiceFacts> facts(const std::string& name) = 0;
  virtual ServiceResult<void> start(const std::string& name) = 0;
  virtual ServiceResult<void> request_stop(const std::string& name) = 0;
  virtual ServiceResult<void> request_reload(const std::string& name) = 0;
  virtual ServiceResult<void> remove(const std::string& name) = 0;

  // Between two looks at the state.
  virtual void pause(std::chrono::milliseconds time) = 0;
  // This program's file.
  virtual std::string executable() = 0;
};

// The error is a sentence.
std::expected<std::unique_ptr<ServiceManager>, std::string> open_service_manager();

}  // namespace winperf
