#include "tests/bench/server_page.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/exporter/support/sample_builder.h"
#include "tests/simulator/fact_source.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf::testing {

std::shared_ptr<const Sample> server_sample() {
  simulator::Machine machine;
  simulator::furnish_server(machine, simulator::Now{}.time_100ns - simulator::kServerUpTime100ns);
  const simulator::ServerData data = simulator::server_data();
  std::vector<PlannedCounterset> plan;
  for (const auto& provider : data.providers)
    for (const auto& object : provider.objects) plan.push_back(simulator::planned(object.name));
  std::ranges::sort(plan, {}, &PlannedCounterset::label);
  simulator::SimulatedSampler sampler(machine, std::move(plan));
  sampler.round();
  machine.advance(1);
  return sampler.round();
}

std::shared_ptr<const FactSnapshot> server_facts_snapshot() {
  const simulator::Now now;
  const auto source = simulator::make_server_facts([now] {
    return simulator::ServerMoment{.now = now,
                                   .boot_100ns = now.time_100ns - simulator::kServerUpTime100ns};
  });
  auto snapshot = std::make_shared<FactSnapshot>();
  for (const FactTopicInfo& info : kFactTopics) {
    if (info.topic == FactTopic::kTextfile) continue;  // this machine's
    FactState& state = snapshot->topics.emplace_back();
    state.topic = info.topic;
    state.stale_after = std::chrono::hours(1);
    auto table = source->read({.topic = info.topic}, {});
    state.success = table.has_value();
    if (table) state.table = std::make_shared<const FactTable>(*std::move(table));
    if (!table) state.error = table.error();
    state.read_at = kTaken;
    state.attempts = 1;
  }
  return snapshot;
}

PageFilter filter_of(const Sample& sample, std::size_t count, bool is_turned) {
  PageFilter filter;
  const std::size_t all = sample.countersets.size();
  for (std::size_t i = 0; i < count; ++i)
    filter.countersets.push_back(sample.countersets[i * all / count].name);
  if (is_turned) std::ranges::reverse(filter.countersets);
  return filter;
}

PageFilter filter_of_names(std::string_view page, std::size_t count) {
  constexpr std::string_view kType = "# TYPE ";
  std::vector<std::string> all;
  for (auto at = page.find(kType); at != page.npos; at = page.find(kType, at + 1)) {
    const std::string_view name = page.substr(at + kType.size());
    all.emplace_back(name.substr(0, name.find(' ')));
  }
  PageFilter filter;
  for (std::size_t i = 0; i < count; ++i) filter.names.push_back(all[i * all.size() / count]);
  return filter;
}

}  // namespace winperf::testing
