#include "collectors/sampling/registry/registry_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

std::uint64_t size_of(const Reply& reply) {
  std::uint64_t bytes = reply.logged_bytes;
  for (const Bytes& block : reply.blocks) bytes += block.size();
  return bytes;
}

}  // namespace

std::expected<RegistryReader::Reading, Error> RegistryReader::read(CounterSource& source,
                                                                   CatalogKeeper& catalog,
                                                                   std::string_view name,
                                                                   std::vector<Error>& problems,
                                                                   std::stop_token stop) {
  if (resolved_generation_ != catalog.generation() || resolved_name_ != name) resolved_.clear();
  resolved_generation_ = catalog.generation();
  resolved_name_ = name;
  if (!resolved_.empty()) {
    auto reading = query(source, catalog, resolved_, problems, stop);
    if (reading || kind_of(reading.error().code) != ErrorKind::kAbsent) return reading;
    resolved_.clear();
  }
  const auto candidates = catalog.objects_named(name);
  if (candidates.empty()) {
    catalog.report_unknown();
    return std::unexpected(Error{.code = ErrorCode::kNoSuchName, .where = "counterset"});
  }
  auto reading = query(source, catalog, candidates, problems, stop);
  if (reading) resolved_ = {reading->sample->schema->index};
  return reading;
}

std::expected<RegistryReader::Reading, Error> RegistryReader::query(
    CounterSource& source, CatalogKeeper& catalog, const std::vector<ObjectIndex>& candidates,
    std::vector<Error>& problems, std::stop_token stop) {
  const auto reply = source.query(index_list(candidates), stop);
  if (!reply) return std::unexpected(reply.error());
  const std::size_t problems_before = problems.size();
  auto samples =
      sampler_.take(*reply, catalog.catalog(), catalog.generation(), candidates, problems);
  if (std::ranges::any_of(
          problems, [](const Error& problem) { return problem.code == ErrorCode::kUnknownIndex; }))
    catalog.report_unknown();
  // Candidates are in ascending order: where a third party uses a system object's name, the
  // system's wins.
  if (!samples.empty())
    return Reading{.sample = std::ranges::min(
                       samples, {}, [](const auto& sample) { return sample->schema->index; }),
                   .bytes = size_of(*reply)};
  // A corrupt object is the reason why it is missing; say that rather than "absent".
  if (problems.size() > problems_before) {
    const Error reason = problems.back();
    problems.pop_back();
    return std::unexpected(reason);
  }
  return std::unexpected(Error{.code = ErrorCode::kNoSuchObject, .where = "counterset"});
}

}  // namespace winperf
