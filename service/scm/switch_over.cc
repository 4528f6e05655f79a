#include "service/scm/switch_over.h"

#include <ostream>

#include "collectors/base/os_code.h"
#include "collectors/base/printable.h"
#include "service/console/exit_code.h"

namespace winperf {
namespace {

int complain(const ServiceConsole& console, const std::string& name, const std::string& what,
             const SystemError& error) {
  console.err << printable(name + ": " + what + ": " + explain(error)) << '\n';
  return exit_code_of(error);
}

bool is_missing(const ServiceResult<ServiceFacts>& facts) {
  return !facts && facts.error().code == value_of(OsCode::kServiceDoesNotExist);
}

bool is_running(const ServiceFacts& facts) { return facts.state != ServiceState::kStopped; }

bool starts_with_windows(const ServiceFacts& facts) {
  return facts.start == StartKind::kAutomatic || facts.start == StartKind::kDelayed;
}

// Whether Windows starts it: kManual or kAutomatic, which keeps a delay that was set before.
int set_start(ServiceManager& manager, const std::string& name, StartKind start,
              const ServiceConsole& console) {
  if (const auto set = manager.set_start(name, start); !set)
    return complain(console, name, "when it starts was not changed", set.error());
  console.out << name
              << (start == StartKind::kManual ? ": Windows no longer starts it\n"
                                              : ": Windows starts it\n");
  return kExitOk;
}

std::string nothing_known(std::string_view) { return {}; }

// Of another program, whose command line tells nothing.
int start_other(ServiceManager& manager, const std::string& name, const ServiceConsole& console) {
  return start_service(manager, name, nothing_known, console);
}

void undo(ServiceManager& manager, const std::string& other, const ServiceFacts& before,
          const ServiceConsole& console) {
  if (starts_with_windows(before)) set_start(manager, other, StartKind::kAutomatic, console);
  if (is_running(before)) start_other(manager, other, console);
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
    // First, because a stop can't be taken back as easily.
    if (starts_with_windows(*before))
      if (const int code = set_start(manager, other, StartKind::kManual, console); code != kExitOk)
        return code;
    if (const int code = stop_service(manager, other, console); code != kExitOk) {
      undo(manager, other, *before, console);
      return code;
    }
  } else {
    console.out << other << ": there is no such service\n";
  }
  // One that runs has been refused the port so far.
  int code = is_running(*own) ? stop_service(manager, name, console) : kExitOk;
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
