// The program behind the command `run`, its composition root: reads the configuration, opens the
// log, then samples and serves until its host stops it. Thread rule: the host's thread.
#pragma once

#include "service/run/server.h"
#include "service/run/service_host.h"

namespace winperf {

// Returns the process' exit code. Whatever keeps the program from starting goes to
// ServiceHost::cannot_start().
int run_server(ServiceHost& host, const RunOptions& options);

}  // namespace winperf
