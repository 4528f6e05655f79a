// Command lines that are pasted: those that start windows_exporter, or install it with msiexec,
// Chocolatey, sc, NSSM or PowerShell. Thread rule: any thread. Source: the documentation of
// windows_exporter's installer and of its Chocolatey package.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::migration {

// In quotes, in cmd.exe and PowerShell alike: a backslash before the closing quote would escape it,
// so it is dropped, or doubled for a drive such as C:\.
inline std::string quoted_path(std::string_view path) {
  constexpr std::string_view kDrive = "C:\\";
  while (path.size() > kDrive.size() && path.ends_with('\\')) path.remove_suffix(1);
  return '"' + std::string(path) + (path.ends_with('\\') ? "\\" : "") + '"';
}

// The properties of windows_exporter's installer, "ENABLED_COLLECTORS=cpu,iis", and the parameters
// of its Chocolatey package, "/EnabledCollectors:cpu,iis", as the flags that they become. Source:
// installer/main.wxs of windows_exporter, and the package's description.

// Whether a word is one of them.
bool is_installer_word(std::string_view word);
// Empty for a property that doesn't configure the exporter, such as its folder.
std::vector<std::string> flags_of_installer(std::string_view word);

// A command line as words, as Go programs split it on Windows: by the rules of CommandLineToArgvW,
// and two quotes within quotes are one and end them. Source: Learn, "Parsing C command-line
// arguments"; readNextArg in Go's os/exec_windows.go.

// The arguments alone.
std::vector<std::string> words_of(std::string_view arguments);

// A service's command line: first the program, in which a backslash is literal and which may have
// blanks without quotes.
std::vector<std::string> words_of_service(std::string_view command_line);

// windows_exporter's flags, and the properties of its installer, without the command that starts or
// installs it. `words`: as a shell passes them. Unknown words stay, so that they can be reported.
std::vector<std::string> words_of_exporter(std::span<const std::string> words);

}  // namespace winperf::migration
