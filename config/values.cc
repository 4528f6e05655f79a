#include "config/values.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "config/nearest.h"
#include "config/perfmon_path.h"
#include "config/quantity.h"

namespace winperf {
namespace {

using Result = std::expected<OptionValue, TextError>;

constexpr std::size_t kMaxNameBytes = 1024;

bool is_bare(const Node& node) { return node.kind == NodeKind::kScalar && !node.is_quoted; }
bool is_bare_boolean(const Node& node) {
  return is_bare(node) && (node.text == "true" || node.text == "false");
}
bool is_number_text(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.front() >= '0' && text.front() <= '9' &&
         text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}
// An IPv4 address looks like a number as well, so only what has at most one dot is one.
bool is_bare_number(const Node& node) {
  return is_bare(node) && is_number_text(node.text) &&
         std::count(node.text.begin(), node.text.end(), '.') <= 1;
}
// Quoted text, and bare text that JSON has no other meaning for ("no" and "on" are text).
bool is_text(const Node& node) {
  return node.kind == NodeKind::kScalar && !is_bare_boolean(node) && !is_bare_number(node);
}

std::string example(const Option& option) {
  if (!option.default_value.empty() && option.default_value != "[]") {
    return std::string(option.default_value);
  }
  switch (option.kind) {
    case OptionKind::kDuration:
      return "\"15s\"";
    case OptionKind::kPatterns:
      return "[\"C:\", \"D:\"]";
    case OptionKind::kInteger:
      return std::to_string(option.minimum);
    case OptionKind::kChoice:
      return in_quotes(option.choices.front());
    default:
      return "\"Memory\"";
  }
}

std::string assignment(const Option& option, std::string_view value) {
  return std::string(key_of(option)) + ": " + std::string(value);
}

// "listen.port" must be a whole number, not the text "abc": write, for example, port: 10182
std::unexpected<TextError> refused(const Option& option, const Node& node, std::string_view wanted,
                                   std::string_view advice = {}) {
  std::string message = in_quotes(option.path) + " must be " + std::string(wanted) + ", not " +
                        described(node) + ": write";
  message += advice.empty() ? ", for example, " + assignment(option, example(option))
                            : ' ' + std::string(advice);
  return std::unexpected(TextError{node.offset, std::move(message)});
}

std::unexpected<TextError> complaint(const Option& option, const Node& node,
                                     std::string_view message) {
  return std::unexpected(
      TextError{node.offset, in_quotes(option.path) + ' ' + std::string(message)});
}

OptionValue with_number(std::int64_t number) {
  OptionValue value;
  value.number = number;
  return value;
}

OptionValue with_text(std::string text) {
  OptionValue value;
  value.text = std::move(text);
  return value;
}

Result read_boolean(const Option& option, const Node& node) {
  if (is_bare_boolean(node)) {
    OptionValue value;
    value.flag = node.text == "true";
    return value;
  }
  const std::string word = ascii_lower(node.text);
  for (const std::string_view yes : {"true", "yes", "on", "y", "1", "enabled"}) {
    if (word == yes) return refused(option, node, "true or false", assignment(option, "true"));
  }
  for (const std::string_view no : {"false", "no", "off", "n", "0", "disabled"}) {
    if (word == no) return refused(option, node, "true or false", assignment(option, "false"));
  }
  return refused(option, node, "true or false");
}

Result read_integer(const Option& option, const Node& node) {
  const std::string wanted = "a whole number from " + std::to_string(option.minimum) + " to " +
                             std::to_string(option.maximum);
  const auto number =
      node.kind == NodeKind::kScalar ? parse_integer(node.text) : std::optional<std::int64_t>{};
  if (!number || *number < option.minimum || *number > option.maximum) {
    return refused(option, node, wanted);
  }
  if (node.is_quoted) {
    return refused(option, node, wanted,
                   assignment(option, std::to_string(*number)) + " without quotes");
  }
  return with_number(*number);
}

// What durations and sizes have in common.
struct Measure {
  std::optional<std::int64_t> (*parse)(std::string_view);
  std::string (*text)(std::int64_t);
  std::string_view wanted;
};

constexpr Measure kDurations{parse_duration_ms, duration_text,
                             "a duration such as \"500ms\", \"15s\" or \"1m\""};
constexpr Measure kSizes{parse_bytes, bytes_text, "a size such as \"512KiB\" or \"64MiB\""};

Result read_measure(const Option& option, const Node& node, const Measure& measure) {
  const auto amount =
      node.kind == NodeKind::kScalar ? measure.parse(node.text) : std::optional<std::int64_t>{};
  if (!amount) return refused(option, node, measure.wanted);
  if (*amount < option.minimum) {
    std::string wanted = "at least " + measure.text(option.minimum);
    if (!option.limit_reason.empty()) wanted += " (" + std::string(option.limit_reason) + ")";
    return refused(option, node, wanted);
  }
  if (*amount > option.maximum) {
    return refused(option, node, "at most " + measure.text(option.maximum));
  }
  return with_number(*amount);
}

// The error of a node that cannot be taken as text, if it cannot.
std::optional<TextError> text_problem(const Option& option, const Node& node,
                                      std::string_view wanted) {
  if (node.kind == NodeKind::kScalar && !is_text(node)) {
    return refused(option, node, wanted, in_quotes(node.text) + " in quotes").error();
  }
  if (node.kind != NodeKind::kScalar) return refused(option, node, wanted).error();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::any_of(node.text.begin(), node.text.end(), is_control)) {
    return complaint(option, node,
                     "holds a control character: write \\\\ for each backslash in \"...\"")
        .error();
  }
  return std::nullopt;
}

Result read_file_name(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "text")) return std::unexpected(*problem);
  if (std::cmp_greater(node.text.size(), option.maximum)) {
    return complaint(option, node,
                     "is too long: write at most " + std::to_string(option.maximum) + " bytes");
  }
  if (node.text.ends_with('/') || node.text.ends_with('\\')) {
    // Windows takes both, and only one of them needs to be doubled here.
    std::string file = node.text + "winperf_exporter.log";
    std::ranges::replace(file, '\\', '/');
    return refused(option, node, "the name of a file, not of a folder",
                   assignment(option, in_quotes(file)));
  }
  return with_text(node.text);
}

// Whether text that cannot be a host's name, because it has a colon or ends in a number, is an
// address: four numbers with dots, or what IPv6 addresses are made of.
bool is_address_or_name(std::string_view text) {
  if (text.find(':') != std::string_view::npos) {
    const std::string_view digits = text.substr(0, text.find('%'));
    return std::ranges::count(digits, ':') >= 2 &&
           digits.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  if (text.find_first_not_of("0123456789.") != std::string_view::npos) return true;
  int parts = 0;
  for (bool more = true; more; ++parts) {
    const std::size_t dot = text.find('.');
    const auto number = parse_integer(text.substr(0, dot));
    if (!number || *number > 255) return false;
    more = dot != std::string_view::npos;
    if (more) text.remove_prefix(dot + 1);
  }
  return parts == 4;
}

Result read_address(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "an address or host name";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const std::string& text = node.text;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && parse_integer(text.substr(colon + 1))) {
    const std::string host = colon == 0 ? "0.0.0.0" : text.substr(0, colon);
    return refused(option, node, "an address without a port",
                   assignment(option, in_quotes(host)) + ", port: " + text.substr(colon + 1));
  }
  if (const std::size_t end = text.find("]:");
      text.starts_with('[') && end != text.npos && end > 1) {
    return refused(
        option, node, "an address without brackets and port",
        assignment(option, in_quotes(text.substr(1, end - 1))) + ", port: " + text.substr(end + 2));
  }
  if (text.starts_with('[') && text.ends_with(']') && text.size() > 2) {
    return refused(option, node, "an address without brackets",
                   assignment(option, in_quotes(text.substr(1, text.size() - 2))));
  }
  const bool fits = !text.empty() && std::cmp_less_equal(text.size(), option.maximum) &&
                    text.find_first_of(" /[]*\"'@?#,;\\") == std::string::npos &&
                    is_address_or_name(text);
  if (!fits) return refused(option, node, kWanted);
  return with_text(text);
}

Result read_choice(const Option& option, const Node& node) {
  std::string wanted;
  for (const std::string_view choice : option.choices) {
    if (!wanted.empty()) wanted += choice == option.choices.back() ? " or " : ", ";
    wanted += in_quotes(choice);
  }
  if (node.kind != NodeKind::kScalar) return refused(option, node, wanted);
  const auto found = std::find(option.choices.begin(), option.choices.end(), node.text);
  if (found != option.choices.end()) return with_number(found - option.choices.begin());
  const std::string_view meant = nearest(node.text, option.choices);
  if (meant.empty()) return refused(option, node, wanted);
  return refused(option, node, wanted, assignment(option, in_quotes(meant)));
}

// A title index may be written as a number.
std::expected<std::string, TextError> read_name(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "a name or a title index";
  if (is_bare_number(node)) {
    const auto index = parse_integer(node.text);
    if (index && *index > 0 && *index <= std::numeric_limits<std::uint32_t>::max()) {
      return std::to_string(*index);
    }
    return refused(option, node, "a name or a title index from 1 to 4294967295");
  }
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  if (node.text.find_first_not_of(' ') == std::string::npos) return refused(option, node, kWanted);
  if (node.text.size() > kMaxNameBytes) {
    return complaint(option, node, "is longer than any name: write at most 1024 bytes");
  }
  if (const auto path = parse_perfmon_path(node.text)) {
    return complaint(
        option, node,
        "is the name of an object, not a counter's path: write " + as_counterset(*path));
  }
  return node.text;
}

Result read_names(const Option& option, const Node& node) {
  OptionValue value;
  if (node.kind != NodeKind::kSequence) {
    auto name = read_name(option, node);
    if (!name) return std::unexpected(name.error());
    value.names.push_back(*std::move(name));
    return value;
  }
  for (const Node& item : node.children) {
    auto name = read_name(option, item);
    if (!name) return std::unexpected(name.error());
    value.names.push_back(*std::move(name));
  }
  if (value.names.empty()) return refused(option, node, "at least one name");
  return value;
}

std::optional<TextError> add_pattern(const Option& option, const Node& node, OptionValue& value) {
  if (const auto problem = text_problem(option, node, "a regular expression")) return problem;
  auto pattern = Pattern::compile(node.text);
  if (!pattern) {
    const PatternError& error = pattern.error();
    const std::string wanted =
        "a regular expression (" + error.message + " at byte " + std::to_string(error.offset) + ")";
    constexpr std::string_view kAdvice =
        ".* for any text, and \\ before a character that stands for itself";
    return refused(option, node, wanted, kAdvice).error();
  }
  value.patterns.push_back(*std::move(pattern));
  return std::nullopt;
}

Result read_patterns(const Option& option, const Node& node) {
  OptionValue value;
  if (node.kind != NodeKind::kSequence) {
    if (const auto problem = add_pattern(option, node, value)) return std::unexpected(*problem);
    return value;
  }
  for (const Node& item : node.children) {
    if (const auto problem = add_pattern(option, item, value)) return std::unexpected(*problem);
  }
  return value;
}

}  // namespace

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

Result read_value(const Option& option, const Node& node) {
  switch (option.kind) {
    case OptionKind::kBoolean:
      return read_boolean(option, node);
    case OptionKind::kInteger:
      return read_integer(option, node);
    case OptionKind::kDuration:
      return read_measure(option, node, kDurations);
    case OptionKind::kBytes:
      return read_measure(option, node, kSizes);
    case OptionKind::kFile:
      return read_file_name(option, node);
    case OptionKind::kAddress:
      return read_address(option, node);
    case OptionKind::kChoice:
      return read_choice(option, node);
    case OptionKind::kNames:
      return read_names(option, node);
    case OptionKind::kPatterns:
      return read_patterns(option, node);
    case OptionKind::kSection:
    case OptionKind::kCountersets:
      break;
  }
  return complaint(option, node, "holds other keys");
}

}  // namespace winperf
