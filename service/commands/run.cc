#include <memory>

#include "service/commands/command.h"
#include "service/run/run.h"

namespace winperf {

void add_run(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command = *program.add_subcommand(
      "run", "sample in the background and serve over HTTP; at a console or as a Windows service");
  add_setup(command, options->setup);
  options->setup.is_patient = false;
  command
      .add_option(
          "--listen", options->listen,
          "address and port, instead of the configured ones; :PORT is every interface, and with "
          "port 0 the system picks a free one")
      ->check(not_empty())
      ->type_name("ADDRESS:PORT");
  command.callback([options, &exit_code] {
    exit_code = run_hosted([&](ServiceHost& host) { return run_server(host, *options); });
  });
}

}  // namespace winperf
