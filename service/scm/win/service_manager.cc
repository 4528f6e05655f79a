#include <windows.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/win/path_rights.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "service/scm/service_manager.h"
#include "service/scm/win/event_source.h"
#include "service/scm/win/security.h"

namespace winperf {
namespace {

constexpr DWORD kMaxConfigBytes = 8192;  // the documented maximum of QueryServiceConfig
constexpr DWORD kMaxPathChars = 32'768;

ServiceResult<UniqueService> open_service(const std::string& name, DWORD access) {
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  if (!manager) return last_failure();
  UniqueService service(OpenServiceW(manager.get(), to_wide(name).c_str(), access));
  if (!service) return last_failure();
  return service;
}

// Sets one part of the service's own entry.
template <class Info>
ServiceResult<std::string> change(const ServiceDefinition& definition, DWORD level, Info info) {
  // Setting a restart requires the right to start, too.
  const auto service = open_service(definition.name, SERVICE_CHANGE_CONFIG | SERVICE_START);
  if (!service) return std::unexpected(service.error());
  if (!ChangeServiceConfig2W(service->get(), level, &info)) return last_failure();
  return std::string();
}

DWORD start_type(StartKind start) {
  if (start == StartKind::kManual) return SERVICE_DEMAND_START;
  return start == StartKind::kDisabled ? SERVICE_DISABLED : SERVICE_AUTO_START;
}

ServiceResult<std::string> set_failure_actions(const ServiceDefinition& definition) {
  std::vector<SC_ACTION> actions;
  for (const std::chrono::milliseconds delay : definition.restart_after)
    actions.push_back({SC_ACTION_RESTART, static_cast<DWORD>(delay.count())});
  SERVICE_FAILURE_ACTIONSW info{};
  info.dwResetPeriod = static_cast<DWORD>(definition.failures_forgotten_after.count());
  info.cActions = static_cast<DWORD>(actions.size());
  info.lpsaActions = actions.data();
  return change(definition, SERVICE_CONFIG_FAILURE_ACTIONS, info);
}

ServiceResult<std::string> set_privileges(const ServiceDefinition& definition) {
  std::wstring list;  // a NUL ends each, and another one the list
  for (const std::string& privilege : definition.privileges) list += to_wide(privilege) + L'\0';
  return change(definition, SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO,
                SERVICE_REQUIRED_PRIVILEGES_INFOW{list.data()});
}

ServiceResult<std::string> with_nothing_to_say(const ServiceResult<void>& done) {
  if (!done) return std::unexpected(done.error());
  return std::string();
}

ServiceResult<Sid> sid_of_service(const std::string& name) {
  const auto text = service_sid(name);
  if (!text) return std::unexpected(text.error());
  return sid_of(*text);
}

ServiceResult<std::string> give_counter_access(const ServiceDefinition& definition) {
  auto sid = is_virtual_account(definition) ? sid_of_service(definition.name)
                                            : sid_of_account(definition.account);
  if (!sid) return std::unexpected(sid.error());
  return join_counter_readers(*std::move(sid));
}

ServiceState state_from(DWORD state) {
  if (state == SERVICE_STOPPED) return ServiceState::kStopped;
  if (state == SERVICE_START_PENDING) return ServiceState::kStarting;
  return state == SERVICE_STOP_PENDING ? ServiceState::kStopping : ServiceState::kRunning;
}

bool starts_delayed(SC_HANDLE service) {
  SERVICE_DELAYED_AUTO_START_INFO info{};
  DWORD needed = 0;
  return QueryServiceConfig2W(service, SERVICE_CONFIG_DELAYED_AUTO_START_INFO,
                              reinterpret_cast<LPBYTE>(&info), sizeof(info), &needed) &&
         info.fDelayedAutostart;
}

StartKind start_from(SC_HANDLE service, DWORD type) {
  if (type == SERVICE_DISABLED) return StartKind::kDisabled;
  if (type == SERVICE_DEMAND_START) return StartKind::kManual;
  return starts_delayed(service) ? StartKind::kDelayed : StartKind::kAutomatic;
}

// Windows' own accounts have an empty password. Virtual and managed accounts have none to give;
// null keeps the one that is set.
const wchar_t* password_of(const ServiceDefinition& definition) {
  const bool is_windows_own =
      definition.account == "LocalSystem" || definition.account.starts_with("NT AUTHORITY\\");
  return is_windows_own ? L"" : nullptr;
}

constexpr wchar_t kInstallerKey[] = L"SOFTWARE\\winperf_exporter";

// A text below HKEY_LOCAL_MACHINE, where only administrators and the system write.
ServiceResult<std::string> machine_text(const std::wstring& key, const wchar_t* value) {
  std::wstring text(kMaxPathChars, L'\0');
  auto bytes = static_cast<DWORD>(text.size() * sizeof(wchar_t));
  const LSTATUS status = RegGetValueW(HKEY_LOCAL_MACHINE, key.c_str(), value, RRF_RT_REG_SZ,
                                      nullptr, text.data(), &bytes);
  if (status != ERROR_SUCCESS) return system_failure(static_cast<DWORD>(status));
  text.resize(bytes / sizeof(wchar_t) - 1);
  return to_utf8(text);
}

// What NSSM keeps in a service's key; empty if it isn't there.
std::string parameter_of(const std::string& service, const wchar_t* value) {
  return machine_text(L"SYSTEM\\CurrentControlSet\\Services\\" + to_wide(service) + L"\\Parameters",
                      value)
      .value_or(std::string());
}

std::string wrapped_command_line(const std::string& service) {
  const std::string program = parameter_of(service, L"Application");
  if (program.empty()) return {};
  return '"' + program + "\" " + parameter_of(service, L"AppParameters");
}

class WindowsServiceManager final : public ServiceManager {
 public:
  ServiceResult<bool> put(const ServiceDefinition& definition) override {
    const UniqueService manager(
        OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT | SC_MANAGER_CREATE_SERVICE));
    if (!manager) return last_failure();
    const std::wstring name = to_wide(definition.name);
    const std::wstring command_line = to_wide(definition.command_line);
    const std::wstring account = to_wide(definition.account);
    const UniqueService created(CreateServiceW(
        manager.get(), name.c_str(), name.c_str(), SERVICE_QUERY_STATUS, SERVICE_WIN32_OWN_PROCESS,
        start_type(definition.start), SERVICE_ERROR_NORMAL, command_line.c_str(), nullptr, nullptr,
        nullptr, account.c_str(), password_of(definition)));
    if (created) return false;
    if (GetLastError() != ERROR_SERVICE_EXISTS) return last_failure();
    const auto service = open_service(definition.name, SERVICE_CHANGE_CONFIG);
    if (!service) return std::unexpected(service.error());
    if (!ChangeServiceConfigW(service->get(), SERVICE_WIN32_OWN_PROCESS,
                              start_type(definition.start), SERVICE_ERROR_NORMAL,
                              command_line.c_str(), nullptr, nullptr, nullptr, account.c_str(),
                              password_of(definition), name.c_str()))
      return last_failure();
    return true;
  }

  ServiceResult<std::string> set(ServicePart part, const ServiceDefinition& definition) override {
    switch (part) {
      case ServicePart::kDescription:
        return change(definition, SERVICE_CONFIG_DESCRIPTION,
                      SERVICE_DESCRIPTIONW{to_wide(definition.description).data()});
      case ServicePart::kDelayedStart:
        return change(definition, SERVICE_CONFIG_DELAYED_AUTO_START_INFO,
                      SERVICE_DELAYED_AUTO_START_INFO{definition.start == StartKind::kDelayed});
      case ServicePart::kFailureActions:
        return set_failure_actions(definition);
      case ServicePart::kFailureFlag:
        return change(definition, SERVICE_CONFIG_FAILURE_ACTIONS_FLAG,
                      SERVICE_FAILURE_ACTIONS_FLAG{TRUE});
      case ServicePart::kServiceSid:
        return change(definition, SERVICE_CONFIG_SERVICE_SID_INFO,
                      SERVICE_SID_INFO{SERVICE_SID_TYPE_UNRESTRICTED});
      case ServicePart::kPrivileges:
        return set_privileges(definition);
      case ServicePart::kShutdownTimeout:
        return change(
            definition, SERVICE_CONFIG_PRESHUTDOWN_INFO,
            SERVICE_PRESHUTDOWN_INFO{static_cast<DWORD>(definition.shutdown_timeout.count())});
      case ServicePart::kEventSource:
        return with_nothing_to_say(put_event_source(definition.name, executable()));
      case ServicePart::kCounterAccess:
        return give_counter_access(definition);
    }
    return system_failure(ERROR_INVALID_PARAMETER);
  }

  ServiceResult<void> clear(ServicePart part, const std::string& name) override {
    if (part == ServicePart::kEventSource) return remove_event_source(name);
    auto sid = sid_of_service(name);
    if (!sid) return std::unexpected(sid.error());
    const auto left = leave_counter_readers(*std::move(sid));
    if (!left) return std::unexpected(left.error());
    return {};
  }

  std::optional<std::string> message_file(const std::string& name) override {
    return message_file_of(name);
  }

  ServiceResult<void> remove_logs(const std::string& name) override {
    return remove_service_logs(name);
  }
  ServiceResult<void> remove_empty_folders(const std::string& name) override {
    return remove_empty_service_folders(name);
  }

  ServiceResult<ServiceFacts> facts(const std::string& name) override {
    const auto service = open_service(name, SERVICE_QUERY_CONFIG | SERVICE_QUERY_STATUS);
    if (!service) return std::unexpected(service.error());
    SERVICE_STATUS_PROCESS status{};
    DWORD needed = 0;
    if (!QueryServiceStatusEx(service->get(), SC_STATUS_PROCESS_INFO,
                              reinterpret_cast<LPBYTE>(&status), sizeof(status), &needed))
      return last_failure();
    alignas(QUERY_SERVICE_CONFIGW) std::array<std::byte, kMaxConfigBytes> buffer{};
    auto* const config = reinterpret_cast<QUERY_SERVICE_CONFIGW*>(buffer.data());
    if (!QueryServiceConfigW(service->get(), config, kMaxConfigBytes, &needed))
      return last_failure();
    return ServiceFacts{.state = state_from(status.dwCurrentState),
                        .process_id = status.dwProcessId,
                        .exit_code = status.dwWin32ExitCode,
                        .own_exit_code = status.dwServiceSpecificExitCode,
                        .start = start_from(service->get(), config->dwStartType),
                        .account = to_utf8(config->lpServiceStartName),
                        .command_line = to_utf8(config->lpBinaryPathName),
                        .wrapped = wrapped_command_line(name)};
  }

  ServiceResult<void> set_start(const std::string& name, StartKind start) override {
    const auto service = open_service(name, SERVICE_CHANGE_CONFIG);
    if (!service) return std::unexpected(service.error());
    if (!ChangeServiceConfigW(service->get(), SERVICE_NO_CHANGE, start_type(start),
                              SERVICE_NO_CHANGE, nullptr, nullptr, nullptr, nullptr, nullptr,
                              nullptr, nullptr))
      return last_failure();
    return {};
  }

  ServiceResult<void> start(const std::string& name) override {
    const auto service = open_service(name, SERVICE_START);
    if (!service) return std::unexpected(service.error());
    if (!StartServiceW(service->get(), 0, nullptr)) return last_failure();
    return {};
  }

  ServiceResult<void> request_stop(const std::string& name) override {
    return control(name, SERVICE_STOP, SERVICE_CONTROL_STOP);
  }

  ServiceResult<void> request_reload(const std::string& name) override {
    return control(name, SERVICE_PAUSE_CONTINUE, SERVICE_CONTROL_PARAMCHANGE);
  }

  ServiceResult<void> remove(const std::string& name) override {
    const auto service = open_service(name, DELETE);
    if (!service) return std::unexpected(service.error());
    if (!DeleteService(service->get())) return last_failure();
    return {};
  }

  void pause(std::chrono::milliseconds time) override { Sleep(static_cast<DWORD>(time.count())); }

  std::string executable() override {
    std::wstring path(kMaxPathChars, L'\0');
    path.resize(GetModuleFileNameW(nullptr, path.data(), kMaxPathChars));
    return to_utf8(path);
  }

  ServiceResult<std::string> data_folder(const std::string& name) override {
    return service_folder(name);
  }

  ServiceResult<std::string> make_data_folder(const std::string& name) override {
    return make_service_folder(name);
  }

  ServiceResult<RememberedService> remembered() override {
    const auto config_file = machine_text(kInstallerKey, L"ConfigFile");
    if (!config_file) return std::unexpected(config_file.error());
    return RememberedService{
        .config_file = *config_file,
        .account = machine_text(kInstallerKey, L"ServiceAccount").value_or(std::string())};
  }

  std::optional<std::string> why_others_may_change(const std::string& file) override {
    return winperf::why_others_may_change(path_of(file), PathRole::kFile);
  }

 private:
  static ServiceResult<void> control(const std::string& name, DWORD rights, DWORD code) {
    const auto service = open_service(name, rights);
    if (!service) return std::unexpected(service.error());
    SERVICE_STATUS status{};
    if (!ControlService(service->get(), code, &status)) return last_failure();
    return {};
  }
};

}  // namespace

std::expected<std::unique_ptr<ServiceManager>, std::string> open_service_manager() {
  return std::make_unique<WindowsServiceManager>();
}

}  // namespace winperf
