#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "collectors/base/plain_value.h"
#include "collectors/base/printable.h"
#include "config/edit.h"
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

// Installers pass on unchecked values.
std::optional<std::string> wrong_value(const ConfigInitOptions& options) {
  for (const auto& [what, value] :
       {std::pair("the file", options.out), std::pair("the address", options.address),
        std::pair("the port", options.port)})
    if (const auto reason = why_not_plain(value))
      return std::string(what) + ' ' + printable(value) + ' ' + *reason + "; write it without";
  return std::nullopt;
}

int init_config(const ConfigInitOptions& options) {
  if (const auto reason = wrong_value(options)) return fail(*reason, kExitUsage);
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

void add_config_init(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<ConfigInitOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "init",
      "Write a configuration file with every key and its default; an existing file is kept");
  CLI::Option* const out = add_text(command, "-o,--out", options->out, "FILE",
                                    "file to write, instead of standard output");
  command.add_option("--listen-address", options->address, "value of listen.address")
      ->type_name("ADDRESS");
  command.add_option("--listen-port", options->port, "value of listen.port")->type_name("PORT");
  CLI::Option* const force =
      command.add_flag("--force", options->force, "overwrite the file if it exists");
  command
      .add_flag("--undo", options->undo,
                "remove the file if it has not been changed since it was written; for installers")
      ->needs(out)
      ->excludes(force);
  command.callback([options, &run] { run.exit_code = init_config(*options); });
}

}  // namespace winperf
