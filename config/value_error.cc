#include "config/value_error.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/web_options.h"

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

// A value to show for an option whose default says nothing.
std::string example(const Option& option) {
  if (!option.example.empty()) return in_quotes(option.example);
  if (!option.default_value.empty() && option.default_value != "[]") {
    return std::string(option.default_value);
  }
  switch (option.kind) {
    case OptionKind::kBoolean:
      return "true";
    case OptionKind::kDuration:
      return "\"15s\"";
    case OptionKind::kPatterns:
      return "[\"C:\", \"D:\"]";
    case OptionKind::kInteger:
      return std::to_string(option.minimum);
    case OptionKind::kChoice:
      return in_quotes(option.choices.front().word);
    case OptionKind::kWords:
      return '[' + in_quotes(option.choices.front().word) + ']';
    case OptionKind::kHosts:
      return "[\"metrics.example.com\"]";
    case OptionKind::kLabels:
      return "'pid_(?<process_id>\\d+)_.*'";
    case OptionKind::kCounter:
      return "\"% Processor Time\"";
    case OptionKind::kServices:
      return "[\"ContosoAgent\"]";
    default:
      return "\"Memory\"";
  }
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

bool may_hold_secrets(std::string_view path) { return path.starts_with(kWebSection); }

std::string described(std::string_view path, const Node& node) {
  const bool is_hidden = may_hold_secrets(path) && node.kind == NodeKind::kScalar;
  return is_hidden ? "what is there" : described(node);
}

std::unexpected<TextError> refused(const Option& option, const Node& node, std::string_view wanted,
                                   std::string_view advice) {
  std::string message = in_quotes(option.path) + " must be " + std::string(wanted) + ", not " +
                        described(option.path, node) + ": write";
  message += advice.empty() ? ", for example, " + assignment(option, example(option))
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
  if (node.kind == NodeKind::kScalar && !is_text(node) && may_hold_secrets(option.path))
    return refused(option, node, wanted, "it in quotes").error();
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

}  // namespace winperf
