#include "service/commands/bash_line.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

// Characters of COMP_WORDBREAKS that don't end a word: bash replaces only what follows them.
constexpr std::string_view kBreaksInWords = "=:@";
constexpr std::string_view kEscapedInDoubleQuotes = "$`\"\\";

class BashReader {
 public:
  BashLine read(std::string_view line);

 private:
  void quoted(char c, char next);
  void unquoted(char c, char next);
  void end_word();

  BashLine line_;
  std::string word_;
  bool in_word_ = false;
  bool is_literal_ =
      false;            // a path without quotation marks: \Memory, though bash would lose the \.
  bool skips_ = false;  // the next character has been read already
};

void BashReader::quoted(char c, char next) {
  if (c == line_.quote) {
    line_.quote = 0;
  } else if (c == '\\' && line_.quote == '"' && next != 0 &&
             kEscapedInDoubleQuotes.contains(next)) {
    word_ += next;
    skips_ = true;
  } else {
    word_ += c;
  }
}

void BashReader::unquoted(char c, char next) {
  if (c == ' ' || c == '\t' || c == '\n') {
    end_word();
    return;
  }
  const bool begins = !std::exchange(in_word_, true);
  if (c == '\'' || c == '"') {
    line_.quote = c;
    line_.kept = word_.size();
  } else if (c == '\\') {
    if (begins) is_literal_ = next == 0 || is_letter_or_digit(next) || next == '.';
    if (is_literal_) word_ += c;
    if (!is_literal_ && next != 0) {
      word_ += next;
      skips_ = true;
    }
  } else {
    word_ += c;
    if (kBreaksInWords.contains(c)) line_.kept = word_.size();
  }
}

void BashReader::end_word() {
  if (in_word_) line_.words.push_back(std::exchange(word_, {}));
  in_word_ = false;
  is_literal_ = false;
  line_.kept = 0;
}

BashLine BashReader::read(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (std::exchange(skips_, false)) continue;
    const char next = at + 1 < line.size() ? line[at + 1] : '\0';
    if (line_.quote != 0) {
      quoted(line[at], next);
    } else {
      unquoted(line[at], next);
    }
  }
  line_.words.push_back(word_);
  line_.words.erase(line_.words.begin());
  return std::move(line_);
}

std::string in_single_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string in_double_quotes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool is_special = kEscapedInDoubleQuotes.contains(text[i]);
    if (is_special && (text[i] != '\\' || kEscapedInDoubleQuotes.contains(next))) out += '\\';
    out += text[i];
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
                          std::string_view("_./:=@%+,-").contains(c);
    if (!is_plain) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

BashLine parse_bash_line(std::string_view line) { return BashReader().read(line); }

std::string bash_completion(const BashLine& line, std::string_view word) {
  const std::string_view rest = word.substr(std::min(line.kept, word.size()));
  if (line.quote == '\'') return in_single_quotes(rest);
  if (line.quote == '"') return in_double_quotes(rest);
  if (line.kept != 0 || !word.starts_with('\\')) return escaped(rest);
  const bool is_whole = !word.ends_with('\\') && !word.ends_with('(');
  return '\'' + in_single_quotes(word) + (is_whole ? "'" : "");
}

}  // namespace winperf
