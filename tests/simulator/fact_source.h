// What is not a counter on the simulated machine: for the whole server the recorded answers of
// server/facts.json, for the other scenarios none. Text files are this machine's.
// Thread rule: one thread.
#pragma once

#include <memory>
#include <string_view>

#include "collectors/facts/fact_source.h"

namespace winperf {

std::string_view server_facts();  // the text of server/facts.json

namespace simulator {

// `scenario`: that of WINPERF_SIMULATOR.
std::unique_ptr<FactSource> make_simulated_facts(std::string_view scenario);

}  // namespace simulator
}  // namespace winperf
