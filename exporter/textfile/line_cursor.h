// A place in a line of the text format. Thread rule: one thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace winperf {

// In quotes, cut and spelled out as messages need it.
std::string shown_text(std::string_view text);

// The character that "\\", "\"" or "\n" at the beginning of `text` stands for.
[[nodiscard]] std::expected<char, std::string> unescaped(std::string_view text);

std::string_view without_blanks_behind(std::string_view text);

class LineCursor {
 public:
  explicit LineCursor(std::string_view line) : rest_(line) {}

  std::string_view rest() const { return rest_; }
  bool at_end() const { return rest_.empty(); }
  bool at(char c) const { return rest_.starts_with(c); }
  bool at_blank() const { return at(' ') || at('\t'); }
  // What stands here, for messages.
  std::string shown() const;

  void skip(std::size_t bytes) { rest_.remove_prefix(bytes); }
  void skip_blanks();
  bool take(char c);
  // Up to a blank or the end.
  std::string_view take_word();
  // Up to what can't be in a name. Errors: a sentence.
  [[nodiscard]] std::expected<std::string_view, std::string> take_metric_name();
  [[nodiscard]] std::expected<std::string_view, std::string> take_label_name();

 private:
  [[nodiscard]] std::expected<std::string_view, std::string> take_name(std::string_view of,
                                                                       bool has_colons);

  std::string_view rest_;
};

}  // namespace winperf
