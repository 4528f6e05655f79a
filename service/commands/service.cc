#include <iostream>

#include "service/commands/commands.h"
#include "service/console/exit_code.h"
#include "service/run/setup.h"
#include "service/run/start_diagnosis.h"
#include "service/scm/service_control.h"

namespace winperf {
namespace {

int install(ServiceManager& manager, const ServiceOptions& options, ServiceConsole console) {
  // A service that can't start with its configuration is better not installed.
  if (!load_config(options.wish.config_file)) return kExitUsage;
  const auto definition = define_service(options.wish, manager.executable());
  if (!definition) {
    complain(definition.error());
    return kExitUsage;
  }
  return install_service(manager, *definition, console);
}

}  // namespace

int control_service(const ServiceOptions& options) {
  auto manager = open_service_manager();
  if (!manager) {
    complain(manager.error());
    return kExitFailure;
  }
  const ServiceConsole console{.out = std::cout, .err = std::cerr};
  const std::string& name = options.wish.name;
  switch (options.action) {
    case ServiceAction::kInstall:
      return install(**manager, options, console);
    case ServiceAction::kUninstall:
      return uninstall_service(**manager, name, options.with_logs, console);
    case ServiceAction::kStart:
      return start_service(**manager, name, diagnose_start, console);
    case ServiceAction::kStop:
      return stop_service(**manager, name, console);
    case ServiceAction::kReload:
      return reload_service(**manager, name, console);
    case ServiceAction::kStatus:
      break;
  }
  return show_service(**manager, name, options.format == OutputFormat::kJson, console);
}

}  // namespace winperf
