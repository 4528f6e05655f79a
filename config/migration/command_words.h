// What people paste: the command line that starts windows_exporter, or the one that has installed
// it, with msiexec, Chocolatey, sc, NSSM or PowerShell in front. Thread rule: any thread.
// Source: the documentation of windows_exporter's installer and of its Chocolatey package.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::migration {

// In quotes, in cmd.exe and PowerShell alike: a backslash before the last one would make it part of
// the path, so that it goes, or, of a drive such as C:\, becomes two.
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
// Empty for one that says nothing about the exporter, such as where its files are.
std::vector<std::string> flags_of_installer(std::string_view word);

// A command line as words, as Go's programs take it apart on Windows: by the rules of
// CommandLineToArgvW, and two quotes within quotes are one and end them. Source: Learn, "Parsing C
// command-line arguments"; readNextArg in Go's os/exec_windows.go.

// The arguments alone.
std::vector<std::string> words_of(std::string_view arguments);

// A service's command line: a program first, in which a backslash is one, and which may have blanks
// without being in quotes.
std::vector<std::string> words_of_service(std::string_view command_line);

// windows_exporter's flags, and the properties of its installer, without what starts or installs
// it. `words`: as a shell hands them over. What isn't known stays, so that it can be named.
std::vector<std::string> words_of_exporter(std::span<const std::string> words);

}  // namespace winperf::migration
