#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "config/migration/migrate.h"
#include "service/commands/commands.h"
#include "service/commands/common.h"
#include "service/exit_code.h"
#include "service/new_file.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

std::expected<std::string, std::string> contents(const std::string& name) {
  constexpr std::streamsize kMaxBytes = 1024 * 1024;
  std::ifstream file(fs::path(std::u8string(name.begin(), name.end())), std::ios::binary);
  std::string text(static_cast<std::size_t>(kMaxBytes) + 1, '\0');
  file.read(text.data(), kMaxBytes + 1);
  if (!file.is_open() || file.bad()) return std::unexpected(name + " cannot be read");
  if (file.gcount() > kMaxBytes) return std::unexpected(name + " is larger than 1 MiB");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
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
  if (options.out.empty()) {
    std::cout << migrated->text;
    return kExitOk;
  }
  return write_new_file(options.out, migrated->text, options.force, kExitFailure);
}

}  // namespace winperf
