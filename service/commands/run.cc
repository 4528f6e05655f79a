#include <memory>

#include "service/commands/command.h"
#include "service/run/run.h"

namespace winperf {
namespace {

void add_overrides(CLI::App& command, Overrides& overrides) {
  add_text(command, "--listen", overrides.listen, "ADDRESS:PORT",
           "address and port, instead of the configured ones; :PORT is every interface, and with "
           "port 0 the system picks a free one; may be given several times");
  add_text(command, "--web.listen-address", overrides.listen, "ADDRESS:PORT",
           "the same as --listen");
  add_text(command, "--web.config.file", overrides.web_config_file, "FILE",
           "TLS and passwords in exporter-toolkit's format; listen.web_config_file of every "
           "address");
  add_text(command, "--web.telemetry-path", overrides.telemetry_path, "PATH",
           "where the metrics are; metrics.path of the configuration");
  command.add_flag(
      "--web.disable-exporter-metrics", overrides.no_exporter_metrics,
      "no metrics about the exporter's own process and server; metrics.exporter: false");
  command
      .add_option("--web.max-requests", overrides.max_requests,
                  "how many requests to an address may wait, or 0 for as many as possible; "
                  "limits.max_requests of the configuration")
      ->check(CLI::Range(0, 10'000))
      ->type_name("NUMBER");
}

}  // namespace

void add_run(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command = *program.add_subcommand(
      "run", "sample in the background and serve over HTTP; at a console or as a Windows service");
  add_setup(command, options->setup, run);
  options->setup.is_patient = false;
  add_overrides(command, options->overrides);
  command.callback([options, &run] {
    run.exit_code = run_hosted([&](ServiceHost& host) { return run_server(host, *options); });
  });
}

}  // namespace winperf
