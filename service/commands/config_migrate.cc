#include <algorithm>
#include <iostream>
#include <memory>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/wording.h"
#include "config/config.h"
#include "config/document.h"
#include "config/migration/command_words.h"
#include "config/migration/migrate.h"
#include "service/commands/command.h"
#include "service/commands/command_line.h"
#include "service/commands/installed_exporter.h"
#include "service/commands/new_file.h"
#include "service/scm/service_control.h"
#include "service/scm/service_definition.h"

namespace winperf {
namespace {

struct ConfigMigrateOptions {
  std::string file;                // windows_exporter's configuration; may be empty
  std::vector<std::string> flags;  // its command line; without either, the installed one
  std::string out;                 // empty: standard output, or where our service has its file
  bool force = false;
};

std::expected<std::string, std::string> contents(const std::string& name) {
  const auto bytes = read_whole_file(path_of(name), kMaxConfigBytes);
  if (!bytes) return std::unexpected(name + " cannot be read: " + bytes.error().reason);
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

// `words`: at least one. A command line that was pasted whole begins with a program. Any other word
// that is neither a flag nor its value is a mistake.
std::expected<migration::Settings, std::string> flag_settings(
    const std::vector<std::string>& words) {
  const std::vector<std::string> flags = migration::words_of_exporter(words);
  if (flags.empty()) return migration::Settings();
  const std::string& first = flags.front();
  if (!first.starts_with('-') && !migration::is_installer_word(first)) {
    return std::unexpected(in_quotes(first) +
                           " is not a windows_exporter flag; write --flag=value, or pass its "
                           "configuration file with --from-windows-exporter");
  }
  return migration::read_flags(flags);
}

// A flag takes precedence over the file. `file` may be empty.
std::expected<migration::Settings, std::string> with_file(migration::Settings flags,
                                                          const std::string& file) {
  if (file.empty()) return flags;
  const auto text = contents(file);
  if (!text) return std::unexpected(text.error());
  auto settings = migration::read_file(*text, file);
  if (!settings) return settings;
  for (migration::Setting& setting : *settings)
    if (std::ranges::find(flags, setting.key, &migration::Setting::key) == flags.end())
      flags.push_back(std::move(setting));
  return flags;
}

std::expected<migration::Settings, std::string> settings_of(const ConfigMigrateOptions& options) {
  migration::Settings flags;
  if (!options.flags.empty()) {
    auto read = flag_settings(options.flags);
    if (!read) return read;
    flags = *std::move(read);
  }
  return with_file(std::move(flags), options.file);
}

// Those of an installed windows_exporter, whose command line may name a file.
std::expected<migration::Settings, std::string> settings_of(const InstalledExporter& exporter) {
  auto flags = migration::read_flags(exporter.words);
  if (!flags) return std::unexpected("the service " + exporter.service + ": " + flags.error());
  const auto named = std::ranges::find(*flags, "config.file", &migration::Setting::key);
  if (named == flags->end()) return flags;
  const std::string file = named->values.back();
  if (file.starts_with("http://") || file.starts_with("https://"))
    return std::unexpected("the service " + exporter.service + " loads its configuration from " +
                           file + "; save it and pass it with --from-windows-exporter FILE");
  flags->erase(named);
  std::cout << "its configuration is " << printable(file) << '\n';
  return with_file(*std::move(flags), file);
}

int report(const migration::Migrated& migrated) {
  for (const migration::Message& message : migrated.messages)
    complain((message.is_loss ? "lost: " : "note: ") + message.text);
  complain(migrated.summary);
  return migrated.complete ? kExitOk : kExitIncomplete;
}

int write_result(const migration::Migrated& migrated, const std::string& file, bool force) {
  if (const auto config = parse_config(migrated.text, file); !config)
    return fail(describe(config.error().front()), kExitUsage);
  return write_new_file(file, migrated.text, force, kExitFailure);
}

// The service's folder gets the same permissions as from `service install`, and isn't written to if
// another account owns it. Any other folder was chosen by an administrator.
int make_folder(ServiceManager& manager, const std::string& file) {
  const auto folder = manager.data_folder(kServiceName);
  if (!folder || !file.starts_with(*folder + '\\')) return kExitOk;
  const auto made = manager.make_data_folder(kServiceName);
  if (made) return kExitOk;
  return fail(file + " cannot be written: " + explain(made.error()), exit_code_of(made.error()));
}

int migrate_installed(const ConfigMigrateOptions& options) {
  auto manager = open_service_manager();
  if (!manager)
    return fail(
        "an installed windows_exporter is detected only on Windows; pass its configuration with "
        "--from-windows-exporter FILE, or its flags after --",
        kExitUsage);
  const auto exporter = find_exporter(**manager);
  if (!exporter) return fail(exporter.error());
  std::cout << "found the service " << exporter->service
            << (exporter->state == ServiceState::kRunning ? ", which is running: "
                                                          : ", which is not running: ")
            << printable(exporter->words.front()) << '\n';
  const auto file = options.out.empty() ? own_config_file(**manager)
                                        : std::expected<std::string, std::string>(options.out);
  if (!file) return fail(file.error());
  const auto settings = settings_of(*exporter);
  if (!settings) return fail(settings.error());
  const auto migrated = migration::migrate(*settings, exporter->folder);
  if (!migrated) return fail(migrated.error());
  const int code = report(*migrated);
  if (options.out.empty())
    if (const int made = make_folder(**manager, *file); made != kExitOk) return made;
  if (const int written = write_result(*migrated, *file, options.force); written != kExitOk) {
    if (!options.force) complain("use --force to overwrite it");
    return written;
  }
  std::cout << switching_commands((*manager)->executable(), *file, exporter->service);
  return code;
}

int migrate_config(const ConfigMigrateOptions& options) {
  if (options.file.empty() && options.flags.empty()) return migrate_installed(options);
  const auto settings = settings_of(options);
  if (!settings) return fail(settings.error(), kExitUsage);
  const auto migrated = migration::migrate(*settings);
  if (!migrated) return fail(migrated.error());
  const int code = report(*migrated);
  if (options.out.empty()) {
    std::cout << migrated->text;
    return code;
  }
  const int written = write_result(*migrated, options.out, options.force);
  return written == kExitOk ? code : written;
}

}  // namespace

void add_config_migrate(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<ConfigMigrateOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "migrate",
      "Convert the configuration of windows_exporter, from its installed service or from a file "
      "and flags; exit code 0 if everything was converted, 3 if something was lost");
  add_text(command, "--from-windows-exporter", options->file, "FILE",
           "windows_exporter configuration file (default: the one that its service uses)");
  command
      .add_option("flags", options->flags,
                  "windows_exporter flags after --, such as -- --collectors.enabled cpu,net")
      ->type_name("FLAGS");
  add_text(command, "-o,--out", options->out, "FILE",
           "file to write, instead of standard output or the file of the winperf_exporter service");
  command.add_flag("--force", options->force, "overwrite the file if it exists");
  command.callback([options, &run] {
    std::ranges::transform(options->flags, options->flags.begin(), unsealed);
    run.exit_code = migrate_config(*options);
  });
}

}  // namespace winperf
