// What is not a counter on the simulated machine: for the whole server what server/facts.json says,
// for the other scenarios nothing. Text files are this machine's.
// Thread rule: one thread.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "collectors/facts/fact_source.h"
#include "tests/simulator/server/rows.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf {

std::string_view server_facts();  // the text of server/facts.json

namespace simulator {

std::unique_ptr<FactSource> make_server_facts(std::function<ServerMoment()> moment,
                                              const ServerKind& kind = {});
std::unique_ptr<FactSource> make_no_facts();

}  // namespace simulator
}  // namespace winperf
