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

// In quotes, cut and spelled out as messages need it.
std::string shown_text(std::string_view text);
std::string_view without_blanks_behind(std::string_view text);

// Numbers in Go's form. parse_go_number() reads one as the reference parser of the text format
// does, which is Go's ParseFloat without hexadecimal numbers and underscores: "12", "+.5e3", "1.",
// "NaN", "+Inf", "infinity", in any case. Source: Go, package strconv; prometheus/common,
// expfmt/text_parse.go.

// Nothing if it isn't a number, or if it is too large for a double; too small ones are zero.
std::optional<double> parse_go_number(std::string_view text);

// As Go writes it, such as in the label `le`: the shortest digits, with an exponent below 0.0001
// and from a million. Other programs compare these labels as texts. `has_point`: "1.0", not "1",
// which is the form of OpenMetrics.
void append_go_number(std::string& out, double value, bool has_point);

// Of a sample, sorted by name, each once; the names are parts of the line.
using TextfileLabels = std::vector<std::pair<std::string_view, std::string>>;
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
