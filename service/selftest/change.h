// What a selftest may change on a machine, and how each change is taken back.
//
// A journal is read by whoever runs `selftest --undo`, so its lines are hostile: a name must be one
// that only a selftest gives (its prefix), and where names are Windows' or the product's, what is
// there must show that a selftest has made it: an installed product and the service
// winperf_exporter have their configuration in the folder of selftests. Otherwise nothing is done.
// Programs that are run are this one and those in Windows' own folder. Errors: a sentence. Thread
// rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/stop.h"
#include "service/selftest/installer.h"
#include "service/selftest/program.h"

namespace winperf::selftest {

// What the names of all changes begin with, so that they are recognised.
inline constexpr std::string_view kPrefix = "winperf_exporter_selftest_";

enum class ChangeKind : std::uint8_t {
  kFolder,        // in the folder of selftests
  kService,       // with its event source, membership in a group, data folder and logs
  kFirewallRule,  //
  kProduct,       // installed by Windows Installer: the product's code, in braces
  kOwnService,    // the service winperf_exporter itself, with its counters; the run's name
};

// "folder", "service", "firewall_rule", "product", "own_service".
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

// The machine on which changes are taken back; a test has its own.
class UndoMachine {
 public:
  virtual ~UndoMachine() = default;
  [[nodiscard]] virtual std::expected<ProgramEnd, std::string> run(const ProgramCall& call,
                                                                   const StopToken& stop) const;
  // As winperf::selftest::system_program.
  virtual std::filesystem::path system_program(const std::string& name) const;
  // Nothing if it isn't installed.
  [[nodiscard]] virtual std::expected<std::optional<InstalledProduct>, std::string> product(
      const std::string& code) const;
  // As winperf::selftest::machine_traces.
  virtual std::vector<std::string> traces() const;
  virtual void pause(std::chrono::milliseconds time, const StopToken& stop) const;
};
const UndoMachine& this_machine();

// What undoing works with.
struct UndoTools {
  std::filesystem::path program;  // this program
  std::filesystem::path root;     // the folder of selftests
  std::filesystem::path scratch;  // for output of programs
  StopToken stop{};               // nothing is begun after it, and nothing ended in the middle
  const UndoMachine* machine = &this_machine();
};

// Takes it back. Success as well if nothing of it is there.
[[nodiscard]] std::expected<void, std::string> undo(const Change& change, const UndoTools& tools);

}  // namespace winperf::selftest
