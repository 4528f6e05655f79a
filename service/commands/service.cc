#include <expected>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "collectors/base/os_code.h"
#include "collectors/base/printable.h"
#include "config/edit.h"
#include "service/commands/command.h"
#include "service/commands/counter_road.h"
#include "service/commands/local_address.h"
#include "service/commands/new_file.h"
#include "service/run/start_diagnosis.h"
#include "service/scm/counter_registration.h"
#include "service/scm/service_control.h"
#include "service/scm/service_definition.h"
#include "service/scm/service_manager.h"

namespace winperf {
namespace {

enum class ServiceAction {
  kInstall,
  kPrepare,
  kRepair,
  kUninstall,
  kStart,
  kStop,
  kReload,
  kStatus
};

struct ServiceOptions {
  ServiceAction action = ServiceAction::kStatus;
  ServiceRequest request{.name = kServiceName};
  std::optional<CounterRoad> counters{};  // kInstall; nothing: as configured
  bool undo = false;
  bool with_logs = false;   // kUninstall
  std::string replacing{};  // kStart: the service that this one replaces; may be empty
  std::string restoring{};  // kStop: the service to start again; may be empty
  OutputFormat format = OutputFormat::kTable;
};

// Who can write to one of these files controls the service or, by the DLL, other programs.
void warn_of_others(ServiceManager& manager, const ServiceRequest& request, CounterRoad road,
                    ServiceConsole console) {
  const auto warn = [&](const std::string& file, const std::string& what) {
    if (file.empty()) return;
    if (const auto why = manager.why_others_may_change(file))
      console.err << printable(request.name + ": " + file + ' ' + what + ", but " + *why +
                               "; allow only administrators to write there")
                  << '\n';
  };
  warn(manager.executable(), "controls the service");
  warn(request.config_file, "controls the service");
  if (road == CounterRoad::kV1 && request.name == kServiceName)
    warn(counter_files(manager.executable()).library, "runs in each program that reads counters");
}

// The road that is given, if the configuration can be changed to it; otherwise the configured one.
std::expected<CounterRoad, int> settle_road(const ServiceRequest& request, const Config& config,
                                            const std::optional<CounterRoad>& given) {
  const CounterRoad configured = road_of(config);
  if (!given) return configured;
  const std::string option = "--counters " + std::string(name_of(*given));
  if (*given != CounterRoad::kNone && request.name != kServiceName)
    return std::unexpected(fail(option + " is for the service " + kServiceName +
                                    " alone, whose key the performance DLL reads",
                                kExitUsage));
  if (*given == configured) return configured;
  if (request.config_file.empty())
    return std::unexpected(
        fail(option + " needs --config: the service reads its key own_counters there", kExitUsage));
  return *given;
}

int register_own_counters(ServiceManager& manager, const std::string& name, CounterRoad road,
                          bool is_explicit, ServiceConsole console) {
  const auto registrar = open_counter_registrar();
  if (!registrar) return fail(registrar.error());
  return register_counters(**registrar,
                           {.service = name,
                            .road = road,
                            .executable = manager.executable(),
                            .is_explicit = is_explicit},
                           console);
}

int install(ServiceManager& manager, const ServiceRequest& request,
            const std::optional<CounterRoad>& counters, ServiceConsole console) {
  const auto definition = define_service(request, manager.executable());
  if (!definition) return fail(definition.error(), kExitUsage);
  // Don't install a service that can't start with its configuration.
  const auto config = load_or_complain(request.config_file);
  if (!config) return config.error();
  const auto road = settle_road(request, *config, counters);
  if (!road) return road.error();
  warn_of_others(manager, request, *road, console);
  const int code = install_service(manager, *definition, console);
  const auto facts = manager.facts(request.name);
  if (!facts || !is_own_command_line(facts->command_line)) return code;
  const int registered =
      register_own_counters(manager, request.name, *road, counters.has_value(), console);
  // A running service reads the key at once, and would leave a road that works for one that
  // doesn't.
  if (*road != road_of(*config)) {
    if (registered != kExitOk) {
      console.err << printable(request.name + ": own_counters in " + request.config_file +
                               " was not changed")
                  << '\n';
    } else if (const auto written = write_road(request.config_file, *road); !written) {
      return fail(written.error());
    }
  }
  return code != kExitOk ? code : registered;
}

// Its counters before itself: Windows removes their key with the service, and their names only with
// the key. A service that can't be stopped keeps both.
int uninstall(ServiceManager& manager, const std::string& name, bool with_logs,
              ServiceConsole console) {
  int counters = kExitOk;
  const auto facts = manager.facts(name);
  const bool is_removable = facts ? is_own_command_line(facts->command_line)
                                  : facts.error().code == value_of(OsCode::kServiceDoesNotExist);
  if (facts && is_removable && facts->state != ServiceState::kStopped)
    if (const int code = stop_service(manager, name, console); code != kExitOk) return code;
  if (name == kServiceName && is_removable) {
    const auto registrar = open_counter_registrar();
    counters = registrar ? unregister_counters(**registrar, manager.executable(), console)
                         : fail(registrar.error());
  }
  const int code = uninstall_service(manager, name, with_logs, console);
  if (counters != kExitOk && code == kExitOk)
    console.err << name
                << ": names of its counters may stay in Windows' tables; only \"lodctr /R\", which "
                   "rebuilds the tables of all programs, removes them: back them up with \"lodctr "
                   "/S:FILE\" before\n";
  return code != kExitOk ? code : counters;
}

int show(ServiceManager& manager, const std::string& name, OutputFormat format,
         ServiceConsole console) {
  std::optional<CounterFacts> counters;
  if (name == kServiceName)
    if (const auto registrar = open_counter_registrar())
      if (auto facts = (*registrar)->facts()) counters = *std::move(facts);
  return show_service(manager, name, counters ? &*counters : nullptr, format == OutputFormat::kJson,
                      console);
}

// What `service repair` installs: the service as it is, or as the installer created it. The values
// come from the service's registry entry, or from the installer's, where only administrators and
// the system write; none comes from the account that starts the repair. The error is a sentence.
std::expected<ServiceRequest, std::string> request_to_repair(ServiceManager& manager,
                                                             const std::string& name) {
  const auto facts = manager.facts(name);
  if (facts && !is_own_command_line(facts->command_line))
    return std::unexpected(name +
                           ": not repaired: the service of this name runs another program: " +
                           printable(facts->command_line));
  if (facts)
    return ServiceRequest{.name = name,
                          .config_file = config_file_in(split_command_line(facts->command_line)),
                          .account = facts->account,
                          .start = facts->start};
  if (facts.error().code != value_of(OsCode::kServiceDoesNotExist))
    return std::unexpected(name + ": not repaired: " + explain(facts.error()));
  const auto remembered = manager.remembered();
  if (!remembered)
    return std::unexpected(name +
                           ": not repaired: the service does not exist, and no installer has saved "
                           "its settings; use \"service install\"");
  return ServiceRequest{
      .name = name, .config_file = remembered->config_file, .account = remembered->account};
}

int repair(ServiceManager& manager, const std::string& name, ServiceConsole console) {
  const auto request = request_to_repair(manager, name);
  if (!request) return fail(request.error());
  if (const int code = prepare_service(manager, name, console); code != kExitOk) return code;
  if (!request->config_file.empty()) {
    const auto text = example_config_with(std::nullopt, std::nullopt);
    if (!text) return fail(text.error());
    if (const int code = write_new_file(request->config_file, *text, false, kExitOk);
        code != kExitOk)
      return code;
  }
  return install(manager, *request, std::nullopt, console);
}

// Where to look at what the service serves, if its configuration says it.
void say_page(ServiceManager& manager, const std::string& name, ServiceConsole console) {
  const auto facts = manager.facts(name);
  if (!facts) return;
  const auto loaded = load_config(config_file_in(split_command_line(facts->command_line)));
  const auto page = loaded ? local_page(loaded->config.listen) : std::nullopt;
  if (page) console.out << name << ": see " << *page << " in a browser of this machine\n";
}

int start(ServiceManager& manager, const ServiceOptions& options, ServiceConsole console) {
  const std::string& name = options.request.name;
  const int code = options.replacing.empty()
                       ? start_service(manager, name, diagnose_start, console)
                       : replace_service(manager, name, options.replacing, diagnose_start, console);
  if (code == kExitOk) say_page(manager, name, console);
  return code;
}

int control_service(const ServiceOptions& options) {
  auto manager = open_service_manager();
  if (!manager) return fail(manager.error());
  const ServiceConsole console{.out = std::cout, .err = std::cerr};
  const std::string& name = options.request.name;
  switch (options.action) {
    case ServiceAction::kInstall:
      return install(**manager, options.request, options.counters, console);
    case ServiceAction::kPrepare:
      return options.undo ? undo_prepare_service(**manager, name, console)
                          : prepare_service(**manager, name, console);
    case ServiceAction::kRepair:
      return repair(**manager, name, console);
    case ServiceAction::kUninstall:
      return uninstall(**manager, name, options.with_logs, console);
    case ServiceAction::kStart:
      return start(**manager, options, console);
    case ServiceAction::kStop:
      return options.restoring.empty()
                 ? stop_service(**manager, name, console)
                 : restore_service(**manager, name, options.restoring, console);
    case ServiceAction::kReload:
      return reload_service(**manager, name, console);
    case ServiceAction::kStatus:
      break;
  }
  return show(**manager, name, options.format, console);
}

CLI::App& add_action(CLI::App& service, ServiceOptions& options, ServiceAction action,
                     const std::string& name, const std::string& description) {
  CLI::App& command = *service.add_subcommand(name, description);
  command.add_option("--name", options.request.name, "name of the service")
      ->type_name("NAME")
      ->capture_default_str();
  command.callback([&options, action] { options.action = action; });
  return command;
}

void add_install(CLI::App& service, ServiceOptions& options) {
  CLI::App& command = add_action(service, options, ServiceAction::kInstall, "install",
                                 "Create or update the service; requires administrator rights");
  add_config(command, options.request.config_file);
  command
      .add_option("--account", options.request.account,
                  "account to run as: LocalService, LocalSystem, DOMAIN\\NAME$ or another "
                  "(default: NT SERVICE\\NAME, which has the fewest rights)")
      ->type_name("ACCOUNT");
  add_choice<StartKind>(command, "--start", options.request.start,
                        {{"auto", StartKind::kAutomatic},
                         {"delayed", StartKind::kDelayed},
                         {"manual", StartKind::kManual}},
                        "when Windows starts the service")
      .default_str("delayed");
  add_choice<std::optional<CounterRoad>>(
      command, "--counters", options.counters,
      {{"v1", CounterRoad::kV1}, {"v2", CounterRoad::kV2}, {"none", CounterRoad::kNone}},
      "register the exporter's own counters this way, and set own_counters in the configuration "
      "(default: as configured)");
}

}  // namespace

void add_service(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<ServiceOptions>();
  CLI::App& service = *program.add_subcommand(
      "service", "Install, repair, remove, start, stop, reload or show the Windows service");
  service.require_subcommand(1);
  add_install(service, *options);
  add_action(service, *options, ServiceAction::kPrepare, "prepare",
             "Create the service's folder, which only administrators and the service can read; "
             "requires administrator rights")
      .add_flag("--undo", options->undo, "remove the folder and its log folder if they are empty");
  add_action(service, *options, ServiceAction::kRepair, "repair",
             "Restore the settings of \"install\" and a missing configuration file; requires "
             "administrator rights");
  add_action(service, *options, ServiceAction::kUninstall, "uninstall",
             "Stop and remove the service; requires administrator rights")
      .add_flag("--with-logs", options->with_logs, "also delete the files in its log folder");
  add_text(add_action(service, *options, ServiceAction::kStart, "start",
                      "Start the service and wait until it runs; requires administrator rights"),
           "--replacing", options->replacing, "NAME",
           "stop this other service first and set it to manual start");
  add_text(
      add_action(service, *options, ServiceAction::kStop, "stop",
                 "Stop the service and wait until it has stopped; requires administrator rights"),
      "--restoring", options->restoring, "NAME",
      "start this other service afterwards and set it to automatic start");
  add_action(service, *options, ServiceAction::kReload, "reload",
             "Reload the configuration of the running service; requires administrator rights");
  CLI::App& status = add_action(service, *options, ServiceAction::kStatus, "status",
                                "Show the state of the service; exit code 0 if running, 3 if not "
                                "running, 4 if not installed");
  add_format(status, options->format);
  service.callback([options, &run] { run.exit_code = control_service(*options); });
}

}  // namespace winperf
