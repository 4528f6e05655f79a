// The installer, from the installation to the removal.
#include <algorithm>
#include <span>
#include <string>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/wire/text.h"
#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/installer.h"
#include "service/selftest/journal.h"
#include "service/selftest/machine.h"
#include "service/selftest/page_client.h"
#include "service/selftest/running_server.h"
#include "service/selftest/service_trial.h"

namespace winperf::selftest {
namespace {

constexpr std::uint64_t kLargestPackage = std::uint64_t{1} << 30;
constexpr std::uint64_t kLargestInstallLog = std::uint64_t{64} << 20;
constexpr std::chrono::milliseconds kLongestInstallation{600'000};
constexpr std::chrono::seconds kUntilInstalledAnswers{90};

// Windows Installer writes UTF-16.
std::string install_log(const std::filesystem::path& file) {
  const auto bytes = read_whole_file(file, kLargestInstallLog);
  if (!bytes) return {};
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (!text.starts_with("\xff\xfe")) return std::string(text);
  std::u16string wide;
  for (std::size_t i = 2; i + 1 < text.size(); i += 2)
    wide += static_cast<char16_t>(static_cast<unsigned char>(text[i]) |
                                  static_cast<unsigned char>(text[i + 1]) << 8);
  return to_utf8(wide);
}

class InstallerTrial {
 public:
  InstallerTrial(CheckRun& run, CheckReport& report, std::filesystem::path package,
                 std::string product)
      : run_(run),
        report_(report),
        package_(std::move(package)),
        product_(std::move(product)),
        before_(machine_traces()) {}

  void make() {
    if (!install()) return;
    expect_answer("after the installation");
    if (!run_.stop.stop_requested()) repair();
  }
  // Whether nothing is left.
  bool remove() {
    const bool is_removed = msiexec("remove", {"/x", product_}, is_product_gone);
    const auto left = new_traces(before_, machine_traces());
    for (const std::string& trace : left)
      found("something is left on the machine after the removal", trace);
    return is_removed && left.empty();
  }

 private:
  void found(std::string sentence, std::string reason) {
    report_.findings.push_back(
        {.sentence = std::move(sentence), .details = {{"reason", std::move(reason)}}});
  }

  // Runs to its end also after a stop was requested: Windows Installer would go on without it.
  bool msiexec(const std::string& what, std::vector<std::string> words,
               bool (*is_done)(std::int64_t code) = has_installed) {
    run_.tell(what);
    const std::string name = "msi-" + what + ".log";
    const std::filesystem::path log = run_.folder / name;
    words.insert(words.end(), {"/qn", "/norestart", "/l*v", path_text(log)});
    const auto end = run_program({.program = system_program("msiexec.exe"),
                                  .words = std::move(words),
                                  .folder = run_.folder,
                                  .deadline = kLongestInstallation},
                                 {});
    if (end && end->exit_code == kRestartNeeded) report_.data["restart_needed_after"] = what;
    if (end && end->exit_code && is_done(*end->exit_code)) return true;
    found("msiexec did not " + what, end ? describe(*end) : end.error());
    const std::string text = install_log(log);
    const auto bytes = std::as_bytes(std::span(text));
    report_.files.push_back({.name = name, .bytes = {bytes.begin(), bytes.end()}});
    return false;
  }

  // A port that was free a moment ago.
  std::string free_port() {
    const auto server =
        RunningServer::start({.program = run_.program, .folder = run_.folder}, run_.stop);
    if (!server) {
      found("no free port was found", server.error());
      return {};
    }
    (void)server->end(std::chrono::seconds(30));
    return std::to_string(server->port());
  }

  bool install() {
    run_.tell("looking for a free port");
    const std::string port = free_port();
    if (port.empty() || run_.stop.stop_requested()) return false;
    origin_ = "http://127.0.0.1:" + port;
    return msiexec("install",
                   {"/i", path_text(package_), "LISTEN_ADDR=127.0.0.1", "LISTEN_PORT=" + port,
                    "CONFIG_FILE=" + path_text(run_.folder / "winperf_exporter.yaml")});
  }

  void expect_answer(const std::string& when) {
    std::string last;
    const bool answers = wait_until_it_holds(run_.stop, kUntilInstalledAnswers, [&] {
      const auto page = ask_page({.origin = origin_});
      last = page ? describe(*page) : page.error();
      return page && page->status == 200 && page->body.contains("winperf_exporter_build_info");
    });
    if (!answers && !run_.stop.stop_requested())
      found("the service does not answer " + when, last.substr(0, 1000));
  }

  // One of its files is missing, and comes back.
  void repair() {
    const std::filesystem::path file = installed_file();
    std::error_code failed;
    if (file.empty() || !std::filesystem::remove(file, failed))
      return found("the installed files are not where they should be", path_text(file));
    if (!msiexec("repair", {"/fa", product_})) return;
    if (!std::filesystem::exists(file, failed))
      found("a repair did not restore a missing file", path_text(file));
    expect_answer("after the repair");
  }

  std::filesystem::path installed_file() const {
    const auto end = run_program({.program = run_.program,
                                  .words = {"service", "status", "--format", "json"},
                                  .folder = run_.folder},
                                 run_.stop);
    if (!end) return {};
    const auto status = nlohmann::json::parse(end->output, nullptr, false);
    const auto line = status.is_object() ? status.find("command_line") : status.end();
    if (line == status.end() || !line->is_string()) return {};
    const std::string text = line->get<std::string>();
    const std::size_t last = text.find('"', 1);
    if (!text.starts_with('"') || last == std::string::npos) return {};
    return path_of(text.substr(1, last - 1)).parent_path() / "winperf_exporter.man";
  }

  CheckRun& run_;
  CheckReport& report_;
  const std::filesystem::path package_;
  const std::string product_;
  const std::vector<std::string> before_;
  std::string origin_;
};

// Why the machine isn't one on which the installer may be tried.
std::optional<std::string> why_no_trial(const CheckRun& run) {
  if (run.settings.installer.empty()) return "it needs the installer: --msi FILE";
  const auto installed = installed_exporters();
  if (!installed) return installed.error();
  if (!installed->empty()) return "winperf_exporter is installed: " + installed->front();
  return why_not_alone(machine_traces(), true);
}

CheckReport try_installer(CheckRun& run) {
  if (system_program("msiexec.exe").empty())
    return report_of(Verdict::kAbsent, "this system has no Windows Installer");
  if (const auto why = why_no_trial(run)) return report_of(Verdict::kSkipped, *why);
  // A copy, so that it can't be another one later.
  const std::filesystem::path package = run.folder / "winperf_exporter.msi";
  const auto bytes = read_whole_file(run.settings.installer, kLargestPackage);
  if (!bytes) return report_of(Verdict::kBroken, "--msi: " + bytes.error().reason);
  if (const auto copied = write_whole_file(package, *bytes); !copied)
    return report_of(Verdict::kBroken, copied.error().reason);
  const auto facts = read_package(package);
  if (!facts) return report_of(Verdict::kBroken, "--msi: " + facts.error());
  const auto number =
      run.journal.begin({.kind = ChangeKind::kProduct, .name = facts->product_code});
  if (!number) return report_of(Verdict::kBroken, number.error());
  CheckReport report;
  report.data["version"] = facts->version;
  InstallerTrial trial(run, report, package, facts->product_code);
  trial.make();
  if (trial.remove()) run.journal.undone(*number);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  conclude(report, "version " + facts->version + " is installed, repaired and removed");
  return report;
}

}  // namespace

SelfCheck msi_check() {
  return {.id = "msi",
          .title = "Installer",
          .does =
              "installs the MSI that --msi names, scrapes its service, repairs it, and removes "
              "it; only where winperf_exporter is not installed",
          .changes =
              "the program winperf_exporter with its service, counters and event log "
              "source, as the installer makes them, on a port of this machine alone",
          .needs_administrator = true,
          .takes = std::chrono::seconds(120),
          .run = try_installer};
}

}  // namespace winperf::selftest
