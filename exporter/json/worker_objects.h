// Worker processes, and the providers that have a separate one, as JSON. Thread rule: any thread.
#pragma once

#include <string>

#include "collectors/model/worker_state.h"

namespace winperf::json {

void append_worker(std::string& out, const WorkerState& worker);
void append_provider(std::string& out, const ProviderState& provider);

}  // namespace winperf::json
