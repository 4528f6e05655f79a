#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/plain_value.h"
#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "config/config.h"
#include "config/edit.h"
#include "service/commands/command.h"
#include "service/commands/new_file.h"

namespace winperf {
namespace {

struct ConfigSetOptions {
  std::string file;
  std::vector<std::string> changes;  // "listen.port=10182"
  bool skip_empty = false;
  bool backup = false;
  bool undo = false;
};

std::expected<std::vector<ConfigChange>, std::string> changes_of(const ConfigSetOptions& options) {
  std::vector<ConfigChange> changes;
  for (const std::string& text : options.changes) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0)
      return std::unexpected(in_quotes(text) +
                             " is not a change; write KEY=VALUE, such as listen.port=10182");
    if (const auto reason = why_not_plain(text))
      return std::unexpected(in_quotes(text) + ' ' + *reason +
                             ", which this command cannot write; edit the file instead");
    ConfigChange change{.key = text.substr(0, equals), .value = text.substr(equals + 1)};
    if (!options.skip_empty || !change.value.empty()) changes.push_back(std::move(change));
  }
  return changes;
}

std::string change_report(const ConfigChange& change, const std::optional<std::string>& old_value,
                          const std::string& file) {
  const std::string value = change.value.empty() ? "\"\"" : change.value;
  if (!old_value)
    return change.key + " set to " + value + " in " + file + "; it was not set before";
  if (*old_value == change.value) return change.key + " is already " + value + " in " + file;
  return change.key + " changed from " + (old_value->empty() ? "\"\"" : *old_value) + " to " +
         value + " in " + file;
}

int undo(const std::filesystem::path& file) {
  const auto failure = restore_file(file);
  return failure ? fail(*failure, kExitFailure) : kExitOk;
}

int set_config(const ConfigSetOptions& options) {
  const std::filesystem::path file = path_of(options.file);
  if (options.undo) return undo(file);
  const auto changes = changes_of(options);
  if (!changes) return fail(changes.error(), kExitUsage);
  const auto before = read_config_file(file);
  if (!before) return fail(describe(before.error().front()), kExitUsage);

  const auto edits = set_config_values(*before, options.file, *changes);
  if (!edits) return fail(edits.error(), kExitUsage);
  std::string reports;
  for (std::size_t i = 0; i < changes->size(); ++i)
    reports += printable(change_report((*changes)[i], edits->old_values[i], options.file)) + '\n';
  if (edits->text != *before) {
    if (const auto failure = change_file(file, edits->text, options.backup))
      return fail(*failure, kExitFailure);
  } else if (options.backup) {
    // --undo must not restore a backup of an earlier change.
    std::error_code ignored;
    std::filesystem::remove(backup_of(file), ignored);
  }
  std::cout << reports;
  return kExitOk;
}

}  // namespace

void add_config_set(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<ConfigSetOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "set", "Change values in a configuration file; comments and everything else are kept");
  add_config_file(command, options->file);
  CLI::Option* const changes =
      command
          .add_option("changes", options->changes,
                      "changes in the form KEY=VALUE, such as listen.port=10182")
          ->type_name("KEY=VALUE");
  command
      .add_flag("--skip-empty", options->skip_empty,
                "ignore changes without a value; for installers")
      ->needs(changes);
  CLI::Option* const backup =
      command.add_flag("--backup", options->backup, "keep a copy of the old file as FILE.bak");
  command.add_flag("--undo", options->undo, "restore FILE.bak if it exists")
      ->excludes(changes)
      ->excludes(backup);
  command.callback([options, &run] { run.exit_code = set_config(*options); });
}

}  // namespace winperf
