#include "exporter/textfile/textfile_family.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"
#include "exporter/mapping/family.h"

namespace winperf {
namespace {

constexpr std::size_t kShownBytes = 40;
constexpr std::string_view kBlanks = " \t";

bool begins_name(char c, bool has_colons) {
  return is_letter(c) || c == '_' || (has_colons && c == ':');
}

}  // namespace

std::string shown_text(std::string_view text) {
  const auto cut = text.substr(0, kShownBytes);
  const bool is_whole = cut.size() == text.size();
  const auto shown = is_whole ? cut : cut.substr(0, valid_bytes(cut));
  return '"' + printable(shown) + (is_whole ? "\"" : "...\"");
}

std::string_view without_trailing_blanks(std::string_view text) {
  const auto last = text.find_last_not_of(kBlanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

namespace {

constexpr std::string_view kDigits = "0123456789";

// Takes the digits at the beginning.
std::string_view take_digits(std::string_view& text) {
  const auto digits = text.substr(0, text.find_first_not_of(kDigits));
  text.remove_prefix(digits.size());
  return digits;
}

bool take_sign(std::string_view& text) {
  if (!text.starts_with('+') && !text.starts_with('-')) return false;
  text.remove_prefix(1);
  return true;
}

// Whether a number that is out of range is a large one.
bool is_large(std::string_view whole, std::string_view fraction, std::string_view exponent) {
  const auto nonzero = whole.find_first_not_of('0');
  const bool is_whole = nonzero != std::string_view::npos;
  const auto leading_zeros = std::min(fraction.find_first_not_of('0'), fraction.size());
  const auto magnitude = is_whole ? static_cast<std::int64_t>(whole.size() - nonzero)
                                  : -static_cast<std::int64_t>(leading_zeros);
  std::int64_t ten_to = 0;
  const bool is_plus = exponent.starts_with('+');
  const std::string_view number = exponent.substr(is_plus ? 1 : 0);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), ten_to);
  if (read.ec == std::errc::result_out_of_range) return !number.starts_with('-');
  // Doubles that are out of range are far from 1.
  return ten_to > -magnitude;
}

std::optional<double> decimal(std::string_view text) {
  std::string_view rest = text;
  const auto whole = take_digits(rest);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  std::string_view exponent;
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    exponent = rest;
    take_sign(rest);
    if (take_digits(rest).empty()) return std::nullopt;
  }
  if (!rest.empty()) return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  if (is_large(whole, fraction, exponent)) return std::nullopt;
  return 0.0;
}

}  // namespace

std::optional<double> parse_go_number(std::string_view text) {
  if (equal_names(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  const bool is_negative = text.starts_with('-');
  take_sign(text);
  const auto positive = equal_names(text, "inf") || equal_names(text, "infinity")
                            ? std::numeric_limits<double>::infinity()
                            : decimal(text);
  if (!positive) return std::nullopt;
  return is_negative ? -*positive : *positive;
}

void append_go_number(std::string& out, double value, bool has_point) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    return;
  }
  const double size = std::abs(value);
  const bool has_exponent = size != 0 && (size < 1e-4 || size >= 1e6);
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value,
                    has_exponent ? std::chars_format::scientific : std::chars_format::fixed)
          .ptr;
  const std::string_view text(digits.data(), end);
  out += text;
  if (has_point && !has_exponent && !text.contains('.')) out += ".0";
}

std::string label_text(const TextfileLabels& labels, std::string_view except) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (name == except || value.empty()) continue;
    if (!text.empty()) text += ',';
    append_label(text, name, value);
  }
  return text;
}

namespace {

// The character that the escape sequence "\\", "\"" or "\n" at the beginning of `text` means.
std::expected<char, std::string> unescaped(std::string_view text) {
  const auto pair = text.substr(0, 2);
  if (pair == "\\\\") return '\\';
  if (pair == "\\\"") return '"';
  if (pair == "\\n") return '\n';
  const auto bytes = text.size() < 2 ? 1 : 1 + next_character(text.substr(1)).bytes;
  return std::unexpected("invalid escape sequence " + shown_text(text.substr(0, bytes)) +
                         "; write two backslashes for one");
}

// A place in a line.
class LineCursor {
 public:
  explicit LineCursor(std::string_view line) : rest_(line) {}

  std::string_view rest() const { return rest_; }
  bool at_end() const { return rest_.empty(); }
  bool at(char c) const { return rest_.starts_with(c); }
  bool at_blank() const { return at(' ') || at('\t'); }
  // The text here, for messages.
  std::string shown() const { return at_end() ? "the end of the line" : shown_text(rest_); }

  void skip(std::size_t bytes) { rest_.remove_prefix(bytes); }
  void skip_blanks() { skip(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }
  bool take(char c) {
    if (!at(c)) return false;
    skip(1);
    return true;
  }
  // Up to a blank or the end.
  std::string_view take_word() {
    const auto word = rest_.substr(0, rest_.find_first_of(kBlanks));
    skip(word.size());
    return word;
  }
  // Up to what can't be in a name. Errors: a sentence.
  std::expected<std::string_view, std::string> take_metric_name() {
    return take_name("metric", true);
  }
  std::expected<std::string_view, std::string> take_label_name() {
    return take_name("label", false);
  }

 private:
  std::expected<std::string_view, std::string> take_name(const std::string& of, bool has_colons) {
    std::size_t bytes = 0;
    while (bytes < rest_.size() &&
           (begins_name(rest_[bytes], has_colons) || (bytes > 0 && is_digit(rest_[bytes]))))
      ++bytes;
    if (bytes == 0)
      return std::unexpected("the name of a " + of + " begins with a letter or _, not with " +
                             shown());
    if (bytes > kMaxTextfileNameBytes)
      return std::unexpected("the name of a " + of + " is longer than " +
                             std::to_string(kMaxTextfileNameBytes) + " bytes");
    const auto name = rest_.substr(0, bytes);
    skip(bytes);
    return name;
  }

  std::string_view rest_;
};

std::expected<std::string, std::string> take_value(LineCursor& cursor) {
  if (!cursor.take('"'))
    return std::unexpected("expected a label value in double quotes instead of " + cursor.shown());
  const std::string_view rest = cursor.rest();
  std::string value;
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    if (rest[at] != '\\') {
      value += rest[at];
      continue;
    }
    const auto character = unescaped(rest.substr(at));
    if (!character) return std::unexpected(character.error());
    value += *character;
    ++at;
  }
  if (at == rest.size()) return std::unexpected("the label value has no closing quote");
  cursor.skip(at + 1);
  return value;
}

std::expected<std::string_view, std::string> take_label(LineCursor& cursor) {
  auto name = cursor.take_label_name();
  if (!name) return name;
  if (name->starts_with("__"))
    return std::unexpected("labels that begin with __ are reserved: " + shown_text(*name));
  cursor.skip_blanks();
  if (!cursor.take('=')) {
    return std::unexpected("expected = after the label " + shown_text(*name) + " instead of " +
                           cursor.shown());
  }
  cursor.skip_blanks();
  return name;
}

// From "{" to "}".
std::expected<TextfileLabels, std::string> take_labels(LineCursor& cursor) {
  TextfileLabels labels;
  cursor.take('{');
  for (cursor.skip_blanks(); !cursor.take('}'); cursor.skip_blanks()) {
    const auto name = take_label(cursor);
    if (!name) return std::unexpected(name.error());
    auto value = take_value(cursor);
    if (!value) return std::unexpected(std::move(value).error());
    labels.emplace_back(*name, std::move(*value));
    cursor.skip_blanks();
    if (!cursor.take(',') && !cursor.at('}'))
      return std::unexpected("expected a comma or } after the label value instead of " +
                             cursor.shown());
  }
  // Those of a bucket or a quantile are one more than those of its series.
  const auto of_series = std::ranges::count_if(
      labels, [](const auto& label) { return label.first != "le" && label.first != "quantile"; });
  if (static_cast<std::size_t>(of_series) > kMaxTextfileLabels)
    return std::unexpected("more than " + std::to_string(kMaxTextfileLabels) + " labels");
  std::ranges::sort(labels);
  const auto twice = std::ranges::adjacent_find(labels, {}, &TextfileLabels::value_type::first);
  if (twice != labels.end())
    return std::unexpected("the label " + shown_text(twice->first) + " occurs twice");
  return labels;
}

using Result = std::expected<TextfileLine, std::string>;

std::unexpected<std::string> bad_line(std::string sentence) {
  return std::unexpected(std::move(sentence));
}

Result help_line(std::string_view name, LineCursor cursor) {
  TextfileLine line{.content = LineContent::kHelp, .name = name};
  std::string_view rest = cursor.rest();
  while (!rest.empty()) {
    const auto plain = rest.substr(0, rest.find('\\'));
    line.text += plain;
    rest.remove_prefix(plain.size());
    if (rest.empty()) break;
    const auto character = unescaped(rest);
    if (!character) return bad_line(character.error());
    line.text += *character;
    rest.remove_prefix(2);
  }
  return line;
}

Result comment(LineCursor cursor) {
  cursor.skip_blanks();
  const std::string_view keyword = cursor.take_word();
  if (keyword != "HELP" && keyword != "TYPE") return TextfileLine{};
  cursor.skip_blanks();
  if (cursor.at_end()) return TextfileLine{};
  const auto name = cursor.take_metric_name();
  if (!name) return bad_line(name.error());
  if (!cursor.at_end() && !cursor.at_blank())
    return bad_line("invalid character in a metric name: " + cursor.shown());
  cursor.skip_blanks();
  if (cursor.at_end()) return TextfileLine{};
  if (keyword == "HELP") return help_line(*name, cursor);
  return TextfileLine{.content = LineContent::kType,
                      .name = *name,
                      .text = std::string(without_trailing_blanks(cursor.rest()))};
}

std::string what_follows_the_value(std::string_view rest) {
  std::int64_t number = 0;
  const char* const end = rest.data() + rest.size();
  const auto read = std::from_chars(rest.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end)
    return "timestamps are not supported; remove the one after the value";
  return "unexpected text after the value: " + shown_text(rest);
}

Result sample(LineCursor cursor) {
  TextfileLine line{.content = LineContent::kSample};
  const auto name = cursor.take_metric_name();
  if (!name) return bad_line(name.error());
  line.name = *name;
  if (!cursor.at_end() && !cursor.at_blank() && !cursor.at('{'))
    return bad_line("invalid character in a metric name: " + cursor.shown());
  cursor.skip_blanks();
  if (cursor.at('{')) {
    auto labels = take_labels(cursor);
    if (!labels) return bad_line(labels.error());
    line.labels = std::move(*labels);
    cursor.skip_blanks();
  }
  const std::string_view word = cursor.take_word();
  if (word.empty()) return bad_line("the value is missing");
  const auto value = parse_go_number(word);
  if (!value) return bad_line("invalid number: " + shown_text(word));
  line.value = *value;
  cursor.skip_blanks();
  if (!cursor.at_end())
    return bad_line(what_follows_the_value(without_trailing_blanks(cursor.rest())));
  return line;
}

}  // namespace

Result parse_textfile_line(std::string_view line) {
  LineCursor cursor(line);
  cursor.skip_blanks();
  if (cursor.at_end()) return TextfileLine{};
  if (cursor.take('#')) return comment(cursor);
  return sample(cursor);
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string digits(double number) {
  std::string text;
  append_go_number(text, number, false);
  return text;
}

}  // namespace

std::string shown_series(std::string_view name, std::string_view labels) {
  constexpr std::size_t kMostShown = 200;
  std::string text(name);
  if (!labels.empty()) text.append("{").append(labels).append("}");
  if (text.size() > kMostShown) {
    const std::string_view cut = std::string_view(text).substr(0, kMostShown);
    text = std::string(cut.substr(0, valid_bytes(cut))) + "...";
  }
  return printable(text);
}

std::expected<void, std::string> complete_histogram(std::string_view name, std::string_view labels,
                                                    TextfileSeries& series) {
  const auto refused = [&](const std::string& why) {
    return std::unexpected("the histogram " + shown_series(name, labels) + ' ' + why);
  };
  const auto last = series.steps.find(kInfinity);
  if (last == series.steps.end() && !series.count)
    return refused("has neither a bucket le=\"+Inf\" nor a count");
  const double count = series.count.value_or(last == series.steps.end() ? 0 : last->second);
  if (last != series.steps.end() && last->second != count) {
    return refused("has " + digits(last->second) + " in its bucket le=\"+Inf\", but " +
                   digits(count) + " as its count");
  }
  series.count = count;
  series.steps[kInfinity] = count;
  double before = 0;
  for (const auto& [bound, so_far] : series.steps) {
    if (so_far < before) {
      return refused("has fewer in its bucket le=\"" + digits(bound) +
                     "\" than in the one before; buckets are cumulative");
    }
    before = so_far;
  }
  return {};
}

namespace {

constexpr std::array<std::string_view, 5> kTypes{"untyped", "counter", "gauge", "summary",
                                                 "histogram"};
constexpr std::array<std::string_view, kLineKinds.size()> kSuffixes{"", "_bucket", "_sum",
                                                                    "_count"};

}  // namespace

std::string_view name_of(TextfileType type) { return kTypes.at(static_cast<std::size_t>(type)); }

std::optional<TextfileType> find_textfile_type(std::string_view name) {
  const auto found = std::ranges::find_if(
      kTypes, [name](std::string_view type) { return equal_names(type, name); });
  if (found == kTypes.end()) return std::nullopt;
  return static_cast<TextfileType>(found - kTypes.begin());
}

std::string_view suffix_of(LineKind kind) { return kSuffixes.at(static_cast<std::size_t>(kind)); }

bool has_lines(TextfileType type, LineKind kind) {
  if (type == TextfileType::kHistogram) return kind != LineKind::kPlain;
  return kind == LineKind::kPlain || (type == TextfileType::kSummary && kind != LineKind::kBucket);
}

std::string_view step_label(TextfileType type) {
  if (type == TextfileType::kHistogram) return "le";
  return type == TextfileType::kSummary ? "quantile" : "";
}

}  // namespace winperf
