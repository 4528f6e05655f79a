// The page of an exporter that runs on this machine, as the other path of `verify`: what the
// exporter's own counters have in common with its metrics, as their table says
// (exporter/counters/own_counters.h).
//
// The page has newer numbers than the state that was published last. So a reading ends when a newer
// state than that on the page is there, or none comes in time; what grows lies between the states
// before and after. Left out are: what the page doesn't have; connections, of which the request is
// one itself; and sums over countersets that the page has begun anew, because these are no longer
// sampled or their configuration has changed, which the counters don't do.
//
// The answer is not trusted: any program may listen there. It is this exporter's page if it started
// at the moment that the counters say. Errors: sentences, and those of a
// ReadResult. Thread rule: one thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "collectors/sampler/path_verifier.h"

namespace winperf {

struct PageAddress {
  std::string origin;  // "http://127.0.0.1:10182"
  std::string path;    // "/metrics"
};

// Of "http://127.0.0.1:10182/metrics"; without a path, it is /metrics.
[[nodiscard]] std::expected<PageAddress, std::string> parse_page_address(const std::string& url);

// Whether there is a page that says which state the exporter has published.
[[nodiscard]] std::expected<void, std::string> check_page(const PageAddress& page);

// The English names of the exporter's own objects.
std::vector<std::string> names_on_page();

// `registry` and `catalog` must outlive the path.
OtherPath via_page(CounterSource& registry, CatalogKeeper& catalog, PageAddress page,
                   const ClockSource& clocks);

}  // namespace winperf
