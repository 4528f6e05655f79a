// The Windows service, from its installation to its removal.
#include <string>

#include "collectors/base/printable.h"
#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/machine.h"
#include "service/selftest/page_client.h"
#include "service/selftest/service_trial.h"

namespace winperf::selftest {
namespace {

constexpr std::chrono::seconds kUntilSampled{90};
constexpr std::chrono::seconds kUntilReloaded{60};
// Windows starts it again five seconds after the first failure.
constexpr std::chrono::seconds kUntilRestarted{90};

std::string text_or_none(const nlohmann::json& status, const char* key) {
  const std::string text = selftest::text_of(status, key);
  return text.empty() ? "nothing" : text;
}

void expect_status(ServiceTrial& trial, const char* key, const std::string& expected) {
  const std::string got = text_or_none(trial.status(), key);
  if (got != expected)
    trial.found("\"service status\" has another " + std::string(key),
                "expected " + expected + ", got " + got);
}

void expect_sampled(CheckRun& run, ServiceTrial& trial) {
  run.tell("waiting for its first sample");
  for (const char* const counterset : {"Memory", "System"}) {
    const auto is_shown = [&] { return trial.shows(counterset); };
    if (!wait_until_it_holds(run.stop, kUntilSampled, is_shown) && !run.stop.stop_requested())
      trial.found("the service has no sample of " + std::string(counterset),
                  "not on its page within " + std::to_string(kUntilSampled.count()) + " s");
  }
}

void expect_reload(CheckRun& run, ServiceTrial& trial) {
  trial.config["countersets"] = {"System"};
  if (!trial.write_config() || !trial.service("reload")) return;
  const bool is_reloaded = wait_until_it_holds(run.stop, kUntilReloaded, [&] {
    return trial.logged("reloaded") > 0 && !trial.shows("Memory") && trial.shows("System");
  });
  if (!is_reloaded && !run.stop.stop_requested())
    trial.found("the service has not taken over a changed configuration",
                "\"service reload\" succeeded, and its page has other countersets");
}

std::uint32_t process_of(const ServiceTrial& trial) {
  return static_cast<std::uint32_t>(count_of(trial.status(), "process_id").value_or(0));
}

bool lacks_recovery(const ServiceTrial& trial) {
  for (const std::string& setting : skipped_settings(trial.install_messages()))
    if (setting.starts_with("restart on")) return true;
  return false;
}

// Its process is ended as a crash would end it, and Windows starts another one.
void expect_recovery(CheckRun& run, ServiceTrial& trial, CheckReport& report) {
  if (lacks_recovery(trial)) {
    report.data["recovery"] = "not tried: this system lacks the setting";
    return;
  }
  run.tell("ending its process, and waiting for the next one");
  const std::uint32_t before = process_of(trial);
  const std::size_t starts = trial.logged("started");
  const auto began = std::chrono::steady_clock::now();
  if (const auto ended = end_process_of(before, trial.executable()); !ended)
    return trial.found("the process of the service cannot be ended", ended.error());
  const bool is_back = wait_until_it_holds(run.stop, kUntilRestarted, [&] {
    const std::uint32_t now = process_of(trial);
    return now != 0 && now != before && trial.logged("started") > starts;
  });
  if (run.stop.stop_requested()) return;
  if (!is_back)
    return trial.found("Windows has not started the service again after a crash",
                       "no other process within " + std::to_string(kUntilRestarted.count()) + " s");
  report.data["restarted_after_seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void expect_stop(ServiceTrial& trial) {
  if (!trial.stop()) return;
  trial.service("status", {}, 3);
  const auto log = trial.log();
  if (log.size() < 2 || log[log.size() - 2].name != "stopping" || log.back().name != "stopped")
    trial.found("the log of the service does not end with a stop",
                log.empty() ? "nothing was logged" : "its last event is " + log.back().name);
  if (ask_page({.origin = trial.origin(), .path = "/-/healthy"}))
    trial.found("the service answers after its stop", trial.origin());
}

CheckReport try_service(CheckRun& run) {
  if (system_program("sc.exe").empty())
    return report_of(Verdict::kAbsent, "this system has no Windows services");
  CheckReport report;
  ServiceTrial trial(run, report);
  report.data["name"] = trial.name();
  const bool is_installed = trial.install();
  for (const std::string& setting : skipped_settings(trial.install_messages()))
    trial.found("this system lacks a setting of services", setting);
  if (is_installed && trial.start()) {
    expect_status(trial, "state", "running");
    expect_status(trial, "account", "NT SERVICE\\" + trial.name());
    expect_status(trial, "start", "delayed");
    expect_sampled(run, trial);
    if (!run.stop.stop_requested()) expect_reload(run, trial);
    if (!run.stop.stop_requested()) expect_recovery(run, trial, report);
    if (!run.stop.stop_requested()) expect_stop(trial);
  }
  trial.remove();
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  conclude(report, "installed, started, scraped, reloaded, stopped and removed");
  return report;
}

}  // namespace

SelfCheck service_check() {
  return {.id = "service",
          .title = "Windows service",
          .does =
              "installs a service, scrapes it, reloads it, ends its process, so that Windows "
              "starts it again, stops it, and removes it",
          .changes =
              "a service winperf_exporter_selftest_..., which listens on a port of this "
              "machine alone, its event log source, data folder and membership in "
              "Performance Monitor Users",
          .needs_administrator = true,
          .takes = std::chrono::seconds(60),
          .run = try_service};
}

}  // namespace winperf::selftest
