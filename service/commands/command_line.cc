#include "service/commands/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <utility>
#include <vector>

#include "collectors/base/system_text.h"
#include "config/perfmon_path.h"
#include "config/quantity.h"
#include "config/text_error.h"
#include "service/commands/commands.h"
#include "service/commands/unknown_words.h"
#include "service/console/console.h"
#include "service/console/exit_code.h"
#include "service/console/version.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

std::string version_text() {
  return std::string("winperf_exporter ") + kVersion + " (revision " + kRevision + ", " +
         kCompiler + ", " + kOperatingSystem + " " + kArchitecture + ")";
}

// A script's variable that is empty must not pass for an option that was left out.
CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& value) {
        return value.empty() ? std::string("nothing follows it: write a value, or leave it out")
                             : std::string();
      },
      "");
}

// What people paste from perfmon where the name of an object is wanted.
CLI::Validator not_a_counter_path() {
  return CLI::Validator(
      [](const std::string& value) {
        const auto path = parse_perfmon_path(value);
        if (!path) return std::string();
        return in_quotes(value) + " is a counter's path: name its object, " +
               in_quotes(path->object) +
               "; a configuration can select its instances and counters, countersets: [" +
               as_counterset(*path) + ']';
      },
      "");
}

void add_source(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--source", options.source,
                  "where counters come from: registry, replay:DIR or replay:FILE.zip for a "
                  "recorded capture, or blg:FILE "
                  "for a binary log of perfmon")
      ->type_name("SOURCE")
      ->capture_default_str();
}

void add_common(CLI::App& command, CommonOptions& options) {
  command
      .add_option("-c,--config", options.config_file,
                  "configuration file; without it the built-in defaults hold")
      ->check(not_empty())
      ->type_name("FILE");
  add_source(command, options);
}

// An option with one of these words, in any case, "json" or "table".
template <typename Value>
CLI::Option& add_choice(CLI::App& command, const std::string& name, Value& value,
                        std::vector<std::pair<std::string, Value>> choices,
                        const std::string& description) {
  std::vector<std::string> words;
  std::string type;
  for (const auto& [word, meaning] : choices) {
    words.push_back(word);
    type += (type.empty() ? "" : "|") + word;
  }
  const auto assign = [&value, choices = std::move(choices)](const std::string& given) {
    const auto found =
        std::ranges::find(choices, given, [](const auto& entry) { return entry.first; });
    if (found != choices.end()) value = found->second;
  };
  return *command.add_option_function<std::string>(name, assign, description)
              ->transform(CLI::IsMember(words, CLI::ignore_case).description(""))
              ->type_name(type);
}

void add_format(CLI::App& command, OutputFormat& format,
                std::vector<std::pair<std::string, OutputFormat>> choices) {
  add_choice(command, "-f,--format", format, std::move(choices), "output format")
      .default_str("table");
}

void add_path(CLI::App& command, std::optional<CounterPath>& path) {
  add_choice<std::optional<CounterPath>>(
      command, "--path", path,
      {{"auto", CounterPath::kAuto},
       {"registry", CounterPath::kRegistry},
       {"perflib", CounterPath::kPerflib}},
      "by which of Windows' two ways counters are read, instead of the configured one");
}

// Written as in the configuration.
void add_interval(CLI::App& command, std::chrono::milliseconds& interval,
                  const std::string& default_text) {
  const auto check = [](const std::string& text) {
    return parse_duration_ms(text) ? std::string()
                                   : in_quotes(text) + " is no time: write, for example, 5s";
  };
  command
      .add_option_function<std::string>(
          "-i,--interval",
          [&interval](const std::string& text) {
            interval = std::chrono::milliseconds(parse_duration_ms(text).value_or(0));
          },
          "time between two samples, such as 5s")
      ->check(CLI::Validator(check, ""))
      ->type_name("TIME")
      ->default_str(default_text);
}

CLI::App& add_run(CLI::App& app, RunOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "run", "sample in the background and serve over HTTP; at a console or as a Windows service");
  add_common(command, options.common);
  command
      .add_option("--listen", options.listen,
                  "address and port, instead of the configured ones; port 0 takes any free one")
      ->check(not_empty())
      ->type_name("ADDRESS:PORT");
  return command;
}

CLI::App& add_list(CLI::App& app, ListOptions& options) {
  CLI::App& command = *app.add_subcommand("list", "what objects and counters this machine has");
  add_common(command, options.common);
  command
      .add_option("name", options.names, "objects by name or index, with counters and instances")
      ->type_name("OBJECT")
      ->check(not_a_counter_path());
  command.add_flag("--counters", options.counters, "show the counters of every object");
  command.add_flag("--instances", options.instances, "show the instances of every object");
  command.add_flag("--v1-only", options.v1_only, "leave out the objects of V2 providers");
  command.add_flag("--costly", options.costly,
                   "the objects that are expensive to collect; may take minutes");
  command.add_flag("--machine-language", options.machine_language,
                   "names in this machine's language instead of English");
  add_format(command, options.format,
             {{"table", OutputFormat::kTable}, {"json", OutputFormat::kJson}});
  return command;
}

CLI::App& add_query(CLI::App& app, QueryOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "query",
      "take two samples, an interval apart, and print the values; of a replay, all samples");
  add_common(command, options.common);
  command
      .add_option("name", options.names,
                  "objects by name or index; without one, the configured countersets")
      ->type_name("OBJECT")
      ->check(not_a_counter_path());
  add_path(command, options.path);
  add_interval(command, options.interval, "1s");
  add_format(command, options.format,
             {{"table", OutputFormat::kTable},
              {"json", OutputFormat::kJson},
              {"prometheus", OutputFormat::kPrometheus}});
  return command;
}

CLI::App& add_doctor(CLI::App& app, DoctorOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "doctor", "say of every counterset whether it can be read, why not, and the repair");
  add_common(command, options.common);
  command
      .add_option("name", options.names,
                  "countersets by name or index; without one, the configured ones")
      ->type_name("COUNTERSET")
      ->check(not_a_counter_path());
  add_format(command, options.format,
             {{"table", OutputFormat::kTable}, {"json", OutputFormat::kJson}});
  return command;
}

CLI::App& add_verify(CLI::App& app, VerifyOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "verify", "read countersets by the registry and by PerfLib, and tell where they differ");
  add_common(command, options.common);
  command
      .add_option("name", options.names,
                  "countersets by their English names; without one, every V2 counterset")
      ->type_name("COUNTERSET")
      ->check(not_a_counter_path());
  command
      .add_option("--rounds", options.rounds,
                  "how often a difference has to show before it is reported")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  add_format(command, options.format,
             {{"table", OutputFormat::kTable}, {"json", OutputFormat::kJson}});
  return command;
}

CLI::App& add_capture(CLI::App& app, CaptureOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "capture",
      "record this machine's counters as Windows delivers them, to be looked at elsewhere with "
      "--source replay:DIR|FILE.zip; the recording names the machine's processes, disks and so on");
  add_common(command, options.common);
  command
      .add_option("-o,--out", options.out, "folder to make, or one file if the name ends in .zip")
      ->required()
      ->check(not_empty())
      ->type_name("DIR|FILE.zip");
  command.add_option("-n,--samples", options.samples, "how many samples")
      ->check(CLI::Range(1, 9999))
      ->type_name("N")
      ->capture_default_str();
  add_interval(command, options.interval, "5s");
  command.add_flag(
      "--scrub", options.scrub,
      "replace the names of instances, of the machine and its users, each by the same one");
  command.add_flag("--costly", options.costly,
                   "also the objects that are expensive to collect; may take minutes");
  command
      .add_option("--max-bytes", options.max_bytes,
                  "how large the recording may become; it ends there")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE")
      ->default_str("512MiB");
  return command;
}

CLI::App& add_check_config(CLI::App& app, CheckConfigOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "check-config", "check a configuration file, and show what it amounts to on this machine");
  command.add_option("file", options.common.config_file, "configuration file")
      ->required()
      ->check(not_empty())
      ->type_name("FILE");
  add_source(command, options.common);
  command.add_flag("--file-alone", options.file_alone, "do not ask the machine for its counters");
  add_format(command, options.format,
             {{"table", OutputFormat::kTable}, {"json", OutputFormat::kJson}});
  return command;
}

CLI::App& add_config_init(CLI::App& config, ConfigInitOptions& options) {
  CLI::App& command = *config.add_subcommand(
      "init", "write a new configuration with every key and its default; leaves one that is there");
  CLI::Option* const out =
      command.add_option("-o,--out", options.out, "file to write, instead of standard output")
          ->check(not_empty())
          ->type_name("FILE");
  command.add_option("--listen-address", options.address, "listen.address in it")
      ->type_name("ADDRESS");
  command.add_option("--listen-port", options.port, "listen.port in it")->type_name("PORT");
  CLI::Option* const force =
      command.add_flag("--force", options.force, "replace the file that is there");
  command
      .add_flag("--undo", options.undo,
                "remove the file, if it is just what would be written: for installers")
      ->needs(out)
      ->excludes(force);
  return command;
}

CLI::App& add_config_set(CLI::App& config, ConfigSetOptions& options) {
  CLI::App& command = *config.add_subcommand(
      "set",
      "change values in a configuration file; comments and everything else stay as they are");
  command.add_option("file", options.file, "configuration file")
      ->required()
      ->check(not_empty())
      ->type_name("FILE");
  CLI::Option* const changes =
      command.add_option("changes", options.changes, "what to change, such as listen.port=10182")
          ->type_name("KEY=VALUE");
  command
      .add_flag("--skip-empty", options.skip_empty,
                "leave out a change without a value: for installers")
      ->needs(changes);
  CLI::Option* const backup = command.add_flag("--backup", options.backup,
                                               "keep the file as it was beside it, as FILE.bak");
  command.add_flag("--undo", options.undo, "put FILE.bak back in its place, if there is one")
      ->excludes(changes)
      ->excludes(backup);
  return command;
}

CLI::App& add_config_migrate(CLI::App& config, ConfigMigrateOptions& options) {
  CLI::App& command = *config.add_subcommand(
      "migrate", "turn windows_exporter's configuration into one of this program");
  command.add_option("--from-windows-exporter", options.file, "its configuration file")
      ->check(not_empty())
      ->type_name("FILE");
  command
      .add_option("flags", options.flags,
                  "its command line, behind --: -- --collectors.enabled cpu,net")
      ->type_name("FLAGS");
  command.add_option("-o,--out", options.out, "file to write, instead of standard output")
      ->check(not_empty())
      ->type_name("FILE");
  command.add_flag("--force", options.force, "replace the file that is there");
  return command;
}

CLI::App& add_service_action(CLI::App& service, ServiceOptions& options, ServiceAction action,
                             const std::string& name, const std::string& description) {
  CLI::App& command = *service.add_subcommand(name, description);
  command.add_option("--name", options.wish.name, "name of the service")
      ->type_name("NAME")
      ->capture_default_str();
  command.callback([&options, action] { options.action = action; });
  return command;
}

void add_service_install(CLI::App& service, ServiceOptions& options) {
  CLI::App& command =
      add_service_action(service, options, ServiceAction::kInstall, "install",
                         "make the service, or change the one that is there; as administrator");
  command
      .add_option("-c,--config", options.wish.config_file,
                  "configuration file; without it the built-in defaults hold")
      ->check(not_empty())
      ->type_name("FILE");
  command
      .add_option("--account", options.wish.account,
                  "account to run as: LocalService, LocalSystem, DOMAIN\\NAME$ or another; without "
                  "it the service's own, NT SERVICE\\NAME, with the least rights")
      ->type_name("ACCOUNT");
  add_choice<StartKind>(command, "--start", options.wish.start,
                        {{"auto", StartKind::kAutomatic},
                         {"delayed", StartKind::kDelayed},
                         {"manual", StartKind::kManual}},
                        "when Windows starts the service")
      .default_str("delayed");
}

CLI::App& add_service(CLI::App& app, ServiceOptions& options) {
  CLI::App& service = *app.add_subcommand(
      "service", "install, remove, start, stop, reload or show the Windows service");
  service.require_subcommand(1);
  add_service_install(service, options);
  add_service_action(service, options, ServiceAction::kUninstall, "uninstall",
                     "stop the service and remove it; as administrator")
      .add_flag("--with-logs", options.with_logs, "also delete the files in its log folder");
  add_service_action(service, options, ServiceAction::kStart, "start",
                     "start the service and wait until it runs; as administrator");
  add_service_action(service, options, ServiceAction::kStop, "stop",
                     "stop the service and wait until it has stopped; as administrator");
  add_service_action(service, options, ServiceAction::kReload, "reload",
                     "have the running service read its configuration again; as administrator");
  CLI::App& status =
      add_service_action(service, options, ServiceAction::kStatus, "status",
                         "show the service; exit code 0 running, 3 not running, 4 not installed");
  add_format(status, options.format,
             {{"table", OutputFormat::kTable}, {"json", OutputFormat::kJson}});
  return service;
}

void add_help_and_version(CLI::App& app) {
  CLI::App& help = *app.add_subcommand("help", "show what there is, or how a command is used");
  help.add_option("command")->expected(0, 2)->type_name("COMMAND");
  app.add_subcommand("version", "show what build this is");
}

// "help run" asks for what "run --help" shows.
std::vector<std::string> as_option(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

int parse_and_run(const std::vector<std::string>& words) {
  CLI::App app("Windows performance counters for Prometheus and people.", "winperf_exporter");
  // "/etc/x.yaml" is a file, on Windows too.
  app.allow_windows_style_options(false);
  app.set_version_flag("-V,--version", version_text());
  app.require_subcommand(1);
  RunOptions run;
  ListOptions list;
  QueryOptions query;
  DoctorOptions doctor;
  VerifyOptions verify;
  CheckConfigOptions check;
  ServiceOptions service;
  ConfigInitOptions init;
  const CLI::App& run_command = add_run(app, run);
  const CLI::App& list_command = add_list(app, list);
  const CLI::App& query_command = add_query(app, query);
  const CLI::App& doctor_command = add_doctor(app, doctor);
  const CLI::App& verify_command = add_verify(app, verify);
  const CLI::App& service_command = add_service(app, service);
  CaptureOptions capture;
  const CLI::App& capture_command = add_capture(app, capture);
  CLI::App& config = *app.add_subcommand(
      "config", "make a configuration file, change one, or make one from windows_exporter's");
  config.require_subcommand(1);
  const CLI::App& init_command = add_config_init(config, init);
  ConfigSetOptions set;
  const CLI::App& set_command = add_config_set(config, set);
  ConfigMigrateOptions migrate;
  const CLI::App& migrate_command = add_config_migrate(config, migrate);
  add_check_config(app, check);
  add_help_and_version(app);
  if (const auto unknown = unknown_words(app, words); !unknown.empty()) {
    for (const std::string& sentence : unknown) complain(sentence);
    return kExitUsage;
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  if (app.got_subcommand("version")) {
    std::cout << version_text() << '\n';
    return kExitOk;
  }
  if (run_command.parsed()) return run_exporter(run);
  if (list_command.parsed()) return list_counters(list);
  if (query_command.parsed()) return query_counters(query);
  if (doctor_command.parsed()) return examine_counters(doctor);
  if (verify_command.parsed()) return verify_paths(verify);
  if (service_command.parsed()) return control_service(service);
  if (capture_command.parsed()) return capture_counters(capture);
  if (init_command.parsed()) return init_config(init);
  if (set_command.parsed()) return set_config(set);
  if (migrate_command.parsed()) return migrate_config(migrate);
  return check_config(check);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  const Utf8Console console;
  try {
    return parse_and_run(as_option(command_line_words(argc, argv)));
  } catch (const std::exception& error) {
    std::cerr << "winperf_exporter: " << exception_text(error) << '\n';
    return kExitFailure;
  }
}

}  // namespace winperf
