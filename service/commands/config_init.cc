#include <iostream>
#include <memory>
#include <optional>

#include "config/example.h"
#include "service/commands/command.h"
#include "service/commands/new_file.h"

namespace winperf {
namespace {

struct ConfigInitOptions {
  std::string out;      // empty: standard output
  std::string address;  // empty: as in the example
  std::string port;
  bool force = false;
  bool undo = false;
};

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

int init_config(const ConfigInitOptions& options) {
  const auto text = example_config_with(unless_empty(options.address), unless_empty(options.port));
  if (!text) return fail(text.error(), kExitUsage);
  if (options.out.empty()) {
    std::cout << *text;
    return kExitOk;
  }
  if (options.undo) return remove_unchanged_file(options.out, *text);
  return write_new_file(options.out, *text, options.force, kExitOk);
}

}  // namespace

void add_config_init(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ConfigInitOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "init", "write a new configuration with every key and its default; never overwrites a file");
  CLI::Option* const out =
      command.add_option("-o,--out", options->out, "file to write, instead of standard output")
          ->check(not_empty())
          ->type_name("FILE");
  command.add_option("--listen-address", options->address, "value of listen.address")
      ->type_name("ADDRESS");
  command.add_option("--listen-port", options->port, "value of listen.port")->type_name("PORT");
  CLI::Option* const force =
      command.add_flag("--force", options->force, "overwrite the file if it exists");
  command
      .add_flag("--undo", options->undo,
                "remove the file if it still holds exactly what would be written; for installers")
      ->needs(out)
      ->excludes(force);
  command.callback([options, &exit_code] { exit_code = init_config(*options); });
}

}  // namespace winperf
