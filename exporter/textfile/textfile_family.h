// Metrics that other programs have written into files, as values and as lines.
//
// A series is what has one set of labels: one number, or all lines of a histogram or a summary.
// Labels with empty values are none, as for Prometheus. Thread rule: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf {

enum class TextfileType : std::uint8_t { kUntyped, kCounter, kGauge, kSummary, kHistogram };

// What follows the family's name in a line.
enum class LineKind : std::uint8_t { kPlain, kBucket, kSum, kCount };
inline constexpr std::array kLineKinds{LineKind::kPlain, LineKind::kBucket, LineKind::kSum,
                                       LineKind::kCount};

struct TextfileSeries {
  double value = 0;                // of a counter, gauge or untyped metric
  std::map<double, double> steps;  // a histogram's bounds and counts; a summary's quantiles
  std::optional<double> sum;
  std::optional<double> count;
  std::uint32_t file = 0;  // which of TextfileResult::files has it
  std::uint32_t line = 0;  // the first that is about it; from 1
};

struct TextfileFamily {
  std::string help;  // never empty in a result
  TextfileType type = TextfileType::kUntyped;
  // By their labels as they are written, without braces and without `le` or `quantile`; sorted.
  std::map<std::string, TextfileSeries, std::less<>> series;
};

// By name.
using TextfileFamilies = std::map<std::string, TextfileFamily, std::less<>>;

// "counter"; as the text format calls it.
std::string_view name_of(TextfileType type);
std::optional<TextfileType> find_textfile_type(std::string_view name);  // in any case

constexpr bool is_composed(TextfileType type) { return type >= TextfileType::kSummary; }
// "_bucket"; empty for kPlain.
std::string_view suffix_of(LineKind kind);
// Whether a family of this type may have such lines.
bool has_lines(TextfileType type, LineKind kind);
// The label that only plain lines of a summary or buckets have; empty otherwise.
std::string_view step_label(TextfileType type);

// Limits of what is read and kept.
inline constexpr std::uint64_t kMaxTextfileBytes = 16U << 20;       // of a file
inline constexpr std::uint64_t kMaxTextfileBytesInAll = 48U << 20;  // of all files
inline constexpr std::size_t kMaxTextfileLineBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxTextfileLines = 500'000;         // of a file, comments as well
inline constexpr std::size_t kMaxTextfileNameBytes = 512;         // of a metric or a label
inline constexpr std::size_t kMaxTextfileLabels = 64;             // of a series
inline constexpr std::size_t kMaxTextfileSamples = 100'000;       // of a file
inline constexpr std::size_t kMaxTextfileSamplesInAll = 250'000;  // of all files
inline constexpr std::size_t kMaxTextfileFamilies = 10'000;       // of a file, or of all

// A series as people write it: name{labels}; cut if it is long.
std::string shown_series(std::string_view name, std::string_view labels);

// Completes a histogram: the bucket of +Inf and the count are the same number, and one of them
// may be absent. Errors: a sentence about what contradicts itself.
[[nodiscard]] std::expected<void, std::string> complete_histogram(std::string_view name,
                                                                  std::string_view labels,
                                                                  TextfileSeries& series);

// One line of the Prometheus text format 0.0.4, as strictly as the reference parser reads it, but
// with blanks allowed at its end, which cmd's `echo` leaves there. Lines with timestamps are
// refused. Source: Prometheus documentation, "Exposition formats"; prometheus/common,
// expfmt/text_parse.go. Thread rule: any thread.

// In quotes, cut and spelled out as messages need it.
std::string shown_text(std::string_view text);
std::string_view without_trailing_blanks(std::string_view text);

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
