// Reads facts once, as the service does it: in a worker, with the settings of the configuration.
// Thread rule: any thread.
#pragma once

#include <memory>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/worker/worker.h"
#include "config/config.h"

namespace winperf {

// In the order of `topics`; no table is stale.
std::shared_ptr<const FactSnapshot> read_facts_once(const worker::WorkerOptions& origin,
                                                    const Config& config,
                                                    const std::vector<FactConfig>& topics);

}  // namespace winperf
