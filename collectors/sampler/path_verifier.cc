#include "collectors/sampler/path_verifier.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/registry/registry_reader.h"

namespace winperf {
namespace {

// Performance counters are not meant to be collected more often.
constexpr std::chrono::seconds kRoundInterval{1};

// The numbers change from round to round, so they are not compared.
bool same_finding(const PathDifference& a, const PathDifference& b) {
  return a.instance == b.instance && a.counter == b.counter && a.what == b.what;
}

void keep_common(std::vector<PathDifference>& differences,
                 const std::vector<PathDifference>& others) {
  std::erase_if(differences, [&others](const PathDifference& difference) {
    return std::ranges::none_of(others, [&difference](const PathDifference& other) {
      return same_finding(difference, other);
    });
  });
}

PlannedCounterset planned(const std::string& name) {
  PlannedCounterset counterset;
  counterset.label = name;
  counterset.names = {name};
  return counterset;
}

}  // namespace

VerifiedCounterset PathVerifier::verify(const std::string& name, StopToken stop) {
  VerifiedCounterset result = compare_once(name, stop);
  for (std::size_t round = 1; round < rounds_ && !result.agrees(); ++round) {
    clocks_.pause_until(clocks_.steady_now() + kRoundInterval, stop);
    if (stop.stop_requested()) break;
    VerifiedCounterset again = compare_once(name, stop);
    keep_common(again.comparison.differences, result.comparison.differences);
    result = std::move(again);
  }
  return result;
}

VerifiedCounterset PathVerifier::compare_once(const std::string& name, StopToken stop) {
  RegistryReader registry(planned(name));
  VerifiedCounterset result;
  result.name = name;

  ReadResult before = registry.read(registry_, catalog_, name, stop);
  ReadResult between = other_.read(name, stop);
  ReadResult after = registry.read(registry_, catalog_, name, stop);

  for (ReadResult* const reading : {&before, &between, &after})
    result.problems.insert(result.problems.end(), problems_of(*reading).begin(),
                           problems_of(*reading).end());
  if (!before) result.registry_error = before.error().error;
  if (before && !after) result.registry_error = after.error().error;
  if (!between) result.other_error = between.error().error;
  if (result.delivered())
    result.comparison =
        compare_paths(*before->sample, *between->sample, *after->sample, other_.through);
  return result;
}

OtherPath via_perflib(PerflibConnection& perflib, const ClockSource& clocks) {
  return {.through = "via PerfLib",
          .read = [&perflib, clocks](const std::string& name, const auto&) {
            PerflibReader reader(planned(name));
            perflib.begin_round(clocks.steady_now());
            ReadResult result = reader.read(perflib, name);
            reader.stop(perflib);
            return result;
          }};
}

OtherPath via_hosts(CounterSource& hosts, CatalogKeeper& catalog) {
  return {.through = "via its host",
          .read = [&hosts, &catalog](const std::string& name, const StopToken& stop) {
            return RegistryReader(planned(name)).read(hosts, catalog, name, stop);
          }};
}

}  // namespace winperf
