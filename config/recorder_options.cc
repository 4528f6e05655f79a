// The part of the table of configuration keys that says what is remembered of the samples:
// "recorder" and the keys below it.
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "collectors/base/wording.h"
#include "config/check.h"
#include "config/patterns.h"
#include "config/values.h"

namespace winperf {
namespace {

constexpr std::string_view kBoundEntry = "recorder.captures.counters[]";
constexpr std::string_view kBoundExample =
    R"({path: '\Processor(_Total)\% Processor Time', above: 90})";
constexpr std::size_t kMostBounds = 50;

// Nothing if it isn't finite.
std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

ReadValue read_number(const Option& option, const Node& node) {
  const auto number =
      node.kind == NodeKind::kScalar ? number_in(node.text) : std::optional<double>();
  if (number && node.is_quoted)
    return refused(option, node, "a number", assignment(option, node.text) + " without quotes");
  if (!number || !is_bare_number(node)) return refused(option, node, "a number");
  return *number;
}

ReadValue read_counter_path(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "a perfmon path"))
    return std::unexpected(*problem);
  if (const auto problem = length_problem(option, node)) return std::unexpected(*problem);
  const auto path = parse_perfmon_path(node.text);
  if (!path || path->counter.empty()) return refused(option, node, "a perfmon path with a counter");
  CountersetConfig entry;
  if (const auto selected = select_path(entry, *path); !selected)
    return complaint(option, node, selected.error());
  return node.text;
}

ReadValue read_folder(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "the name of a folder";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  if (const auto problem = length_problem(option, node)) return std::unexpected(*problem);
  if (node.text.find_first_not_of(' ') == std::string::npos) return refused(option, node, kWanted);
  return node.text;
}

constexpr OptionKind kNumber{
    .read = read_number, .words = "number", .schema = R"({"type": "number"})", .example = "90"};

constexpr OptionKind kCounterPath{
    .read = read_counter_path,
    .words = "perfmon path",
    .schema = R"({"type": "string", "minLength": 3, "maxLength": {max}})",
    .example = R"('\Processor(_Total)\% Processor Time')"};

constexpr OptionKind kFolder{.read = read_folder,
                             .words = "text",
                             .schema = R"({"type": "string", "minLength": 1, "maxLength": {max}})",
                             .written = Written::kQuoted};

void check_bound(CheckContext& context, const Node& node) {
  CounterBound& bound = context.scope.draft.bound = {};
  if (node.kind != NodeKind::kMap)
    return context.complain(
        node.offset, "an entry of \"recorder.captures.counters\" must be an object, not " +
                         described(node) + "; write, for example, " + std::string(kBoundExample));
  const std::size_t errors_before = context.errors.size();
  check_keys(context, kBoundEntry, node);
  const Option& path = *find_option(kBoundEntry, "path");
  if (child_of(node, "path") == nullptr)
    context.complain(node.offset, "this counter has no path; write, for example, " +
                                      assignment(path, example_of(path)));
  const bool has_above = child_of(node, "above") != nullptr;
  const bool has_below = child_of(node, "below") != nullptr;
  if (has_above && has_below)
    context.complain(node.offset,
                     "this counter has both above and below; write an entry for each of them");
  if (!has_above && !has_below)
    context.complain(node.offset,
                     "this counter has no bound; write, for example, above: 90, or below: 10");
  if (context.errors.size() == errors_before)
    context.config().recorder.captures.counters.push_back(std::move(bound));
}

void check_bounds(CheckContext& context, const Option& option, const Node& node) {
  if (node.kind != NodeKind::kSequence)
    return context.complain(
        node.offset, in_quotes(option.path) + " must be a list of objects, not " + described(node) +
                         "; write, for example, [" + std::string(kBoundExample) + ']');
  const auto limit = static_cast<std::size_t>(option.takes.maximum);
  if (node.children.size() > limit)
    return context.complain(node.children[limit].offset, in_quotes(option.path) + " has " +
                                                             std::to_string(node.children.size()) +
                                                             " entries; write at most " +
                                                             std::to_string(limit));
  for (const Node& item : node.children) check_bound(context, item);
}

template <auto kMember>
constexpr auto kSetCaptures = set<&Config::recorder, &RecorderConfig::captures, kMember>;

constexpr Option kRecorderOptions[] = {
    Option(
        "recorder", {}, "",
        "Keeps samples of this machine, and of targets, in memory, for what the API shows of the "
        "past. A restart forgets them."),
    Option("recorder.memory", {OptionKind::kBytes, 0, kGib}, "",
           "The memory that these samples may take. It is allocated as it fills; then the oldest "
           "samples go. 0: none are kept. Default: 16MiB, or 4MiB if the machine has less than "
           "2 GiB.",
           set<&Config::recorder, &RecorderConfig::memory_bytes>, "", "64MiB"),
    Option("recorder.targets", {OptionKind::kTargetHosts, kMaxHosts}, "[]",
           "The targets of which samples are kept, too: names or patterns that match the name of a "
           "machine in targets. The memory is divided equally between them and this machine.",
           set<&Config::recorder, &RecorderConfig::targets>, R"(["srv-1", "web-*"])"),
    Option("recorder.owners", OptionKind::kBoolean, "true",
           "Also keep the owners and command lines of processes, for as long as their samples, if "
           "facts has processes.",
           set<&Config::recorder, &RecorderConfig::owners>),
    Option(
        "recorder.captures", {}, "",
        "Captures of these samples that the exporter writes by itself, when one of the first three "
        "keys says so. At most three files and 64 MiB are kept; the oldest goes."),
    Option("recorder.captures.counterset_fails", OptionKind::kBoolean, "false",
           "When a counterset that could be read begins to fail.",
           kSetCaptures<&CapturesConfig::counterset_fails>),
    Option("recorder.captures.service_stops", OptionKind::kBoolean, "false",
           "When the service stops, for any reason but a crash.",
           kSetCaptures<&CapturesConfig::service_stops>),
    Option("recorder.captures.counters",
           {OptionKind::kCounterBounds, static_cast<std::int64_t>(kMostBounds)}, "[]",
           "When a counter crosses a bound: a list of objects with the keys below."),
    Option("recorder.captures.counters[].path", {kCounterPath, 1000}, "",
           "Perfmon path of a counter that is sampled. The names of instance and counter may have "
           "*; one value beyond the bound is enough. Required.",
           set<&CounterBound::path>),
    Option("recorder.captures.counters[].above", kNumber, "",
           "The bound, if the value as in perfmon must not be higher. Either this or below is "
           "required.",
           set<&CounterBound::above>),
    Option("recorder.captures.counters[].below", kNumber, "",
           "The bound, if the value must not be lower.", set<&CounterBound::below>, "10"),
    Option("recorder.captures.span", {OptionKind::kDuration, kMinute, 24 * kHour}, "\"15m\"",
           "How far a capture reaches back.", kSetCaptures<&CapturesConfig::span>),
    Option("recorder.captures.folder", {kFolder, 1024}, "\"logs\"",
           "The folder of these files. A relative path starts at the folder of this file. It is "
           "created if necessary, like that of a log file.",
           kSetCaptures<&CapturesConfig::folder>),
};

}  // namespace

std::span<const Option> recorder_options() { return kRecorderOptions; }

void check_captures(CheckContext& context, const Node& root) {
  const Node* const captures = child_of(root, "recorder", "captures");
  const RecorderConfig& recorder = context.config().recorder;
  if (captures == nullptr || !recorder.captures.is_on() || recorder.memory_bytes != 0) return;
  context.complain(captures->offset,
                   in_quotes("recorder.captures") + " need samples, and " +
                       in_quotes("recorder.memory") +
                       " is 0, so none are kept; write, for example, memory: \"16MiB\", or leave "
                       "that key out");
}

const OptionKind OptionKind::kCounterBounds{.check = check_bounds,
                                            .words = "list of up to {max}",
                                            .schema =
                                                R"({"type": "array", "maxItems": {max}, "items":
            {"type": "object", "additionalProperties": false, "properties": {entries},
             "required": ["path"],
             "oneOf": [{"required": ["above"]}, {"required": ["below"]}]}})"};

}  // namespace winperf
