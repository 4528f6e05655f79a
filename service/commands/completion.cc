#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string_view>
#include <utility>

#include "collectors/base/background_thread.h"
#include "collectors/worker/parent_link.h"
#include "service/commands/bash_line.h"
#include "service/commands/candidates.h"
#include "service/commands/command.h"
#include "service/commands/command_line.h"

namespace winperf {
namespace {

enum class Shell { kPowershell, kBash, kZsh, kFish };

// The first word of a line of candidates that asks the shell for its files. No path or option
// begins like this.
constexpr char kFiles[] = ":files ";
// A hanging provider must not make a prompt hang.
constexpr int kPatienceSeconds = 2;

// bash passes its line, because its words lack their ends; see bash_line.h. The others pass words;
// the last one is followed by a full stop, so that it is never empty and never ends with a
// backslash, neither of which PowerShell passes unharmed.

constexpr std::string_view kBash = R"script(_winperf_exporter() {
  mapfile -t COMPREPLY < <("${1/#\~/$HOME}" complete bash -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [[ ${COMPREPLY[0]-} == ":files "* ]]; then
    COMPREPLY=()
    compopt -o default
  elif [[ ${COMPREPLY[0]-} == *: ]]; then
    compopt -o nospace
  fi
}
complete -F _winperf_exporter winperf_exporter winperf_exporter.exe
)script";

constexpr std::string_view kZsh = R"script(#compdef winperf_exporter
_winperf_exporter() {
  setopt localoptions extendedglob
  local now=$PREFIX
  local -a found
  case $compstate[quote] in
    '') now=${(Q)PREFIX} ;;
    '"') now=${(Q):-"\"$PREFIX\""} ;;
  esac
  found=(${(f)"$(${~words[1]} complete words -- "${(@Q)words[2,CURRENT-1]}" "$now." 2>/dev/null)"})
  if [[ $found[1] == ':files '* ]]; then
    compset -P "${(b)found[1]#:files }"
    _files
  elif [[ $compstate[quote] == '"' ]]; then
    # By itself, zsh would double the backslashes.
    compadd -Q -U -- ${found//(#m)[\$\`\"]/\\$MATCH}
  else
    compadd -S '' -- ${(M)found:#*:}
    compadd -- ${found:#*:}
  fi
}
compdef _winperf_exporter winperf_exporter
)script";

constexpr std::string_view kFish = R"script(function __winperf_exporter_candidates
    set -l words (commandline -opc)
    set -l now (commandline -ct | string unescape)
    set -l found ($words[1] complete words -- $words[2..] "$now." 2>/dev/null)
    if string match -q ':files *' -- "$found[1]"
        set -l before (string sub -s 8 -- $found[1])
        set -l path (string sub -s (math 1 + (string length -- "$before")) -- "$now")
        set found $before(__fish_complete_path "$path")
    end
    string join \n -- $found
end
complete -c winperf_exporter -f -a '(__winperf_exporter_candidates)'
)script";

constexpr std::string_view kPowershell =
    R"script(Register-ArgumentCompleter -Native -CommandName winperf_exporter, winperf_exporter.exe -ScriptBlock {
    param($now, $line, $cursor)
    $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
    if ($now -eq '') { $words += '' }
    $words[-1] += '.'
    $encoding = [Console]::OutputEncoding
    [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
    try { $found = @(& $line.GetCommandName() complete words -- @words 2>$null) }
    finally { [Console]::OutputEncoding = $encoding }
    # Without a candidate, PowerShell completes files.
    $found | Where-Object { $_ -notlike ':files *' } | ForEach-Object {
        $text = if ($_ -match '^[\w.:/=-]+$') { $_ } else { "'" + $_.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
    }
}
)script";

std::string_view script_for(Shell shell) {
  switch (shell) {
    case Shell::kPowershell:
      return kPowershell;
    case Shell::kBash:
      return kBash;
    case Shell::kZsh:
      return kZsh;
    case Shell::kFish:
      return kFish;
  }
  return {};
}

struct CompleteOptions {
  bool is_bash = false;
  int patience_seconds = kPatienceSeconds;
  std::vector<std::string> words{};
};

std::string lines_of_candidates(const CLI::App& program, const CompleteOptions& options,
                                const worker::WorkerOptions& origin) {
  BashLine line;
  if (options.is_bash) {
    line = parse_bash_line(options.words.empty() ? std::string() : options.words.front());
  } else {
    line.words = options.words;
    if (!line.words.empty() && line.words.back().ends_with('.')) line.words.back().pop_back();
  }
  std::optional<std::expected<Setup, Failure>> setup;
  const auto list = [&](SetupOptions setup_options,
                        const ListOptions& list_options) -> std::optional<Listing> {
    setup_options.origin = origin;
    if (!setup) setup = open_setup(setup_options);
    if (!*setup) return std::nullopt;
    auto listing = make_listing(**setup, list_options);
    if (!listing) return std::nullopt;
    return *std::move(listing);
  };
  const Candidates found = candidates_for(program, line.words, list);
  if (found.file_after) return kFiles + *found.file_after + '\n';
  std::string out;
  for (const std::string& word : found.words)
    out += (options.is_bash ? bash_completion(line, word) : word) + '\n';
  return out;
}

// Prints nothing if it takes too long. Ends the process, because the thread may hang.
[[noreturn]] void complete(const CLI::App& program, const CompleteOptions& options,
                           const worker::WorkerOptions& origin) {
  std::string lines;
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(options.patience_seconds);
  const BackgroundThread reader([&] { lines = lines_of_candidates(program, options, origin); }, {});
  if (reader.ended_by(deadline)) std::cout << lines << std::flush;
  worker::end_now(kExitOk);
}

void add_complete(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<CompleteOptions>();
  CLI::App& command =
      *program.add_subcommand(kCompleteCommand, "Print what may complete a command line");
  command.group("");  // not in the list of commands
  add_choice<bool>(command, "form", options->is_bash, {{"words", false}, {"bash", true}},
                   "words, or one word with a line of bash")
      .required();
  command.add_option("--patience", options->patience_seconds, "seconds until nothing is printed");
  command.add_option("words", options->words, "the command line up to the cursor");
  command.callback([options, &program, &run] {
    for (std::string& word : options->words) word = unsealed(word);
    complete(program, *options, run.origin);
  });
}

}  // namespace

void add_completion(CLI::App& program, CommandRun& run) {
  const auto shell = std::make_shared<Shell>();
  CLI::App& command = *program.add_subcommand(
      "completion",
      "Print a script that completes commands, options and counters in a shell; docs/commands.md "
      "says how to turn it on");
  add_choice<Shell>(command, "shell", *shell,
                    {{"powershell", Shell::kPowershell},
                     {"bash", Shell::kBash},
                     {"zsh", Shell::kZsh},
                     {"fish", Shell::kFish}},
                    "shell to write the script for; the one for PowerShell is untested")
      .required();
  command.callback([shell] { std::cout << script_for(*shell); });
  add_complete(program, run);
}

}  // namespace winperf
