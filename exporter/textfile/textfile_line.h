// One line of the Prometheus text format 0.0.4, as strictly as the reference parser reads it, but
// with blanks allowed at its end, which cmd's `echo` leaves there. Lines with timestamps are
// refused. Source: Prometheus documentation, "Exposition formats"; prometheus/common,
// expfmt/text_parse.go. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/textfile/line_cursor.h"

namespace winperf {

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
