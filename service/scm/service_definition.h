// The service that `service install` creates: its name, command line, account, rights and recovery
// actions. Computed here, carried out by a ServiceManager. Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// The service's name, unless another one is asked for, and that of its data folder.
inline constexpr char kServiceName[] = "winperf_exporter";

enum class StartKind { kAutomatic, kDelayed, kManual, kDisabled };

struct ServiceDefinition {
  std::string name;
  std::string description{};
  std::string command_line{};
  std::string account{};
  StartKind start = StartKind::kDelayed;
  // After the first, the second, every further failure.
  std::vector<std::chrono::seconds> restart_after{};
  std::chrono::seconds failures_forgotten_after{0};
  std::vector<std::string> privileges{};          // the service starts without any others
  std::chrono::milliseconds shutdown_timeout{0};  // how long a system shutdown waits for it
};

// Settings made one by one once the service exists. If one fails or is unsupported, the others are
// still set.
enum class ServicePart : std::uint8_t {
  kDescription,
  kDelayedStart,
  kFailureActions,
  kFailureFlag,
  kServiceSid,
  kPrivileges,
  kShutdownTimeout,
  kEventSource,
  kCounterAccess,
};

// For messages, such as "delayed start".
std::string_view name_of(ServicePart part);
// As on the command line, such as "delayed".
std::string_view name_of(StartKind start);

// In the order in which they are set. `existed`: the service existed before.
std::vector<ServicePart> parts_of(const ServiceDefinition& definition, bool existed);

// The data folder's name in messages.
inline constexpr std::string_view kFolderLabel = "data folder";

struct ServiceRequest {
  std::string name{};
  std::string config_file{};  // empty: the built-in defaults
  std::string account{};      // empty: the service's own virtual account
  StartKind start = StartKind::kDelayed;
};

// The error is a sentence for the command line: a quotation mark or a control character would
// become something else in the command line that Windows keeps. Relative paths become absolute,
// because a service's working folder belongs to Windows.
[[nodiscard]] std::expected<ServiceDefinition, std::string> define_service(
    const ServiceRequest& request, const std::string& executable);

// Whether a service with this command line runs this program, under any file name: its first
// argument is "run".
bool is_own_command_line(std::string_view command_line);

// Whether the account is LocalSystem, which has full access to this machine.
bool is_system_account(const ServiceDefinition& definition);
// Whether the account is "NT SERVICE\name", which Windows creates for this service alone.
bool is_virtual_account(const ServiceDefinition& definition);

// The permissions of the service's folder, C:\ProgramData\<name>, and of its log folder, as
// security descriptors in Windows' notation. The system and administrators have full access; the
// service's SID may read the folder and write to the log folder; no other account has access.
std::string folder_rights(std::string_view service_sid);
std::string log_folder_rights(std::string_view service_sid);

}  // namespace winperf
