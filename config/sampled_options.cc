// The part of the table of configuration keys that says what is read: "countersets", "facts" and
// "targets", and what begins with them.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/host_port.h"
#include "config/option_rows.h"
#include "config/targets.h"
#include "config/values.h"

namespace winperf {
namespace {

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

ReadValue read_patterns(const Option& option, const Node& node) {
  Patterns patterns;
  for (const Node& item : items_of(node)) {
    auto pattern = read_pattern(option, item);
    if (!pattern) return std::unexpected(pattern.error());
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

// The names that metrics give to labels of their own accord, and Prometheus when it scrapes.
constexpr std::string_view kLabelsOfPatterns[] = {"af", "instance", "job",
                                                  "le", "machine",  "quantile"};

// What is wrong with a group as a label, or nothing.
std::optional<std::string> label_problem(const std::string& group) {
  const bool is_name =
      std::ranges::all_of(group, [](char c) { return is_letter_or_digit(c) || c == '_'; });
  if (!is_name || group.starts_with("__"))
    return "has a group " + in_quotes(group) +
           ", which can't be a label: write letters, digits and single underscores";
  if (std::ranges::find(kLabelsOfPatterns, group) != std::end(kLabelsOfPatterns))
    return "has a group " + in_quotes(group) +
           ", but that label has another meaning: write another name";
  return std::nullopt;
}

ReadValue read_labels(const Option& option, const Node& node) {
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

ReadValue read_counter(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "the name of a counter";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  if (node.text.find_first_not_of(' ') == std::string::npos ||
      std::cmp_greater(node.text.size(), option.takes.maximum))
    return refused(option, node, kWanted);
  return node.text;
}

// What is wrong with a name, or nothing.
using Problem = std::optional<std::string> (*)(std::string_view);
template <Problem kProblemOf>
ReadValue read_name(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "a name")) return std::unexpected(*problem);
  if (const auto problem = kProblemOf(node.text))
    return std::unexpected(TextError{node.offset, *problem});
  return node.text;
}

ReadValue read_fixed_labels(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kMap)
    return refused(option, node, "an object of labels and their values",
                   "labels: {direction: \"in\"}");
  if (std::cmp_greater(node.children.size(), option.takes.maximum))
    return complaint(option, node,
                     "has " + std::to_string(node.children.size()) + " labels: write at most " +
                         std::to_string(option.takes.maximum));
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

ReadValue read_module(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "a word of letters, digits, ., _ and -";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const auto is_usual = [](char c) {
    return is_letter_or_digit(c) || std::string_view("._-").contains(c);
  };
  const std::string& text = node.text;
  if (text.empty() || std::cmp_greater(text.size(), option.takes.maximum) ||
      !std::ranges::all_of(text, is_usual))
    return refused(option, node, kWanted);
  return text;
}

constexpr OptionKind kPatterns{.read = read_patterns,
                               .words = "regular expression, or list of them",
                               .entry = R"({"type": "string"})",
                               .schema = R"({"type": "array", "items": {entry}})",
                               .example = "[\"C:\", \"D:\"]"};

constexpr OptionKind kLabels{.read = read_labels,
                             .words = "regular expression",
                             .schema = R"({"type": "string", "minLength": 1})",
                             .example = R"('pid_(?<process_id>\d+)_.*')"};

constexpr OptionKind kCounter{.read = read_counter,
                              .words = "counter's name",
                              .schema = R"({"type": "string", "minLength": 1, "maxLength": {max}})",
                              .example = "\"% Processor Time\""};

constexpr OptionKind kMetricName{
    .read = read_name<metric_name_problem>,
    .words = "metric's name",
    .schema = R"({"type": "string", "maxLength": {max}, "pattern": "^[A-Za-z_:][A-Za-z0-9_:]*$"})"};

constexpr OptionKind kLabelName{
    .read = read_name<label_name_problem>,
    .words = "label's name",
    .schema = R"({"type": "string", "maxLength": {max}, "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})"};

constexpr OptionKind kFixedLabels{.read = read_fixed_labels,
                                  .words = "object: labels and values",
                                  .schema = R"({"type": "object", "maxProperties": {max},
                  "additionalProperties": {"type": "string", "maxLength": 1024}})"};

constexpr OptionKind kTargetHosts{
    .read = read_list_of<read_target_host>,
    .words = "name or pattern, or list of up to {max}",
    .entry = R"({"type": "string", "minLength": 1, "maxLength": 255})",
    .schema = R"({"type": "array", "items": {entry}, "maxItems": {max}})"};

constexpr OptionKind kModule{
    .read = read_module,
    .words = "word",
    .schema = R"({"type": "string", "maxLength": {max}, "pattern": "^[A-Za-z0-9._-]+$"})"};

constexpr Choice kMetricTypes[] = {{"counter", CustomType::kCounter},
                                   {"gauge", CustomType::kGauge}};
constexpr Choice kMetricValues[] = {{"raw", CustomValue::kRaw}, {"cooked", CustomValue::kCooked}};

constexpr auto kTopics = [] {
  std::array<Choice, kFactTopicCount> choices;
  std::ranges::transform(kFactTopics, choices.begin(),
                         [](const FactTopicInfo& info) { return Choice(info.name, info.topic); });
  return choices;
}();

constexpr std::int64_t kMaxModuleBytes = 64;
constexpr std::int64_t kMaxTargetLabels = 32;
constexpr std::int64_t kMaxRemoteWorkers = 64;

constexpr Option kOptions[] = {
    {.path = "countersets",
     .takes = {OptionKind::kCountersets},
     .description =
         "The countersets to sample: a list of names, and of objects with the keys below. If the "
         "key is missing: Processor Information (or Processor if the machine lacks it), Memory, "
         "LogicalDisk, PhysicalDisk, Network Interface, System, Process and TCPv4. [] samples "
         "none, "
         "if facts are read."},
    {.path = "countersets[].name",
     .takes = {OptionKind::kNames},
     .description =
         "The counterset's name, its title index, or the GUID of a V2 counterset; or a list of "
         "alternatives, of which the first one that the machine has is used. Or a path as perfmon "
         "writes it, which also selects instances and a counter. A name or a path with * stands "
         "for every counterset that it matches, now or later, but for those that are expensive to "
         "collect. Required.",
     .shown = R"(["Processor Information", "Processor"])",
     .assign = set<&CountersetConfig::names>},
    {.path = "countersets[].except",
     .takes = {OptionKind::kNames},
     .description =
         "Of a pattern: the countersets that it leaves out, by name, title index, GUID or "
         "pattern. Default: none.",
     .shown = R"(["Thread"])",
     .assign = set<&CountersetConfig::except>},
    {.path = "countersets[].costly",
     .takes = {OptionKind::kBoolean},
     .default_value = "false",
     .description = "Whether a pattern also stands for objects that are expensive to collect "
                    "(\"Costly\"). Each look for what it stands for then asks all providers for "
                    "them, which may take minutes where Windows has no metadata.",
     .assign = set<&CountersetConfig::costly>},
    {.path = "countersets[].interval",
     .takes = {OptionKind::kDuration, kSecond, kHour, kIntervalFloor},
     .description = "Sampling interval of this counterset. Default: the interval above.",
     .assign = set<&CountersetConfig::interval>},
    {.path = "countersets[].stale_after",
     .takes = {OptionKind::kDuration, 2 * kSecond, 24 * kHour},
     .description = "How old values of this counterset may get before they are no longer shown; "
                    "longer than its interval. Default: stale_after above.",
     .assign = set<&CountersetConfig::stale_after>},
    {.path = "countersets[].path",
     .takes = {OptionKind::kChoice, kPaths},
     .description = "Which API this counterset is read through. Default: the path above.",
     .assign = set<&CountersetConfig::path>},
    {.path = "countersets[].instances",
     .description = "Which instances to sample, and how they are labelled."},
    {.path = "countersets[].instances.include",
     .takes = {kPatterns},
     .default_value = "[]",
     .description = "Regular expressions. An instance is sampled if at least one of them matches "
                    "its whole name; an empty list matches all instances.",
     .shown = R"(["C:", "D:"])",
     .assign = set<&CountersetConfig::instances, &Filter::include>},
    {.path = "countersets[].instances.exclude",
     .takes = {kPatterns},
     .default_value = "[]",
     .description = "Regular expressions. An instance is left out if any of them matches its whole "
                    "name, even if include matches, too.",
     .shown = R"(["(?i)svchost"])",
     .assign = set<&CountersetConfig::instances, &Filter::exclude>},
    {.path = "countersets[].instances.id",
     .takes = {OptionKind::kInteger, 0, 4'294'967'294},
     .description = "Only the instance with this number: the instance id in a V2 counterset, or "
                    "the unique id in an object that has such ids. Default: all instances.",
     .assign = set<&CountersetConfig::instance_id>},
    {.path = "countersets[].instances.max",
     .takes = {OptionKind::kInteger, 1, 1'000'000},
     .description = "How many instances are sampled at most, beside _Total: those with the most of "
                    "the counter in by, or the first ones. Default: all instances.",
     .shown = R"(20)",
     .assign = set<&CountersetConfig::max_instances>},
    {.path = "countersets[].instances.by",
     .takes = {kCounter, 1024},
     .description = "The counter by whose values max chooses, by name. It is sampled even if "
                    "counters would leave it out. Default: the first instances are chosen.",
     .assign = set<&CountersetConfig::ranked_by>},
    {.path = "countersets[].instances.labels",
     .takes = {kLabels},
     .description =
         "A regular expression with named groups. If it matches an instance's whole name, the text "
         "of each group becomes a label with the group's name. A group with the name of the label "
         "that names instances replaces its value. Default: no further labels.",
     .assign = set<&CountersetConfig::label_pattern>},
    {.path = "countersets[].counters", .description = "Which counters to sample, by name."},
    {.path = "countersets[].counters.include",
     .takes = {kPatterns},
     .default_value = "[]",
     .description = "The same as for instances.",
     .shown = R"(["% Processor Time", "Working Set.*"])",
     .assign = set<&CountersetConfig::counters, &Filter::include>},
    {.path = "countersets[].counters.exclude",
     .takes = {kPatterns},
     .default_value = "[]",
     .description = "The same as for instances.",
     .assign = set<&CountersetConfig::counters, &Filter::exclude>},
    {.path = "countersets[].instance_label",
     .takes = {kLabelName, 200},
     .default_value = "\"instance\"",
     .description = "The label that names the instance in the metrics below.",
     .assign = set<&CountersetConfig::instance_label>},
    {.path = "countersets[].metrics",
     .takes = {OptionKind::kMetrics, 1000},
     .description =
         "Metrics with names of your own, beside those of metrics.profiles: a list of objects with "
         "the keys below. Instances that add up others, such as _Total, are left out unless "
         "instances.include selects them. Default: none."},
    {.path = "countersets[].metrics[].counter",
     .takes = {kCounter, 1024},
     .description = "The counter, by name. It is sampled only if counters doesn't leave it out. "
                    "Required.",
     .assign = set<&CustomMetric::counter>},
    {.path = "countersets[].metrics[].name",
     .takes = {kMetricName, 200},
     .description = "The metric's name, which is used as it is. Several metrics may share one if "
                    "their labels differ. Required.",
     .shown = R"("my_threads")",
     .assign = set<&CustomMetric::name>},
    {.path = "countersets[].metrics[].labels",
     .takes = {kFixedLabels, 32},
     .description = "Labels of each series, with their values. Default: none.",
     .shown = R"({team: "a"})",
     .assign = set<&CustomMetric::labels>},
    {.path = "countersets[].metrics[].type",
     .takes = {OptionKind::kChoice, kMetricTypes},
     .description = "The metric's type. Default: a counter if the number only grows, else a gauge.",
     .assign = set<&CustomMetric::type>},
    {.path = "countersets[].metrics[].value",
     .takes = {OptionKind::kChoice, kMetricValues},
     .default_value = "\"raw\"",
     .description = "raw: the counter's number as Windows keeps it, timers of 100 ns in seconds. "
                    "cooked: the number that perfmon computes between two samples, as a gauge.",
     .assign = set<&CustomMetric::value>},
    {.path = "facts",
     .takes = {OptionKind::kFacts, kTopics},
     .description =
         "What is read that is not a counter, such as the version of Windows, services and "
         "volumes: a list of topics, and of objects with the keys below. [] reads nothing. If "
         "the key is missing: every topic but dns_statistics, dhcp_scopes, processes and textfile. "
         "Topics whose metrics no profile has are not read."},
    {.path = "facts[].name",
     .takes = {OptionKind::kChoice, kTopics},
     .description = "The topic. docs/facts.md says what each one tells. Required.",
     .shown = R"("services")",
     .assign = set<&FactConfig::topic>},
    {.path = "facts[].interval",
     .takes = {OptionKind::kDuration, kSecond, 24 * kHour},
     .description = "How often this topic is read. Default: 15s, or 1m for what seldom changes.",
     .assign = set<&FactConfig::interval>},
    {.path = "facts[].include",
     .takes = {kPatterns},
     .default_value = "[]",
     .description = "Regular expressions. Of a topic about several things, such as services, those "
                    "are shown whose whole name at least one of them matches; an empty list "
                    "matches all.",
     .shown = R"(["(?i)sql.*"])",
     .assign = set<&FactConfig::rows, &Filter::include>},
    {.path = "facts[].exclude",
     .takes = {kPatterns},
     .default_value = "[]",
     .description = "Regular expressions. Those whose whole name any of them matches are not "
                    "shown, even if include matches, too.",
     .assign = set<&FactConfig::rows, &Filter::exclude>},
    {.path = "facts[].folders",
     .takes = {OptionKind::kTexts, kMaxFactFolders},
     .description =
         "Of textfile: the folders whose *.prom files are read; a relative path starts at "
         "the folder of this file. Required there.",
     .shown = R"(['C:\ProgramData\winperf_exporter\textfile'])",
     .assign = set<&FactConfig::folders>},
    {.path = "remote", .description = "How the targets below are read."},
    {.path = "remote.workers",
     .takes = {OptionKind::kInteger, 1, kMaxRemoteWorkers},
     .default_value = "8",
     .description = "How many processes share the targets. Up to 8 more read those that hang.",
     .assign = set<&Config::remote, &RemoteConfig::workers>},
    {.path = "targets",
     .takes = {OptionKind::kTargets, kMaxTargetEntries},
     .default_value = "[]",
     .description = "Other Windows machines whose counters are read, too: a list of objects with "
                    "the keys below. docs/remote.md says what they need."},
    {.path = "targets[].host",
     .takes = {kTargetHosts, kMaxHosts},
     .description = "The machine's name or address, or a list of them. One with * or ? is a "
                    "pattern, in which neither stands for a dot: whoever matches it is read from "
                    "its first probe until 10 minutes "
                    "after its last one. Required.",
     .example = "srv-1",
     .shown = R"(["srv-1", "web-*"])",
     .assign = set<&TargetConfig::hosts>},
    {.path = "targets[].module",
     .takes = {kModule, kMaxModuleBytes},
     .default_value = "\"default\"",
     .description = "Tells several entries for the same machine apart: /probe?target=HOST&module="
                    "NAME.",
     .assign = set<&TargetConfig::module>},
    {.path = "targets[].interval",
     .takes = {OptionKind::kDuration, kSecond, kHour, kIntervalFloor},
     .default_value = "\"15s\"",
     .description = "How often its countersets are sampled that don't set their own interval.",
     .assign = set<&Config::interval>},
    {.path = "targets[].stale_after",
     .takes = {OptionKind::kDuration, 2 * kSecond, 24 * kHour},
     .description = "The age at which its values are too old to be shown; longer than the "
                    "interval. Default: two and a half intervals.",
     .assign = set<&Config::stale_after>},
    {.path = "targets[].path",
     .takes = {OptionKind::kChoice, kPaths},
     .default_value = "\"registry\"",
     .description = "How its counters are read. registry needs the SMB port there; auto and "
                    "perflib need RPC's ports, too, and read V2 countersets directly.",
     .assign = set<&Config::path>},
    {.path = "targets[].language",
     .takes = {OptionKind::kChoice, kLanguages},
     .default_value = "\"english\"",
     .description = "In which language, besides English, its countersets and counters may be named "
                    "here: machine means that machine's own.",
     .assign = set<&Config::language>},
    {.path = "targets[].labels",
     .takes = {kFixedLabels, kMaxTargetLabels},
     .default_value = "{}",
     .description = "Labels that Prometheus' service discovery (/api/v1/targets) gives all series "
                    "of it, such as site: berlin.",
     .shown = R"({site: "berlin"})",
     .assign = set<&TargetConfig::labels>},
    {.path = "targets[].collect",
     .takes = {OptionKind::kNames},
     .description = "As collect at the top. Default: none.",
     .shown = R"(["iis"])",
     .assign = set<&Config::collect>},
    {.path = "targets[].countersets",
     .takes = {OptionKind::kTargetCountersets},
     .description =
         "As countersets at the top, with the same keys. Default: if collect is missing, "
         "too, those of this machine.",
     .shown = R"(["Memory", "System"])"},
};

}  // namespace

std::span<const Option> sampled_options() { return kOptions; }

}  // namespace winperf
