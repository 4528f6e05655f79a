#include "collectors/sampling/counterset_collector.h"

#include <algorithm>
#include <utility>

#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

std::uint64_t size_of(const Reply& reply) {
  std::uint64_t bytes = 0;
  for (const Bytes& block : reply.blocks) bytes += block.size();
  return bytes;
}

}  // namespace

CountersetCollector::CountersetCollector(PlannedCounterset planned)
    : planned_(std::move(planned)), sampler_(planned_.selection) {
  state_.name = planned_.label;
}

void CountersetCollector::collect(CounterSource& source, CatalogKeeper& catalog,
                                  const ClockSource& clocks, std::vector<Error>& problems,
                                  std::stop_token stop) {
  const auto started = clocks.steady_now();
  auto collected = collect_resolved(source, catalog, problems, stop);
  const std::chrono::duration<double> took = clocks.steady_now() - started;

  ++state_.attempts;
  state_.duration_seconds = took.count();
  state_.success = collected.has_value();
  if (collected) {
    state_.sample = *std::move(collected);
    state_.sampled_at = clocks.wall_now();
    state_.error.reset();
    return;
  }
  ++state_.failures;
  state_.error = collected.error();
  problems.push_back(collected.error());
}

CountersetCollector::Collected CountersetCollector::collect_resolved(CounterSource& source,
                                                                     CatalogKeeper& catalog,
                                                                     std::vector<Error>& problems,
                                                                     std::stop_token stop) {
  if (resolved_generation_ != catalog.generation()) resolved_.clear();
  resolved_generation_ = catalog.generation();
  if (!resolved_.empty()) {
    auto collected = query(source, catalog, resolved_, problems, stop);
    if (collected || kind_of(collected.error().code) != ErrorKind::kAbsent) return collected;
    resolved_.clear();
  }

  Error absent{.code = ErrorCode::kNoSuchName, .where = "counterset"};
  for (const std::string& name : planned_.names) {
    const auto candidates = catalog.objects_named(name);
    if (candidates.empty()) {
      catalog.report_unknown();
      continue;
    }
    auto collected = query(source, catalog, candidates, problems, stop);
    if (collected) resolved_ = {(*collected)->schema->index};
    if (collected || collected.error().code != ErrorCode::kNoSuchObject) return collected;
    absent = collected.error();
  }
  return std::unexpected(absent);
}

CountersetCollector::Collected CountersetCollector::query(
    CounterSource& source, CatalogKeeper& catalog, const std::vector<ObjectIndex>& candidates,
    std::vector<Error>& problems, std::stop_token stop) {
  const auto reply = source.query(index_list(candidates), stop);
  if (!reply) return std::unexpected(reply.error());
  state_.bytes = size_of(*reply);
  const std::size_t problems_before = problems.size();
  auto samples =
      sampler_.take(*reply, catalog.catalog(), catalog.generation(), candidates, problems);
  if (std::ranges::any_of(
          problems, [](const Error& problem) { return problem.code == ErrorCode::kUnknownIndex; }))
    catalog.report_unknown();
  // Candidates are in ascending order: where a third party uses a system object's name, the
  // system's wins.
  if (!samples.empty())
    return std::ranges::min(samples, {}, [](const auto& sample) { return sample->schema->index; });
  // A corrupt object is the reason why it is missing; say that rather than "absent".
  if (problems.size() > problems_before) {
    const Error reason = problems.back();
    problems.pop_back();
    return std::unexpected(reason);
  }
  return std::unexpected(Error{.code = ErrorCode::kNoSuchObject, .where = "counterset"});
}

}  // namespace winperf
