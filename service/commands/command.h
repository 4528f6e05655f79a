// Shared by the commands: common options and first steps.
//
// A command is one file, NAME.cc: its options, their parsing, its work and its report. It defines
//
//   void add_NAME(CLI::App& program, CommandRun& run);
//
// which adds the subcommand to the parser; the subcommand's callback does the work and sets the
// exit code of the run. A line in this folder's CMakeLists.txt adds it to the program
// (command_list.cc.in). Results go to standard output; complain() writes everything else to
// standard error. Thread rule: one thread.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "config/config.h"
#include "service/commands/command_line.h"
#include "service/console/exit_code.h"
#include "service/plan/setup.h"

namespace winperf {

// A command's input from the program, and its result.
struct CommandRun {
  worker::WorkerOptions origin{};  // as SetupOptions has it
  PrepareRun prepare_run{};
  int exit_code = kExitOk;
};

// All commands. Defined in a generated file.
void add_commands(CLI::App& program, CommandRun& run);

// The command `config`, to which config_*.cc add their subcommands.
CLI::App& config_commands(CLI::App& program);

enum class OutputFormat { kTable, kJson, kPrometheus, kCsv, kTsv };

// --source
void add_source(CLI::App& command, SetupOptions& options, const CommandRun& run);
// --config and --source
void add_setup(CLI::App& command, SetupOptions& options, const CommandRun& run);
// --target
void add_target(CLI::App& command, SetupOptions& options);
// The configuration file, as the first argument.
CLI::Option* add_config_file(CLI::App& command, std::string& file);
// --format table|json
void add_format(CLI::App& command, OutputFormat& format);
// --wide, of commands whose tables are otherwise as wide as the terminal
void add_wide(CLI::App& command, bool& is_wide);
// --interval, written as in the configuration
void add_interval(CLI::App& command, std::chrono::milliseconds& interval,
                  const std::string& default_text);
// A time of at least 1 ms, written as in the configuration.
CLI::Option* add_time(CLI::App& command, const std::string& name, std::chrono::milliseconds& time,
                      const std::string& description);
// Any number of countersets or objects, which `type` names in the help.
void add_names(CLI::App& command, std::vector<std::string>& names, const std::string& type,
               const std::string& description);

// Does the work on the machine that perfmon paths name, such as \\HOST\Memory\Available Bytes: it
// becomes the target, and the paths are those of that machine. Returns the exit code; complains if
// there are two machines.
[[nodiscard]] int on_named_machine(std::vector<std::string>& names, SetupOptions& options,
                                   const std::function<int()>& work);

// "xml" is not one of table and json; did you mean ...?
std::string not_a_choice(const std::string& given, const std::vector<std::string>& choices);

// Refuses what isn't a number from `low` to `high`: "\"0\" is not a number from 1 to 60".
CLI::Validator in_range(std::int64_t low, std::int64_t high);

// An option with one of these words, in any case.
template <typename Value>
CLI::Option& add_choice(CLI::App& command, const std::string& name, Value& value,
                        std::vector<std::pair<std::string, Value>> choices,
                        const std::string& description) {
  std::vector<std::string> words;
  std::string type;
  for (const auto& [word, meaning] : choices) {
    words.push_back(word);
    type += (type.empty() ? "" : "|") + word;
  }
  const auto check = [words](std::string& given) {
    const auto known = std::ranges::find_if(
        words, [&](const std::string& word) { return equal_names(word, given); });
    if (known == words.end()) return not_a_choice(given, words);
    given = *known;
    return std::string();
  };
  const auto assign = [&value, choices = std::move(choices)](const std::string& given) {
    const auto found =
        std::ranges::find(choices, given, [](const auto& entry) { return entry.first; });
    if (found != choices.end()) value = found->second;
  };
  return *command.add_option_function<std::string>(name, assign, description)
              ->transform(CLI::Validator(check, ""))
              ->type_name(type);
}

// An option with text. Refuses an empty value, so that an empty script variable is not mistaken for
// a missing option. `type`: in the help.
template <typename Value>
CLI::Option* add_text(CLI::App& command, const std::string& name, Value& value,
                      const std::string& type, const std::string& description) {
  const auto check = [](const std::string& text) {
    return text.empty() ? std::string("the value is empty") : std::string();
  };
  return command.add_option(name, value, description)
      ->check(CLI::Validator(check, ""))
      ->type_name(type);
}

// -c,--config
void add_config(CLI::App& command, std::string& file);

// The configuration and the open source, after printing their notices; otherwise the exit code,
// after printing the reason. Checks whether another machine can be read at all.
[[nodiscard]] std::expected<Setup, int> open_or_complain(const SetupOptions& options);
// The configuration alone.
[[nodiscard]] std::expected<Config, int> load_or_complain(const std::string& file);

// Whether samples may be taken this often; complains if not.
[[nodiscard]] bool is_interval(std::chrono::milliseconds interval);

}  // namespace winperf
