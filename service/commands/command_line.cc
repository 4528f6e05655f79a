#include "service/commands/command_line.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "collectors/base/system_text.h"
#include "service/commands/command.h"
#include "service/commands/unknown_words.h"
#include "service/console/console.h"
#include "service/console/version.h"

namespace winperf {
namespace {

// Nobody types it, and no word that begins with it has a meaning for the library.
constexpr char kSeal = '\x01';

}  // namespace

std::vector<std::string> seal_words(std::vector<std::string> words) {
  const bool is_migration = words.size() > 1 && words[0] == "config" && words[1] == "migrate";
  if (!is_migration) return words;
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return words;
  std::for_each(dashes + 1, words.end(), [](std::string& word) { word.insert(0, 1, kSeal); });
  return words;
}

std::string unsealed(const std::string& word) {
  return word.starts_with(kSeal) ? word.substr(1) : word;
}

namespace {

std::string version_text() {
  return std::string("winperf_exporter ") + kVersion + " (revision " + kRevision + ", " +
         kCompiler + ", " + kOperatingSystem + " " + kArchitecture + ")";
}

void add_help_and_version(CLI::App& program) {
  CLI::App& help = *program.add_subcommand("help", "show the commands, or how one of them is used");
  help.add_option("command")->expected(0, 2)->type_name("COMMAND");
  program.add_subcommand("version", "show the version of this build")->callback([] {
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

int parse_and_run(const std::vector<std::string>& given, const worker::WorkerOptions& origin) {
  const std::vector<std::string> words = seal_words(given);
  CLI::App program("Windows performance counters for Prometheus and people.", "winperf_exporter");
  // "/etc/x.yaml" is a file, on Windows too.
  program.allow_windows_style_options(false);
  program.set_version_flag("-V,--version", version_text());
  program.require_subcommand(1);
  CommandRun run{.origin = origin};
  add_commands(program, run);
  add_help_and_version(program);
  if (const auto unknown = unknown_words(program, words); !unknown.empty()) {
    for (const std::string& sentence : unknown) complain(sentence);
    return kExitUsage;
  }
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return run.exit_code;
}

// Exceptions end here, those of taking the words apart included.
template <class Words>
int run_guarded(const Words& words, const worker::WorkerOptions& origin) {
  const Utf8Console console;
  try {
    return parse_and_run(as_option(words()), origin);
  } catch (const std::exception& error) {
    complain(exception_text(error));
    return kExitFailure;
  }
}

}  // namespace

int run_command_line(const std::vector<std::string>& words, const worker::WorkerOptions& origin) {
  return run_guarded([&] { return words; }, origin);
}

int run_command_line(int argc, char** argv, const worker::WorkerOptions& origin) {
  return run_guarded([&] { return command_line_words(argc, argv); }, origin);
}

}  // namespace winperf
