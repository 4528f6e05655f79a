// The services of this machine, as far as the commands need them: Windows' service control manager,
// or a test's fake. Each call is independent of the others and asks for no more rights than it
// needs.
//
// Errors carry Windows' code and text. service/scm/service_control.h explains them to an
// administrator. Implemented in win/; in posix/, opening it is an error.
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
  std::string text;  // includes the code if there is no better explanation
};

template <class Value>
using ServiceResult = std::expected<Value, SystemError>;

struct ServiceFacts {
  ServiceState state = ServiceState::kStopped;
  std::uint32_t process_id = 0;  // 0: none
  // Of the last run: Windows' code, and the service's own if Windows' is kServiceSpecificError.
  std::uint32_t exit_code = 0;
  std::uint32_t own_exit_code = 0;
  StartKind start = StartKind::kManual;
  std::string account{};
  std::string command_line{};
  std::string wrapped{};  // of a service that NSSM runs: its program's command line; may be empty
};

// The installer's saved settings, where only administrators and the system write.
struct RememberedService {
  std::string config_file{};
  std::string account{};  // may be empty: the service's own
};

class ServiceManager {
 public:
  virtual ~ServiceManager() = default;

  // Creates the service (false), or changes an existing one to be as defined (true).
  [[nodiscard]] virtual ServiceResult<bool> put(const ServiceDefinition& definition) = 0;
  // Returns what was done in a few words; empty if the part's name says it all.
  [[nodiscard]] virtual ServiceResult<std::string> set(ServicePart part,
                                                       const ServiceDefinition& definition) = 0;
  // Undoes what set() has done outside the service's own entry: the event log source and, for a
  // virtual account, its membership in a group.
  [[nodiscard]] virtual ServiceResult<void> clear(ServicePart part, const std::string& name) = 0;
  // Of the event log source of this name. Nothing if there is no such source, or it can't be read.
  virtual std::optional<std::string> message_file(const std::string& name) = 0;

  // Deletes the files in the service's log folder, and then empty folders. It is an error if
  // another account owns one of the folders.
  [[nodiscard]] virtual ServiceResult<void> remove_logs(const std::string& name) = 0;
  // Removes the service's folders that are empty. One that isn't, or that is a link, stays.
  [[nodiscard]] virtual ServiceResult<void> remove_empty_folders(const std::string& name) = 0;

  [[nodiscard]] virtual ServiceResult<ServiceFacts> facts(const std::string& name) = 0;
  // Nothing else about the service changes.
  [[nodiscard]] virtual ServiceResult<void> set_start(const std::string& name, StartKind start) = 0;
  [[nodiscard]] virtual ServiceResult<void> start(const std::string& name) = 0;
  [[nodiscard]] virtual ServiceResult<void> request_stop(const std::string& name) = 0;
  [[nodiscard]] virtual ServiceResult<void> request_reload(const std::string& name) = 0;
  [[nodiscard]] virtual ServiceResult<void> remove(const std::string& name) = 0;

  // Waits between two polls of the state.
  virtual void pause(std::chrono::milliseconds time) = 0;
  // The path of this program's file.
  virtual std::string executable() = 0;
  // The folder of a service's configuration, which may not exist.
  [[nodiscard]] virtual ServiceResult<std::string> data_folder(const std::string& name) = 0;
  // Creates that folder and the one for logs, or restricts them to administrators and the service.
  // It is an error if another account owns one of them, or a file in it. Returns its path.
  [[nodiscard]] virtual ServiceResult<std::string> make_data_folder(const std::string& name) = 0;
  // The error is Windows' that there is no such file if no installer has written anything.
  [[nodiscard]] virtual ServiceResult<RememberedService> remembered() = 0;
  // Why accounts other than administrators may change the file, as a sentence; nothing if they may
  // not.
  virtual std::optional<std::string> why_others_may_change(const std::string& file) = 0;
};

// The error is a sentence.
[[nodiscard]] std::expected<std::unique_ptr<ServiceManager>, std::string> open_service_manager();

}  // namespace winperf
