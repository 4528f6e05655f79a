#include "service/selftest/change.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/wording.h"
#include "service/console/exit_code.h"
#include "service/selftest/program.h"

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
  const std::filesystem::path folder = tools.root / path_of(change.name);
  std::error_code failed;
  if (!std::filesystem::exists(std::filesystem::symlink_status(folder, failed))) return {};
  if (!is_plain_folder(folder)) return std::unexpected("it is a link, or no folder");
  std::filesystem::remove_all(folder, failed);  // doesn't follow links
  if (failed) return std::unexpected(system_text(failed));
  return {};
}

// Success too for an exit code that says that there is nothing to undo.
std::expected<void, std::string> run_for(const UndoTools& tools, std::filesystem::path program,
                                         std::vector<std::string> words,
                                         std::vector<std::int64_t> nothing_there) {
  const auto end = run_program({.program = std::move(program),
                                .words = std::move(words),
                                .folder = tools.scratch,
                                .deadline = kLongestUndo},
                               tools.stop);
  if (!end) return std::unexpected(end.error());
  if (end->exit_code == kExitOk) return {};
  if (end->exit_code && std::ranges::find(nothing_there, *end->exit_code) != nothing_there.end())
    return {};
  return std::unexpected(describe(*end));
}

std::expected<void, std::string> remove_service(const Change& change, const UndoTools& tools) {
  return run_for(tools, tools.program, {"service", "uninstall", "--name", change.name},
                 {kExitNotInstalled});
}

std::expected<void, std::string> remove_rule(const Change& change, const UndoTools& tools) {
  const std::filesystem::path program = system_program("netsh.exe");
  if (program.empty()) return std::unexpected("this system has no such rules");
  // 1: no rule of this name.
  return run_for(tools, program,
                 {"advfirewall", "firewall", "delete", "rule", "name=" + change.name}, {1});
}

std::expected<void, std::string> remove_product(const Change& change, const UndoTools& tools) {
  constexpr std::int64_t kUnknownProduct = 1605;
  constexpr std::int64_t kRestartNeeded = 3010;
  const std::filesystem::path program = system_program("msiexec.exe");
  if (program.empty()) return std::unexpected("this system has no installer");
  return run_for(tools, program, {"/x", change.name, "/qn", "/norestart"},
                 {kUnknownProduct, kRestartNeeded});
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

std::expected<void, std::string> undo(const Change& change, const UndoTools& tools) {
  if (!is_ours(change)) return std::unexpected("no selftest has made it");
  return row_of(change.kind).undo(change, tools);
}

}  // namespace winperf::selftest
