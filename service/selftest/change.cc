#include "service/selftest/change.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/wording.h"
#include "service/console/exit_code.h"
#include "service/scm/service_definition.h"
#include "service/selftest/machine.h"
#include "service/selftest/work_folder.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kLongestName = 80;
constexpr std::chrono::minutes kLongestUndo{5};

bool has_prefix(const std::string& name) {
  return name.starts_with(kPrefix) && name.size() > kPrefix.size() && name.size() <= kLongestName &&
         std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

// "{8D1C6A0E-....}", as Windows Installer writes it.
bool is_product_code(const std::string& name) {
  constexpr std::string_view kShape = "{00000000-0000-0000-0000-000000000000}";
  const auto fits = [](char c, char shape) {
    const char lower = ascii_lower(c);
    return shape == '0' ? is_digit(c) || (lower >= 'a' && lower <= 'f') : c == shape;
  };
  return std::ranges::equal(name, kShape, fits);
}

std::expected<void, std::string> remove_folder(const Change& change, const UndoTools& tools) {
  return remove_tree(tools.root / path_of(change.name));
}

// To its end, whatever is requested: a removal that ends in the middle leaves something.
std::expected<ProgramEnd, std::string> run_with(const UndoTools& tools,
                                                const std::filesystem::path& program,
                                                std::vector<std::string> words) {
  return tools.machine->run({.program = program,
                             .words = std::move(words),
                             .folder = tools.scratch,
                             .deadline = kLongestUndo},
                            {});
}

// The error says how it ended.
std::expected<ProgramEnd, std::string> run_well(const UndoTools& tools,
                                                const std::filesystem::path& program,
                                                std::vector<std::string> words) {
  auto end = run_with(tools, program, std::move(words));
  if (end && end->exit_code != kExitOk) return std::unexpected(describe(*end));
  return end;
}

// Success as well if there is no such service. It does nothing to one that runs another program.
std::expected<void, std::string> uninstall(const std::string& service, const UndoTools& tools) {
  const auto end =
      run_well(tools, tools.program, {"service", "uninstall", "--name", service, "--with-logs"});
  if (!end) return std::unexpected(end.error());
  return {};
}

std::expected<void, std::string> remove_service(const Change& change, const UndoTools& tools) {
  return uninstall(change.name, tools);
}

// What an installation has, and a selftest of this service never makes.
bool is_of_installation(const std::string& trace) {
  const bool is_of_selftests = trace.contains(kPrefix) || trace.contains("-selftest");
  return !is_of_selftests &&
         (trace.starts_with(kProgramTrace) || trace.starts_with(kProgramFolderTrace) ||
          trace.starts_with(kInstallerTrace));
}

// A service that others have installed has another command line, and stays. Without the service,
// its counters may still be registered, by a removal that failed or was ended in the middle.
std::expected<void, std::string> remove_own_service(const Change& change, const UndoTools& tools) {
  const auto end = run_with(tools, tools.program,
                            {"service", "status", "--name", kServiceName, "--format", "json"});
  if (!end) return std::unexpected(end.error());
  if (end->exit_code == kExitNotInstalled) {
    if (std::ranges::any_of(tools.machine->traces(), is_of_installation)) return {};
    return uninstall(kServiceName, tools);
  }
  const auto status = nlohmann::json::parse(end->output, nullptr, false);
  const auto line = status.is_object() ? status.find("command_line") : status.end();
  if (line == status.end() || !line->is_string()) return std::unexpected(describe(*end));
  const std::string folder = path_text(tools.root / path_of(change.name));
  const std::string ours =
      '"' + folder + static_cast<char>(std::filesystem::path::preferred_separator);
  if (!ascii_lower(line->get<std::string>()).starts_with(ascii_lower(ours))) return {};
  return uninstall(kServiceName, tools);
}

std::expected<void, std::string> remove_rule(const Change& change, const UndoTools& tools) {
  const std::filesystem::path program = tools.machine->system_program("netsh.exe");
  if (program.empty()) return std::unexpected("this system has no such rules");
  const std::string rule = "name=" + change.name;
  const auto removed =
      run_with(tools, program, {"advfirewall", "firewall", "delete", "rule", rule});
  if (!removed) return std::unexpected(removed.error());
  if (removed->exit_code == kExitOk) return {};
  // 1 is its code for each failure, and for no rule of this name; so it is asked.
  const auto shown = run_with(tools, program, {"advfirewall", "firewall", "show", "rule", rule});
  if (!shown) return std::unexpected(shown.error());
  if (shown->exit_code == kExitFailure && !shown->output.contains(change.name)) return {};
  return std::unexpected(describe(*removed));
}

constexpr std::int64_t kInstallerBusy = 1618;

// One whose configuration is elsewhere was installed by others, even if the code is the same.
bool is_of_selftest(const InstalledProduct& product, const UndoTools& tools) {
  const std::string folder = path_text(tools.root) +
                             static_cast<char>(std::filesystem::path::preferred_separator) +
                             std::string(kPrefix);
  return product.is_exporter && ascii_lower(product.config_file).starts_with(ascii_lower(folder));
}

// An installation goes on after the program that asked for it was ended, so a product that isn't
// there may still come: Windows Installer says so.
std::expected<void, std::string> remove_product(const Change& change, const UndoTools& tools) {
  constexpr std::chrono::seconds kPause{2};
  const std::filesystem::path program = tools.machine->system_program("msiexec.exe");
  if (program.empty()) return std::unexpected("this system has no installer");
  for (auto waited = std::chrono::seconds(0);; waited += kPause) {
    const auto product = tools.machine->product(change.name);
    if (!product) return std::unexpected(product.error());
    if (*product && !is_of_selftest(**product, tools)) return {};
    const auto end = run_with(tools, program, {"/x", change.name, "/qn", "/norestart"});
    if (!end) return std::unexpected(end.error());
    const std::int64_t code = end->exit_code.value_or(kInstallerBusy);
    if (is_product_gone(code)) return {};
    if (!end->exit_code || code != kInstallerBusy || waited >= kLongestUndo)
      return std::unexpected(describe(*end));
    if (tools.stop.stop_requested()) return std::unexpected("stopped; the installer is busy");
    tools.machine->pause(kPause, tools.stop);
  }
}

// One row for each kind, in their order.
struct KindRow {
  std::string_view word;
  std::string_view noun;
  bool (*is_ours)(const std::string& name);
  std::expected<void, std::string> (*undo)(const Change& change, const UndoTools& tools);
};
constexpr std::array kKinds{
    KindRow{"folder", "folder", has_prefix, remove_folder},
    KindRow{"service", "service", has_prefix, remove_service},
    KindRow{"firewall_rule", "firewall rule", has_prefix, remove_rule},
    KindRow{"product", "installed product", is_product_code, remove_product},
    KindRow{"own_service", "service winperf_exporter of", has_prefix, remove_own_service},
};

const KindRow& row_of(ChangeKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name_of(ChangeKind kind) { return row_of(kind).word; }

std::optional<ChangeKind> change_kind(std::string_view word) {
  const auto row = std::ranges::find(kKinds, word, &KindRow::word);
  if (row == kKinds.end()) return std::nullopt;
  return static_cast<ChangeKind>(row - kKinds.begin());
}

bool is_ours(const Change& change) { return row_of(change.kind).is_ours(change.name); }

std::string describe(const Change& change) {
  return "the " + std::string(row_of(change.kind).noun) + ' ' + in_quotes(change.name);
}

std::expected<ProgramEnd, std::string> UndoMachine::run(const ProgramCall& call,
                                                        const StopToken& stop) const {
  return run_program(call, stop);
}

std::filesystem::path UndoMachine::system_program(const std::string& name) const {
  return selftest::system_program(name);
}

std::expected<std::optional<InstalledProduct>, std::string> UndoMachine::product(
    const std::string& code) const {
  return installed_product(code);
}

std::vector<std::string> UndoMachine::traces() const { return machine_traces(); }

void UndoMachine::pause(std::chrono::milliseconds time, const StopToken& stop) const {
  pause_until(std::chrono::steady_clock::now() + time, stop);
}

const UndoMachine& this_machine() {
  static const UndoMachine machine;
  return machine;
}

std::expected<void, std::string> undo(const Change& change, const UndoTools& tools) {
  if (!is_ours(change)) return std::unexpected("no selftest has made it");
  return row_of(change.kind).undo(change, tools);
}

}  // namespace winperf::selftest
