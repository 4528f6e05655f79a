// What the service looks like that `service install` makes: name, command line, account, rights,
// what follows a failure. Computed here, carried out by a ServiceManager.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

enum class StartKind { kAutomatic, kDelayed, kManual, kDisabled };

struct ServiceDefinition {
  std::string name;
  std::string description;
  std::string command_line;
  std::string account;
  StartKind start = StartKind::kDelayed;
  std::vector<std::chrono::seconds> restart_after;  // the first, the second, every further failure
  std::chrono::seconds failures_forgotten_after{0};
  std::vector<std::string> privileges;            // all others are taken away at the start
  std::chrono::milliseconds shutdown_timeout{0};  // how long Windows' end may wait for the service
};

// What is set one by one once the service exists. Each may fail, or be unknown to this Windows,
// without harm to the others.
enum class ServicePart : std::uint8_t {
  kDescription,
  kDelayedStart,
  kFailureActions,
  kFailureFlag,
  kServiceSid,
  kPrivileges,
  kShutdownTimeout,
  kEventSource,
  kFolder,
  kCounterAccess,
};

// "delayed start": for messages.
std::string_view name_of(ServicePart part);
// "delayed": as on the command line.
std::string_view name_of(StartKind start);

// In the order in which they are set. `existed`: the service was there before.
std::vector<ServicePart> parts_of(const ServiceDefinition& definition, bool existed);

struct ServiceRequest {
  std::string name{};
  std::string config_file{};  // empty: the built-in defaults
  std::string account{};      // empty: the service's own virtual account
  StartKind start = StartKind::kDelayed;
};

// The error is a sentence for the command line. Relative names become absolute: a service's working
// folder is that of Windows.
std::expected<ServiceDefinition, std::string> define_service(const ServiceRequest& wish,
                                                             const std::string& executable);

// As the C runtime takes a command line apart; always in quotes, because a path with a blank and
// without quotes may start another program.
std::string quoted_argument(std::string_view argument);

// Whether such a service is this program: of whatever name, its first argument is "run".
bool is_own_command_line(std::string_view command_line);

// Whether Windows makes the account for the one service, "NT SERVICE\name", and nobody else has it.
bool is_virtual_account(const ServiceDefinition& definition);

// The rights to the service's folder, C:\ProgramData\<name>, and to its logs, as security
// descriptors in Windows' notation: the system and administrators everything; the service, by its
// SID, reads in the one and writes in the other; nobody else.
std::string folder_rights(std::string_view service_sid);
std::string log_folder_rights(std::string_view service_sid);

}  // namespace winperf
