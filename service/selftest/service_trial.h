// A service of this program that a check installs for a while: a copy of the program in the check's
// folder, which services may read, with a configuration beside it and a port of loopback.
//
// Each step is one of the program's commands; one that doesn't end as it should is a finding of the
// report. The change is in the journal before it is made. What the service writes into its log says
// where it listens, and what it does. Not validated: the log, but for being JSON lines.
// Thread rule: one thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/selftest/change.h"
#include "service/selftest/check.h"
#include "service/selftest/program.h"

namespace winperf::selftest {

// What is installed beside the program: its counters' files.
inline constexpr std::array<const char*, 4> kBesideProgram{
    "winperf_exporter_perf.dll", "winperf_exporter_perf.ini", "winperf_exporter_perf.h",
    "winperf_exporter.man"};

// Copies the program and what is installed beside it. The error is a sentence.
[[nodiscard]] std::expected<std::filesystem::path, std::string> copy_program(
    const std::filesystem::path& program, const std::filesystem::path& folder);

// The name of something that the check makes: that of the run, and the check's.
std::string name_in(const CheckRun& run);

// Whether it holds before the time is over, or a stop is requested; asked a few times each second.
bool wait_until_it_holds(const StopToken& stop, std::chrono::seconds patience,
                         const std::function<bool()>& holds);

// What is in the second and not in the first; both are sorted.
std::vector<std::string> new_traces(const std::vector<std::string>& before,
                                    const std::vector<std::string>& after);

// Why a selftest can't use the names of an installed program: what is there already. With the
// installer, also the folder that it would use.
std::optional<std::string> why_not_alone(const std::vector<std::string>& traces,
                                         bool with_program_folder);

// What the service has logged.
struct LoggedEvent {
  std::string name;  // "started"
  std::string message;
};
std::vector<LoggedEvent> logged_events(std::string_view json_lines);

// The settings that an installation has skipped, by what it says: "delayed start".
std::vector<std::string> skipped_settings(std::string_view messages);

class ServiceTrial {
 public:
  // `change`: kService, or kOwnService for the service winperf_exporter.
  ServiceTrial(CheckRun& run, CheckReport& report, ChangeKind change = ChangeKind::kService);

  // The configuration that it will be installed with, without where it listens and logs.
  nlohmann::ordered_json config{{"interval", "2s"},
                                {"countersets", {"Memory", "System"}},
                                {"own_counters", "none"},
                                {"reload", {{"on_change", false}}}};

  // Each returns whether it succeeded; otherwise the report says why.
  bool install(const std::vector<std::string>& words = {});
  bool start();
  bool stop();
  // Also after a stop was requested. What is left on the machine is a finding.
  bool remove();
  bool write_config();

  // One of the commands `service`, which ends with this exit code.
  std::optional<ProgramEnd> service(const std::string& action,
                                    const std::vector<std::string>& words = {},
                                    std::int64_t exit_code = 0);
  // Without a finding; an empty object if it says nothing.
  nlohmann::json status() const;
  std::vector<LoggedEvent> log() const;
  std::size_t logged(std::string_view event) const;
  // Whether the page has this counterset, as good as it is (1), or not at all.
  bool shows(const std::string& counterset) const;

  const std::string& name() const { return name_; }
  const std::filesystem::path& executable() const { return executable_; }
  const std::string& origin() const { return origin_; }
  // What `service install` wrote to standard error.
  const std::string& install_messages() const { return install_messages_; }
  void found(std::string sentence, std::string reason);

 private:
  [[nodiscard]] std::expected<ProgramEnd, std::string> run_service(
      const std::filesystem::path& program, const std::string& action,
      const std::vector<std::string>& words, const StopToken& stop) const;
  bool make_folder();

  CheckRun& run_;
  CheckReport& report_;
  const ChangeKind change_;
  const std::string name_;
  const std::vector<std::string> before_;
  std::optional<std::size_t> number_{};  // in the journal
  std::filesystem::path executable_{};
  std::filesystem::path config_file_;
  std::filesystem::path log_file_{};
  std::string origin_{};
  std::string install_messages_{};
};

}  // namespace winperf::selftest
