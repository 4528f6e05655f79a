#include "config/migration/installer_words.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "collectors/base/ascii.h"
#include "collectors/match/nearest.h"
#include "config/migration/command_words.h"

namespace winperf::migration {
namespace {

struct Property {
  std::string_view name;       // of the installer
  std::string_view parameter;  // of the package; may be empty
  std::string_view flag;       // empty: none
};
constexpr Property kProperties[] = {
    {"ENABLED_COLLECTORS", "EnabledCollectors", "--collectors.enabled"},
    {"METRICS_PATH", "MetricsPath", "--telemetry.path"},
    {"TEXTFILE_DIRS", "TextFileDirs", "--collector.textfile.directories"},
    {"TEXTFILE_DIR", "TextFileDir", "--collector.textfile.directory"},
    {"CONFIG_FILE", "ConfigFile", "--config.file"},
    {"WEB_CONFIG_FILE", "", "--web.config.file"},
    {"LISTEN_ADDR", "ListenAddress", ""},
    {"LISTEN_PORT", "ListenPort", ""},
    {"EXTRA_FLAGS", "ExtraFlags", ""},
    {"REMOTE_ADDR", "", ""},
    {"ADD_FIREWALL_EXCEPTION", "AddFirewallException", ""},
    {"ADDLOCAL", "", ""},
    {"APPLICATIONFOLDER", "", ""},
    {"PROCESS_PRIORITY", "", "--process.priority"},
    {"NOSTART", "", ""},
    {"START_MENU_FOLDER", "", ""},
    // Of Windows Installer itself.
    {"REMOVE", "", ""},
    {"REINSTALL", "", ""},
    {"REINSTALLMODE", "", ""},
    {"ALLUSERS", "", ""},
    {"REBOOT", "", ""},
    {"TARGETDIR", "", ""},
};

struct Given {
  const Property& property;
  std::string value;
};

std::optional<Given> parse(std::string_view word) {
  const bool of_package = word.starts_with('/');
  const std::size_t end = word.find(of_package ? ':' : '=');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view name = word.substr(of_package ? 1 : 0, end - (of_package ? 1 : 0));
  const auto found = std::ranges::find_if(kProperties, [&](const Property& property) {
    return !name.empty() && equal_names(of_package ? property.parameter : property.name, name);
  });
  if (found == std::end(kProperties)) return std::nullopt;
  std::string_view value = word.substr(end + 1);
  const bool is_quoted =
      value.size() > 1 && value.front() == value.back() && (value[0] == '"' || value[0] == '\'');
  // Quotes that end before are those of a part.
  if (is_quoted && value.find(value[0], 1) == value.size() - 1)
    value = value.substr(1, value.size() - 2);
  return Given{*found, std::string(value)};
}

}  // namespace

bool is_installer_word(std::string_view word) { return parse(word).has_value(); }

bool is_foreign_property(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  const bool is_property =
      name.size() != word.size() && !name.empty() && std::ranges::all_of(name, [](char letter) {
        return (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
               letter == '_';
      });
  if (!is_property || is_installer_word(word)) return false;
  std::vector<std::string_view> known;
  for (const Property& property : kProperties) known.push_back(property.name);
  return nearest(name, known).empty();
}

std::vector<std::string> flags_of_installer(std::string_view word) {
  const auto given = parse(word);
  if (!given || given->value.empty()) return {};
  const auto& [property, value] = *given;
  if (property.name == "EXTRA_FLAGS") return words_of(value);
  // read_flags() puts the two together.
  if (property.name == "LISTEN_ADDR") return {"--installer.address=" + value};
  if (property.name == "LISTEN_PORT") return {"--installer.port=" + value};
  if (property.flag.empty()) return {};
  return {std::string(property.flag) + '=' + value};
}

}  // namespace winperf::migration
