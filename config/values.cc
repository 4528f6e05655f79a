#include "config/values.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/host_port.h"
#include "config/metric_names.h"
#include "config/perfmon_path.h"
#include "config/quantity.h"
#include "config/targets.h"
#include "config/value_error.h"
#include "config/web_values.h"

namespace winperf {

std::expected<std::string, TextError> read_target_host(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "the name or address of a machine";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const std::string& text = node.text;
  const auto reason = why_no_target_name(text);
  if (!reason) return text;
  if (text.starts_with("\\\\") && !why_no_target_name(std::string_view(text).substr(2)))
    return refused(option, node, "a name without backslashes",
                   assignment(option, in_quotes(text.substr(2))));
  if (const auto parts = split_host_port(text); parts && !why_no_target_name(parts->host))
    return refused(option, node, "a name without a port, because Windows chooses it",
                   assignment(option, in_quotes(parts->host)));
  return complaint(option, node,
                   "has " + described(node) + ", which can't be a machine's name: " + *reason +
                       "; write, for example, " + assignment(option, in_quotes(option.example)));
}

std::expected<OptionValue, TextError> read_word(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "a word of letters, digits, ., _ and -";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const auto is_usual = [](char c) {
    return is_letter_or_digit(c) || std::string_view("._-").contains(c);
  };
  const std::string& text = node.text;
  if (text.empty() || std::cmp_greater(text.size(), option.maximum) ||
      !std::ranges::all_of(text, is_usual))
    return refused(option, node, kWanted);
  return text;
}

namespace {

using Result = std::expected<OptionValue, TextError>;
using Problem = std::optional<std::string> (*)(std::string_view);
Result read_identifier(const Option& option, const Node& node, Problem problem_of) {
  if (const auto problem = text_problem(option, node, "a name")) return std::unexpected(*problem);
  if (const auto problem = problem_of(node.text))
    return std::unexpected(TextError{node.offset, *problem});
  return node.text;
}

}  // namespace

Result read_metric_name(const Option& option, const Node& node) {
  return read_identifier(option, node, metric_name_problem);
}

Result read_label_name(const Option& option, const Node& node) {
  return read_identifier(option, node, label_name_problem);
}

Result read_fixed_labels(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kMap)
    return refused(option, node, "an object of labels and their values",
                   "labels: {direction: \"in\"}");
  if (std::cmp_greater(node.children.size(), option.maximum))
    return complaint(option, node,
                     "has " + std::to_string(node.children.size()) + " labels: write at most " +
                         std::to_string(option.maximum));
  FixedLabels labels;
  for (const Node& child : node.children) {
    if (const auto problem = label_name_problem(child.key))
      return std::unexpected(TextError{child.key_offset, *problem});
    if (const auto problem = text_problem(option, child, "text")) return std::unexpected(*problem);
    if (child.text.size() > kMaxNameBytes)
      return complaint(option, child, "has a value that is too long: write at most 1024 bytes");
    labels.push_back({child.key, child.text});
  }
  std::ranges::sort(labels);
  return labels;
}

namespace {

using Result = std::expected<OptionValue, TextError>;

Result read_boolean(const Option& option, const Node& node) {
  if (is_bare_boolean(node)) return node.text == "true";
  const std::string word = ascii_lower(node.text);
  // exporter-toolkit reads YAML 1.1.
  if (may_hold_secrets(option.path) && node.kind == NodeKind::kScalar && !node.is_quoted) {
    if (word == "true" || word == "yes" || word == "on" || word == "y") return true;
    if (word == "false" || word == "no" || word == "off" || word == "n") return false;
  }
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
  return *number;
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
  auto amount =
      node.kind == NodeKind::kScalar ? measure.parse(node.text) : std::optional<std::int64_t>{};
  // Of a web configuration, one of Go.
  if (!amount && node.kind == NodeKind::kScalar && may_hold_secrets(option.path))
    amount = parse_short_duration_ms(node.text);
  if (!amount) return refused(option, node, measure.wanted);
  if (*amount < option.minimum) {
    std::string wanted = "at least " + measure.text(option.minimum);
    if (!option.limit_reason.empty()) wanted += " (" + std::string(option.limit_reason) + ")";
    return refused(option, node, wanted);
  }
  if (*amount > option.maximum) {
    return refused(option, node, "at most " + measure.text(option.maximum));
  }
  return *amount;
}

Result read_file_name(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "text")) return std::unexpected(*problem);
  if (std::cmp_greater(node.text.size(), option.maximum)) {
    return complaint(option, node,
                     "is too long: write at most " + std::to_string(option.maximum) + " bytes");
  }
  if (node.text.ends_with('/') || node.text.ends_with('\\')) {
    // Windows accepts both slashes, and only the backslash would have to be doubled here.
    std::string file = node.text + std::string(option.example);
    std::ranges::replace(file, '\\', '/');
    return refused(option, node, "the name of a file, not of a folder",
                   assignment(option, in_quotes(file)));
  }
  return node.text;
}

// What to write instead; in a list, the entry alone.
std::string correction(const Option& option, std::string_view value) {
  const bool is_in_list = option.kind == OptionKind::kHosts || option.kind == OptionKind::kWords;
  return is_in_list ? std::string(value) : assignment(option, value);
}

std::expected<std::string, TextError> read_host(const Option& option, const Node& node) {
  const bool has_port = option.kind == OptionKind::kAddress;  // in a key of its own
  const std::string noun = has_port ? "an address" : "a host name";
  const std::string wanted =
      has_port ? "an address or host name" : "a host name or address, without http:// and port";
  if (const auto problem = text_problem(option, node, wanted)) return std::unexpected(*problem);
  const std::string& text = node.text;
  if (const auto parts = split_host_port(text); parts && (has_port || !parts->host.empty())) {
    const std::string host = in_quotes(parts->host.empty() ? "::" : parts->host);
    return refused(
        option, node,
        noun + (text.starts_with('[') ? " without brackets and port" : " without a port"),
        correction(option, host) + (has_port ? ", port: " + parts->port : ""));
  }
  if (text.starts_with('[') && text.ends_with(']') && text.size() > 2) {
    return refused(option, node, noun + " without brackets",
                   correction(option, in_quotes(text.substr(1, text.size() - 2))));
  }
  if (!is_host(text)) return refused(option, node, wanted);
  return text;
}

std::expected<Enumerator, TextError> read_choice(const Option& option, const Node& node) {
  std::vector<std::string_view> words;
  std::string wanted;
  for (const Choice& choice : option.choices) {
    const bool is_last = words.size() + 1 == option.choices.size();
    if (!words.empty()) wanted += is_last ? " or " : ", ";
    wanted += in_quotes(choice.word);
    words.push_back(choice.word);
  }
  if (node.kind != NodeKind::kScalar) return refused(option, node, wanted);
  const auto found = std::ranges::find(option.choices, node.text, &Choice::word);
  if (found != option.choices.end()) return found->value;
  const std::string_view meant = nearest(node.text, words);
  if (meant.empty()) return refused(option, node, wanted);
  return refused(option, node, wanted, correction(option, in_quotes(meant)));
}

// A single value stands for a list of one.
std::span<const Node> items_of(const Node& node) {
  if (node.kind == NodeKind::kSequence) return node.children;
  return {&node, 1};
}

Result read_words(const Option& option, const Node& node) {
  Words words;
  for (const Node& item : items_of(node)) {
    const auto word = read_choice(option, item);
    if (!word) return std::unexpected(word.error());
    const bool is_new = std::ranges::find(words, *word) == words.end();
    if (!is_new && may_hold_secrets(option.path)) continue;  // as exporter-toolkit
    if (!is_new) return complaint(option, item, "has " + in_quotes(item.text) + " twice: keep one");
    words.push_back(*word);
  }
  if (words.empty() && option.default_value != "[]")
    return refused(option, node, "at least one word");
  std::ranges::sort(words);
  return words;
}

// A key of the registry has no longer name, and none with a backslash.
std::expected<std::string, TextError> read_service(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "the name of a service";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const std::string& text = node.text;
  if (text.empty() || std::cmp_greater(text.size(), kMaxServiceBytes) ||
      text.find('\\') != std::string::npos)
    return refused(option, node, kWanted);
  return text;
}

using ReadName = std::expected<std::string, TextError> (*)(const Option&, const Node&);
// As many as the option allows.
Result read_several(const Option& option, const Node& node, ReadName read) {
  const std::span<const Node> items = items_of(node);
  if (std::cmp_greater(items.size(), option.maximum)) {
    return complaint(option, node,
                     "has " + std::to_string(items.size()) + " names: write at most " +
                         std::to_string(option.maximum));
  }
  Names names;
  for (const Node& item : items) {
    auto name = read(option, item);
    if (!name) return std::unexpected(name.error());
    names.push_back(*std::move(name));
  }
  return names;
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
  if (const auto problem = name_problem(node.text)) return complaint(option, node, *problem);
  return node.text;
}

Result read_names(const Option& option, const Node& node) {
  Names names;
  for (const Node& item : items_of(node)) {
    auto name = read_name(option, item);
    if (!name) return std::unexpected(name.error());
    names.push_back(*std::move(name));
  }
  if (names.empty()) return refused(option, node, "at least one name");
  return names;
}

std::expected<Pattern, TextError> read_pattern(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "a regular expression"))
    return std::unexpected(*problem);
  auto pattern = Pattern::compile(node.text);
  if (pattern) return *std::move(pattern);
  const PatternError& error = pattern.error();
  const std::string wanted =
      "a regular expression (" + error.message + " at byte " + std::to_string(error.offset) + ")";
  constexpr std::string_view kAdvice =
      ".* for any text, and \\ before a character that stands for itself";
  return refused(option, node, wanted, kAdvice);
}

Result read_patterns(const Option& option, const Node& node) {
  Patterns patterns;
  for (const Node& item : items_of(node)) {
    auto pattern = read_pattern(option, item);
    if (!pattern) return std::unexpected(pattern.error());
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

// The names that metrics give to labels of their own accord, and Prometheus when it scrapes.
constexpr std::string_view kTakenLabels[] = {"af", "instance", "job", "le", "machine", "quantile"};

// What is wrong with a group as a label, or nothing.
std::optional<std::string> label_problem(const std::string& group) {
  const bool is_name =
      std::ranges::all_of(group, [](char c) { return is_letter_or_digit(c) || c == '_'; });
  if (!is_name || group.starts_with("__"))
    return "has a group " + in_quotes(group) +
           ", which can't be a label: write letters, digits and single underscores";
  if (std::ranges::find(kTakenLabels, group) != std::end(kTakenLabels))
    return "has a group " + in_quotes(group) +
           ", but that label has another meaning: write another name";
  return std::nullopt;
}

Result read_labels(const Option& option, const Node& node) {
  auto pattern = read_pattern(option, node);
  if (!pattern) return std::unexpected(pattern.error());
  const std::vector<std::string> groups = pattern->groups();
  if (groups.empty())
    return complaint(option, node,
                     "has no named group, so it gives no label: write, for example, "
                     "'pid_(?<process_id>\\d+)_.*'");
  for (const std::string& group : groups)
    if (const auto problem = label_problem(group)) return complaint(option, node, *problem);
  return Labels(*std::move(pattern));
}

Result read_counter(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "the name of a counter";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  if (node.text.find_first_not_of(' ') == std::string::npos ||
      std::cmp_greater(node.text.size(), option.maximum))
    return refused(option, node, kWanted);
  return node.text;
}

// As many bytes as a name has at most.
std::expected<std::string, TextError> read_entry(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "text";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  if (node.text.empty() || node.text.size() > kMaxNameBytes) return refused(option, node, kWanted);
  return node.text;
}

Result read_url_path(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "a path")) return std::unexpected(*problem);
  if (const auto problem = metrics_path_problem(node.text))
    return complaint(option, node, *problem);
  return node.text;
}

Result read_text(const Option& option, const Node& node) {
  // exporter-toolkit takes a number for its text.
  const bool is_number = may_hold_secrets(option.path) && is_bare_number(node);
  if (is_number) return node.text;
  if (const auto problem = text_problem(option, node, "text")) return std::unexpected(*problem);
  if (std::cmp_greater(node.text.size(), option.maximum))
    return complaint(option, node,
                     "is too long: write at most " + std::to_string(option.maximum) + " bytes");
  return node.text;
}

}  // namespace

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
      return read_host(option, node);
    case OptionKind::kHosts:
      return read_several(option, node, read_host);
    case OptionKind::kServices:
      return read_several(option, node, read_service);
    case OptionKind::kTargetHosts:
      return read_several(option, node, read_target_host);
    case OptionKind::kWord:
      return read_word(option, node);
    case OptionKind::kChoice:
      return read_choice(option, node);
    case OptionKind::kWords:
      return read_words(option, node);
    case OptionKind::kNames:
      return read_names(option, node);
    case OptionKind::kPatterns:
      return read_patterns(option, node);
    case OptionKind::kLabels:
      return read_labels(option, node);
    case OptionKind::kCounter:
      return read_counter(option, node);
    case OptionKind::kMetricName:
      return read_metric_name(option, node);
    case OptionKind::kLabelName:
      return read_label_name(option, node);
    case OptionKind::kFixedLabels:
      return read_fixed_labels(option, node);
    case OptionKind::kUrlPath:
      return read_url_path(option, node);
    case OptionKind::kText:
      return read_text(option, node);
    case OptionKind::kTexts:
      return read_several(option, node, read_entry);
    case OptionKind::kPem:
      return read_pem(option, node);
    case OptionKind::kUsers:
      return read_users(option, node);
    case OptionKind::kSection:
    case OptionKind::kListen:
    case OptionKind::kCountersets:
    case OptionKind::kFacts:
    case OptionKind::kMetrics:
    case OptionKind::kTargets:
      break;
  }
  return complaint(option, node, "holds other keys, not a value");
}

}  // namespace winperf
