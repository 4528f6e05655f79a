#include <algorithm>
#include <iostream>

#include "collectors/base/whole_file.h"
#include "config/encoding.h"
#include "config/migration/migrate.h"
#include "service/commands/commands.h"
#include "service/commands/new_file.h"
#include "service/console/exit_code.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

std::expected<std::string, std::string> contents(const std::string& name) {
  const auto bytes = read_whole_file(std::u8string(name.begin(), name.end()), kMaxConfigBytes);
  if (!bytes) return std::unexpected(name + " cannot be read: " + bytes.error().reason);
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::expected<migration::Settings, std::string> settings_of(const ConfigMigrateOptions& options) {
  if (options.file.empty()) return migration::read_flags(options.flags);
  const auto text = contents(options.file);
  if (!text) return std::unexpected(text.error());
  auto settings = migration::read_file(*text, options.file);
  if (!settings || options.flags.empty()) return settings;
  // A flag goes before the file.
  auto flags = migration::read_flags(options.flags);
  if (!flags) return flags;
  for (migration::Setting& setting : *settings) {
    const auto same = std::ranges::find(*flags, setting.key, &migration::Setting::key);
    if (same == flags->end()) flags->push_back(std::move(setting));
  }
  return flags;
}

}  // namespace

int migrate_config(const ConfigMigrateOptions& options) {
  if (options.file.empty() && options.flags.empty()) {
    complain(
        "name windows_exporter's configuration with --from-windows-exporter FILE, or give its "
        "flags behind --");
    return kExitUsage;
  }
  const auto settings = settings_of(options);
  if (!settings) {
    complain(settings.error());
    return kExitUsage;
  }
  const auto migrated = migration::migrate(*settings);
  if (!migrated) {
    complain(migrated.error());
    return kExitUsage;
  }
  for (const std::string& note : migrated->notes) complain(note);
  complain(migrated->summary);
  const int migrated_code = migrated->complete ? kExitOk : kExitIncomplete;
  if (options.out.empty()) {
    std::cout << migrated->text;
    return migrated_code;
  }
  const int written = write_new_file(options.out, migrated->text, options.force, kExitFailure);
  return written == kExitOk ? migrated_code : written;
}

}  // namespace winperf
