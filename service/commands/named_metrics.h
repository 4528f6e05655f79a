// Of a list of metrics those that paths on the command line name, and why some of them aren't on
// the page: shown by `metrics`. Thread rule: any thread.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "service/commands/listing.h"
#include "service/commands/metric_listing.h"

namespace winperf {

// Of an object that only paths name, the metrics of the counters that these select. The listing has
// whole objects, because a counter's metrics depend on the object's other counters.
std::vector<ListedMetric> named_metrics(std::vector<ListedMetric> metrics, const Listing& listing,
                                        const std::vector<std::string>& names);

// A sentence for each counter that a path selects and that has no metric or is not sampled, and for
// each instance that a path names and that is on no page, because it adds up others.
std::vector<std::string> reasons_without_metric(const std::vector<ListedMetric>& metrics,
                                                const Listing& listing, const Config& config,
                                                const std::vector<std::string>& names);

}  // namespace winperf
