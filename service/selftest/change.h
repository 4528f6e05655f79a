// What a selftest may change on a machine, and how each change is taken back.
//
// A journal is read by whoever runs `selftest --undo`, so its lines are hostile: a name must be one
// that only a selftest gives (its prefix), or nothing is done. Errors: a sentence.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/base/stop.h"

namespace winperf::selftest {

// What the names of all changes begin with, so that they are recognised.
inline constexpr std::string_view kPrefix = "winperf_exporter_selftest_";

enum class ChangeKind : std::uint8_t {
  kFolder,        // in the folder of selftests
  kService,       // with its account's rights, event source, data folder and counters
  kFirewallRule,  //
  kProduct,       // installed by Windows Installer: the product's code, in braces
};

// "folder", "service", "firewall_rule", "product".
std::string_view name_of(ChangeKind kind);
std::optional<ChangeKind> change_kind(std::string_view word);

struct Change {
  ChangeKind kind = ChangeKind::kFolder;
  std::string name;
  bool operator==(const Change&) const = default;
};

// Whether a selftest gives such names.
bool is_ours(const Change& change);

// For people: the service "winperf_exporter_selftest_1a2b".
std::string describe(const Change& change);

// What undoing works with.
struct UndoTools {
  std::filesystem::path program;  // this program
  std::filesystem::path root;     // the folder of selftests
  std::filesystem::path scratch;  // for output of programs
  StopToken stop{};
};

// Takes it back. Success as well if nothing of it is there.
[[nodiscard]] std::expected<void, std::string> undo(const Change& change, const UndoTools& tools);

}  // namespace winperf::selftest
