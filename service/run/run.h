// The program that `run` starts: reads the configuration, opens the log, samples and serves until
// its host tells it to stop. The composition root. Thread rule: the host's thread.
#pragma once

#include "service/run/server.h"
#include "service/run/service_host.h"

namespace winperf {

// Returns the process' exit code. What keeps the program from starting goes to
// ServiceHost::cannot_start().
int run_server(ServiceHost& host, const RunOptions& options);

}  // namespace winperf
