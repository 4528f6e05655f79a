#include "config/migration/command_words.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf::migration {
namespace {

// How long the program at the start is, without quotes.
std::size_t program_end(std::string_view text) {
  const std::size_t blank = text.find_first_of(" \t");
  if (blank == std::string_view::npos) return text.size();
  const std::string lower = ascii_lower(std::string(text));
  for (std::size_t at = lower.find(".exe"); at != std::string::npos;
       at = lower.find(".exe", at + 1)) {
    const std::size_t end = at + 4;
    if (end == text.size() || text[end] == ' ' || text[end] == '\t') return end;
  }
  return blank;
}

}  // namespace

std::vector<std::string> words_of(std::string_view arguments) {
  std::vector<std::string> words;
  std::string word;
  bool in_quotes = false;
  bool any = false;
  std::size_t backslashes = 0;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const char c = arguments[at];
    if (c == '\\') {
      ++backslashes;
      continue;
    }
    if (c == '"') {
      word.append(backslashes / 2, '\\');
      if (backslashes % 2 == 1) {
        word += '"';
      } else {
        // Two within quotes are one, and end them.
        if (in_quotes && arguments.substr(at + 1).starts_with('"')) {
          word += '"';
          ++at;
        }
        in_quotes = !in_quotes;
      }
      any = true;
    } else {
      word.append(backslashes, '\\');
      any = any || backslashes != 0;
      if (!in_quotes && (c == ' ' || c == '\t')) {
        if (any) words.push_back(std::exchange(word, {}));
        any = false;
      } else {
        word += c;
        any = true;
      }
    }
    backslashes = 0;
  }
  word.append(backslashes, '\\');
  if (any || backslashes != 0) words.push_back(word);
  return words;
}

std::vector<std::string> words_of_service(std::string_view command_line) {
  command_line.remove_prefix(std::min(command_line.find_first_not_of(" \t"), command_line.size()));
  if (command_line.empty()) return {};
  const bool in_quotes = command_line.front() == '"';
  if (in_quotes) command_line.remove_prefix(1);
  const std::size_t end =
      std::min(in_quotes ? command_line.find('"') : program_end(command_line), command_line.size());
  std::vector<std::string> words{std::string(command_line.substr(0, end))};
  const std::size_t rest = std::min(end + (in_quotes ? 1 : 0), command_line.size());
  std::ranges::move(words_of(command_line.substr(rest)), std::back_inserter(words));
  return words;
}

}  // namespace winperf::migration
