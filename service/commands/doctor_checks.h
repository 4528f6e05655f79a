// Finds out what the doctor checks besides countersets (service/doctor/checks.h), on this machine.
// Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "collectors/worker/worker.h"
#include "config/config.h"
#include "service/doctor/checks.h"

namespace winperf {

// `config_file`: may be empty. Listens for a moment at the configured addresses, reads each
// configured topic, asks a running exporter for its metrics about itself, and compares the names of
// its own counters with the source's table of names.
std::vector<CheckSubject> check_subjects(const Config& config, const std::string& config_file,
                                         const worker::WorkerOptions& origin,
                                         const TokenFacts& token, CounterSource& source);

}  // namespace winperf
