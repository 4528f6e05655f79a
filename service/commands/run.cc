#include <memory>

#include "service/commands/command.h"
#include "service/run/run.h"

namespace winperf {
namespace {

void add_overrides(CLI::App& command, Overrides& overrides) {
  add_text(command, "--listen", overrides.listen, "ADDRESS:PORT",
           "address and port to listen on, instead of the configured ones; :PORT means every "
           "interface, port 0 any free port; can be repeated");
  add_text(command, "--web.listen-address", overrides.listen, "ADDRESS:PORT", "same as --listen");
  add_text(command, "--web.config.file", overrides.web_config_file, "FILE",
           "web configuration file (TLS and passwords in exporter-toolkit's format); overrides "
           "listen.web_config_file of every address");
  add_text(command, "--web.telemetry-path", overrides.telemetry_path, "PATH",
           "path of the metrics page; overrides metrics.path");
  command.add_flag(
      "--web.disable-exporter-metrics", overrides.no_exporter_metrics,
      "omit metrics about the exporter's process and server, like metrics.exporter: false");
  command
      .add_option("--web.max-requests", overrides.max_requests,
                  "maximum number of waiting requests per address, or 0 for as many as possible; "
                  "overrides limits.max_requests")
      ->check(CLI::Range(0, 10'000))
      ->type_name("NUMBER");
}

}  // namespace

void add_run(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command = *program.add_subcommand(
      "run", "Sample counters and serve them over HTTP, at a console or as a Windows service");
  add_setup(command, options->setup, run);
  options->setup.is_patient = false;
  add_overrides(command, options->overrides);
  command.callback([options, &run] {
    options->own_counters = own_platform();
    if (run.prepare_run) run.prepare_run(*options);
    run.exit_code = run_hosted([&](ServiceHost& host) { return run_server(host, *options); });
  });
}

}  // namespace winperf
