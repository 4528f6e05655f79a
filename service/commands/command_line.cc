#include "service/commands/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "collectors/base/system_text.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "service/commands/command.h"
#include "service/commands/help_page.h"
#include "service/commands/usage_error.h"
#include "service/console/console.h"
#include "service/console/version.h"

namespace winperf {
namespace {

// Not typed by users, and the library gives no meaning to words that begin with it.
constexpr char kSeal = '\x01';

constexpr auto kAll = [](const auto*) { return true; };

std::vector<const CLI::App*> commands_of(const CLI::App& app) { return app.get_subcommands(kAll); }

std::string see_help(const CLI::App& app) { return "see " + in_quotes(called(app) + " --help"); }

// By the parser's own rule, a dash and a digit begin a negative number.
bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-' && (word[1] < '0' || word[1] > '9');
}

std::string_view without_dashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_min() > 0; }

// Advice for windows_exporter's options, all of which have a dot in their names.
std::string of_windows_exporter(std::string_view name) {
  static constexpr std::string_view kParts[] = {
      "collector", "collectors", "config", "debug", "log", "process", "scrape", "telemetry", "web"};
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return {};
  if (std::ranges::find(kParts, name.substr(0, dot)) == std::end(kParts)) return {};
  std::string instead;
  if (name == "telemetry.addr") instead = "write \"run --listen ADDRESS:PORT\", or ";
  if (name == "telemetry.path") instead = "write \"run --web.telemetry-path PATH\", or ";
  if (name == "config.file")
    instead = "write \"run --config FILE\" for a file of this program, or ";
  return "this is a windows_exporter option: " + instead +
         "convert its settings with \"winperf_exporter config migrate -- OPTIONS\"";
}

// "--listen" for "port", because it takes ADDRESS:PORT.
std::string option_that_takes(const CLI::App& app, std::string_view name) {
  for (const CLI::Option* option : app.get_options(kAll)) {
    if (option->get_lnames().empty()) continue;
    const std::string type = option->get_type_name();
    for (std::string_view rest = type; !rest.empty();) {
      const std::size_t end = std::min(rest.find_first_of(":|"), rest.size());
      if (end == name.size() && edit_distance(rest.substr(0, end), name) == 0)
        return "--" + option->get_lnames().front();
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return {};
}

// The most similar option of `app`, with its dashes; empty if none is similar.
std::string nearest_option(const CLI::App& app, std::string_view name) {
  std::vector<std::string_view> names;
  for (const CLI::Option* option : app.get_options(kAll)) {
    for (const std::string& letter : option->get_snames())
      if (name.size() == 1 && edit_distance(letter, name) == 0) return '-' + letter;
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  if (name.size() == 1) return {};
  const std::string_view meant = nearest(name, names);
  return meant.empty() ? option_that_takes(app, name) : "--" + std::string(meant);
}

// Advice on an option that `app` does not have, given without its dashes and value.
std::string advice_on(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : commands_of(app))
    if (command->get_option_no_throw("--" + name) != nullptr)
      return "write it after its command: " + in_quotes(called(*command) + " --" + name);
  if (std::string theirs = of_windows_exporter(name); !theirs.empty()) return theirs;
  const std::string meant = nearest_option(app, name);
  return (meant.empty() ? "" : "did you mean " + in_quotes(meant) + "? ") + see_help(app);
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : commands_of(app)) known.push_back(command->get_name());
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view meant = nearest(word, names);
  return "unknown command " + in_quotes(word) + "; " +
         (meant.empty() ? "" : "did you mean " + in_quotes(meant) + "? ") + see_help(app);
}

std::string unknown_option(const CLI::App& app, std::string_view word) {
  const std::string of = app.get_parent() == nullptr ? "" : " of " + in_quotes(app.get_name());
  return "unknown option " + in_quotes(word) + of + "; " +
         advice_on(app, std::string(without_dashes(word)));
}

class Walk {
 public:
  explicit Walk(const CLI::App& program) : app_(&program) {}

  std::vector<std::string> over(std::span<const std::string> words);

 private:
  // False if the words after this one have no meaning.
  bool take_argument(const std::string& word);
  void take_option(const std::string& word);
  std::size_t most_arguments() const;

  const CLI::App* app_;
  std::vector<std::string> unknown_;
  std::size_t arguments_ = 0;
  bool may_be_value_ = false;  // the next word may be the value of an unknown option
  bool is_value_ = false;      // the next word is the value of an option
  bool asks_for_help_ = false;
};

std::vector<std::string> Walk::over(std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    if (is_value_) {
      is_value_ = false;
    } else if (is_option(word)) {
      take_option(word);
    } else if (!take_argument(word)) {
      break;
    }
  }
  return asks_for_help_ ? std::vector<std::string>() : unknown_;
}

bool Walk::take_argument(const std::string& word) {
  const bool may_be_value = std::exchange(may_be_value_, false);
  if (!commands_of(*app_).empty()) {
    const CLI::App* const command = find_command(*app_, word);
    if (command != nullptr) app_ = command;
    if (command == nullptr && !may_be_value) unknown_.push_back(unknown_command(*app_, word));
    return command != nullptr;
  }
  if (arguments_ < most_arguments()) {
    ++arguments_;
  } else if (!may_be_value) {
    unknown_.push_back("unexpected argument " + in_quotes(word) + "; " + see_help(*app_));
  }
  return true;
}

void Walk::take_option(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const bool has_value = name.size() < word.size();
  const bool is_long = word.starts_with("--");
  // "-config" would be taken for "-c onfig".
  const bool lacks_a_dash =
      !is_long && name.size() > 2 && app_->get_option_no_throw('-' + name) != nullptr;
  const CLI::Option* const option =
      lacks_a_dash ? nullptr : app_->get_option_no_throw(is_long ? name : word.substr(0, 2));
  if (option == nullptr) {
    unknown_.push_back(unknown_option(*app_, name));
    may_be_value_ = !has_value;
    return;
  }
  may_be_value_ = false;
  if (option == app_->get_help_ptr() || option == app_->get_version_ptr()) asks_for_help_ = true;
  is_value_ = takes_value(*option) && (is_long ? !has_value : word.size() == 2);
}

std::size_t Walk::most_arguments() const {
  std::size_t most = 0;
  for (const CLI::Option* option : app_->get_options(kAll))
    if (option->get_positional())
      most += static_cast<std::size_t>(option->get_items_expected_max());
  return most;
}

std::string version_text() {
  return std::string("winperf_exporter ") + kVersion + " (revision " + kRevision + ", " +
         kCompiler + ", " + kOperatingSystem + " " + kArchitecture + ")";
}

struct Example {
  std::string_view command;  // below the program
  std::string_view words;    // after it
};
constexpr Example kExamples[] = {
    {"run", "--listen 127.0.0.1:10182"},
    {"list", "--paths Processor"},
    {"metrics", "Memory"},
    {"query", R"("\Processor(_Total)\% Processor Time" --watch)"},
    {"top", R"("Working Set - Private" -n 10)"},
    {"facts", "services volumes"},
    {"doctor", R"("Web Service")"},
    {"providers", "--try"},
    {"verify", R"("Processor Information")"},
    {"selftest", "--out report.zip --scrub"},
    {"capture", "--out report.zip --samples 3"},
    {"check-config", "winperf_exporter.yaml"},
    {"config init", "--out winperf_exporter.yaml"},
    {"config set", "winperf_exporter.yaml listen.port=9182"},
    {"config hash-password", "--user prometheus"},
    {"config self-signed", "--host server-01.example.org"},
    {"config migrate", "--from-windows-exporter config.yaml --out winperf_exporter.yaml"},
    {"service install", R"(--config "C:\ProgramData\winperf_exporter\winperf_exporter.yaml")"},
    {"service prepare", ""},
    {"service repair", ""},
    {"service uninstall", "--with-logs"},
    {"service start", "--replacing windows_exporter"},
    {"service stop", ""},
    {"service reload", ""},
    {"service status", "--format json"},
    {"completion", "bash"},
    {"help", "query"},
    {"version", ""},
};

void add_examples(CLI::App& program) {
  for (const auto& [path, words] : kExamples) {
    CLI::App* command = &program;
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      command = command->get_subcommand(std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    command->footer("Example:\n  " + called(*command) + (words.empty() ? "" : " ") +
                    std::string(words));
  }
}

void add_help_and_version(CLI::App& program) {
  CLI::App& help = *program.add_subcommand("help", "Show help for the program or for one command");
  help.add_option("command")->expected(0, 2)->type_name("COMMAND");
  program.add_subcommand("version", "Show the version")->callback([] {
    std::cout << version_text() << '\n';
  });
}

// "help run" asks for what "run --help" shows.
std::vector<std::string> as_option(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

int parse_and_run(const std::vector<std::string>& given, const worker::WorkerOptions& origin,
                  const PrepareRun& prepare_run) {
  const std::vector<std::string> words = seal_words(given);
  CLI::App program("Windows performance counters for Prometheus.", "winperf_exporter");
  program.formatter(std::make_shared<HelpPage>());  // of its commands, too
  // "/etc/x.yaml" is a file, on Windows too.
  program.allow_windows_style_options(false);
  program.set_version_flag("-V,--version", version_text());
  program.require_subcommand(1);
  CommandRun run{.origin = origin, .prepare_run = prepare_run};
  add_commands(program, run);
  add_help_and_version(program);
  add_examples(program);
  if (const auto unknown = unknown_words(program, words); !unknown.empty()) {
    for (const std::string& sentence : unknown) complain(sentence);
    return kExitUsage;
  }
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // help, or the version
    return fail(usage_error(program, error), kExitUsage);
  }
  return run.exit_code;
}

// Exceptions end here, those of taking the words apart included.
template <class Words>
int run_guarded(const Words& words, const worker::WorkerOptions& origin,
                const PrepareRun& prepare_run) {
  const Utf8Console console;
  try {
    return parse_and_run(as_option(words()), origin, prepare_run);
  } catch (const std::exception& error) {
    complain(exception_text(error));
    return kExitFailure;
  }
}

}  // namespace

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto commands = commands_of(app);
  const auto found = std::ranges::find(commands, name, &CLI::App::get_name);
  return found == commands.end() ? nullptr : *found;
}

std::vector<std::string> seal_words(std::vector<std::string> words) {
  const bool is_migration = words.size() > 1 && words[0] == "config" && words[1] == "migrate";
  const bool is_completion = !words.empty() && words[0] == kCompleteCommand;
  if (!is_migration && !is_completion) return words;
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return words;
  std::for_each(dashes + 1, words.end(), [](std::string& word) { word.insert(0, 1, kSeal); });
  return words;
}

std::string unsealed(const std::string& word) {
  return word.starts_with(kSeal) ? word.substr(1) : word;
}

std::vector<std::string> unknown_words(const CLI::App& program,
                                       std::span<const std::string> words) {
  return Walk(program).over(words);
}

int run_command_line(const std::vector<std::string>& words, const worker::WorkerOptions& origin) {
  return run_guarded([&] { return words; }, origin, {});
}

int run_command_line(int argc, char** argv, const worker::WorkerOptions& origin,
                     const PrepareRun& prepare_run) {
  return run_guarded([&] { return command_line_words(argc, argv); }, origin, prepare_run);
}

}  // namespace winperf
