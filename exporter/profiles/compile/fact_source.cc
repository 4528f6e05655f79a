// The metrics of facts as C++.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "collectors/model/fact_states.h"
#include "collectors/model/fact_topic.h"
#include "exporter/profiles/compile/sources.h"
#include "exporter/profiles/compile/words.h"

namespace winperf::tables {
namespace {

// A row, and where it stands.
struct Metric {
  const Table* table = nullptr;
  FactTopic topic{};
  bool is_late = false;  // of a collector that only older versions had
  const FactRow* row = nullptr;
};
using Metrics = std::map<std::string, Metric, std::less<>>;  // by name

// In the order of the topics.
std::vector<Metric> metrics_of(const Profile& profile) {
  std::vector<Metric> metrics;
  for (const Table& table : profile.tables)
    for (const Statement& said : table.statements)
      for (const FactRow& row : said.rows)
        if (const auto topic = find_fact_topic(said.text))
          metrics.push_back(
              {&table, *topic, profile.kind == ProfileKind::kLegacy && said.word == "topic", &row});
  std::ranges::stable_sort(
      metrics, {}, [](const Metric& metric) { return std::pair(metric.is_late, metric.topic); });
  return metrics;
}

// `words NAME = WORD, WORD` of tables as arrays, beside those of fact_states.h; all rows may name
// either.
std::string word_arrays(const std::vector<Profile>& profiles, Problems& problems) {
  std::string arrays;
  std::set<std::string, std::less<>> names;
  for (const FactStates& states : kFactStates) names.emplace(states.name);
  for (const Profile& profile : profiles)
    for (const Table& table : profile.tables)
      for (const Statement& said : table.statements) {
        if (said.word != "words") continue;
        const auto sides = split(said.text, '=');
        if (sides.size() != 2 || !is_word(sides[0]) || !names.emplace(sides[0]).second)
          problems.add(table.file, said.line, "it is written words NAME = WORD, WORD, once");
        else
          array_of("std::string_view", constant(sides[0]), quoted_list(split(sides[1], ',')),
                   arrays);
      }
  for (const Profile& profile : profiles)
    for (const Metric& metric : metrics_of(profile))
      if (!metric.row->words.empty() && !names.contains(metric.row->words))
        problems.add(metric.table->file, metric.row->line,
                     '\'' + metric.row->words + "' names no words of states");
  return arrays;
}

// Another metric, if it says all of itself.
const Metric& metric_of(const std::string& name, const Metric& asker, const Metrics& metrics,
                        Problems& problems) {
  const auto found = metrics.find(name);
  if (found != metrics.end() && found->second.row->same_as.empty()) return found->second;
  problems.add(asker.table->file, asker.row->line, "no row says of itself what " + name + " is");
  return asker;
}

// With what it has of others.
std::string text_of(const Metric& metric, const Metrics& metrics, Problems& problems) {
  const std::string& same_as = metric.row->same_as;
  const Metric& whole = same_as.empty() ? metric : metric_of(same_as, metric, metrics, problems);
  const std::string& help_of = whole.row->help_of;
  const FactRow& teller =
      *(help_of.empty() ? whole : metric_of(help_of, metric, metrics, problems)).row;
  const auto fail = [&](const std::string& text) {
    problems.add(metric.table->file, metric.row->line, text);
  };
  if (whole.topic != metric.topic) fail(same_as + " is about another topic");
  if (!help_of.empty() && !teller.help_of.empty())
    fail(help_of + " has the HELP of another metric itself");
  return "\n    {" + quoted(metric.row->metric) + ", " + quoted(teller.help) + ", " +
         whole.row->cpp + "},";
}

}  // namespace

std::string fact_source(const std::vector<Profile>& profiles, Problems& problems) {
  Metrics all;
  for (const Profile& profile : profiles)
    for (const Metric& metric : metrics_of(profile))
      if (const auto [known, is_new] = all.emplace(metric.row->metric, metric); !is_new)
        problems.add(metric.table->file, metric.row->line,
                     metric.row->metric + " is in " + known->second.table->file + ", too");
  std::string arrays = word_arrays(profiles, problems);
  std::vector<std::pair<std::string, std::string>> spans;
  for (const Profile& profile : profiles) {
    std::string rows;
    for (const Metric& metric : metrics_of(profile)) rows += text_of(metric, all, problems);
    spans.emplace_back(profile.name, array_of("FactMetric", constant(profile.name), rows, arrays));
  }
  return source_of("collector.h", arrays, function_of("FactMetric", "fact_metrics", spans));
}

}  // namespace winperf::tables
