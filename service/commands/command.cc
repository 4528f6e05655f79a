#include "service/commands/command.h"

#include <charconv>

#include "collectors/base/machine_name.h"
#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "collectors/diagnosis/trial.h"
#include "collectors/match/nearest.h"
#include "config/patterns.h"
#include "config/quantity.h"
#include "service/doctor/rules.h"

namespace winperf {
namespace {

// Refuses invalid counter paths. `machines`: a path may name one (on_named_machine).
CLI::Validator is_name(bool machines) {
  return CLI::Validator(
      [machines](const std::string& value) {
        const auto path = machines ? parse_perfmon_path(value) : std::nullopt;
        const auto problem = name_problem(path ? local_path(*path) : value);
        return problem ? in_quotes(value) + ' ' + *problem : std::string();
      },
      "");
}

// False, after a complaint, if there are two machines.
bool take_machine(std::vector<std::string>& names, SetupOptions& options) {
  for (std::string& name : names) {
    auto path = parse_perfmon_path(name);
    if (!path || path->machine.empty()) continue;
    const auto machine = machine_name(path->machine);
    if (!machine) {
      complain(name + ": " + in_quotes(path->machine) +
               " cannot be a machine's name: " + machine.error());
      return false;
    }
    if (!options.target.empty() && !equal_names(options.target, *machine)) {
      complain(name + " names a machine other than " + options.target +
               "; read one machine at a time");
      return false;
    }
    options.target = *machine;
    name = local_path(*path);
  }
  return true;
}

// For CLI11: a complaint, or nothing.
std::string check_duration(const std::string& text) {
  return parse_duration_ms(text) ? std::string()
                                 : in_quotes(text) + " is not a duration; write, for example, 5s";
}

std::string check_some_time(const std::string& text) {
  return parse_duration_ms(text) == 0 ? "it must be longer than 0s" : std::string();
}

}  // namespace

CLI::App& config_commands(CLI::App& program) {
  const auto is_config = [](const CLI::App* command) { return command->get_name() == "config"; };
  if (const auto known = program.get_subcommands(is_config); !known.empty()) return *known.front();
  CLI::App& group =
      *program.add_subcommand("config", "Create, change or migrate a configuration file");
  group.require_subcommand(1);
  return group;
}

void add_source(CLI::App& command, SetupOptions& options, const CommandRun& run) {
  options.origin = run.origin;
  const auto check = [](const std::string& text) {
    const auto choice = parse_source_choice(text);
    return choice ? std::string() : choice.error();
  };
  const auto assign = [&options](const std::string& text) {
    if (auto choice = parse_source_choice(text)) options.source = *std::move(choice);
  };
  command
      .add_option_function<std::string>(
          "--source", assign,
          "source of the counters: registry, replay:DIR or replay:FILE.zip for a capture, or "
          "blg:FILE for a perfmon binary log")
      ->check(CLI::Validator(check, ""))
      ->type_name("SOURCE")
      ->default_str("registry");
}

void add_config(CLI::App& command, std::string& file) {
  add_text(command, "-c,--config", file, "FILE",
           "configuration file; without one, the built-in defaults apply");
}

void add_setup(CLI::App& command, SetupOptions& options, const CommandRun& run) {
  add_config(command, options.config_file);
  add_source(command, options, run);
}

void add_target(CLI::App& command, SetupOptions& options) {
  const auto check = [](const std::string& text) {
    const auto name = machine_name(text);
    return name ? std::string()
                : in_quotes(text) + " is not a machine name: " + name.error() +
                      "; write only a name or an address, such as SQL01, sql01.example.org or "
                      "192.0.2.7";
  };
  command
      .add_option_function<std::string>(
          "--target",
          [&options](const std::string& text) {
            options.target = machine_name(text).value_or(std::string());
          },
          "Windows machine to read instead of this one, by name or address; docs/remote.md lists "
          "the requirements")
      ->check(CLI::Validator(check, ""))
      ->type_name("HOST");
}

std::string not_a_choice(const std::string& given, const std::vector<std::string>& choices) {
  const std::vector<std::string_view> names(choices.begin(), choices.end());
  const std::string_view meant = nearest(given, names);
  return in_quotes(given) + " is not one of " + joined(choices, ", ") +
         (meant.empty() ? std::string() : "; did you mean " + in_quotes(std::string(meant)) + '?');
}

CLI::Validator in_range(std::int64_t low, std::int64_t high) {
  const auto check = [low, high](const std::string& given) {
    std::int64_t number = 0;
    const char* const end = given.data() + given.size();
    const auto [stop, failed] = std::from_chars(given.data(), end, number);
    if (failed == std::errc() && stop == end && number >= low && number <= high)
      return std::string();
    return in_quotes(given) + " is not a number from " + std::to_string(low) + " to " +
           std::to_string(high);
  };
  return {check, ""};
}

int on_named_machine(std::vector<std::string>& names, SetupOptions& options,
                     const std::function<int()>& work) {
  return take_machine(names, options) ? work() : kExitUsage;
}

CLI::Option* add_config_file(CLI::App& command, std::string& file) {
  return add_text(command, "file", file, "FILE", "configuration file")->required();
}

void add_format(CLI::App& command, OutputFormat& format) {
  add_choice<OutputFormat>(command, "-f,--format", format,
                           {{"table", OutputFormat::kTable}, {"json", OutputFormat::kJson}},
                           "output format")
      .default_str("table");
}

void add_wide(CLI::App& command, bool& is_wide) {
  command.add_flag("--wide", is_wide, "do not cut tables to the width of the terminal");
}

CLI::Option* add_time(CLI::App& command, const std::string& name, std::chrono::milliseconds& time,
                      const std::string& description) {
  const auto take = [&time](const std::string& text) {
    time = std::chrono::milliseconds(parse_duration_ms(text).value_or(0));
  };
  return command.add_option_function<std::string>(name, take, description)
      ->check(CLI::Validator(check_duration, ""))
      ->check(CLI::Validator(check_some_time, ""))
      ->type_name("TIME");
}

void add_interval(CLI::App& command, std::chrono::milliseconds& interval,
                  const std::string& default_text) {
  command
      .add_option_function<std::string>(
          "-i,--interval",
          [&interval](const std::string& text) {
            interval = std::chrono::milliseconds(parse_duration_ms(text).value_or(0));
          },
          "time between samples, such as 5s")
      ->check(CLI::Validator(check_duration, ""))
      ->type_name("TIME")
      ->default_str(default_text);
}

void add_names(CLI::App& command, std::vector<std::string>& names, const std::string& type,
               const std::string& description) {
  command.add_option("name", names, description)
      ->type_name(type)
      ->check(is_name(command.get_option_no_throw("--target") != nullptr));
}

std::expected<Config, int> load_or_complain(const std::string& file) {
  auto loaded = load_config(file);
  if (loaded) return std::move(loaded->config);
  complain(loaded.error());
  return std::unexpected(loaded.error().exit_code);
}

std::expected<Setup, int> open_or_complain(const SetupOptions& options) {
  auto setup = open_setup(options);
  if (!setup) {
    complain(setup.error());
    return std::unexpected(setup.error().exit_code);
  }
  for (const std::string& notice : setup->notices) complain(printable(notice));
  if (setup->target.empty()) return *std::move(setup);
  const TargetFacts target = try_target(*setup->source, setup->target);
  if (target.connection) return std::unexpected(fail(unreachable_message(target)));
  return *std::move(setup);
}

bool is_interval(std::chrono::milliseconds interval) {
  if (interval >= std::chrono::seconds(1)) return true;
  complain("--interval must be at least 1s, the minimum that Microsoft recommends");
  return false;
}

}  // namespace winperf
