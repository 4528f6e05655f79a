// The command line: a service's as one text, and the words of a program's, which a NUL separates.
// Nothing is executed. Whatever the words: they are understood, or each that isn't has a sentence;
// and both readers of a service's command line find the same words in it.
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "config/migration/command_words.h"
#include "service/commands/command.h"
#include "service/commands/command_line.h"
#include "service/run/overrides.h"
#include "service/run/start_diagnosis.h"
#include "tests/fuzz/text_input.h"

namespace winperf::fuzz {
namespace {

// With all commands, made once: that takes longer than to parse a command line.
CLI::App& program() {
  static CommandRun run;
  static CLI::App app("fuzz", "winperf_exporter");
  if (!app.get_subcommands({}).empty()) return app;
  app.allow_windows_style_options(false);
  app.require_subcommand(1);
  add_commands(app, run);
  // Ends the parsing before any command is executed.
  app.parse_complete_callback([] { throw CLI::Success(); });
  return app;
}

void check_words(const std::vector<std::string>& words) {
  const auto unknown = unknown_words(program(), words);
  for (const std::string& sentence : unknown)
    require(!sentence.empty(), "a sentence says something");
  if (!unknown.empty()) return;
  try {
    program().parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError&) {
    // Understood, or refused with a sentence of the parser's.
  }
}

void check_service(std::string_view text) {
  const auto arguments = split_command_line(text);
  require(arguments.size() <= text.size() + 1, "a word has a character, or a separator");
  (void)migration::words_of_service(text);
  (void)migration::words_of(text);
}

}  // namespace

std::vector<Input> seeds() {
  using namespace std::string_view_literals;
  return inputs_of(
      {"\"C:\\Program Files\\w\\winperf_exporter.exe\" run --config \"C:\\a b\\w.yaml\" --listen :1"sv,
       "query\0Memory\0--format\0json\0--interval=5s\0-c\0w.yaml"sv,
       "doctor\0--target\0SQL01\0\\\\x\\Processor(*)\\*"sv,
       "config\0set\0f.yaml\0interval=7s\0--backup"sv, "capture\0--out\0a.zip\0--samples\0005"sv,
       "help\0run"sv, "serivce\0install\0--hlep"sv,
       "run\0--listen\0[::1]:9182\0--web.listen-address=:1"sv,
       "a\\\\\\\"b c\" \"d\\\\\" e\"\"f"sv});
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const std::string input = fuzz::text_of(data, size, 1024);
  fuzz::check_service(input);
  std::vector<std::string> words;
  for (std::string_view rest = input; !rest.empty();) words.emplace_back(fuzz::take_part(rest));
  fuzz::check_words(words);
  for (const std::string& word : words)
    if (const auto where = parse_listen(word, {}); !where)
      fuzz::require(!where.error().empty(), "a refusal has a reason");
  return 0;
}
