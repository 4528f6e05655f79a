// The part of the table of configuration keys that says what is read: "countersets", "facts",
// "targets" and the keys below them.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/hosts.h"
#include "config/values.h"

namespace winperf {
namespace {

std::expected<Pattern, TextError> read_pattern(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "a regular expression"))
    return std::unexpected(*problem);
  auto pattern = Pattern::compile(node.text);
  if (pattern) return *std::move(pattern);
  const PatternError& error = pattern.error();
  return refused(
      option, node,
      "a regular expression (" + error.message + " at byte " + std::to_string(error.offset) + ")",
      ".* for any text, and \\ before a character that is literal");
}

ReadValue read_patterns(const Option& option, const Node& node) {
  return read_each(option, node, read_pattern);
}

// Labels that the metrics have anyway, or that Prometheus adds when it scrapes.
constexpr std::string_view kLabelsOfPatterns[] = {"af", "instance", "job",
                                                  "le", "machine",  "quantile"};

// What is wrong with a group as a label, or nothing.
std::optional<std::string> label_problem(const std::string& group) {
  const bool is_name =
      std::ranges::all_of(group, [](char c) { return is_letter_or_digit(c) || c == '_'; });
  if (!is_name || group.starts_with("__"))
    return "has a group " + in_quotes(group) +
           ", which cannot be a label; write letters, digits and single underscores";
  if (std::ranges::find(kLabelsOfPatterns, group) != std::end(kLabelsOfPatterns))
    return "has a group " + in_quotes(group) + ", but that label is reserved; write another name";
  return std::nullopt;
}

ReadValue read_labels(const Option& option, const Node& node) {
  auto pattern = read_pattern(option, node);
  if (!pattern) return std::unexpected(pattern.error());
  const std::vector<std::string> groups = pattern->groups();
  if (groups.empty())
    return complaint(option, node,
                     "has no named group, so it adds no label; write, for example, "
                     "'pid_(?<process_id>\\d+)_.*'");
  for (const std::string& group : groups)
    if (const auto problem = label_problem(group)) return complaint(option, node, *problem);
  return Labels(*std::move(pattern));
}

ReadValue read_counter(const Option& option, const Node& node) {
  return read_text_if(option, node, "the name of a counter", [&](const std::string& text) {
    return text.find_first_not_of(' ') != text.npos &&
           std::cmp_less_equal(text.size(), option.takes.maximum);
  });
}

// What is wrong with a name, or nothing.
using Problem = std::optional<std::string> (*)(std::string_view);
template <Problem kProblemOf>
ReadValue read_checked_name(const Option& option, const Node& node) {
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
                     "has " + std::to_string(node.children.size()) + " labels; write at most " +
                         std::to_string(option.takes.maximum));
  FixedLabels labels;
  for (const Node& child : node.children) {
    if (const auto problem = label_name_problem(child.key))
      return std::unexpected(TextError{child.key_offset, *problem});
    if (const auto problem = text_problem(option, child, "text")) return std::unexpected(*problem);
    if (child.text.size() > kMaxNameBytes)
      return complaint(option, child, "has a value of more than 1024 bytes: shorten it");
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
                   "has " + described(node) + ", which is no machine name: " + *reason +
                       "; write, for example, " + assignment(option, in_quotes(option.example)));
}

ReadValue read_module(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "a word of letters, digits, ., _ and -";
  return read_text_if(option, node, kWanted, [&](const std::string& text) {
    return !text.empty() && std::cmp_less_equal(text.size(), option.takes.maximum) &&
           std::ranges::all_of(text, [](char c) {
             return is_letter_or_digit(c) || std::string_view("._-").contains(c);
           });
  });
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
    .read = read_checked_name<metric_name_problem>,
    .words = "metric's name",
    .schema = R"({"type": "string", "maxLength": {max}, "pattern": "^[A-Za-z_:][A-Za-z0-9_:]*$"})"};

constexpr OptionKind kLabelName{
    .read = read_checked_name<label_name_problem>,
    .words = "label's name",
    .schema = R"({"type": "string", "maxLength": {max}, "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})"};

constexpr OptionKind kFixedLabels{.read = read_fixed_labels,
                                  .words = "object: labels and values",
                                  .schema = R"({"type": "object", "maxProperties": {max},
                  "additionalProperties": {"type": "string", "maxLength": 1024}})"};

constexpr OptionKind kModule{
    .read = read_module,
    .words = "word",
    .schema = R"({"type": "string", "maxLength": {max}, "pattern": "^[A-Za-z0-9._-]+$"})"};

constexpr Choice kMetricTypes[] = {{"counter", CustomType::kCounter},
                                   {"gauge", CustomType::kGauge}};
constexpr Choice kCustomValues[] = {{"raw", CustomValue::kRaw}, {"cooked", CustomValue::kCooked}};

constexpr auto kTopics = [] {
  std::array<Choice, kFactTopicCount> choices;
  std::ranges::transform(kFactTopics, choices.begin(),
                         [](const FactTopicInfo& info) { return Choice(info.name, info.topic); });
  return choices;
}();

constexpr std::int64_t kMaxModuleBytes = 64;
constexpr std::int64_t kMaxTargetLabels = 32;
constexpr std::int64_t kMaxRemoteWorkers = 64;

constexpr Option kSampledOptions[] = {
    Option(
        "countersets", OptionKind::kCountersets, "",
        "The countersets to sample: a list of names, and of objects with the keys below. If this "
        "key and collect are missing: Processor Information (or Processor if the machine lacks "
        "it), Memory, "
        "LogicalDisk, PhysicalDisk, Network Interface, System, Process and TCPv4. [] samples "
        "none; facts must be read then."),
    Option("countersets[].name", OptionKind::kNames, "",
           "The counterset's name, its title index, or the GUID of a V2 counterset; or a list of "
           "alternatives, of which the first that exists is used; or a perfmon path, which also "
           "selects instances and a counter. A name or path with * is a pattern: it selects all "
           "countersets that it matches, now or later, except those that are expensive to collect, "
           "and except Process V2 if it also matches Process, which has the same counters. "
           "Required.",
           set<&CountersetConfig::names>, R"(["Processor Information", "Processor"])"),
    Option("countersets[].except", OptionKind::kNames, "",
           "Countersets that the pattern leaves out, by name, title index, GUID or pattern. "
           "Default: none.",
           set<&CountersetConfig::except>, R"(["Thread"])"),
    Option("countersets[].costly", OptionKind::kBoolean, "false",
           "Whether the pattern also matches objects that are expensive to collect (\"Costly\"). "
           "Each discovery run then asks all providers for them, which may take minutes where "
           "Windows has no metadata.",
           set<&CountersetConfig::costly>),
    Option("countersets[].interval", {OptionKind::kDuration, kSecond, kHour, kIntervalFloor}, "",
           "Sampling interval of this counterset. Default: interval above.",
           set<&CountersetConfig::interval>),
    Option("countersets[].stale_after", {OptionKind::kDuration, 2 * kSecond, 24 * kHour}, "",
           "The age at which values of this counterset are stale and no longer shown; must be "
           "longer than its interval. Default: stale_after above.",
           set<&CountersetConfig::stale_after>),
    Option("countersets[].path", {OptionKind::kChoice, kPaths}, "",
           "The API that this counterset is read through. Default: path above.",
           set<&CountersetConfig::path>),
    Option("countersets[].instances", {}, "",
           "Which instances to sample, and how they are labelled."),
    Option("countersets[].instances.include", kPatterns, "[]",
           "Regular expressions. An instance is sampled if at least one of them matches its whole "
           "name; an empty list matches all instances.",
           set<&CountersetConfig::instances, &Filter::include>, R"(["C:", "D:"])"),
    Option("countersets[].instances.exclude", kPatterns, "[]",
           "Regular expressions. An instance is left out if any of them matches its whole name, "
           "even if include matches, too.",
           set<&CountersetConfig::instances, &Filter::exclude>, R"(["(?i)svchost"])"),
    Option("countersets[].instances.id", {OptionKind::kInteger, 0, 4'294'967'294}, "",
           "Only the instance with this number: the instance id of a V2 counterset, or the unique "
           "id of an object that has such ids. Default: all instances.",
           set<&CountersetConfig::instance_id>),
    Option("countersets[].instances.max", {OptionKind::kInteger, 1, 1'000'000}, "",
           "The maximum number of instances, not counting _Total: those with the highest values of "
           "the counter in by, otherwise the first ones. Default: all instances.",
           set<&CountersetConfig::max_instances>, R"(20)"),
    Option("countersets[].instances.by", {kCounter, 1024}, "",
           "The name of the counter that max ranks instances by. It is sampled even if counters "
           "leaves it out. Default: the first instances are chosen.",
           set<&CountersetConfig::ranked_by>),
    Option("countersets[].instances.labels", kLabels, "",
           "A regular expression with named groups. If it matches an instance's whole name, the "
           "text of each group becomes a label with the group's name. A group named like the "
           "instance label replaces its value. Default: no further labels.",
           set<&CountersetConfig::label_pattern>),
    Option("countersets[].counters", {}, "", "Which counters to sample, by name."),
    Option("countersets[].counters.include", kPatterns, "[]", "The same as for instances.",
           set<&CountersetConfig::counters, &Filter::include>,
           R"(["% Processor Time", "Working Set.*"])"),
    Option("countersets[].counters.exclude", kPatterns, "[]", "The same as for instances.",
           set<&CountersetConfig::counters, &Filter::exclude>),
    Option("countersets[].instance_label", {kLabelName, 200}, "\"instance\"",
           "The label that names the instance in the metrics below.",
           set<&CountersetConfig::instance_label>),
    Option("countersets[].metrics", {OptionKind::kMetrics, 1000}, "",
           "Custom metrics in addition to those of metrics.profiles: a list of objects with the "
           "keys below. Instances that add up others, such as _Total, are left out unless "
           "instances.include selects them. Default: none."),
    Option("countersets[].metrics[].counter", {kCounter, 1024}, "",
           "The counter's name. It is sampled only if counters does not leave it out. Required.",
           set<&CustomMetric::counter>),
    Option("countersets[].metrics[].name", {kMetricName, 200}, "",
           "The metric's name, used unchanged. Several metrics may share a name if their labels "
           "differ. Required.",
           set<&CustomMetric::name>, R"("my_threads")"),
    Option("countersets[].metrics[].labels", {kFixedLabels, 32}, "",
           "Labels and values for each series. Default: none.", set<&CustomMetric::labels>,
           R"({team: "a"})"),
    Option("countersets[].metrics[].type", {OptionKind::kChoice, kMetricTypes}, "",
           "The metric's type. Default: counter if the value only grows, otherwise gauge.",
           set<&CustomMetric::type>),
    Option("countersets[].metrics[].value", {OptionKind::kChoice, kCustomValues}, "\"raw\"",
           "raw: the value as Windows delivers it, with timers of 100 ns in seconds. cooked: the "
           "value that perfmon computes from two samples, as a gauge.",
           set<&CustomMetric::value>),
    Option("facts", {OptionKind::kFacts, kTopics}, "",
           "Facts, which is data that does not come from counters, such as the version of Windows, "
           "services and volumes: a list of topics, and of objects with the keys below. [] reads "
           "none. If the key is missing: every topic except dns_statistics, dhcp_scopes, processes "
           "and textfile. Topics without metrics in the chosen profiles are not read."),
    Option("facts[].name", {OptionKind::kChoice, kTopics}, "",
           "The topic; docs/facts.md describes them. Required.", set<&FactConfig::topic>,
           R"("services")"),
    Option("facts[].interval", {OptionKind::kDuration, kSecond, 24 * kHour}, "",
           "How often this topic is read. Default: 15s, or 1m for topics that rarely change.",
           set<&FactConfig::interval>),
    Option("facts[].include", kPatterns, "[]",
           "Regular expressions. In a topic with several rows, such as services, a row is shown if "
           "at least one of them matches its whole name; an empty list matches all rows.",
           set<&FactConfig::rows, &Filter::include>, R"(["(?i)sql.*"])"),
    Option("facts[].exclude", kPatterns, "[]",
           "Regular expressions. A row is left out if any of them matches its whole name, even if "
           "include matches, too.",
           set<&FactConfig::rows, &Filter::exclude>),
    Option("facts[].folders", {OptionKind::kTexts, kMaxFactFolders}, "",
           "For textfile, which requires it: the folders whose *.prom files are read; a relative "
           "path starts at the folder of this file.",
           set<&FactConfig::folders>, R"(['C:\ProgramData\winperf_exporter\textfile'])"),
    Option("remote", {}, "", "How the targets below are read."),
    Option("remote.workers", {OptionKind::kInteger, 1, kMaxRemoteWorkers}, "8",
           "The number of worker processes that the targets share. Up to 8 more read targets that "
           "hang.",
           set<&Config::remote, &RemoteConfig::workers>),
    Option("targets", {OptionKind::kTargets, kMaxTargetEntries}, "[]",
           "Remote Windows machines whose counters are sampled: a list of objects with the keys "
           "below. docs/remote.md describes their requirements."),
    Option("targets[].host", {OptionKind::kTargetHosts, kMaxHosts}, "",
           "The machine's name or address, or a list of them. A name with * or ? is a pattern, in "
           "which neither matches a dot: a machine that matches it is sampled from its first probe "
           "until 10 minutes after its last one. Required.",
           set<&TargetConfig::hosts>, R"(["srv-1", "web-*"])", "srv-1"),
    Option("targets[].module", {kModule, kMaxModuleBytes}, "\"default\"",
           "Distinguishes several entries for the same machine: /probe?target=HOST&module=NAME.",
           set<&TargetConfig::module>),
    Option("targets[].interval", {OptionKind::kDuration, kSecond, kHour, kIntervalFloor}, "\"15s\"",
           "Sampling interval of its countersets that set none.", set<&Config::interval>),
    Option("targets[].stale_after", {OptionKind::kDuration, 2 * kSecond, 24 * kHour}, "",
           "The age at which its values are stale and no longer shown; must be longer than the "
           "interval. Default: two and a half intervals.",
           set<&Config::stale_after>),
    Option("targets[].path", {OptionKind::kChoice, kPaths}, "\"registry\"",
           "The API that its counters are read through. registry needs its SMB port; auto and "
           "perflib also need its RPC ports, and read V2 countersets directly.",
           set<&Config::path>),
    Option("targets[].language", {OptionKind::kChoice, kLanguages}, "\"english\"",
           "The language in which its countersets and counters may be named here, in addition to "
           "English: machine means the language of the target.",
           set<&Config::language>),
    Option("targets[].labels", {kFixedLabels, kMaxTargetLabels}, "{}",
           "Labels that service discovery (/api/v1/targets) adds to all series of the target, such "
           "as site: berlin.",
           set<&TargetConfig::labels>, R"({site: "berlin"})"),
    Option("targets[].collect", OptionKind::kNames, "", "Like collect above. Default: none.",
           set<&Config::collect>, R"(["iis"])"),
    Option("targets[].countersets", OptionKind::kTargetCountersets, "",
           "Like countersets above, with the same keys. Default: those of this machine, if collect "
           "is missing, too.",
           nullptr, R"(["Memory", "System"])"),
};

}  // namespace

const OptionKind OptionKind::kTargetHosts{
    .read = read_list_of<read_target_host>,
    .words = "name or pattern, or list of up to {max}",
    .entry = R"({"type": "string", "minLength": 1, "maxLength": 255})",
    .schema = R"({"type": "array", "items": {entry}, "maxItems": {max}})"};

std::span<const Option> sampled_options() { return kSampledOptions; }

}  // namespace winperf
