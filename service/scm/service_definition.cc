#include "service/scm/service_definition.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/plain_value.h"
#include "collectors/base/printable.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxNameLength = 80;

constexpr std::array<std::string_view, 9> kPartNames{
    "description",        "delayed start",
    "restart on failure", "restart on an exit with an error",
    "service SID",        "reduced privileges",
    "shutdown time",      "event log source",
    "access to counters"};
static_assert(kPartNames.size() == static_cast<std::size_t>(ServicePart::kCounterAccess) + 1);

constexpr std::array<std::string_view, 4> kStartNames{"auto", "delayed", "manual", "disabled"};
static_assert(kStartNames.size() == static_cast<std::size_t>(StartKind::kDisabled) + 1);

constexpr std::string_view kSystemAccount = "LocalSystem";

// Windows' own accounts, by their usual short names.
struct KnownAccount {
  std::string_view short_name;
  std::string_view name;
};
constexpr KnownAccount kAccounts[] = {{"localsystem", kSystemAccount},
                                      {".\\localsystem", kSystemAccount},
                                      {"nt authority\\system", kSystemAccount},
                                      {"localservice", "NT AUTHORITY\\LocalService"},
                                      {"networkservice", "NT AUTHORITY\\NetworkService"}};

// Stricter than Windows, because the name becomes a folder, an account and a registry key.
bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameLength && std::ranges::all_of(text, [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '-';
  });
}

std::string account_of(const ServiceRequest& request) {
  if (request.account.empty()) return "NT SERVICE\\" + request.name;
  for (const KnownAccount& known : kAccounts)
    if (ascii_lower(request.account) == known.short_name) return std::string(known.name);
  return request.account;
}

std::string absolute(const std::string& file) {
  const std::filesystem::path path = path_of(file);
  std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
  const std::u8string text = whole.make_preferred().u8string();
  return {text.begin(), text.end()};
}

}  // namespace

std::string_view name_of(ServicePart part) { return kPartNames.at(static_cast<std::size_t>(part)); }

std::string_view name_of(StartKind start) {
  return kStartNames.at(static_cast<std::size_t>(start));
}

std::vector<ServicePart> parts_of(const ServiceDefinition& definition, bool existed) {
  std::vector<ServicePart> parts{ServicePart::kDescription};
  // An automatic start that was delayed before would stay delayed.
  if (definition.start == StartKind::kDelayed ||
      (existed && definition.start == StartKind::kAutomatic))
    parts.push_back(ServicePart::kDelayedStart);
  parts.insert(parts.end(), {ServicePart::kFailureActions, ServicePart::kFailureFlag,
                             ServicePart::kServiceSid, ServicePart::kPrivileges,
                             ServicePart::kShutdownTimeout, ServicePart::kEventSource});
  // The system account may read counters anyway.
  if (!is_system_account(definition)) parts.push_back(ServicePart::kCounterAccess);
  return parts;
}

std::expected<ServiceDefinition, std::string> define_service(const ServiceRequest& request,
                                                             const std::string& executable) {
  using std::chrono::seconds;
  if (!is_name(request.name))
    return std::unexpected('"' + request.name + "\" is not a service name; use up to " +
                           std::to_string(kMaxNameLength) + " letters, digits, _ and -");
  for (const auto& [what, value] : {std::pair("the configuration file", request.config_file),
                                    std::pair("the account", request.account)})
    if (const auto reason = why_not_plain(value))
      return std::unexpected(std::string(what) + ' ' + printable(value) + ' ' + *reason +
                             "; write it without");
  ServiceDefinition definition;
  definition.name = request.name;
  definition.description = "Serves Windows performance counters to Prometheus and as JSON.";
  definition.command_line = quoted_argument(executable) + " run";
  if (!request.config_file.empty())
    definition.command_line += " --config " + quoted_argument(absolute(request.config_file));
  definition.account = account_of(request);
  definition.start = request.start;
  definition.restart_after = {seconds(5), seconds(30), seconds(60)};
  definition.failures_forgotten_after = std::chrono::days(1);
  // The first allows traversing folders to readable files; the second, creating the section of its
  // own counters, which programs of all sessions read. Reading counters needs no other privilege.
  definition.privileges = {"SeChangeNotifyPrivilege", "SeCreateGlobalPrivilege"};
  definition.shutdown_timeout = seconds(10);
  return definition;
}

bool is_own_command_line(std::string_view command_line) {
  // If the path has blanks and no quotes, ".exe" shows where it ends.
  const bool in_quotes = command_line.starts_with('"');
  const std::string_view end = in_quotes ? "\"" : ".exe ";
  const std::size_t found = ascii_lower(command_line).find(end, 1);
  if (found == std::string::npos) return false;
  std::string_view arguments = command_line.substr(found + end.size());
  arguments.remove_prefix(std::min(arguments.find_first_not_of(" \t"), arguments.size()));
  return arguments.substr(0, arguments.find_first_of(" \t")) == "run";
}

bool is_system_account(const ServiceDefinition& definition) {
  return definition.account == kSystemAccount;
}

bool is_virtual_account(const ServiceDefinition& definition) {
  return ascii_lower(definition.account) == "nt service\\" + ascii_lower(definition.name);
}

// 0x1200a9: read, list and execute; 0x1301bf: also write and delete (FILE_GENERIC_... in winnt.h).
// OICI: new files and folders inherit the entry. P: nothing is inherited from the parent folder, in
// which every user may create files.
std::string folder_rights(std::string_view service_sid) {
  return "O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;" +
         std::string(service_sid) + ")";
}

std::string log_folder_rights(std::string_view service_sid) {
  return "O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;" +
         std::string(service_sid) + ")";
}

}  // namespace winperf
