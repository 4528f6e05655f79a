#include "config/migration/pasted_words.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "collectors/base/ascii.h"
#include "config/migration/command_words.h"
#include "config/migration/installer_words.h"

namespace winperf::migration {
namespace {

using Words = std::span<const std::string>;

// "msiexec" of "C:\Windows\System32\msiexec.exe".
std::string program_in(std::string_view word) {
  std::string name = ascii_lower(std::string(word.substr(word.find_last_of("/\\") + 1)));
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  return name;
}

bool is_program(std::string_view word) {
  return !word.starts_with('-') && word.find('=') == word.npos &&
         (ascii_lower(std::string(word)).ends_with(".exe") ||
          program_in(word).starts_with("windows_exporter"));
}

// The exporter itself, whatever its version is called.
bool is_exporter(std::string_view word) {
  const std::string name = program_in(word);
  return is_program(word) &&
         (name.starts_with("windows_exporter") || name.starts_with("wmi_exporter"));
}

// The exporter with its flags in one word, as services have it; empty if the word is none of that.
std::vector<std::string> whole_line(std::string_view word) {
  constexpr std::string_view kOfSc = "binpath=";
  if (equal_names(word.substr(0, kOfSc.size()), kOfSc)) word.remove_prefix(kOfSc.size());
  if (word.find(' ') == word.npos) return {};
  std::vector<std::string> words = words_of_service(word);
  return words.size() > 1 && is_exporter(words.front()) ? words : std::vector<std::string>();
}

// What PowerShell itself takes.
bool is_of_shell(std::string_view word) { return word == "&" || word == "--%"; }

// msiexec's own words: "/i", "windows_exporter.msi", "/qn", "/l*v", "log.txt".
std::vector<std::string> without_msiexec(Words words) {
  std::vector<std::string> rest;
  bool is_file = false;  // that a switch names
  for (const std::string& word : words) {
    const std::string lower = ascii_lower(word);
    const bool is_switch =
        (lower.starts_with('/') || lower.starts_with('-')) && !lower.starts_with("--");
    const bool is_package = lower.ends_with(".msi") && lower.find('=') == lower.npos;
    if (is_switch)
      is_file = lower.substr(1).starts_with('l') || lower.substr(1) == "i" ||
                lower.substr(1) == "package" || lower.substr(1) == "x";
    else if (is_foreign_property(word))
      rest.push_back("--installer." + word);  // so that it is named as lost
    else if (!is_package && !is_file)
      rest.push_back(word);
    if (!is_switch) is_file = false;
  }
  return rest;
}

// The value of --params, which has parameters in quotes of its own.
std::vector<std::string> words_of_parameters(std::string_view value) {
  while (value.size() > 1 && value.front() == value.back() &&
         (value.front() == '"' || value.front() == '\''))
    value = value.substr(1, value.size() - 2);
  return words_of(value);
}

std::vector<std::string> without_chocolatey(Words words) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string name =
        ascii_lower(word.substr(std::min(word.find_first_not_of('-'), word.size())));
    for (const std::string_view option : {"params", "package-parameters", "packageparameters"}) {
      std::vector<std::string> more;
      if (name == option && i + 1 < words.size()) more = words_of_parameters(words[++i]);
      if (name.starts_with(std::string(option) + '='))
        more = words_of_parameters(std::string_view(word).substr(word.find('=') + 1));
      std::ranges::move(more, std::back_inserter(rest));
    }
    if (is_installer_word(word)) rest.push_back(word);
  }
  return rest;
}

}  // namespace

std::vector<std::string> words_of_exporter(Words words) {
  while (!words.empty() && (is_of_shell(words.front()) || words.front().empty()))
    words = words.subspan(1);
  if (words.empty()) return {};
  const std::string first = program_in(words.front());
  std::vector<std::string> rest(words.begin(), words.end());
  std::erase_if(rest, is_of_shell);
  if (first == "msiexec") return without_msiexec(Words(rest).subspan(1));
  if (first == "choco" || first == "cinst") return without_chocolatey(Words(rest).subspan(1));
  if (rest.front().starts_with('-')) return rest;
  // sc and New-Service have it behind their own words; the registry has nothing else.
  const bool is_plain = is_exporter(rest.front()) && whole_line(rest.front()).empty();
  for (const std::string& word : rest)
    if (const auto line = whole_line(word); !line.empty() && !is_plain)
      return {line.begin() + 1, line.end()};
  const auto exporter = std::ranges::find_if(rest, is_exporter);
  const bool is_wrapped = first == "nssm" || first == "sc" || is_program(rest.front());
  if (exporter != rest.end() && is_wrapped) return {exporter + 1, rest.end()};
  if (is_program(rest.front())) rest.erase(rest.begin());
  return rest;
}

}  // namespace winperf::migration
