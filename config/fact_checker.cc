// The list of topics that are not counters.
#include <algorithm>
#include <string>
#include <utility>

#include "collectors/base/wording.h"
#include "config/checker.h"
#include "config/value_error.h"
#include "config/values.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kEntry = "facts[]";

const Option& topic_option() { return *find_option(kEntry, "name"); }

}  // namespace

std::vector<FactConfig> default_facts() {
  std::vector<FactConfig> facts;
  for (const FactTopicInfo& info : kFactTopics)
    if (info.is_default) facts.push_back({.topic = info.topic, .interval = info.interval});
  return facts;
}

void Checker::check_facts(const Option& option, const Node& node) {
  scope_.facts_given = true;
  if (node.kind != NodeKind::kSequence) {
    return complain(node.offset, in_quotes(option.path) + " must be a list, not " +
                                     described(node) +
                                     ": write, for example, [os, {name: services, interval: 30s}]");
  }
  for (const Node& item : node.children) check_fact(option, item);
  std::ranges::sort(scope_.draft.config.facts, {}, &FactConfig::topic);
}

void Checker::check_fact(const Option& option, const Node& node) {
  scope_.draft.fact = {};
  const std::size_t errors_before = errors_.size();
  if (node.kind == NodeKind::kMap) {
    check_keys(kEntry, node);
    if (child_of(node, "name") == nullptr)
      complain(node.offset, "this topic has no name: write, for example, name: services");
  } else if (node.kind == NodeKind::kSequence) {
    complain(node.offset, "an entry of " + in_quotes(option.path) +
                              " must be a topic or an object, not a list: write, for example, os");
  } else {
    check_option(topic_option(), node);
  }
  if (errors_.size() != errors_before) return;
  check_fact_keys(node);
  FactConfig& fact = scope_.draft.fact;
  if (std::ranges::find(scope_.draft.config.facts, fact.topic, &FactConfig::topic) !=
      scope_.draft.config.facts.end())
    return complain(node.offset, "topic " + in_quotes(name_of(fact.topic)) +
                                     " is named twice: keep one, with the filters of both");
  if (fact.interval == milliseconds{}) fact.interval = info_of(fact.topic).interval;
  scope_.draft.config.facts.push_back(std::move(fact));
}

// What only some topics have.
void Checker::check_fact_keys(const Node& node) {
  const FactTopic topic = scope_.draft.fact.topic;
  const std::string name = in_quotes(name_of(topic));
  for (const std::string_view key : {"include", "exclude"})
    if (const Node* const filter = child_of(node, key);
        filter != nullptr && info_of(topic).row_name.empty())
      complain(filter->offset, in_quotes(key) + " can't be given for " + name +
                                   ", which has nothing to choose from: remove it");
  const Node* const folders = child_of(node, "folders");
  const bool is_textfile = topic == FactTopic::kTextfile;
  if (folders != nullptr && !is_textfile)
    complain(folders->offset, in_quotes("folders") + " are those of " +
                                  in_quotes(name_of(FactTopic::kTextfile)) + ": remove them");
  if (folders == nullptr && is_textfile)
    complain(node.offset, name + " needs folders: write, for example, {name: textfile, folders: " +
                              "['C:\\ProgramData\\winperf_exporter\\textfile']}");
}

}  // namespace winperf
