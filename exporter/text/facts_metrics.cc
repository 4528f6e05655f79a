#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

struct Row {
  const FactState& state;
  SteadyTime now;
  std::size_t left_out;  // series of the topic
};

using Number = std::optional<double>;

constexpr OwnFamily gauge(const char* name, const char* help) {
  return {.name = name, .help = help, .label_names = {"topic"}};
}

constexpr OwnNumber<Row> kNumbers[] = {
    {gauge("winperf_exporter_facts_success", "Whether the topic was read the last time."),
     [](const Row& row) { return Number(row.state.success ? 1 : 0); }},
    {gauge("winperf_exporter_facts_timeout",
           "Whether reading the topic took too long the last time."),
     [](const Row& row) {
       const auto& error = row.state.error;
       return Number(error && error->code == ErrorCode::kTimedOut ? 1 : 0);
     }},
    {gauge("winperf_exporter_facts_duration_seconds",
           "How long reading the topic took the last time."),
     [](const Row& row) { return Number(row.state.duration_seconds); }},
    {gauge("winperf_exporter_facts_age_seconds", "How old the facts about the topic are."),
     [](const Row& row) {
       if (row.state.table == nullptr) return Number();
       return Number(std::chrono::duration<double>(row.now - row.state.read_at).count());
     }},
    {gauge("winperf_exporter_facts_rows", "How many things of the topic are known."),
     [](const Row& row) {
       if (row.state.table == nullptr) return Number();
       return Number(static_cast<double>(row.state.table->rows.size()));
     }},
    {gauge("winperf_exporter_facts_problems", "What of the topic couldn't be read."),
     [](const Row& row) {
       if (row.state.table == nullptr) return Number();
       return Number(static_cast<double>(row.state.table->problems.size()));
     }},
    {gauge("winperf_exporter_facts_left_out",
           "Series of the topic that are not on the page: they would be there twice, or beyond "
           "limits.max_series."),
     [](const Row& row) { return Number(static_cast<double>(row.left_out)); }},
};

}  // namespace

OwnMetrics facts_metrics(const FactSnapshot& facts, SteadyTime now, const LeftOutFacts& left_out) {
  return OwnMetrics([&facts, now, &left_out](SeriesSink& sink) {
    std::vector<Row> rows;
    for (const FactState& state : facts.topics)
      if (state.attempts != 0 && sink.selection().has_topic(state.topic))
        rows.push_back({state, now, left_out.at(static_cast<std::size_t>(state.topic))});
    add_numbers(sink, kNumbers, rows, [](const Row& row) {
      return std::array<std::string_view, 1>{name_of(row.state.topic)};
    });
  });
}

}  // namespace winperf
