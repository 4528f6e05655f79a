// What the documents say to PowerShell, said to the PowerShells of this machine.
#include <array>
#include <map>
#include <span>
#include <string_view>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"
#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/found_programs.h"
#include "service/selftest/running_server.h"
#include "service/selftest/shell_examples.h"
#include "service/selftest/steps.h"

namespace winperf::selftest {
namespace {

constexpr std::chrono::milliseconds kShellPatience{180'000};
constexpr std::size_t kShownOfShell = 300;
// Windows PowerShell reads a script without it in the ANSI code page.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Each result is a line of JSON.
constexpr std::string_view kShellHead = R"ps1($ErrorActionPreference = 'Stop'
function Show-Result($name, $result, $text) {
    @{ name = $name; result = $result; text = "$text" } | ConvertTo-Json -Compress
}
# A policy may forbid what follows; then these two say why.
Show-Result 'language mode' 'passed' $ExecutionContext.SessionState.LanguageMode
Show-Result 'version' 'passed' $PSVersionTable.PSVersion
[Console]::OutputEncoding = [System.Text.Encoding]::UTF8
function Test-Form($name, $file) {
    $tokens = $null; $problems = $null
    [void][System.Management.Automation.Language.Parser]::ParseFile($file, [ref]$tokens, [ref]$problems)
    if ($problems) { Show-Result $name 'failed' ($problems -join '; ') } else { Show-Result $name 'passed' '' }
}
function Test-Run($name, $file) {
    try { Show-Result $name 'passed' (Invoke-Expression (Get-Content -Raw -Encoding UTF8 $file) | Out-String) }
    catch { Show-Result $name 'failed' $_ }
}
function Test-Completion($name, $line, $wanted) {
    try {
        $found = @((TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches | ForEach-Object { $_.CompletionText })
        if ($found -contains $wanted) { Show-Result $name 'passed' $wanted } else { Show-Result $name 'failed' "it offers: $($found -join ', ')" }
    } catch { Show-Result $name 'failed' $_ }
}
)ps1";

// A line that the script of `completion powershell` should complete.
struct Completion {
  const char* line;
  const char* wanted;
};
constexpr std::array<Completion, 3> kCompletions{
    {{.line = "winperf_exporter doc", .wanted = "doctor"},
     {.line = "winperf_exporter query --for", .wanted = "--format"},
     {.line = "winperf_exporter query --format js", .wanted = "json"}}};

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

std::string example_name(std::size_t number) {
  return "example " + std::to_string(number + 1) + " of " +
         std::string(shell_examples()[number].page);
}

// For our server, and without what never ends.
std::string runnable(std::string text, const std::string& origin) {
  const auto replace = [&text](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace(kExampleOrigin, origin);
  replace("-SampleInterval 15 -Continuous", "-MaxSamples 2");
  return text;
}

bool write_script(Steps& steps, const std::filesystem::path& file, std::string_view text) {
  const std::string whole = std::string(kByteOrderMark) + std::string(text);
  const auto written = write_whole_file(file, std::as_bytes(std::span(whole)));
  if (!written) steps.fail("a script could not be written", written.error().reason);
  return written.has_value();
}

// The lines for one example; its file is written.
std::string lines_for(Steps& steps, std::size_t number, const std::string& origin,
                      bool is_windows_powershell) {
  const ShellExample& example = shell_examples()[number];
  if (example.kind == ShellExampleKind::kWindowsPowershell && !is_windows_powershell) return {};
  const std::filesystem::path file =
      steps.run().folder / ("example" + std::to_string(number) + ".ps1");
  if (!write_script(steps, file, runnable(std::string(example.text), origin))) return {};
  const std::string name = shell_quoted(example_name(number));
  const std::string path = shell_quoted(path_text(file));
  std::string run = "Test-Run " + name + ' ' + path + '\n';
  if (example.kind == ShellExampleKind::kOwnCounters)
    run =
        "if (Test-Path HKLM:\\SYSTEM\\CurrentControlSet\\Services\\winperf_exporter\\Performance)"
        " { " +
        run + " } else { Show-Result " + name +
        " 'left out' 'the own counters are not registered' }\n";
  const bool runs =
      example.kind == ShellExampleKind::kServer || example.kind == ShellExampleKind::kOwnCounters;
  return "Test-Form " + name + ' ' + path + '\n' + (runs ? run : "");
}

std::string whole_script(Steps& steps, const std::string& origin, bool is_windows_powershell) {
  const CheckRun& run = steps.run();
  std::string script(kShellHead);
  for (std::size_t i = 0; i < shell_examples().size(); ++i)
    script += lines_for(steps, i, origin, is_windows_powershell);
  // As docs/commands.md says, with the program in the path.
  script += "$env:PATH = " + shell_quoted(path_text(run.program.parent_path())) +
            " + [System.IO.Path]::PathSeparator + $env:PATH\n& " +
            shell_quoted(path_text(run.program)) +
            " completion powershell | Out-String | Invoke-Expression\n"
            // As at a prompt.
            "$ErrorActionPreference = 'Continue'\n";
  for (const Completion& completion : kCompletions)
    script += "Test-Completion " + shell_quoted(std::string("completion of ") + completion.line) +
              ' ' + shell_quoted(completion.line) + ' ' + shell_quoted(completion.wanted) + '\n';
  return script + "Show-Result 'end' 'passed' ''\n";
}

void judge_lines(Steps& steps, const std::string& shell, const ProgramEnd& end) {
  nlohmann::ordered_json& data = steps.data()[shell];
  bool has_ended = false;
  for (std::string_view rest = end.output; !rest.empty();) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const auto line = nlohmann::json::parse(rest.substr(0, length), nullptr, false);
    rest.remove_prefix(std::min(length + 1, rest.size()));
    const std::string name = text_of(line, "name");
    if (name.empty()) continue;
    const std::string result = text_of(line, "result");
    const std::string text = text_of(line, "text").substr(0, kShownOfShell);
    has_ended |= name == "end";
    data[name] = result == "passed" ? result : result + ": " + printable(text);
    if (name == "version" || name == "language mode") data[name] = printable(text);
    if (result != "left out")
      steps.expect(result == "passed", shell + ": " + name + " does not work", "no failure",
                   printable(text));
  }
  steps.expect(has_ended && end.exit_code == 0, shell + " does not come to the script's end",
               "the result of its last line, and exit code 0", describe(end));
}

void try_shell(Steps& steps, const std::filesystem::path& program, const std::string& origin) {
  const CheckRun& run = steps.run();
  const std::string shell = path_text(program.filename());
  steps.begin(shell);
  const std::filesystem::path file = run.folder / (shell + "-examples.ps1");
  if (!write_script(steps, file, whole_script(steps, origin, shell == "powershell.exe"))) return;
  std::vector<std::string> words{"-NoProfile", "-NonInteractive"};
  if (shell.ends_with(".exe")) words.insert(words.end(), {"-ExecutionPolicy", "Bypass"});
  words.insert(words.end(), {"-File", path_text(file)});
  const auto end = run_program(
      {.program = program, .words = words, .folder = run.folder, .deadline = kShellPatience},
      run.stop);
  if (!end) return steps.fail(shell + " does not start", end.error());
  judge_lines(steps, shell, *end);
}

CheckReport check_powershell(CheckRun& run) {
  const auto shells = found_powershells();
  if (shells.empty()) return report_of(Verdict::kAbsent, "this machine has no PowerShell");
  Steps steps(run);
  const std::filesystem::path config = run.folder / "powershell.yaml";
  const std::string settings = std::string("interval: 2s\n") + kCheckSettings;
  if (!write_whole_file(config, std::as_bytes(std::span(settings))))
    return report_of(Verdict::kBroken, "a file of the check could not be written");
  const auto server = RunningServer::start(
      {.program = run.program, .folder = run.folder, .config = config}, run.stop);
  if (!server) return report_of(Verdict::kBroken, "the server does not start: " + server.error());
  if (const auto ready = server->await_ready(kShellPatience, run.stop); !ready)
    return report_of(Verdict::kBroken, ready.error());
  for (const std::filesystem::path& shell : shells)
    if (!steps.is_stopped()) try_shell(steps, shell, server->origin());
  return steps.end("PowerShell");
}

}  // namespace

std::span<const ShellExample> shell_examples() {
  using enum ShellExampleKind;
#define WINPERF_SHELL_EXAMPLE(page, kind, text) {page, kind, text},
  static constexpr ShellExample kExamples[] = {
#include "service/selftest/shell_examples.inc"
  };
#undef WINPERF_SHELL_EXAMPLE
  return kExamples;
}

SelfCheck powershell_check() {
  return {.id = "powershell",
          .title = "PowerShell examples",
          .does =
              "checks the form of the examples for PowerShell, runs those that only read, and "
              "completes commands as its Tab key does",
          .takes = std::chrono::seconds(40),
          .run = check_powershell};
}

}  // namespace winperf::selftest
