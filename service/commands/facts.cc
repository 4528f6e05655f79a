#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "exporter/json/sample_document.h"
#include "service/commands/command.h"
#include "service/commands/fact_reading.h"
#include "service/commands/fact_report.h"
#include "service/console/json_document.h"

namespace winperf {
namespace {

struct FactsOptions {
  worker::WorkerOptions origin{};
  std::string config_file;
  std::vector<std::string> topics;  // empty: an overview of all
  OutputFormat format = OutputFormat::kTable;
  bool wide = false;
};

CLI::Validator is_topic() {
  return CLI::Validator(
      [](const std::string& word) {
        if (find_fact_topic(word)) return std::string();
        std::vector<std::string_view> names;
        for (const FactTopicInfo& info : kFactTopics) names.push_back(info.name);
        const std::string_view meant = nearest(word, names);
        return in_quotes(word) + " is not a topic of facts; " +
               (meant.empty() ? "\"winperf_exporter facts\" lists them"
                              : "did you mean " + in_quotes(meant) + '?');
      },
      "");
}

// With the settings of the configuration, if it has any.
FactConfig wanted_topic(FactTopic topic, const Config& config) {
  const auto found = std::ranges::find(config.facts, topic, &FactConfig::topic);
  return found != config.facts.end()
             ? *found
             : FactConfig{.topic = topic, .interval = info_of(topic).interval};
}

std::vector<FactConfig> wanted_topics(const std::vector<std::string>& names, const Config& config) {
  if (names.empty()) return config.facts;
  std::vector<FactConfig> wanted;
  for (const std::string& name : names) {
    const auto topic = find_fact_topic(name);
    if (topic && std::ranges::find(wanted, *topic, &FactConfig::topic) == wanted.end())
      wanted.push_back(wanted_topic(*topic, config));
  }
  return wanted;
}

// A topic that was named must exist; of the others, the machine may lack some.
int exit_code_of(const FactSnapshot& facts, bool is_named) {
  const auto failed = [is_named](const FactState& state) {
    return state.error && (is_named || state.error->code != ErrorCode::kUnsupported);
  };
  return std::ranges::any_of(facts.topics, failed) ? kExitFailure : kExitOk;
}

int show_facts(const FactsOptions& options) {
  const auto config = load_or_complain(options.config_file);
  if (!config) return config.error();
  const std::vector<FactConfig> topics = wanted_topics(options.topics, *config);
  for (const FactConfig& fact : topics)
    if (fact.topic == FactTopic::kTextfile && fact.folders.empty())
      return fail(
          "the topic \"textfile\" needs folders: with --config, name a configuration that lists, "
          "for "
          "example, {name: textfile, folders: ['C:\\ProgramData\\winperf_exporter\\textfile']} "
          "under facts");
  const auto facts = read_facts_once(options.origin, *config, topics);
  const std::size_t columns = output_look(options.wide).columns;
  if (options.format == OutputFormat::kJson)
    std::cout << json_document(nlohmann::ordered_json::parse(
        json::facts_document(*facts, std::nullopt, std::chrono::steady_clock::now())));
  else if (options.topics.empty())
    std::cout << topics_to_table(*facts, config->facts, columns);
  else
    std::cout << facts_to_tables(*facts, config->facts, columns);
  return exit_code_of(*facts, !options.topics.empty());
}

}  // namespace

void add_facts(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<FactsOptions>();
  options->origin = run.origin;
  CLI::App& command = *program.add_subcommand(
      "facts", "Show data that does not come from counters, by topic: services, volumes and more");
  add_config(command, options->config_file);
  command
      .add_option("topic", options->topics,
                  "topics to show with their rows (default: a list of all topics)")
      ->type_name("TOPIC")
      ->check(is_topic());
  add_format(command, options->format);
  add_wide(command, options->wide);
  command.callback([options, &run] { run.exit_code = show_facts(*options); });
}

}  // namespace winperf
