// A page of a large server: what its sample has, and parts of it that a client may ask for.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "collectors/facts/fact_state.h"
#include "collectors/model/sample.h"
#include "exporter/text/page_selection.h"

namespace winperf::testing {

// All countersets of the simulated server.
std::shared_ptr<const Sample> server_sample();

// All facts of the simulated server, read at kTaken.
std::shared_ptr<const FactSnapshot> server_facts_snapshot();

// So many countersets of it, spread over all, in the order of the sample or in the opposite one.
PageFilter filter_of(const Sample& sample, std::size_t count, bool is_turned);
// So many metrics of the page, spread over all.
PageFilter filter_of_names(std::string_view page, std::size_t count);

}  // namespace winperf::testing
