// One line of the Prometheus text format 0.0.4, as strictly as the reference parser reads it, but
// with blanks allowed at its end, which cmd's `echo` leaves there. Lines with timestamps are
// refused. Source: Prometheus documentation, "Exposition formats"; prometheus/common,
// expfmt/text_parse.go. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf {

// A place in a line of the text format. Thread rule: one thread.

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

// Numbers in Go's form. parse_go_number() reads one as the reference parser of the text format
// does, which is Go's ParseFloat without hexadecimal numbers and underscores: "12", "+.5e3", "1.",
// "NaN", "+Inf", "infinity", in any case. Source: Go, package strconv; prometheus/common,
// expfmt/text_parse.go. Thread rule: any thread.

// Nothing if it isn't a number, or if it is too large for a double; too small ones are zero.
std::optional<double> parse_go_number(std::string_view text);

// As Go writes it, such as in the label `le`: the shortest digits, with an exponent below 0.0001
// and from a million. Other programs compare these labels as texts. `has_point`: "1.0", not "1",
// which is the form of OpenMetrics.
void append_go_number(std::string& out, double value, bool has_point);

// The labels of a sample in the text format. Thread rule: any thread.

using TextfileLabels = std::vector<std::pair<std::string_view, std::string>>;

// From "{" to "}". Sorted by name, each once; the names are parts of the line. Errors: a sentence.
[[nodiscard]] std::expected<TextfileLabels, std::string> take_labels(LineCursor& cursor);

// As they are written on a page, without braces, and without the label `except` and empty ones.
std::string label_text(const TextfileLabels& labels, std::string_view except);

enum class LineContent : std::uint8_t { kNothing, kHelp, kType, kSample };

struct TextfileLine {
  LineContent content = LineContent::kNothing;
  std::string_view name{};  // of the metric; a part of the line
  std::string text{};       // of HELP, without escapes; of TYPE: its word
  TextfileLabels labels{};
  double value = 0;
};

// `line`: without its end; valid UTF-8. The error is a sentence without the line's number.
[[nodiscard]] std::expected<TextfileLine, std::string> parse_textfile_line(std::string_view line);

}  // namespace winperf
