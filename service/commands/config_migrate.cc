#include <algorithm>
#include <iostream>
#include <memory>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "config/config.h"
#include "config/encoding.h"
#include "config/migration/migrate.h"
#include "config/text_error.h"
#include "service/commands/command.h"
#include "service/commands/new_file.h"

namespace winperf {
namespace {

struct ConfigMigrateOptions {
  std::string file;                // windows_exporter's configuration; may be empty
  std::vector<std::string> flags;  // its command line
  std::string out;                 // empty: standard output
  bool force = false;
};

// "windows_exporter", "C:\Program Files\windows_exporter\windows_exporter-0.31.exe"
bool is_a_program(const std::string& word) {
  const std::string name = ascii_lower(word.substr(word.find_last_of("/\\") + 1));
  return name.ends_with(".exe") || name.starts_with("windows_exporter");
}

std::expected<std::string, std::string> contents(const std::string& name) {
  const auto bytes = read_whole_file(path_of(name), kMaxConfigBytes);
  if (!bytes) return std::unexpected(name + " cannot be read: " + bytes.error().reason);
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

// `flags`: at least one. A command line that was pasted whole begins with the program, which has no
// settings. Any other word that is neither a flag nor its value is a mistake.
std::expected<migration::Settings, std::string> flag_settings(
    const std::vector<std::string>& flags) {
  if (!flags.front().starts_with('-') && !is_a_program(flags.front())) {
    return std::unexpected(in_quotes(flags.front()) +
                           " is not a flag of windows_exporter: write --flag=value, or name its "
                           "configuration file with --from-windows-exporter");
  }
  return migration::read_flags(flags);
}

std::expected<migration::Settings, std::string> settings_of(const ConfigMigrateOptions& options) {
  if (options.file.empty()) return flag_settings(options.flags);
  const auto text = contents(options.file);
  if (!text) return std::unexpected(text.error());
  auto settings = migration::read_file(*text, options.file);
  if (!settings || options.flags.empty()) return settings;
  // A flag takes precedence over the file.
  auto flags = flag_settings(options.flags);
  if (!flags) return flags;
  for (migration::Setting& setting : *settings) {
    const auto same = std::ranges::find(*flags, setting.key, &migration::Setting::key);
    if (same == flags->end()) flags->push_back(std::move(setting));
  }
  return flags;
}

int migrate_config(const ConfigMigrateOptions& options) {
  if (options.file.empty() && options.flags.empty()) {
    return fail(
        "name windows_exporter's configuration with --from-windows-exporter FILE, or give its "
        "flags after --",
        kExitUsage);
  }
  const auto settings = settings_of(options);
  if (!settings) return fail(settings.error(), kExitUsage);
  const auto migrated = migration::migrate(*settings);
  if (!migrated) return fail(migrated.error(), kExitUsage);
  for (const std::string& note : migrated->notes) complain(note);
  complain(migrated->summary);
  const int migrated_code = migrated->complete ? kExitOk : kExitIncomplete;
  if (options.out.empty()) {
    std::cout << migrated->text;
    return migrated_code;
  }
  if (const auto config = parse_config(migrated->text, options.out); !config)
    return fail(describe(config.error().front()), kExitUsage);
  const int written = write_new_file(options.out, migrated->text, options.force, kExitFailure);
  return written == kExitOk ? migrated_code : written;
}

}  // namespace

void add_config_migrate(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ConfigMigrateOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "migrate", "convert windows_exporter's configuration into one for this program");
  command
      .add_option("--from-windows-exporter", options->file,
                  "configuration file of windows_exporter")
      ->check(not_empty())
      ->type_name("FILE");
  command
      .add_option("flags", options->flags,
                  "command line of windows_exporter, after --: -- --collectors.enabled cpu,net")
      ->type_name("FLAGS");
  command.add_option("-o,--out", options->out, "file to write, instead of standard output")
      ->check(not_empty())
      ->type_name("FILE");
  command.add_flag("--force", options->force, "overwrite the file if it exists");
  command.callback([options, &exit_code] { exit_code = migrate_config(*options); });
}

}  // namespace winperf
