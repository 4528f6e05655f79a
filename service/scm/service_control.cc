#include "service/scm/service_control.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <ostream>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"
#include "collectors/base/printable.h"
#include "service/console/exit_code.h"
#include "service/console/json_document.h"
#include "service/console/text_columns.h"
#include "service/scm/counter_state.h"

namespace winperf {
namespace {

constexpr std::array<std::string_view, 4> kStateNames{"starting", "running", "stopping", "stopped"};
static_assert(kStateNames.size() == static_cast<std::size_t>(ServiceState::kStopped) + 1);

std::string_view name_of(ServiceState state) {
  return kStateNames.at(static_cast<std::size_t>(state));
}

template <class Value>
nlohmann::ordered_json value_or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

void add_counters(nlohmann::ordered_json& document, const CounterFacts* counters) {
  const bool has_key = counters != nullptr && counters->key;
  const CounterKey key = has_key ? *counters->key : CounterKey();
  document["own_counters"] = nullptr;
  if (counters != nullptr) document["own_counters"] = roads_text(*counters);
  document["own_counters_library"] = value_or_null(key.library);
  document["own_counters_first_index"] = value_or_null(key.first_counter);
  document["own_counters_last_index"] = value_or_null(key.last_counter);
}

}  // namespace

std::string service_to_text(const std::string& name, const ServiceFacts* facts,
                            const CounterFacts* counters) {
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
  if (counters != nullptr) columns.add({"own counters", registration_text(*counters)});
  return columns.text();
}

std::string service_to_json(const std::string& name, const ServiceFacts* facts,
                            const CounterFacts* counters) {
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
    add_counters(document, counters);
  }
  return json_document(document, -1);
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{100};
constexpr milliseconds kRemovalTimeout{5000};
constexpr std::string_view kProgramFile = "winperf_exporter.exe";

struct Explanation {
  OsCode code;
  std::string_view text;
  int exit_code = kExitFailure;
};

// All other codes keep Windows' own text.
constexpr Explanation kExplanations[] = {
    {OsCode::kAccessDenied, "access denied; run this as administrator", kExitAccessDenied},
    {OsCode::kDependentServicesRunning, "other running services depend on it; stop them first"},
    {OsCode::kServiceRequestTimeout, "it did not respond in time; see the event log"},
    {OsCode::kInvalidServiceAccount,
     "the account does not exist or is not allowed to run a service"},
    {OsCode::kInvalidMember,
     "the group does not accept this account as a member, as on a domain controller, which has no "
     "local groups; use --account LocalService"},
    {OsCode::kServiceDisabled, "it is disabled; \"sc config <name> start= auto\" enables it"},
    {OsCode::kServiceDoesNotExist, "the service does not exist", kExitNotInstalled},
    {OsCode::kServiceLogonFailed,
     "its account could not log on: it lacks the right to log on as a service, or its "
     "password is wrong"},
    {OsCode::kServiceMarkedForDelete,
     "it is being deleted; close the Services window, Task Manager and other programs that show "
     "it, and try again"},
    {OsCode::kDuplicateServiceName, "another service has this display name"},
};

// This Windows does not have the function, as opposed to refusing the call.
bool is_unsupported(const SystemError& error) {
  static constexpr OsCode kCodes[] = {OsCode::kInvalidFunction, OsCode::kNotSupported,
                                      OsCode::kCallNotImplemented, OsCode::kInvalidLevel};
  return std::ranges::find(kCodes, static_cast<OsCode>(error.code)) != std::end(kCodes);
}

int complain(const ServiceConsole& console, const std::string& name, const std::string& message,
             int exit_code = kExitFailure) {
  console.err << printable(name + ": " + message) << '\n';
  return exit_code;
}

int complain(const ServiceConsole& console, const std::string& name, const std::string& what,
             const SystemError& error) {
  return complain(console, name, what + ": " + explain(error), exit_code_of(error));
}

// True if the part is as it should be, or this Windows lacks it.
bool set_part(ServiceManager& manager, ServicePart part, const ServiceDefinition& definition,
              const ServiceConsole& console) {
  const std::string label(name_of(part));
  const auto done = manager.set(part, definition);
  if (done) {
    if (!done->empty()) console.out << "  " << label << ": " << printable(*done) << '\n';
    return true;
  }
  if (is_unsupported(done.error())) {
    complain(console, definition.name,
             "skipped the setting \"" + label +
                 "\", which this Windows does not support (Windows error " +
                 std::to_string(done.error().code) + ")");
    return true;
  }
  complain(console, definition.name, "could not set \"" + label + '"', done.error());
  return false;
}

// A mistyped name may belong to another service, which Windows may depend on.
bool is_of_another_program(const ServiceResult<ServiceFacts>& facts, const ServiceConsole& console,
                           const std::string& name, const std::string& what) {
  if (!facts || is_own_command_line(facts->command_line)) return false;
  complain(console, name,
           what + ": the service of this name runs another program: " + facts->command_line);
  return true;
}

// The facts as soon as `is_over` holds for them; after the timeout the last ones; or an error.
template <class Predicate>
ServiceResult<ServiceFacts> wait_for(ServiceManager& manager, const std::string& name,
                                     milliseconds timeout, Predicate is_over) {
  auto facts = manager.facts(name);
  for (milliseconds waited{0}; facts && !is_over(*facts) && waited < timeout; waited += kPause) {
    manager.pause(kPause);
    facts = manager.facts(name);
  }
  return facts;
}

bool has_stopped(const ServiceFacts& facts) { return facts.state == ServiceState::kStopped; }

bool is_missing(const ServiceResult<ServiceFacts>& facts) {
  return !facts && facts.error().code == value_of(OsCode::kServiceDoesNotExist);
}

std::string why_it_ended(const ServiceFacts& facts, const DiagnoseStart& diagnose) {
  if (facts.exit_code != value_of(OsCode::kServiceSpecificError))
    return "Windows' error code is " + std::to_string(facts.exit_code);
  if (const std::string found = diagnose(facts.command_line); !found.empty()) return found;
  if (facts.own_exit_code == kExitUsage) return "its configuration or command line is wrong";
  return "its exit code is " + std::to_string(facts.own_exit_code);
}

// A service that is starting accepts no controls yet, so the request is repeated.
ServiceResult<void> request_stop(ServiceManager& manager, const std::string& name) {
  auto requested = manager.request_stop(name);
  for (milliseconds waited{0};
       !requested && requested.error().code == value_of(OsCode::kServiceCannotAcceptControl) &&
       waited < kServiceTimeout;
       waited += kPause) {
    const auto facts = manager.facts(name);
    if (facts && (has_stopped(*facts) || facts->state == ServiceState::kStopping)) return {};
    manager.pause(kPause);
    requested = manager.request_stop(name);
  }
  if (!requested && requested.error().code == value_of(OsCode::kServiceNotActive)) return {};
  return requested;
}

int remove_logs(ServiceManager& manager, const std::string& name, const ServiceConsole& console) {
  const auto gone = manager.remove_logs(name);
  return gone ? kExitOk : complain(console, name, "could not remove its logs", gone.error());
}

int clear_part(ServiceManager& manager, ServicePart part, const std::string& name,
               const ServiceConsole& console) {
  const auto cleared = manager.clear(part, name);
  return cleared ? kExitOk
                 : complain(console, name, "could not remove \"" + std::string(name_of(part)) + '"',
                            cleared.error());
}

// A mistyped name may be the source of another program.
bool has_own_event_source(ServiceManager& manager, const std::string& name) {
  const auto file_name = [](const std::string& path) {
    return ascii_lower(path.substr(path.find_last_of("/\\") + 1));
  };
  const auto file = manager.message_file(name);
  if (!file) return false;
  const std::string found = file_name(*file);
  return found == file_name(manager.executable()) || found == kProgramFile;
}

// What an uninstallation that was ended in the middle has left of it.
int clear_missing(ServiceManager& manager, const std::string& name, const ServiceConsole& console) {
  int code = kExitOk;
  if (has_own_event_source(manager, name))
    code = clear_part(manager, ServicePart::kEventSource, name, console);
  const int member = clear_part(manager, ServicePart::kCounterAccess, name, console);
  return code != kExitOk ? code : member;
}

}  // namespace

std::string explain(const SystemError& error) {
  const auto known =
      std::ranges::find(kExplanations, static_cast<OsCode>(error.code), &Explanation::code);
  if (known == std::end(kExplanations)) return error.text;
  return std::string(known->text) + " (Windows error " + std::to_string(error.code) + ")";
}

int exit_code_of(const SystemError& error) {
  const auto known =
      std::ranges::find(kExplanations, static_cast<OsCode>(error.code), &Explanation::code);
  return known != std::end(kExplanations) ? known->exit_code : kExitFailure;
}

int install_service(ServiceManager& manager, const ServiceDefinition& definition,
                    ServiceConsole console) {
  if (is_of_another_program(manager.facts(definition.name), console, definition.name,
                            "not installed"))
    return kExitFailure;
  // First of all, because the configuration is in it.
  const auto folder = manager.make_data_folder(definition.name);
  if (!folder) return complain(console, definition.name, "not installed", folder.error());
  const auto put = manager.put(definition);
  if (!put) return complain(console, definition.name, "not installed", put.error());
  console.out << definition.name << (*put ? ": updated\n" : ": installed\n")
              << "  command line: " << definition.command_line << '\n'
              << "  account: " << definition.account << '\n'
              << "  start: " << name_of(definition.start) << '\n'
              << "  " << kFolderLabel << ": " << printable(*folder) << '\n';
  if (is_system_account(definition))
    complain(console, definition.name,
             "runs as LocalSystem, which has full access to this machine; install it without "
             "--account unless a counter requires it");
  bool complete = true;
  for (const ServicePart part : parts_of(definition, *put))
    complete &= set_part(manager, part, definition, console);
  const auto facts = manager.facts(definition.name);
  if (facts && !has_stopped(*facts))
    console.out << "  it is running; restart it to apply the changes\n";
  return complete ? kExitOk : kExitFailure;
}

int prepare_service(ServiceManager& manager, const std::string& name, ServiceConsole console) {
  const auto folder = manager.make_data_folder(name);
  if (!folder) return complain(console, name, "its folder cannot be used", folder.error());
  console.out << name << ": " << kFolderLabel << ' ' << printable(*folder) << '\n';
  return kExitOk;
}

int undo_prepare_service(ServiceManager& manager, const std::string& name, ServiceConsole console) {
  const auto gone = manager.remove_empty_folders(name);
  return gone ? kExitOk : complain(console, name, "its folder was not removed", gone.error());
}

int uninstall_service(ServiceManager& manager, const std::string& name, bool with_logs,
                      ServiceConsole console) {
  const auto facts = manager.facts(name);
  if (is_missing(facts)) {
    console.out << name << ": is not installed\n";
    const int code = clear_missing(manager, name, console);
    const int logs = with_logs ? remove_logs(manager, name, console) : kExitOk;
    return code != kExitOk ? code : logs;
  }
  if (!facts) return complain(console, name, "not uninstalled", facts.error());
  if (is_of_another_program(facts, console, name, "not uninstalled")) return kExitFailure;
  if (!has_stopped(*facts)) {
    if (const int code = stop_service(manager, name, console); code != kExitOk) return code;
  }
  const auto removed = manager.remove(name);
  if (!removed && removed.error().code != value_of(OsCode::kServiceMarkedForDelete))
    return complain(console, name, "not uninstalled", removed.error());
  bool complete = true;
  for (const ServicePart part : {ServicePart::kEventSource, ServicePart::kCounterAccess})
    complete &= clear_part(manager, part, name, console) == kExitOk;
  if (with_logs) complete &= remove_logs(manager, name, console) == kExitOk;
  const auto left =
      wait_for(manager, name, kRemovalTimeout, [](const ServiceFacts&) { return false; });
  console.out << name
              << (left ? ": will be removed when no program shows it; close the Services window "
                         "and Task Manager\n"
                       : ": uninstalled; its configuration was kept\n");
  return complete ? kExitOk : kExitFailure;
}

int start_service(ServiceManager& manager, const std::string& name, const DiagnoseStart& diagnose,
                  ServiceConsole console) {
  const auto started = manager.start(name);
  if (!started && started.error().code == value_of(OsCode::kServiceAlreadyRunning)) {
    console.out << name << ": is already running\n";
    return kExitOk;
  }
  if (!started) return complain(console, name, "not started", started.error());
  const auto facts = wait_for(manager, name, kServiceTimeout, [](const ServiceFacts& now) {
    return now.state == ServiceState::kRunning || has_stopped(now);
  });
  if (!facts) return complain(console, name, "not started", facts.error());
  if (has_stopped(*facts))
    return complain(console, name,
                    "ended immediately: " + why_it_ended(*facts, diagnose) +
                        "; for more, see source " + name + " in the event log");
  if (facts->state != ServiceState::kRunning)
    return complain(console, name,
                    "is still starting after " + std::to_string(kServiceTimeout.count()) + " s");
  console.out << name << ": running (process " << facts->process_id << ")\n";
  return kExitOk;
}

int stop_service(ServiceManager& manager, const std::string& name, ServiceConsole console) {
  const auto before = manager.facts(name);
  if (!before) return complain(console, name, "not stopped", before.error());
  if (has_stopped(*before)) {
    console.out << name << ": is not running\n";
    return kExitOk;
  }
  if (const auto requested = request_stop(manager, name); !requested)
    return complain(console, name, "not stopped", requested.error());
  const auto facts = wait_for(manager, name, kServiceTimeout, has_stopped);
  if (!facts) return complain(console, name, "not stopped", facts.error());
  if (!has_stopped(*facts))
    return complain(console, name,
                    "has not stopped within " + std::to_string(kServiceTimeout.count()) +
                        " s (process " + std::to_string(facts->process_id) + ")");
  console.out << name << ": stopped\n";
  return kExitOk;
}

int reload_service(ServiceManager& manager, const std::string& name, ServiceConsole console) {
  const auto requested = manager.request_reload(name);
  if (!requested && requested.error().code == value_of(OsCode::kServiceNotActive)) {
    console.err << name << ": is not running, so nothing was reloaded\n";
    return kExitNotRunning;
  }
  if (!requested) return complain(console, name, "not reloaded", requested.error());
  console.out << name << ": reload requested; see event 20 or 21 of source " << name
              << " in the event log for the result\n";
  return kExitOk;
}

int show_service(ServiceManager& manager, const std::string& name, const CounterFacts* counters,
                 bool as_json, ServiceConsole console) {
  const auto facts = manager.facts(name);
  if (!facts && !is_missing(facts))
    return complain(console, name, "its state is unknown", facts.error());
  const ServiceFacts* const known = facts ? &*facts : nullptr;
  console.out << (as_json ? service_to_json(name, known, counters)
                          : service_to_text(name, known, counters));
  if (known == nullptr) return kExitNotInstalled;
  const bool runs =
      known->state == ServiceState::kRunning || known->state == ServiceState::kStarting;
  return runs ? kExitOk : kExitNotRunning;
}

namespace {

bool starts_with_windows(const ServiceFacts& facts) {
  return facts.start == StartKind::kAutomatic || facts.start == StartKind::kDelayed;
}

// Sets the start type: kManual, or kAutomatic, which keeps an earlier delay.
int set_start(ServiceManager& manager, const std::string& name, StartKind start,
              const ServiceConsole& console) {
  if (const auto set = manager.set_start(name, start); !set)
    return complain(console, name, "its start type was not changed", set.error());
  console.out << name
              << (start == StartKind::kManual ? ": set to manual start\n"
                                              : ": set to automatic start\n");
  return kExitOk;
}

// Another program's service, so its command line can't be diagnosed.
int start_other(ServiceManager& manager, const std::string& name, const ServiceConsole& console) {
  return start_service(manager, name, [](std::string_view) { return std::string(); }, console);
}

void undo(ServiceManager& manager, const std::string& other, const ServiceFacts& before,
          const ServiceConsole& console) {
  if (starts_with_windows(before)) set_start(manager, other, StartKind::kAutomatic, console);
  if (!has_stopped(before)) start_other(manager, other, console);
}

}  // namespace

int replace_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    const DiagnoseStart& diagnose, ServiceConsole console) {
  const auto own = manager.facts(name);
  if (!own) return complain(console, name, "not started", own.error());
  const auto before = manager.facts(other);
  if (!before && !is_missing(before))
    return complain(console, other, "not stopped", before.error());
  if (before) {
    // First, because a stop is harder to undo.
    if (starts_with_windows(*before))
      if (const int code = set_start(manager, other, StartKind::kManual, console); code != kExitOk)
        return code;
    if (const int code = stop_service(manager, other, console); code != kExitOk) {
      undo(manager, other, *before, console);
      return code;
    }
  } else {
    console.out << other << ": the service does not exist\n";
  }
  // If it runs, it could not open the port so far.
  int code = has_stopped(*own) ? kExitOk : stop_service(manager, name, console);
  if (code == kExitOk) code = start_service(manager, name, diagnose, console);
  if (code == kExitOk && !starts_with_windows(*own))
    code = set_start(manager, name, StartKind::kAutomatic, console);
  if (code != kExitOk && before) undo(manager, other, *before, console);
  return code;
}

int restore_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    ServiceConsole console) {
  const auto theirs = manager.facts(other);
  if (!theirs) return complain(console, other, "not started", theirs.error());
  const auto own = manager.facts(name);
  if (!own && !is_missing(own)) return complain(console, name, "not stopped", own.error());
  if (own) {
    if (starts_with_windows(*own))
      if (const int code = set_start(manager, name, StartKind::kManual, console); code != kExitOk)
        return code;
    if (const int code = stop_service(manager, name, console); code != kExitOk) return code;
  }
  if (!starts_with_windows(*theirs))
    if (const int code = set_start(manager, other, StartKind::kAutomatic, console); code != kExitOk)
      return code;
  return start_other(manager, other, console);
}

}  // namespace winperf
