#include "config/migration/command_words.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/match/nearest.h"

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
    // Properties of Windows Installer itself.
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

std::optional<Given> parse_property(std::string_view word) {
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
  // Otherwise the quotes enclose only a part.
  if (is_quoted && value.find(value[0], 1) == value.size() - 1)
    value = value.substr(1, value.size() - 2);
  return Given{*found, std::string(value)};
}

// How long the program at the start is, without quotes.
std::size_t program_end(std::string_view text) {
  const std::size_t blank = text.find_first_of(" \t");
  if (blank == std::string_view::npos) return text.size();
  const std::string lower = ascii_lower(std::string(text));
  for (std::size_t at = lower.find(".exe"); at != std::string::npos;
       at = lower.find(".exe", at + 1)) {
    const std::size_t end = at + 4;
    if (end == text.size() || text[end] == ' ' || text[end] == '\t') return end;
  }
  return blank;
}

}  // namespace

bool is_installer_word(std::string_view word) { return parse_property(word).has_value(); }

std::vector<std::string> flags_of_installer(std::string_view word) {
  const auto given = parse_property(word);
  if (!given || given->value.empty()) return {};
  const auto& [property, value] = *given;
  if (property.name == "EXTRA_FLAGS") return words_of(value);
  // read_flags() puts the two together.
  if (property.name == "LISTEN_ADDR") return {"--installer.address=" + value};
  if (property.name == "LISTEN_PORT") return {"--installer.port=" + value};
  if (property.flag.empty()) return {};
  return {std::string(property.flag) + '=' + value};
}

std::vector<std::string> words_of(std::string_view arguments) {
  std::vector<std::string> words;
  std::string word;
  bool in_quotes = false;
  bool any = false;
  std::size_t backslashes = 0;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const char c = arguments[at];
    if (c == '\\') {
      ++backslashes;
      continue;
    }
    if (c == '"') {
      word.append(backslashes / 2, '\\');
      if (backslashes % 2 == 1) {
        word += '"';
      } else {
        // Two quotes within quotes are one, and end them.
        if (in_quotes && arguments.substr(at + 1).starts_with('"')) {
          word += '"';
          ++at;
        }
        in_quotes = !in_quotes;
      }
      any = true;
    } else {
      word.append(backslashes, '\\');
      any = any || backslashes != 0;
      if (!in_quotes && (c == ' ' || c == '\t')) {
        if (any) words.push_back(std::exchange(word, {}));
        any = false;
      } else {
        word += c;
        any = true;
      }
    }
    backslashes = 0;
  }
  word.append(backslashes, '\\');
  if (any || backslashes != 0) words.push_back(word);
  return words;
}

std::vector<std::string> words_of_service(std::string_view command_line) {
  command_line.remove_prefix(std::min(command_line.find_first_not_of(" \t"), command_line.size()));
  if (command_line.empty()) return {};
  const bool in_quotes = command_line.front() == '"';
  if (in_quotes) command_line.remove_prefix(1);
  const std::size_t end =
      std::min(in_quotes ? command_line.find('"') : program_end(command_line), command_line.size());
  std::vector<std::string> words{std::string(command_line.substr(0, end))};
  const std::size_t rest = std::min(end + (in_quotes ? 1 : 0), command_line.size());
  std::ranges::move(words_of(command_line.substr(rest)), std::back_inserter(words));
  return words;
}

namespace {

using Words = std::span<const std::string>;

// "msiexec" of "C:\Windows\System32\msiexec.exe".
std::string program_in(std::string_view word) {
  std::string name = ascii_lower(std::string(word.substr(word.find_last_of("/\\") + 1)));
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  return name;
}

bool is_program(std::string_view word) {
  return !word.starts_with('-') && word.find('=') == word.npos &&
         (ascii_lower(std::string(word)).ends_with(".exe") ||
          program_in(word).starts_with("windows_exporter"));
}

// The exporter itself, whatever version is in its name.
bool is_exporter(std::string_view word) {
  const std::string name = program_in(word);
  return is_program(word) &&
         (name.starts_with("windows_exporter") || name.starts_with("wmi_exporter"));
}

// The words of a service's command line, the exporter with its flags in one word; empty if it isn't
// one.
std::vector<std::string> whole_line(std::string_view word) {
  constexpr std::string_view kOfSc = "binpath=";
  if (equal_names(word.substr(0, kOfSc.size()), kOfSc)) word.remove_prefix(kOfSc.size());
  if (word.find(' ') == word.npos) return {};
  std::vector<std::string> words = words_of_service(word);
  return words.size() > 1 && is_exporter(words.front()) ? words : std::vector<std::string>();
}

// Whether it is a property of another package, "TRANSFORMS=corp.mst", and not a misspelt one of
// this.
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

// Operators of PowerShell.
bool is_of_shell(std::string_view word) { return word == "&" || word == "--%"; }

// msiexec's own words: "/i", "windows_exporter.msi", "/qn", "/l*v", "log.txt".
std::vector<std::string> without_msiexec(Words words) {
  std::vector<std::string> rest;
  bool is_file = false;  // the value of a switch
  for (const std::string& word : words) {
    const std::string lower = ascii_lower(word);
    const bool is_switch =
        (lower.starts_with('/') || lower.starts_with('-')) && !lower.starts_with("--");
    const bool is_package = lower.ends_with(".msi") && lower.find('=') == lower.npos;
    if (is_switch)
      is_file = lower.substr(1).starts_with('l') || lower.substr(1) == "i" ||
                lower.substr(1) == "package" || lower.substr(1) == "x";
    else if (is_foreign_property(word))
      rest.push_back("--installer." + word);  // so that it is reported as lost
    else if (!is_package && !is_file)
      rest.push_back(word);
    if (!is_switch) is_file = false;
  }
  return rest;
}

// The value of --params, which contains quoted parameters.
std::vector<std::string> words_of_parameters(std::string_view value) {
  while (value.size() > 1 && value.front() == value.back() &&
         (value.front() == '"' || value.front() == '\''))
    value = value.substr(1, value.size() - 2);
  return words_of(value);
}

std::vector<std::string> without_chocolatey(Words words) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string name =
        ascii_lower(word.substr(std::min(word.find_first_not_of('-'), word.size())));
    for (const std::string_view option : {"params", "package-parameters", "packageparameters"}) {
      std::vector<std::string> more;
      if (name == option && i + 1 < words.size()) more = words_of_parameters(words[++i]);
      if (name.starts_with(std::string(option) + '='))
        more = words_of_parameters(std::string_view(word).substr(word.find('=') + 1));
      std::ranges::move(more, std::back_inserter(rest));
    }
    if (is_installer_word(word)) rest.push_back(word);
  }
  return rest;
}

}  // namespace

std::vector<std::string> words_of_exporter(Words words) {
  while (!words.empty() && (is_of_shell(words.front()) || words.front().empty()))
    words = words.subspan(1);
  if (words.empty()) return {};
  const std::string first = program_in(words.front());
  std::vector<std::string> rest(words.begin(), words.end());
  std::erase_if(rest, is_of_shell);
  if (first == "msiexec") return without_msiexec(Words(rest).subspan(1));
  if (first == "choco" || first == "cinst") return without_chocolatey(Words(rest).subspan(1));
  if (rest.front().starts_with('-')) return rest;
  // sc and New-Service have it after their own arguments; the registry has only this.
  const bool is_plain = is_exporter(rest.front()) && whole_line(rest.front()).empty();
  for (const std::string& word : rest)
    if (const auto line = whole_line(word); !line.empty() && !is_plain)
      return {line.begin() + 1, line.end()};
  const auto exporter = std::ranges::find_if(rest, is_exporter);
  const bool is_wrapped = first == "nssm" || first == "sc" || is_program(rest.front());
  if (exporter != rest.end() && is_wrapped) return {exporter + 1, rest.end()};
  if (is_program(rest.front())) rest.erase(rest.begin());
  return rest;
}

}  // namespace winperf::migration
