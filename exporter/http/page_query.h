// The parameters of a request for /metrics:
//   counterset[]=NAME   the series of this counterset
//   collect[]=NAME      those of what windows_exporter's collector of this name reads
//   exclude[]=NAME      all but those
//   facts[]=TOPIC       those of this topic of facts
//   name[]=NAME         the metrics of this name
// Each may be there several times, and each may lack its "[]"; collect[] and exclude[] don't go
// together. Other parameters are ignored, as windows_exporter does, but for those that look like
// one of these, or like one of /probe. Thread rule: pure functions.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "exporter/text/page_selection.h"

namespace winperf {

// What a collector of windows_exporter reads.
struct CollectorParts {
  std::vector<std::string> countersets{};
  std::vector<FactTopic> topics{};
};
// If it has none of this name, the error is the name that may be meant, or empty.
using FindCollector = std::function<std::expected<CollectorParts, std::string>(std::string_view)>;

// `index`, `facts`: of the latest sample, and the latest ones; or null. Duplicates count once. The
// error is a sentence for the client. An unknown metric is no error: metrics come and go.
[[nodiscard]] std::expected<PageFilter, std::string> page_filter(
    const std::multimap<std::string, std::string>& query, const CountersetIndex* index,
    const FactSnapshot* facts, const FindCollector& find_collector);

}  // namespace winperf
