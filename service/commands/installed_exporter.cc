#include "service/commands/installed_exporter.h"

#include <algorithm>
#include <optional>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"
#include "collectors/base/plain_value.h"
#include "config/migration/command_words.h"
#include "service/scm/service_control.h"
#include "service/scm/service_definition.h"

namespace winperf {
namespace {

std::string name_in(std::string_view path) {
  return ascii_lower(path.substr(path.find_last_of("/\\") + 1));
}

// What the service runs in the end: NSSM's program, or its own.
std::vector<std::string> words_of(const ServiceFacts& facts) {
  auto words = migration::words_of_service(facts.command_line);
  const bool is_wrapped = !words.empty() && name_in(words.front()).starts_with("nssm");
  return is_wrapped ? migration::words_of_service(facts.wrapped) : words;
}

bool needs_quotes(std::string_view text) {
  return text.find_first_of(" &()^;,'") != std::string_view::npos;
}

}  // namespace

std::expected<InstalledExporter, std::string> find_exporter(ServiceManager& manager) {
  for (const std::string name : {"windows_exporter", "wmi_exporter"}) {
    const auto facts = manager.facts(name);
    if (!facts && facts.error().code == value_of(OsCode::kServiceDoesNotExist)) continue;
    if (!facts)
      return std::unexpected("the service " + name + " cannot be read: " + explain(facts.error()));
    InstalledExporter found{
        .service = name, .state = facts->state, .words = words_of(*facts), .folder = {}};
    if (found.words.empty() || name_in(found.words.front()).find("exporter") == std::string::npos)
      return std::unexpected("the service " + name +
                             " runs another program: " + facts->command_line +
                             "; pass windows_exporter's configuration with --from-windows-exporter "
                             "FILE, or its flags after --");
    const std::string& program = found.words.front();
    found.folder = program.substr(0, std::min(program.find_last_of("/\\"), program.size()));
    return found;
  }
  return std::unexpected(std::string(
      "no service windows_exporter or wmi_exporter is installed; pass windows_exporter's "
      "configuration with --from-windows-exporter FILE, or its flags after --"));
}

std::expected<std::string, std::string> own_config_file(ServiceManager& manager) {
  const std::string name(kServiceName);
  if (const auto facts = manager.facts(name); facts && is_own_command_line(facts->command_line)) {
    const auto words = migration::words_of_service(facts->command_line);
    const auto option = std::ranges::find(words, "--config");
    if (option != words.end() && option + 1 != words.end()) return *(option + 1);
  }
  const auto folder = manager.data_folder(name);
  if (!folder)
    return std::unexpected("the folder of the configuration is unknown (" +
                           explain(folder.error()) + "); specify the file to write with --out");
  return *folder + '\\' + name + ".yaml";
}

std::string switching_commands(const std::string& program, const std::string& config_file,
                               const std::string& other_service) {
  const bool in_quotes = needs_quotes(program);
  const std::string word = in_quotes ? '"' + program + '"' : program;
  const std::string hint = in_quotes ? "; in PowerShell, with \"& \" before each" : "";
  return "To switch over, as administrator" + hint + ":\n  " + word + " service install --config " +
         quoted_argument(config_file) + "\n  " + word + " service start --replacing " +
         other_service + "\nTo switch back:\n  " + word + " service stop --restoring " +
         other_service + '\n';
}

}  // namespace winperf
