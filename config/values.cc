#include "config/values.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/patterns.h"
#include "config/quantity.h"

namespace winperf {
namespace {

bool is_bare(const Node& node) { return node.kind == NodeKind::kScalar && !node.is_quoted; }
bool is_number_text(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && is_digit(text.front()) &&
         text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}
// Quoted text, and bare text without another meaning in JSON ("no" and "on" are text).
bool is_text(const Node& node) {
  return node.kind == NodeKind::kScalar && !is_bare_boolean(node) && !is_bare_number(node);
}

}  // namespace

bool is_bare_boolean(const Node& node) {
  return is_bare(node) && (node.text == "true" || node.text == "false");
}

// An IPv4 address looks like a number, too, so a number has one dot at most.
bool is_bare_number(const Node& node) {
  return is_bare(node) && is_number_text(node.text) &&
         std::count(node.text.begin(), node.text.end(), '.') <= 1;
}

std::string described(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return "nothing";
    case NodeKind::kSequence:
      return node.children.empty() ? "an empty list" : "a list";
    case NodeKind::kMap:
      return "an object";
    case NodeKind::kScalar:
      break;
  }
  if (is_text(node)) return "the text " + in_quotes(node.text);
  const std::string shown = in_quotes(node.text);
  return shown.substr(1, shown.size() - 2);
}

std::string assignment(const Option& option, std::string_view value) {
  return std::string(key_of(option)) + ": " + std::string(value);
}

bool is_web_key(std::string_view path) { return path.starts_with(kWebSection); }

bool is_list(const Option& option) { return option.takes.kind->written == Written::kList; }

std::string example_of(const Option& option) {
  const OptionKind& kind = *option.takes.kind;
  if (!option.example.empty()) return in_quotes(option.example);
  if (!option.default_value.empty() && option.default_value != "[]")
    return std::string(option.default_value);
  if (!option.takes.choices.empty()) {
    const std::string word = in_quotes(option.takes.choices.front().word);
    return is_list(option) ? '[' + word + ']' : word;
  }
  return kind.example.empty() ? std::to_string(option.takes.minimum) : std::string(kind.example);
}

std::string described(std::string_view path, const Node& node) {
  const bool is_hidden = is_web_key(path) && node.kind == NodeKind::kScalar;
  return is_hidden ? "the present value" : described(node);
}

std::unexpected<TextError> refused(const Option& option, const Node& node, std::string_view wanted,
                                   std::string_view advice) {
  std::string message = in_quotes(option.path) + " must be " + std::string(wanted) + ", not " +
                        described(option.path, node) + "; write";
  message += advice.empty() ? ", for example, " + assignment(option, example_of(option))
                            : ' ' + std::string(advice);
  return std::unexpected(TextError{node.offset, std::move(message)});
}

std::unexpected<TextError> complaint(const Option& option, const Node& node,
                                     std::string_view message) {
  return std::unexpected(
      TextError{node.offset, in_quotes(option.path) + ' ' + std::string(message)});
}

std::optional<TextError> text_problem(const Option& option, const Node& node,
                                      std::string_view wanted) {
  if (node.kind == NodeKind::kScalar && !is_text(node)) {
    const std::string text = is_web_key(option.path) ? "it" : in_quotes(node.text);
    return refused(option, node, wanted, text + " in quotes").error();
  }
  if (node.kind != NodeKind::kScalar) return refused(option, node, wanted).error();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::any_of(node.text.begin(), node.text.end(), is_control)) {
    return complaint(option, node,
                     "holds a control character; write \\\\ for each backslash in \"...\"")
        .error();
  }
  return std::nullopt;
}

std::optional<TextError> length_problem(const Option& option, const Node& node) {
  if (std::cmp_less_equal(node.text.size(), option.takes.maximum)) return std::nullopt;
  return complaint(option, node,
                   "is too long; write at most " + std::to_string(option.takes.maximum) + " bytes")
      .error();
}

std::span<const Node> items_of(const Node& node) {
  if (node.kind == NodeKind::kSequence) return node.children;
  return {&node, 1};
}

std::expected<std::int64_t, TextError> read_choice(const Option& option, const Node& node) {
  const std::span<const Choice> choices = option.takes.choices;
  std::vector<std::string_view> words;
  std::string wanted;
  for (const Choice& choice : choices) {
    if (!words.empty()) wanted += &choice == &choices.back() ? " or " : ", ";
    wanted += in_quotes(choice.word);
    words.push_back(choice.word);
  }
  if (node.kind != NodeKind::kScalar) return refused(option, node, wanted);
  const auto found = std::ranges::find(choices, node.text, &Choice::word);
  if (found != choices.end()) return found->value;
  const std::string_view meant = nearest(node.text, words);
  if (meant.empty()) return refused(option, node, wanted);
  return refused(option, node, wanted,
                 is_list(option) ? in_quotes(meant) : assignment(option, in_quotes(meant)));
}

// Names of metrics and labels.

namespace {

constexpr std::size_t kMaxBytes = 200;

// Metrics about the exporter itself.
constexpr std::string_view kTakenMetrics[] = {"winperf_exporter_", "windows_exporter_", "process_",
                                              "promhttp_"};
// Labels that series have anyway.
constexpr std::string_view kTakenLabels[] = {"le", "machine", "quantile"};

bool is_name(std::string_view name, std::string_view others) {
  const auto is_first = [&](char c) { return is_letter(c) || c == '_' || others.contains(c); };
  const auto is_good = [&](char c) { return is_first(c) || is_digit(c); };
  return !name.empty() && name.size() <= kMaxBytes && is_first(name.front()) &&
         std::ranges::all_of(name, is_good);
}

}  // namespace

std::optional<std::string> metric_name_problem(std::string_view name) {
  if (!is_name(name, ":"))
    return in_quotes(name) +
           " cannot be the name of a metric; write letters, digits and underscores, and no digit "
           "first";
  for (const std::string_view taken : kTakenMetrics)
    if (name.starts_with(taken))
      return in_quotes(name) + " is reserved, because " + std::string(taken) +
             "... are metrics of the exporter itself; write another name";
  return std::nullopt;
}

std::optional<std::string> label_name_problem(std::string_view name) {
  if (!is_name(name, "") || name.starts_with("__"))
    return in_quotes(name) +
           " cannot be a label; write letters, digits and single underscores, and no digit first";
  if (std::ranges::find(kTakenLabels, name) != std::end(kTakenLabels))
    return in_quotes(name) + " is a reserved label; write another name";
  return std::nullopt;
}

// The kinds of several tables.

namespace {

ReadValue read_boolean(const Option& option, const Node& node) {
  if (is_bare_boolean(node)) return node.text == "true";
  const std::string word = ascii_lower(node.text);
  // exporter-toolkit reads YAML 1.1.
  if (is_web_key(option.path) && is_bare(node)) {
    if (word == "true" || word == "yes" || word == "on" || word == "y") return true;
    if (word == "false" || word == "no" || word == "off" || word == "n") return false;
  }
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
  };
  const bool is_yes = is_one_of({"true", "yes", "on", "y", "1", "enabled"});
  const bool is_no = is_one_of({"false", "no", "off", "n", "0", "disabled"});
  if (!is_yes && !is_no) return refused(option, node, "true or false");
  return refused(option, node, "true or false", assignment(option, is_yes ? "true" : "false"));
}

ReadValue read_integer(const Option& option, const Node& node) {
  const std::string wanted = "a whole number from " + std::to_string(option.takes.minimum) +
                             " to " + std::to_string(option.takes.maximum);
  const auto number = parse_integer(node.text);
  if (!number || *number < option.takes.minimum || *number > option.takes.maximum)
    return refused(option, node, wanted);
  if (node.is_quoted) {
    return refused(option, node, wanted,
                   assignment(option, std::to_string(*number)) + " without quotes");
  }
  return *number;
}

// A quantity with a unit: a duration or a size.
struct Measure {
  std::optional<std::int64_t> (*parse)(std::string_view);
  std::string (*text)(std::int64_t);
  std::string_view wanted;
};

constexpr Measure kDurations{parse_duration_ms, duration_text,
                             "a duration such as \"500ms\", \"15s\" or \"1m\""};
constexpr Measure kSizes{parse_bytes, bytes_text, "a size such as \"512KiB\" or \"64MiB\""};

template <const Measure& measure>
ReadValue read_measure(const Option& option, const Node& node) {
  auto amount = measure.parse(node.text);
  // Of a web configuration, one of Go.
  if (!amount && is_web_key(option.path)) amount = parse_short_duration_ms(node.text);
  if (!amount) return refused(option, node, measure.wanted);
  if (*amount < option.takes.minimum) {
    std::string wanted = "at least " + measure.text(option.takes.minimum);
    if (!option.takes.limit_reason.empty())
      wanted += " (" + std::string(option.takes.limit_reason) + ")";
    return refused(option, node, wanted);
  }
  if (*amount > option.takes.maximum)
    return refused(option, node, "at most " + measure.text(option.takes.maximum));
  return *amount;
}

ReadValue read_file_name(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "text")) return std::unexpected(*problem);
  if (const auto problem = length_problem(option, node)) return std::unexpected(*problem);
  if (!node.text.ends_with('/') && !node.text.ends_with('\\')) return node.text;
  constexpr std::string_view kWanted = "the name of a file, not of a folder";
  // Not repeated: it may be the text of a private key.
  if (option.path.starts_with("listen.web.")) return refused(option, node, kWanted);
  // Windows accepts both slashes, and only the backslash would have to be doubled here.
  std::string file = node.text + std::string(option.example);
  std::ranges::replace(file, '\\', '/');
  return refused(option, node, kWanted, assignment(option, in_quotes(file)));
}

ReadValue read_words(const Option& option, const Node& node) {
  Words words;
  for (const Node& item : items_of(node)) {
    const auto word = read_choice(option, item);
    if (!word) return std::unexpected(word.error());
    if (std::ranges::find(words, *word) != words.end())
      return complaint(option, item, "has " + in_quotes(item.text) + " twice: keep one");
    words.push_back(*word);
  }
  if (words.empty()) return refused(option, node, "at least one word");
  std::ranges::sort(words);
  return words;
}

// A title index may be written as a number.
std::expected<std::string, TextError> read_name(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "a name or a title index";
  if (is_bare_number(node)) {
    const auto index = parse_integer(node.text);
    if (index && *index > 0 && *index <= std::numeric_limits<std::uint32_t>::max())
      return std::to_string(*index);
    return refused(option, node, "a name or a title index from 1 to 4294967295");
  }
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  if (node.text.find_first_not_of(' ') == std::string::npos) return refused(option, node, kWanted);
  if (node.text.size() > kMaxNameBytes)
    return complaint(option, node, "is longer than a name can be; write at most 1024 bytes");
  if (const auto problem = name_problem(node.text)) return complaint(option, node, *problem);
  return node.text;
}

ReadValue read_names(const Option& option, const Node& node) {
  auto names = read_each(option, node, read_name);
  if (names && names->empty()) return refused(option, node, "at least one name");
  return names;
}

// As long as a name may be.
std::expected<std::string, TextError> read_entry(const Option& option, const Node& node) {
  return read_text_if(option, node, "text", [](const std::string& text) {
    return !text.empty() && text.size() <= kMaxNameBytes;
  });
}

}  // namespace

const OptionKind OptionKind::kBoolean{.read = read_boolean,
                                      .words = "`true` or `false`",
                                      .schema = R"({"type": "boolean"})",
                                      .example = "true",
                                      .written = Written::kBare};

const OptionKind OptionKind::kInteger{
    .read = read_integer,
    .words = "whole number, {min} to {max}",
    .schema = R"({"type": "integer", "minimum": {min}, "maximum": {max}})",
    .example = {},
    .written = Written::kBare};

const OptionKind OptionKind::kDuration{
    .read = read_measure<kDurations>,
    .words = "duration, `{min}` to `{max}`",
    .schema =
        R"({"oneOf": [{"type": "string", "pattern": "^([0-9]+(\\.[0-9]{1,3})? ?(ms|s|m|h|d))+$"},
                      {"type": "number", "minimum": {min_seconds}, "maximum": {max_seconds}}]})",
    .example = "\"15s\"",
    .written = Written::kQuoted,
    .limit_text = duration_text};

const OptionKind OptionKind::kBytes{
    .read = read_measure<kSizes>,
    .words = "size, `{min}` to `{max}`",
    .schema =
        R"({"oneOf": [{"type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,3})? ?(B|KiB|MiB|GiB)$"},
                      {"type": "number", "minimum": {min}.0, "maximum": {max}.0}]})",
    .written = Written::kQuoted,
    .limit_text = bytes_text};

const OptionKind OptionKind::kFile{
    .read = read_file_name,
    .words = "text",
    .schema = R"({"type": "string", "minLength": {min}, "maxLength": {max}})",
    .written = Written::kQuoted};

const OptionKind OptionKind::kChoice{.read = read_one<read_choice>,
                                     .words = "{choices}",
                                     .schema = R"({"enum": {choices}})",
                                     .written = Written::kQuoted};

const OptionKind OptionKind::kWords{
    .read = read_words,
    .words = "{choices}, or list of them",
    .entry = R"({"enum": {choices}})",
    .schema = R"({"type": "array", "items": {entry}, "minItems": 1, "uniqueItems": true})",
    .written = Written::kList};

const OptionKind OptionKind::kNames{.read = read_names,
                                    .words = "name, title index, or list of them",
                                    .schema = R"({"oneOf": [{"type": "string", "minLength": 1},
                            {"type": "integer", "minimum": 1, "maximum": 4294967295},
                            {"type": "array", "items": {"oneOf": [
                                {"type": "string", "minLength": 1},
                                {"type": "integer", "minimum": 1, "maximum": 4294967295}]},
                             "minItems": 1}]})",
                                    .written = Written::kList};

const OptionKind OptionKind::kTexts{
    .read = read_list_of<read_entry>,
    .words = "text, or list of up to {max}",
    .entry = R"({"type": "string", "minLength": 1})",
    .schema = R"({"type": "array", "items": {entry}, "maxItems": {max}})"};

}  // namespace winperf
